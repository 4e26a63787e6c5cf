import { bundledReader } from '../../test/support/document-reader';
import { pdf, pdfBomb, pdfOfManyPages } from '../../test/support/sample-files';
import { documentReader } from './document-text';

const read = documentReader({ file: bundledReader() });

test('a PDF that unpacks to hundreds of times its size is a problem, not an error (R212)', async () => {
  const answer = { problem: expect.stringMatching(/^it is (?:damaged|too large)|^it takes too long/) };
  expect(await read('bomb', 'pdf', pdfBomb(40))).toEqual(answer);
  expect(await read('after it', 'pdf', pdf('Fine'))).toMatchObject({ text: 'Fine' });
});

test('of a PDF with 100,000 pages, a part is read (R212)', async () => {
  expect(await read('many', 'pdf', pdfOfManyPages(100_000))).toMatchObject({ pages: 100_000, isWhole: false });
});
