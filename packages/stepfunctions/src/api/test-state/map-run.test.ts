import { testState } from '../../../test/test-state-fixture';

const ProcessorConfig = { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' };
const item = { Type: 'Pass', Parameters: { 'item.$': '$$.Map.Item' }, End: true };
const processor = { ProcessorConfig, StartAt: 'P', States: { P: item } };
const map = { Type: 'Map', ItemsPath: '$.list', ItemProcessor: processor, End: true };
const read = {
  ...map,
  ItemsPath: undefined,
  ItemReader: {
    Resource: 'arn:aws:states:::s3:getObject',
    ReaderConfig: { InputType: 'JSON', ItemsPointer: '/a~1b/1' },
    Parameters: { Bucket: 'b', Key: 'k' },
  },
};
const inline = { ...map, ItemProcessor: { StartAt: 'P', States: { P: item } } };
const result = { result: '[1,2]' };
const failures = (mapIterationFailureCount: number, mock: object) => ({
  mock,
  stateConfiguration: { mapIterationFailureCount },
});

describe('TestState of a Map state', () => {
  const ask = testState();
  const call = (definition: object, more: object) =>
    ask(definition, { input: '{"list":[1,2]}', inspectionLevel: 'DEBUG', ...more });

  test.each<[string, object, object, object]>([
    ['a failure where it tolerates none', { ToleratedFailureCount: 0 }, failures(1, result), exceeded()],
    ['failures where nothing says how many it tolerates', {}, failures(1, result), { status: 'SUCCEEDED' }],
    ['more failures than its share', { ToleratedFailurePercentage: 50 }, failures(2, result), exceeded()],
    [
      'fewer than no failures',
      { ToleratedFailureCountPath: '$.n' },
      { mock: result, input: '{"list":[1],"n":-1}' },
      { status: 'FAILED', error: 'States.Runtime', cause: 'ToleratedFailureCount cannot be negative.' },
    ],
  ])('ends with %s', async (_what, fields, more, expected) => {
    expect((await call({ ...map, ...fields }, more)).body).toMatchObject(expected);
  });

  function exceeded() {
    return { status: 'FAILED', error: 'States.ExceedToleratedFailureThreshold' };
  }

  test('shows the items that its reader is given', async () => {
    const stateConfiguration = { mapItemReaderData: '{"a/b":[0,[1,2]]}' };
    expect((await call(read, { mock: result, stateConfiguration })).body.inspectionData).toEqual({
      input: '{"list":[1,2]}',
      afterInputPath: '{"list":[1,2]}',
      afterItemsPointer: '[1,2]',
      afterItemsPath: '[1,2]',
      maxConcurrency: 0,
      afterResultSelector: '[1,2]',
      afterResultPath: '[1,2]',
    });
  });

  test('an ItemSelector sees the object that its reader reads', async () => {
    const selecting = { ...read, ItemSelector: { 's.$': '$$.Map.Item.Source' } };
    const stateConfiguration = { mapItemReaderData: '{"a/b":[0,[1]]}' };
    expect((await call(selecting, { mock: result, stateConfiguration })).body.inspectionData).toMatchObject({
      afterItemSelector: '[{"s":"S3://b/k"}]',
    });
  });

  test('an ItemSelector sees where a distributed map has its items from', async () => {
    const selecting = { ...map, ItemSelector: { 's.$': '$$.Map.Item.Source' } };
    expect((await call(selecting, { mock: result })).body.inspectionData).toMatchObject({
      afterItemSelector: '[{"s":"STATE_DATA"},{"s":"STATE_DATA"}]',
    });
  });

  test.each<[string, object, object]>([
    ['an inline', inline, { Index: 0, Value: 5 }],
    ['a distributed', map, { Index: 0, Value: 5, Source: 'STATE_DATA' }],
  ])('a state inside %s map is its first iteration', async (_what, state, expected) => {
    const { body } = await call({ StartAt: 'M', States: { M: state } }, { stateName: 'P', input: '5' });
    expect(JSON.parse(body.output!)).toEqual({ item: expected });
  });
});
