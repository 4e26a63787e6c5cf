import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledReader } from '../../../test/support/document-reader';
import { documentReader } from './document-text';

const read = documentReader({ file: bundledReader() });
let count = 0;
const textOf = async (kind: 'html' | 'mail' | 'text', content: string | Uint8Array) =>
  read(`${++count}`, kind, Buffer.from(content as string, 'utf8'));

test.each([
  ['lists', '<ol start="3"><li>Pay<li>Go<ul><li>by train</ul></ol>', '3. Pay\n\n4. Go\n\n- by train'],
  ['a table', '<table><tr><th>Day<th>EUR<tr><td>1<td>5.50</table>', 'Day\tEUR\n\n1\t5.50'],
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
