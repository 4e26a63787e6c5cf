import { exportName } from './export-name';
import { safeName, uniqueNames } from './file-names';

const named = (filename: string | undefined, mediaType = 'image/png') => safeName({ filename, mediaType });

test.each([
  ['../../etc/passwd', '_.._etc_passwd'],
  ['..\\..\\boot.ini', '_.._boot.ini'],
  ['..', 'file.png'],
  ['/', '_'],
  ['.ssh', 'ssh'],
  ['', 'file.png'],
  [undefined, 'file.png'],
  ['a\nb\u0000c\u007f.txt', 'a_b_c_.txt'],
  ['photo\u202egpj.exe', 'photo_gpj.exe'],
  ['zero\u200bwidth.pdf', 'zero_width.pdf'],
  ['CON', '_CON'],
  ['com1.txt', '_com1.txt'],
  ['LPT9.tar.gz', '_LPT9.tar.gz'],
  ['COM¹', '_COM¹'],
  ['nul .txt', '_nul .txt'],
  [`${'a'.repeat(119)}.${'b'.repeat(30)}`, 'a'.repeat(119)],
  ['console.log', 'console.log'],
  ['trailing. . ', 'trailing'],
  ['a<b>c:"d|e?f*.md', 'a_b_c__d_e_f_.md'],
  ['\ud800lone.txt', '_lone.txt'],
  ['Cafe\u0301 東京.pdf', 'Café 東京.pdf'],
  ['🙂.png', '🙂.png'],
])('the file %j is saved as %j (R216)', (filename, name) => {
  expect(named(filename)).toBe(name);
});

test('a long name is cut before its ending, and no letter in two (R216)', () => {
  for (const letter of ['a', 'é', '東', '🙂']) {
    const name = named(`${letter.repeat(400)}.jpeg`);
    expect(name).toMatch(/^(?:a+|é+|東+|(?:🙂)+)\.jpeg$/u);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(120);
  }
  expect(Buffer.byteLength(named(`a.${'b'.repeat(400)}`))).toBeLessThanOrEqual(120);
});

test('a file without a name gets an ending only from a plain media type (R216)', () => {
  const types = ['application/pdf', 'text/plain', 'text/csv', 'application/octet-stream', 'image/svg+xml', 'x/../a'];
  expect(types.map((type) => named('', type))).toEqual(['file.pdf', 'file.txt', 'file.csv', 'file', 'file', 'file']);
});

test('two files never have the same name, also where letters have no case (R216)', () => {
  const nameOf = uniqueNames();
  const names = ['a.txt', 'A.TXT', 'a.txt', 'a (2).txt', 'a/b', 'a_b', 'ﬁ.md', 'fi.md'].map((filename) =>
    nameOf({ filename, mediaType: 'text/plain' }),
  );
  expect(names).toEqual(['a.txt', 'A (2).TXT', 'a (3).txt', 'a (2) (2).txt', 'a_b', 'a_b (2)', 'ﬁ.md', 'fi (2).md']);
});

test('a title of the longest letters is still a name that file systems take (R216)', () => {
  const name = exportName({ title: '\u{1d400}'.repeat(80), updatedAt: '2026-03-01T08:00:00Z' }, 'zip');
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
  expect(name).toMatch(/^vigil-.+-2026-03-01\.zip$/);
});
