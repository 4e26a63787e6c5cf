import { RequestFailed } from 'vigil-client';
import { bytesWords } from 'vigil-client/shared';
import { filesHeard, kindOf, nameParts, seenName, sizeWords, uploadProblem } from './file-words';

test('sizes are in the units of file managers (R215)', () => {
  const sizes = [0, 1, 999, 1_000, 1_250, 9_960, 999_600, 25_000_000, 5_000_000_000];
  expect(sizes.map(sizeWords)).toEqual([
    '0 bytes',
    '1 byte',
    '999 bytes',
    '1 kB',
    '1.3 kB',
    '10 kB',
    '1 MB',
    '25 MB',
    '5 GB',
  ]);
  expect(sizes.map(bytesWords)).toEqual(sizes.map(sizeWords));
});

test('only pictures of pixels are shown: SVG and HTML are saved (R215)', () => {
  const types = [
    'image/png',
    'image/avif',
    'image/svg+xml',
    'text/html',
    'application/pdf',
    'image/heic',
    'audio/mpeg',
  ];
  expect(types.map(kindOf)).toEqual(['picture', 'picture', 'other', 'other', 'pdf', 'other', 'sound']);
  const videos = ['video/mp4', 'video/webm', 'video/ogg', 'video/quicktime', 'video/mp4; codecs=evil'];
  expect(videos.map(kindOf)).toEqual(['video', 'video', 'video', 'other', 'other']);
  expect(kindOf('image/png+evil')).toBe('other');
});

test('a name cannot show another ending than it has (R215)', () => {
  expect(seenName('invoice\u202efdp.exe')).toBe('invoice\ufffdfdp.exe');
  expect(seenName(undefined)).toBe('file without a name');
  expect(nameParts('a very long name.jpeg')).toEqual(['a very long name', '.jpeg']);
  expect(nameParts('.gitignore')).toEqual(['.gitignore', '']);
  expect(nameParts('1.5 of everything')).toEqual(['1.5 of everything', '']);
});

test('a refusal is a sentence with sizes that people read (R215)', () => {
  const message = 'the file has 30000000 bytes, and at most 25000000 are taken; send a smaller one';
  const problem = {
    type: 'about:blank',
    title: 'Bad request',
    status: 400,
    detail: '',
    errors: [{ path: 'size', message }],
  };
  expect(uploadProblem(new RequestFailed(400, `size: ${message}`, problem))).toBe(
    'The file has 30 MB, and at most 25 MB are taken; send a smaller one.',
  );
  expect(uploadProblem(new RequestFailed(0, 'Vigil does not respond.'))).toBe('Vigil does not respond.');
  expect(uploadProblem(new DOMException('x', 'NotReadableError'))).toContain('cannot be read');
});

test('a screen reader hears what is still to come and what failed (R215)', () => {
  const file = (name: string, more: object = {}) => ({ key: name, name, mediaType: 'image/png', size: 1, ...more });
  expect(filesHeard([])).toBe('');
  expect(filesHeard([file('a'), file('b', { id: 'f_b' })])).toBe('Uploading 1 file. 1 file attached.');
  expect(filesHeard([file('a', { problem: 'Too large.' })])).toBe('a was not uploaded: Too large.');
});
