import { flatMarks, withFlatMarks } from './flat-marks';

test('a stack of marks is no higher than letters of any script have it; other text is as it was (R123)', () => {
  expect(withFlatMarks(`a${'\u0300\u0331'.repeat(60)}b`)).toBe(`a${'\u0300\u0331'.repeat(3)}b`);
  for (const text of ['Việt', 'e\u0302\u0301', 'הָאָ֖רֶץ', 'ཧཱུྃ', 'क्षि', 'no marks', ''])
    expect(withFlatMarks(text)).toBe(text);
});

test('in all elements but blocks of code (R123)', () => {
  const high = `a${'\u0300'.repeat(9)}`;
  const of = (tagName: string) => ({ type: 'element', tagName, children: [{ type: 'text', value: high }] });
  const tree = {
    type: 'root',
    children: [{ type: 'element', tagName: 'p', children: [of('a'), of('code')] }, of('pre')],
  };
  flatMarks()(tree);
  const values = JSON.stringify(tree)
    .match(/a\u0300+/g)!
    .map((value) => value.length);
  expect(values).toEqual([7, 7, 10]);
});
