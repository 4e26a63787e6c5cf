import { type Archive, attributeOf, type Met } from './archive';
import { ListLabels } from './list-labels';
import { addComments, addParagraphs, type Words } from './words';

/** Adds the text of slides in their order, each with its number, its notes and its comments. */
export async function addSlides(archive: Archive, main: string, words: Words): Promise<void> {
  const ids: string[] = [];
  await archive.walk(main, {
    open(name, { id: _, ...attributes }) {
      if (name === 'sldId') ids.push(attributeOf(attributes, 'id') ?? '');
    },
  });
  const slides = new Map((await archive.relations(main)).map(({ id, target }) => [id, target]));
  for (const [index, id] of ids.entries()) {
    if (words.isFull()) {
      words.isWhole = false;
      return;
    }
    const number = index + 1;
    const slide = slides.get(id);
    if (!slide) continue;
    await addParagraphs(
      archive,
      slide,
      words,
      labelling(words, (show) => `\n[Slide ${number}${show}]\n`),
    );
    for (const { type, target } of await archive.relations(slide)) {
      if (type === 'comments') await addComments(archive, target, words, `[Comments on slide ${number}]`);
      if (type !== 'notesSlide') continue;
      words.begin(`[Notes of slide ${number}]`);
      await addParagraphs(archive, target, words);
    }
  }
}

/** The formats of DrawingML (ECMA-376, part 1, 20.1.10.61), by the first part of their names. */
const formats: Record<string, string> = {
  arabic: 'decimal',
  alphaLc: 'lowerLetter',
  alphaUc: 'upperLetter',
  romanLc: 'lowerRoman',
  romanUc: 'upperRoman',
};

/** Adds the heading of a slide, and the number of each paragraph that has one of its own. A paragraph without ends the list. */
function labelling(words: Words, heading: (hidden: string) => string): Met {
  const labels = new ListLabels();
  let lists = 0;
  let level = 0;
  let isNumbered = false;
  return {
    open(name, { show, lvl, type = '', startAt }) {
      if (name === 'sld') words.add(heading(show === '0' ? ', hidden' : ''));
      else if (name === 'pPr') {
        level = Number(lvl ?? 0);
        isNumbered = false;
      } else if (name === 'txBody') lists += 1;
      else if (name === 'buAutoNum') {
        isNumbered = true;
        const [, kind = '', end = ''] = /^([a-z]+(?:Lc|Uc)?)(.*)$/.exec(type) ?? [];
        const text = end === 'ParenBoth' ? '(%N)' : end === 'ParenR' ? '%N)' : end === 'Plain' ? '%N' : '%N.';
        const own = { format: formats[kind] ?? 'decimal', start: Number(startAt ?? 1) };
        const levels = Array.from({ length: level + 1 }, (_, at) => ({ ...own, text: text.replace('N', `${at + 1}`) }));
        words.add(labels.next(`${lists}`, level, levels));
      }
    },
    close(name) {
      if (name === 'pPr' && !isNumbered && level === 0) lists += 1;
    },
  };
}
