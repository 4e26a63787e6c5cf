import { run } from '../../test/single-state-fixture';
import type { Json, JsonObject } from '../language/json';

const pass = (fields: JsonObject, input: Json) => run({ P: { Type: 'Pass', End: true, ...fields } }, input);

test.each<[string, JsonObject]>([
  ['a payload template', { Type: 'Pass', End: true, Parameters: { 'x.$': '$' } }],
  ['an intrinsic function', { Type: 'Pass', End: true, Parameters: { 'x.$': 'States.JsonToString($)' } }],
  ['InputPath', { Type: 'Pass', End: true, InputPath: '$.a' }],
  ['a choice rule', { Type: 'Choice', Choices: [{ Variable: '$', IsString: true, Next: 'P' }], Default: 'P' }],
  ['IsPresent', { Type: 'Choice', Choices: [{ Variable: '$.a', IsPresent: true, Next: 'P' }], Default: 'P' }],
])('%s applies no path to null', async (_what, state) => {
  const { outcome } = await run({ S: state, P: { Type: 'Succeed' } }, null);
  expect(outcome).toMatchObject({
    error: 'States.Runtime',
    cause: expect.stringContaining('Unable to apply Path transformation to null or empty input.'),
  });
});

test.each<JsonObject>([{}, { InputPath: '$' }, { OutputPath: '$' }])(
  'null goes through a state with %j',
  async (fields) => {
    expect((await pass(fields, null)).outcome).toMatchObject({ status: 'SUCCEEDED', output: 'null' });
  },
);
