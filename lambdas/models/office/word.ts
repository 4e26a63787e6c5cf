import type { Archive } from './archive';
import { addComments, addParagraphs, type Words } from './words';

const headings: Record<string, string> = {
  header: '[Header]',
  footer: '[Footer]',
  footnotes: '[Footnotes]',
  endnotes: '[Endnotes]',
};

/** Adds the text of a document of Word, and then of what belongs to no place of it: headers, footers, notes, comments. */
export async function addDocument(archive: Archive, main: string, words: Words): Promise<void> {
  await addParagraphs(archive, main, words);
  const relations = await archive.relations(main);
  for (const { type, target } of relations) {
    const heading = headings[type];
    if (!heading) continue;
    words.begin(heading);
    await addParagraphs(archive, target, words);
  }
  for (const { type, target } of relations)
    if (type === 'comments') await addComments(archive, target, words, '[Comments]');
}
