import { run } from '../../test/single-state-fixture';
import type { JsonObject } from '../language/json';

const map = (fields: JsonObject) => ({
  M: { Type: 'Map', ItemProcessor: { StartAt: 'S', States: { S: { Type: 'Succeed' } } }, End: true, ...fields },
});

test('MaxConcurrencyPath takes an integer, also as text', async () => {
  const state = map({ ItemsPath: '$.items', MaxConcurrencyPath: '$.most' });
  for (const most of [2, '2']) expect((await run(state, { items: [1], most })).outcome?.status).toBe('SUCCEEDED');
  for (const most of [1.5, 'two', null])
    expect((await run(state, { items: [1], most })).outcome?.error).toBe('States.Runtime');
});

test('in JSONata, a field for an integer takes no fraction', async () => {
  const state = map({ QueryLanguage: 'JSONata', Items: [1], MaxConcurrency: '{% $states.input.most %}' });
  expect((await run(state, { most: 2 })).outcome?.status).toBe('SUCCEEDED');
  expect((await run(state, { most: 1.5 })).outcome).toMatchObject({
    error: 'States.QueryEvaluationError',
    cause: expect.stringContaining("Expected 'integer', but was 'number' for value: 1.5"),
  });
});
