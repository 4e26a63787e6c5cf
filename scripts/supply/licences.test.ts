import { isAllowed, notAllowed } from './licences';

test.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0-only)', true],
  ['MIT AND ISC', true],
  ['MIT AND (GPL-3.0-only OR ISC)', true],
  ['MIT AND GPL-3.0-only', false],
  ['(MIT OR ISC) AND AGPL-3.0-only', false],
  ['GPL-3.0-only', false],
  ['SEE LICENSE IN LICENSE', false],
  ['', false],
])('the licence “%s”: allowed is %s', (expression, expected) => {
  expect(isAllowed(expression)).toBe(expected);
});

test('a package whose licence is not allowed is named, and what to do', () => {
  const one = { name: 'a', version: '1.0.0', license: 'MIT', in: [] };
  expect(notAllowed([one, { ...one, name: 'b', license: 'GPL-3.0-only' }, { ...one, name: 'c', license: '' }])).toEqual(
    [
      expect.stringMatching(/^b 1\.0\.0: the licence GPL-3\.0-only is not allowed\. Replace the package, or/),
      expect.stringMatching(/^c 1\.0\.0: the licence \(none\) is not allowed/),
    ],
  );
});
