import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { bundledReader } from '../../../test/support/document-reader';
import { scannedPdf } from '../../../test/support/sample-files';
import { pictureSize } from '../picture-size';
import { documentReader } from './document-text';

const read = documentReader({ file: bundledReader() });
let count = 0;
const textOf = async (kind: 'html' | 'mail' | 'text', content: string | Uint8Array) =>
  read(`${++count}`, kind, Buffer.from(content as string, 'utf8'));

test.each([
  ['lists', '<ol start="3"><li>Pay<li>Go<ul><li>by train</ul></ol>', '3. Pay\n\n4. Go\n\n- by train'],
  ['a table', '<table><tr><th>Day<th>EUR<tr><td>1<td>5.50</table>', 'Day\tEUR\n\n1\t5.50'],
  ['a table with paragraphs', '<tr><td><p>Tea<p>pot<td><ul><li>5</ul>', 'Tea pot\t- 5'],
  ['a page within a table', '<tr><td><p>Dear Ada<p>Yes<td><table><tr><td>1<td>2</table>', 'Dear Ada\n\nYes\n\n1\t2'],
  ['letters of lists', '<ol type="a"><li>Pay</ol><ol type="I" start="4"><li>Go</ol>', 'a. Pay\n\nIV. Go'],
  ['raised numbers', '10<sup>-3</sup> H<sub>2</sub>O, 1<sup>st</sup>', '10⁻³ H₂O, 1st'],
  ['what is chosen', '<select><option>red<option selected>blue<option>green</select> it is', 'blue it is'],
  ['where a word may be divided', 'Donau&shy;dampf', 'Donaudampf'],
  ['code', '<pre>if (a) {\n  b();\n}</pre>', 'if (a) {\n  b();\n}'],
  ['a link', '<p>See <a href="https://example.org/t">the terms</a>.', 'See the terms (https://example.org/t).'],
  ['a link that is its address', '<a href="https://example.org/">example.org</a>', 'example.org'],
  ['a form', '<label>Name <input value="Ada"></label><input type="checkbox" checked>Yes', 'Name Ada[x] Yes'],
  ['what is hidden', '<p style="display: none">Pay me</p><p>Soup</p>', 'Soup'],
])('of a page of HTML, %s is read as it is seen (R272)', async (_what, page, text) => {
  expect(await textOf('html', page)).toEqual({ text, isWhole: true });
});

test('a page that is longer than what is read is said to be cut (R271)', async () => {
  expect(await textOf('html', '<p>word</p>'.repeat(100_000))).toMatchObject({ isWhole: false });
});

const mail = [
  'From: Eve <eve@example.org>',
  'To: ada@example.org, =?utf-8?q?J=C3=B6rg?= <j@example.org>',
  'Subject: =?iso-8859-1?q?Gr=FC=DFe?=',
  'Date: Mon, 30 Nov 2026 09:00:00 +0100',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain; charset=windows-1252',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'The rent is 950 =80.',
  '--b',
  'Content-Type: text/csv; name=rent.csv',
  'Content-Disposition: attachment; filename=rent.csv',
  '',
  'May;950',
  '--b',
  'Content-Type: audio/mpeg',
  'Content-Disposition: attachment; filename=call.mp3',
  'Content-Transfer-Encoding: base64',
  '',
  'SUQzBAA=',
  '--b--',
].join('\r\n');

test('a mail has its heading, its words and the text of its parts (R272)', async () => {
  const answer = await textOf('mail', mail);
  expect(answer).toMatchObject({ isWhole: true, told: ['nothing of the attachment "call.mp3"'] });
  const { text } = answer as { text: string };
  expect(text).toContain('From: Eve <eve@example.org>\nTo: ada@example.org, Jörg <j@example.org>\n');
  expect(text).toContain('Subject: Grüße\n\nThe rent is 950 €.');
  expect(text).toContain('[Attached: rent.csv, text/csv, 8 bytes]\nMay;950');
});

test('a text that is not of Unicode is read by its letters, and that is told (R271)', async () => {
  const bytes = Buffer.from('name;price\nCaf\xe9;\x80 5\n', 'latin1');
  expect(await read('guess', 'text', bytes)).toEqual({
    text: 'name;price\nCafé;€ 5\n',
    isWhole: true,
    told: ['its encoding is a guess, windows-1252'],
  });
});

test('the values of a form, a ticked box and a choice of a PDF are in their places (R272)', async () => {
  const form = readFileSync(join(__dirname, '../../../test/support/samples/form.pdf'));
  expect(await read('form', 'pdf', form)).toMatchObject({
    text: expect.stringMatching(/^Surname:\s+KOWALSKI-9\nMarried: \[x\]\s+Chile$/),
  });
});

describe('pages of a PDF that are scans (R272)', () => {
  const scans = scannedPdf(2_000, 1_000, [40, 200], 'The first has words');

  test('are read as pictures where they are wanted: grey, smaller, and each of the page', async () => {
    const made = await read('scans', 'pdf', scans, undefined, { pictured: true });
    if ('problem' in made) throw new Error(made.problem);
    expect(made).toMatchObject({ text: 'The first has words', pages: 2, isWhole: true });
    expect(made.told).toBeUndefined();
    const [picture, ...others] = made.pictures!;
    expect([picture!.page, others.length]).toEqual([2, 0]);
    expect(pictureSize(picture!.bytes)).toEqual({ mediaType: 'image/png', width: 1_000, height: 500 });
    const data = inflateSync(Buffer.from(picture!.bytes).subarray(41, -16));
    expect([data.length, data[0], data[1], data.at(-1)]).toEqual([1_001 * 500, 0, 200, 200]);
  });

  test('are said to be unread where they are not, and so is what is no scan', async () => {
    const only = 'no text, or only a picture of it, on page 2';
    expect(await read('scans', 'pdf', scans)).toMatchObject({ text: 'The first has words', told: [only] });
    const logos = await read('logos', 'pdf', scannedPdf(90, 90, [1, 2], 'Words'), undefined, { pictured: true });
    expect(logos).toMatchObject({ told: [only] });
    expect(logos).not.toHaveProperty('pictures');
  });

  test('are five at most', async () => {
    const made = await read('many', 'pdf', scannedPdf(300, 300, [1, 2, 3, 4, 5, 6, 7]), undefined, { pictured: true });
    expect(made).toMatchObject({ told: ['no text, or only a picture of it, on pages 6 to 7'] });
    expect((made as { pictures?: unknown[] }).pictures).toHaveLength(5);
  });
});
