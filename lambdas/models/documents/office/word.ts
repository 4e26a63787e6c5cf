import { decodeText } from '../../../../core/base/text/decode-text';
import { readHtml } from '../read-html';
import { type Archive, attributeOf, type Met } from './archive';
import { ListLabels, type ListLevel } from './list-labels';
import { addComments, addParagraphs, type Words } from './words';

const headings: Record<string, string> = {
  header: '[Header]',
  footer: '[Footer]',
  footnotes: '[Footnotes]',
  endnotes: '[Endnotes]',
};

/** Adds the text of a document of Word, and then of what belongs to no place of it: headers, footers, notes, comments. */
export async function addDocument(archive: Archive, main: string, words: Words): Promise<void> {
  const relations = await archive.relations(main);
  const partOf = (kind: string) => relations.find(({ type }) => type === kind)?.target ?? '';
  const lists = await listsOf(archive, partOf('numbering'), partOf('styles'));
  const chunks = new Map<string, string>();
  for (const { id, type, target } of relations)
    if (type === 'aFChunk') chunks.set(id, await textOfChunk(archive, target, words.most));
  const insert: Met = {
    open(name, attributes) {
      if (name === 'altChunk') words.add(`${chunks.get(attributeOf(attributes, 'id') ?? '') ?? ''}\n`);
    },
  };
  await addParagraphs(archive, main, words, bothOf(labelling(lists, words), insert));
  for (const { type, target } of relations) {
    const heading = headings[type];
    if (!heading) continue;
    words.begin(heading);
    await addParagraphs(archive, target, words, labelling(lists, words));
  }
  for (const { type, target } of relations)
    if (type === 'comments') await addComments(archive, target, words, '[Comments]');
}

const bothOf = (one: Met, other: Met): Met => ({
  open(name, attributes) {
    one.open?.(name, attributes);
    other.open?.(name, attributes);
  },
  close: (name) => one.close?.(name),
});

/** Returns the text of a page or a text that a program has put into a document as it was. */
async function textOfChunk(archive: Archive, part: string, most: number): Promise<string> {
  const { text } = decodeText(await archive.bytes(part), false);
  if (/^\s*</.test(text)) return readHtml(text, most).text;
  return /\.txt$/i.test(part) ? text : '';
}

/** The list of a number that paragraphs name, and where it begins anew. */
interface Numbered {
  list: string;
  restarts: Map<number, number>;
}

interface Style {
  number?: string;
  level?: number;
  basedOn?: string;
}

interface Lists {
  numbers: ReadonlyMap<string, Numbered>;
  levels: ReadonlyMap<string, readonly (ListLevel | undefined)[]>;
  styles: ReadonlyMap<string, Style>;
}

async function listsOf(archive: Archive, numbering: string, stylesPart: string): Promise<Lists> {
  const levels = new Map<string, ListLevel[]>();
  const numbers = new Map<string, Numbered>();
  const styles = new Map<string, Style>();
  let list: ListLevel[] = [];
  let level: ListLevel | undefined;
  let number: Numbered | undefined;
  let place = 0;
  await archive.walk(numbering, {
    open(name, attributes) {
      const value = attributeOf(attributes, 'val') ?? '';
      if (name === 'abstractNum') {
        list = [];
        number = undefined;
        levels.set(attributeOf(attributes, 'abstractNumId') ?? '', list);
      } else if (name === 'num') {
        number = { list: '', restarts: new Map() };
        numbers.set(attributeOf(attributes, 'numId') ?? '', number);
      } else if (name === 'lvl') {
        level = { format: 'decimal', text: '', start: 1 };
        // Of a number, it replaces a level for that one alone, which is rare.
        if (!number) list[Number(attributeOf(attributes, 'ilvl'))] = level;
      } else if (name === 'lvlOverride') place = Number(attributeOf(attributes, 'ilvl'));
      else if (name === 'abstractNumId' && number) number.list = value;
      else if (name === 'startOverride') number?.restarts.set(place, Number(value));
      else if (!level) return;
      else if (name === 'start') level.start = Number(value);
      else if (name === 'numFmt') level.format = value;
      else if (name === 'lvlText') level.text = value;
    },
  });
  let style: Style = {};
  await archive.walk(stylesPart, {
    open(name, attributes) {
      const value = attributeOf(attributes, 'val');
      if (name === 'style') {
        style = {};
        styles.set(attributeOf(attributes, 'styleId') ?? '', style);
      } else if (name === 'numId') style.number = value;
      else if (name === 'ilvl') style.level = Number(value);
      else if (name === 'basedOn') style.basedOn = value;
    },
  });
  return { levels, numbers, styles };
}

/** Adds the number of each paragraph of a list before its text. */
function labelling({ levels, numbers, styles }: Lists, words: Words): Met {
  const labels = new ListLabels();
  const begun = new Set<string>();
  let number: string | undefined;
  let level: number | undefined;
  let style: string | undefined;
  const ofStyle = (name: string | undefined, depth = 0): Style => {
    const own = styles.get(name ?? '');
    if (!own || depth > 20) return {};
    return { ...ofStyle(own.basedOn, depth + 1), ...own };
  };
  return {
    open(name, attributes) {
      const value = attributeOf(attributes, 'val');
      if (name === 'pPr') [number, level, style] = [undefined, undefined, undefined];
      else if (name === 'pStyle') style = value;
      else if (name === 'numId') number = value;
      else if (name === 'ilvl') level = Number(value);
    },
    close(name) {
      if (name !== 'pPr') return;
      const inherited = ofStyle(style);
      const id = number ?? inherited.number ?? '';
      const known = numbers.get(id);
      if (!known) return;
      const at = level ?? inherited.level ?? 0;
      if (!begun.has(`${id} ${at}`)) {
        begun.add(`${id} ${at}`);
        const start = known.restarts.get(at);
        if (start !== undefined) labels.restart(known.list, at, start);
      }
      words.add(labels.next(known.list, at, levels.get(known.list) ?? []));
    },
  };
}
