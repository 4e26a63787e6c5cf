import { mediaTypeOf } from './media-type';

test.each([
  ['text/csv;charset=utf-8', 'a.txt', 'text/csv'],
  ['', 'Notes.MD', 'text/markdown'],
  ['application/octet-stream', 'sums.csv', 'text/csv'],
  ['', 'lease.final.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['', 'photo.png', 'application/octet-stream'],
  ['', 'csv', 'application/octet-stream'],
  ['', 'a.constructor', 'application/octet-stream'],
  ['', undefined, 'application/octet-stream'],
])('a file of the type "%s" and the name %s is announced as %s (R211)', (said, name, type) => {
  expect(mediaTypeOf(said, name)).toBe(type);
});
