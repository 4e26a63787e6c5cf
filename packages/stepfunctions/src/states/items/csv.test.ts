import { readCsv } from './csv';

const cells = (line: string, config = {}) =>
  Object.values(
    readCsv(line, { ...config, CSVHeaderLocation: 'GIVEN', CSVHeaders: ['a', 'b', 'c', 'd'] })[0] as Record<
      string,
      string
    >,
  );

test('quoted fields hold commas, newlines and doubled quotes', () => {
  expect(cells('1,"two, or ""2""","thr\nee",4')).toEqual(['1', 'two, or "2"', 'thr\nee', '4']);
  expect(cells('"",,"",x')).toEqual(['', '', '', 'x']);
});

test('doubled quotes count outside of quoted fields, too', () => {
  expect(cells('{""key"":""value""},"[1,2]"')).toEqual(['{"key":"value"}', '[1,2]', '', '']);
});

test('a backslash keeps a backslash, a quote or the separator, and vanishes before anything else', () => {
  expect(cells('C:\\\\Files\\\\app.exe,\\"one\\",a\\,b,\\n')).toEqual(['C:\\Files\\app.exe', '"one"', 'a,b', 'n']);
  expect(cells('a\\|b|"c\\"d"|e\\,f', { CSVDelimiter: 'PIPE' })).toEqual(['a|b', 'c"d', 'e,f', '']);
});

test('missing fields are empty, additional ones are left out', () => {
  expect(cells('1,2')).toEqual(['1', '2', '', '']);
  expect(cells('1,2,3,4,5')).toEqual(['1', '2', '3', '4']);
});

test('the first row names the fields, and names no field twice', () => {
  expect(readCsv('id,name\r\n1,Ada\r\n\r\n2,Ben\r\n', {})).toEqual([
    { id: '1', name: 'Ada' },
    { id: '2', name: 'Ben' },
  ]);
  expect(() => readCsv('id,id\n1,2', {})).toThrow('CSV headers cannot contain duplicates.');
});
