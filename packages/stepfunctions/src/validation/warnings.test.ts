import type { JsonObject } from '../language/json';
import { warningsOf } from './warnings';

const processor = (state: JsonObject) => ({ StartAt: 'T', States: { T: state } });
const pass = (fields: JsonObject) => ({ Type: 'Pass', End: true, ...fields });
const doubtful = pass({ Parameters: { x: '$.a' } });
const choice = (rule: JsonObject) => ({ Type: 'Choice', Choices: [{ Variable: '$.a', Next: 'S', ...rule }] });

test.each<[string, JsonObject, string, string]>([
  ['a path in a field without .$', doubtful, 'NO_DOLLAR', '/Parameters/x'],
  ['a call in a field without .$', pass({ Assign: { x: ['States.UUID()'] } }), 'NO_DOLLAR', '/Assign/x[0]'],
  ['a path in a result', pass({ Result: { 'x.$': '$$.State' } }), 'PASS_RESULT_IS_STATIC', '/Result/x.$'],
  ['a comparison with a path', choice({ StringEquals: '$.b' }), 'NO_PATH', '/Choices[0]/StringEquals'],
  [
    'a comparison inside another rule',
    choice({ Not: { Variable: '$.a', NumericLessThan: '$.b' } }),
    'NO_PATH',
    '/Choices[0]/Not/NumericLessThan',
  ],
  [
    'a state inside another',
    { Type: 'Map', ItemProcessor: processor(doubtful), End: true },
    'NO_DOLLAR',
    '/ItemProcessor/States/T/Parameters/x',
  ],
])('warns of %s', (_what, state, code, place) => {
  expect(warningsOf({ States: { S: state } })).toEqual([
    { severity: 'WARNING', code, message: expect.any(String), location: `/States/S${place}` },
  ]);
});

test.each<[string, JsonObject]>([
  ['a path in a field with .$', pass({ Parameters: { 'x.$': '$.a' } })],
  ['other text', pass({ Parameters: { x: '$5', y: 'States' }, Result: 'a $.b' })],
  ['a comparison with a path that says so', choice({ StringEqualsPath: '$.b' })],
  ['a pattern', choice({ StringMatches: '$.*' })],
  ['JSONata', pass({ QueryLanguage: 'JSONata', Output: '$.a' })],
])('does not warn of %s', (_what, state) => {
  expect(warningsOf({ States: { S: state } })).toEqual([]);
});
