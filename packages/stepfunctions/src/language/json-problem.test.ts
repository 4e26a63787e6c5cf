import { jsonProblem } from './json-problem';

const source = (text: string, column: number) => `[Source: (String)"${text}"; line: 1, column: ${column}]`;
const valid = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')";

test.each<[string, string, number]>([
  ['not json', `Unrecognized token 'not': was expecting ${valid}`, 4],
  ["{'a':1}", `Unexpected character (''' (code 39)): was expecting double-quote to start field name`, 3],
  ['{"a":1,}', `Unexpected character ('}' (code 125)): was expecting double-quote to start field name`, 9],
  ['[1,]', `Unexpected character (']' (code 93)): expected a valid value ${valid}`, 5],
  ['{"a" 1}', `Unexpected character ('1' (code 49)): was expecting a colon to separate field name and value`, 7],
  ['{"a":1 "b"', `Unexpected character ('"' (code 34)): was expecting comma to separate Object entries`, 9],
  ['{"a":', 'Unexpected end-of-input within/between Object entries', 6],
  ['[1', `Unexpected end-of-input: expected close marker for Array (start marker at ${source('[1', 1)})`, 3],
  ['["a', 'Unexpected end-of-input in VALUE_STRING', 4],
  ['["\\x"]', "Unrecognized character escape 'x' (code 120)", 5],
])('AWS says of %s: %s', (text, message, column) => {
  const location = source(text, column);
  expect(jsonProblem(text)).toEqual({ message: `${message}\n at ${location}`, location });
});

test('a long source is quoted in part', () => {
  expect(jsonProblem(`${' '.repeat(600)}x`)!.location).toMatch(
    /^\[Source: \(String\)" {500}"\[truncated 101 chars\]; line/,
  );
});

test.each(['{"a":[1,-2.5e3,true,null,"\\u0041"]}', ' 1 ', '"x"', '[]', '{}'])('%s is JSON', (text) => {
  expect(jsonProblem(text)).toBeUndefined();
});
