import { type Archive, attributeOf } from './archive';
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
    await addParagraphs(archive, slide, words, {
      open(name, { show }) {
        if (name === 'sld') words.add(`\n[Slide ${number}${show === '0' ? ', hidden' : ''}]\n`);
      },
    });
    for (const { type, target } of await archive.relations(slide)) {
      if (type === 'comments') await addComments(archive, target, words, `[Comments on slide ${number}]`);
      if (type !== 'notesSlide') continue;
      words.begin(`[Notes of slide ${number}]`);
      await addParagraphs(archive, target, words);
    }
  }
}
