import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { bundledReader } from '../../../test/support/document-reader';
import { docx, pdf, pdfOfManyPages, pdfOfStream, xlsx, zip, zippedFill } from '../../../test/support/sample-files';
import { documentReader } from './document-text';
import { readZipped } from './office/read-office';

// With a deadline that a busy machine keeps, and half the heap, which is filled sooner.
const file = bundledReader();
const read = documentReader({ file, heapMb: 64, growthMb: 130, timeoutMs: 120_000 });

const attributes = (count: number) => Array.from({ length: count }, (_, n) => `a${n.toString(36)}="1"`).join(' ');
const entities = `<!DOCTYPE d [<!ENTITY e0 "ha">${Array.from({ length: 30 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('')}]>`;
const tooLarge = /^it is too large to read when it is unpacked$/;
const isProblem =
  /^it (?:is (?:damaged|too large to read when it is unpacked|in an old or unknown format)|takes too long)/;

describe('whatever grows in a document ends its reader’s process at most, and the asker’s stays small (R212, R266)', () => {
  test.each<[string, 'pdf' | 'html' | 'office', () => Buffer, { problem: RegExp } | { text: RegExp }]>([
    ['a million attributes in Word', 'office', () => docx(`<w:p ${attributes(1_500_000)}/>`), { problem: tooLarge }],
    [
      'a million attributes in HTML',
      'office',
      () => Buffer.from(`<p ${attributes(1_800_000)}>x`),
      { problem: isProblem },
    ],
    [
      'entities of entities',
      'office',
      () => docx('', { 'word/document.xml': `${entities}<w:document><w:p><w:t>a &e30; b</w:t></w:p></w:document>` }),
      { text: /^a .{0,20} b$/ },
    ],
    ['entities in HTML', 'html', () => Buffer.from(`${entities}<p>a &e30; b`), { text: /a &e30; b$/ }],
    [
      'one word of 300 MB in a table of Excel',
      'office',
      () =>
        xlsx('<row><c t="s"><v>0</v></c></row>', {
          'xl/strings.xml': zippedFill('<sst><si><t>', 300, '</t></si></sst>', 'a'),
        }),
      { problem: tooLarge },
    ],
    ['a gzip of zeros', 'office', () => gzipSync(Buffer.alloc(100_000_000)), { problem: isProblem }],
    [
      'a stream in a stream of PDF',
      'pdf',
      () =>
        pdfOfStream('/Filter [/FlateDecode /FlateDecode]', deflateSync(deflateSync(Buffer.alloc(200 * 1_048_576, 32)))),
      { problem: isProblem },
    ],
    ['lists in lists of PDF', 'pdf', () => pdfOfStream('', Buffer.from('['.repeat(2_000_000))), { text: /^$/ }],
  ])('%s', async (name, kind, make, expected) => {
    const bytes = make();
    const before = process.memoryUsage.rss();
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss() - before);
    }, 10);
    const answer = await read(name, kind, bytes).finally(() => clearInterval(watch));
    const [[field, words]] = Object.entries(expected) as [[string, RegExp]];
    expect(answer).toEqual({ ...answer, [field]: expect.stringMatching(words) });
    expect(most).toBeLessThan(2 * bytes.length + 60 * 1_048_576);
  });
});

test('of a PDF with 20,000 pages, a part is read (R212)', async () => {
  expect(await read('many', 'pdf', pdfOfManyPages(20_000))).toMatchObject({ pages: 20_000, isWhole: false });
});

describe('documents of Office are read within bounds (R212)', () => {
  const tooLarge = { problem: 'it is too large to read when it is unpacked' };

  test('of 200,000 rows, the first are read, also where cells share their strings', async () => {
    const row = '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>';
    const strings = `<sst><si><t>Museum</t></si><si><t>12</t></si>${'<si><t>unused</t></si>'.repeat(100_000)}</sst>`;
    const answer = await read('rows', 'office', xlsx(row.repeat(200_000), { 'xl/strings.xml': strings }));
    expect(answer).toMatchObject({ isWhole: false });
    const { text } = answer as { text: string };
    expect(text.startsWith('[Sheet "One"]\nMuseum\t12\nMuseum\t12\n')).toBe(true);
    expect(text.length).toBeLessThan(60_000);
  });

  test.each([
    ['before its words', zippedFill('<w:document><w:p>', 300, '<w:t>Hello</w:t></w:p></w:document>'), tooLarge],
    [
      'after its words',
      zippedFill('<w:document><w:p><w:t>Hello</w:t></w:p>', 300, ''),
      { text: 'Hello', isWhole: false },
    ],
    [
      'in one word',
      zippedFill('<w:document><w:p><w:t>', 300, '', 'a'),
      { text: expect.stringMatching(/^a+$/), isWhole: false },
    ],
    ['in the name of an element', zippedFill('<w:document><w:', 300, '', 'a'), { problem: expect.any(String) }],
    [
      'in a size that is a lie',
      { deflated: (zippedFill('', 300, '') as { deflated: Buffer }).deflated, size: 9 },
      { problem: 'it is damaged' },
    ],
  ])('a bomb %s takes no memory', async (name, part, expected) => {
    const answer = await read(name, 'office', docx('', { 'word/document.xml': part }));
    expect(answer).toEqual(expected);
    if ('text' in answer) expect(answer.text.length).toBeLessThan(200_000);
  });

  test('an archive of very many parts, and a part with very many elements in each other, are a line', async () => {
    const many = Object.fromEntries(Array.from({ length: 20_001 }, (_, index) => [`${index}`, '']));
    expect(await read('many parts', 'office', zip(many))).toEqual(tooLarge);
    const hurried = documentReader({ file, timeoutMs: 2_000 });
    const deep = await hurried('deep', 'office', docx('<w:p>'.repeat(1_000_000)));
    expect(deep).toEqual({ problem: expect.stringMatching(/^it (?:takes too long|is)/) });
  });

  test('a document with changed bytes is text or an error, and never anything else', async () => {
    const names = ['lease.docx', 'trip.xlsx', 'talk.pptx', 'lease.odt', 'trip.ods'];
    let seed = 17;
    const next = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const outcomes = new Set<string>();
    for (let round = 0; round < 90; round++) {
      const bytes = readFileSync(join(__dirname, '../../../test/support/samples', names[round % names.length]!));
      for (let change = 0; change <= round % 8; change++) bytes[next(bytes.length)] = next(256);
      const outcome = await readZipped(bytes, 50_000).catch(() => ({ error: true }));
      outcomes.add(Object.keys(outcome)[0]!);
    }
    expect([...outcomes].sort()).toEqual(['error', 'problem', 'text']);
  });
});

test('after all of these, a document is read (R266)', async () => {
  expect(await read('after them', 'pdf', pdf('Fine'))).toMatchObject({ text: 'Fine' });
});
