import { placed } from '../raised-digits';
import { type Archive, attributeOf, type Met } from './archive';
import type { ListLevel } from './list-labels';

type Levels = (ListLevel | undefined)[];

/** The formats of numbers of OpenDocument (part 3, 20.318), by their names in documents of Word. */
const formats: Record<string, string> = {
  '1': 'decimal',
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
  '': 'none',
};

/** What the styles of a document say of its words: how lists are numbered, and which words stand above or below the line. */
export class OpenStyles {
  readonly lists = new Map<string, Levels>();
  /** The names of lists, by the paragraphs' styles that name them. */
  readonly listsOfStyles = new Map<string, string>();
  readonly places = new Map<string, ReturnType<typeof placed>>();

  static async of(archive: Archive): Promise<OpenStyles> {
    const styles = new OpenStyles();
    await archive.walk('styles.xml', styles.reader());
    return styles;
  }

  /** Collects the styles of a part as it is read. */
  reader(): Required<Pick<Met, 'open'>> {
    let levels: Levels = [];
    let style = '';
    return {
      open: (name, attributes) => {
        const named = attributeOf(attributes, 'name') ?? '';
        if (name === 'list-style' || name === 'outline-style') {
          levels = [];
          this.lists.set(name === 'outline-style' ? outline : named, levels);
        } else if (/^(?:list-level-style-(?:number|bullet|image)|outline-level-style)$/.test(name)) {
          const level = Number(attributeOf(attributes, 'level'));
          if (level >= 1 && level <= 20) levels[level - 1] = levelOf(name, level, attributes);
        } else if (name === 'style') {
          style = named;
          const parent = attributeOf(attributes, 'parent-style-name') ?? '';
          const list = attributeOf(attributes, 'list-style-name') ?? this.listsOfStyles.get(parent);
          if (list) this.listsOfStyles.set(style, list);
          const place = this.places.get(parent);
          if (place) this.places.set(style, place);
        } else if (name === 'text-properties') {
          const place = placed(attributeOf(attributes, 'text-position'));
          if (place) this.places.set(style, place);
        }
      },
    };
  }
}

/** The name under which the numbers of headings are kept. */
export const outline = '\0outline';

function levelOf(name: string, level: number, attributes: Record<string, string>): ListLevel {
  const start = Number(attributeOf(attributes, 'start-value') ?? 1);
  if (!/number|outline/.test(name)) return { format: 'bullet', text: '', start };
  const format = formats[attributeOf(attributes, 'num-format') ?? ''] ?? 'decimal';
  const shown = Math.min(level, Number(attributeOf(attributes, 'display-levels') ?? 1));
  const numbers = Array.from({ length: shown }, (_, at) => `%${level - shown + at + 1}`).join('.');
  const text = `${attributeOf(attributes, 'num-prefix') ?? ''}${numbers}${attributeOf(attributes, 'num-suffix') ?? ''}`;
  return { format, text, start };
}
