import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pdf, zip } from '../test/support/sample-files';
import { mediaTypeOf } from './file-type';

const table = (words: string) => Buffer.from(`${words}\n${'12,24.5\r\n'.repeat(300)}`);

test.each(['BMI,height', 'GIFT,price', 'MZ;count', 'ID3,title', 'FWS,1'])(
  'a table that begins with %s is text (R212)',
  async (words) => {
    expect(await mediaTypeOf(table(words), 'text/csv')).toBe('text/csv');
  },
);

test.each([
  ['%PDF-1.7\n1 0 obj', 'application/pdf'],
  ['<?xml version="1.0"?><a/>', 'application/xml'],
  ['BEGIN:VCALENDAR\r\n', 'text/calendar'],
  ['GIF89a\x01\0\x01\0', 'image/gif'],
  ['BM\x3a\0\0\0\0\0', 'image/bmp'],
])('bytes that begin with %j are %s (R212)', async (words, type) => {
  expect(await mediaTypeOf(table(words), 'image/png')).toBe(type);
});

test.each([
  ['lease.docx', 'wordprocessingml.document'],
  ['trip.xlsx', 'spreadsheetml.sheet'],
  ['trip-openpyxl.xlsx', 'spreadsheetml.sheet'],
  ['talk.pptx', 'presentationml.presentation'],
])('the first bytes of %s show its type (R212)', async (name, type) => {
  const first = readFileSync(join(__dirname, '../test/support/samples', name)).subarray(0, 4_100);
  expect(await mediaTypeOf(first, 'application/vnd.ms-excel')).toBe(
    `application/vnd.openxmlformats-officedocument.${type}`,
  );
});

test('a zip with a folder of such a name is none of Office (R212)', async () => {
  expect(await mediaTypeOf(zip({ 'word/notes.txt': 'Hello' }), 'application/octet-stream')).toBe('application/zip');
});

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const macros = 'application/vnd.ms-excel.sheet.macroenabled.12';

test.each([
  ['a picture with the name of another one', png, 'image/jpeg', 'image/png'],
  ['a picture that is announced as a document', png, 'application/pdf', 'image/png'],
  ['code that a browser takes for a film', Buffer.from('export const a: number = 1;'), 'video/mp2t', 'text/plain'],
  ['code of a type of its own', Buffer.from('print("Größe")'), 'text/x-python', 'text/x-python'],
  ['text that is announced as a picture', Buffer.from('hello'), 'image/png', 'text/plain'],
  [
    'a table of which Windows says that it is of Excel',
    Buffer.from('a;b\n1;2'),
    'application/vnd.ms-excel',
    'text/plain',
  ],
  ['a table in UTF-16', Buffer.from('\uFEFFa\tb\n1\t2', 'utf16le'), 'text/csv', 'text/csv'],
  ['a table in windows-1252', Buffer.from('Caf\xe9;\x80 5', 'latin1'), 'text/csv', 'text/csv'],
  [
    'a page with a declaration of XML',
    Buffer.from('<?xml version="1.0"?><html/>'),
    'application/xhtml+xml',
    'application/xhtml+xml',
  ],
  ['a mail', Buffer.from('From: a@b\nSubject: c\n\nd'), 'message/rfc822', 'message/rfc822'],
  [
    'a PDF after lines of another program',
    Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), pdf('Total')]),
    'application/pdf',
    'application/pdf',
  ],
  ['a PDF that is announced as text', pdf('Total'), 'text/plain', 'application/pdf'],
  ['bytes that are announced as text', Buffer.from([1, 2, 3, 0, 0xff]), 'text/csv', 'application/octet-stream'],
  ['bytes that are announced as a picture', Buffer.from([1, 2, 3, 0, 0xff]), 'image/png', 'application/octet-stream'],
  ['bytes of a type that nobody knows', Buffer.from([1, 2, 3, 0, 0xff]), 'application/x-own', 'application/x-own'],
  ['a sheet with macros', zip({ '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '<workbook/>' }), macros, macros],
])('%s is what its bytes show (R271)', async (_what, bytes, said, type) => {
  expect(await mediaTypeOf(bytes.subarray(0, 4_100), said)).toBe(type);
});
