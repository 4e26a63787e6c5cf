import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zip } from '../test/support/sample-files';
import { mediaTypeOf } from './file-type';

const table = (words: string) => Buffer.from(`${words}\n${'12,24.5\r\n'.repeat(300)}`);

test.each(['BMI,height', 'GIFT,price', 'MZ;count', 'ID3,title', 'FWS,1'])(
  'a table that begins with %s is text (R212)',
  async (words) => {
    expect(await mediaTypeOf(table(words))).toBeUndefined();
  },
);

test.each([
  ['%PDF-1.7\n1 0 obj', 'application/pdf'],
  ['<?xml version="1.0"?><a/>', 'application/xml'],
  ['BEGIN:VCALENDAR\r\n', 'text/calendar'],
  ['GIF89a\x01\0\x01\0', 'image/gif'],
  ['BM\x3a\0\0\0\0\0', 'image/bmp'],
])('bytes that begin with %j are %s (R212)', async (words, type) => {
  expect(await mediaTypeOf(table(words))).toBe(type);
});

test.each([
  ['lease.docx', 'wordprocessingml.document'],
  ['trip.xlsx', 'spreadsheetml.sheet'],
  ['trip-openpyxl.xlsx', 'spreadsheetml.sheet'],
  ['talk.pptx', 'presentationml.presentation'],
])('the first bytes of %s show its type (R212)', async (name, type) => {
  const first = readFileSync(join(__dirname, '../test/support/samples', name)).subarray(0, 4_100);
  expect(await mediaTypeOf(first)).toBe(`application/vnd.openxmlformats-officedocument.${type}`);
});

test('a zip with a folder of such a name is none of Office (R212)', async () => {
  expect(await mediaTypeOf(zip({ 'word/notes.txt': 'Hello' }))).toBe('application/zip');
});
