import { contentOf, readiness } from './draft-files';

const file = (key: string, more: object = {}) => ({
  key,
  name: `${key}.png`,
  mediaType: 'image/png',
  size: 1,
  ...more,
});

test('a message without files is a text; with files it is parts, and none of them is empty (R215)', () => {
  expect(contentOf('Hello')).toEqual({ text: 'Hello' });
  const part = { type: 'file', id: 'f_a', filename: 'a.png' };
  expect(contentOf('', [file('a', { id: 'f_a' })])).toEqual({ parts: [part] });
  expect(contentOf('Hello', [file('a', { id: 'f_a' })])).toEqual({ parts: [{ type: 'text', text: 'Hello' }, part] });
});

test('files are ready when all are uploaded, and not while one has failed (R215)', () => {
  expect(readiness([])).toBe('ready');
  expect(readiness([file('a', { id: 'f_a' }), file('b')])).toBe('uploading');
  expect(readiness([file('a', { id: 'f_a' }), file('b', { problem: 'Too large.' }), file('c')])).toBe('failed');
});
