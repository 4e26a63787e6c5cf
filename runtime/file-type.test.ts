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
