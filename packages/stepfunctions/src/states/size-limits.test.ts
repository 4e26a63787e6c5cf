import { run } from '../../test/single-state-fixture';
import type { JsonObject } from '../language/json';

const half = 'x'.repeat(140_000);
const twice = { QueryLanguage: 'JSONata', Type: 'Pass', End: true };
const large = '{% [$states.input.half, $states.input.half] %}';
const jsonata = { QueryLanguage: 'JSONata' };
const end = { Type: 'Succeed' };

test.each<[string, JsonObject]>([
  ['Parameters', { Type: 'Parallel', Branches: [], End: true, Parameters: { 'a.$': '$.half', 'b.$': '$.half' } }],
  ['Output', { ...twice, Output: large }],
  ['Assign', { ...twice, Assign: { a: large } }],
  [
    'Assign of several variables',
    { ...twice, Assign: { a: '{% $states.input.half %}', b: '{% $states.input.half %}' } },
  ],
  ['a Choice', { ...jsonata, Type: 'Choice', Choices: [{ Condition: false, Next: 'E' }], Output: large, Default: 'E' }],
  ['a choice rule', { ...jsonata, Type: 'Choice', Choices: [{ Condition: true, Next: 'E', Assign: { a: large } }] }],
])('more than 256 KiB of data fail the state: %s', async (_what, state) => {
  expect((await run({ S: state, E: end }, { half })).outcome?.error).toBe('States.DataLimitExceeded');
});

test('256 KiB of variables pass', async () => {
  const state = { ...twice, Assign: { a: '{% $states.input.half %}' }, Output: 1 };
  expect((await run({ S: state }, { half })).outcome?.status).toBe('SUCCEEDED');
});
