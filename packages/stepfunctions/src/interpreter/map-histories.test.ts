import type { HistoryEvent } from '../execution/history';
import type { JsonObject } from '../language/json';
import { drive } from '../language/steps';
import { compileProgram } from '../states/compile';
import { start } from './apply';
import { branch, echo, history, identity } from './histories-fixture';

const mapOf = (state: JsonObject, more: JsonObject = {}): JsonObject => ({
  M: { Type: 'Map', ItemsPath: '$.list', ItemProcessor: branch('I', state), End: true, ...more },
});

test('a map begins as many iterations as it may, and keeps the order of its results', () => {
  const { lines, execution } = history(
    {
      M: {
        Type: 'Map',
        ItemsPath: '$.list',
        MaxConcurrency: 1,
        ItemProcessor: branch('T', { Type: 'Task', Resource: echo, End: true }),
        End: true,
      },
    },
    { kind: 'succeeded', task: 1, output: 'one' },
    { kind: 'succeeded', task: 2, output: 'two' },
  );
  expect(lines.filter((line) => /Map/.test(line))).toEqual([
    '2<0 MapStateEntered M',
    '3<2 MapStateStarted',
    '4<3 MapIterationStarted M',
    '10<9 MapIterationSucceeded M',
    '11<9 MapIterationStarted M',
    '17<16 MapIterationSucceeded M',
    '18<17 MapStateSucceeded',
    '19<17 MapStateExited M',
  ]);
  expect(execution.outcome).toMatchObject({ output: '["one","two"]' });
});

test('an evaluation that fails inside a map is told once', async () => {
  const States = mapOf(
    { Type: 'Pass', QueryLanguage: 'JSONata', Output: '{% $nope %}', End: true },
    { MaxConcurrency: 1 },
  );
  const types: string[] = [];
  const program = compileProgram({ StartAt: 'M', States });
  await drive(start(program, identity, ({ type }) => types.push(type)));
  expect(types.slice(4)).toEqual([
    'PassStateEntered',
    'EvaluationFailed',
    'MapIterationFailed',
    'MapStateFailed',
    'ExecutionFailed',
  ]);
});

test.each<[string, JsonObject]>([
  [
    'Choices[0]/Output/v',
    { Type: 'Choice', Choices: [{ Condition: '{% true %}', Output: { v: '{% $nope %}' }, Next: 'End' }] },
  ],
  [
    'Catch[0]/Assign/v',
    {
      Type: 'Map',
      Items: '{% 1 %}',
      ItemProcessor: branch('I', { Type: 'Pass', End: true }),
      Catch: [{ ErrorEquals: ['States.ALL'], Assign: { v: '{% $nope %}' }, Next: 'End' }],
      End: true,
    },
  ],
])('an evaluation that fails in a rule is told with its place, %s', async (place, state) => {
  const events: HistoryEvent[] = [];
  const States = { S: state, End: { Type: 'Succeed' } };
  const program = compileProgram({ StartAt: 'S', QueryLanguage: 'JSONata', States });
  await drive(start(program, identity, (event) => events.push(event)));
  const evaluations = events.filter(({ type }) => type === 'EvaluationFailed');
  expect(evaluations.at(-1)).toMatchObject({ details: { location: place } });
  expect(events.at(-1)).toMatchObject({ type: 'ExecutionFailed', details: { error: 'States.QueryEvaluationError' } });
});

test('a map over a list of objects has items in words of their own', () => {
  const Contents = [{ ETag: '"e"', Key: 'k', LastModified: '2024-01-01T00:00:00Z', Size: 4 }];
  const processor = { ...branch('I', { Type: 'Pass', End: true }), ProcessorConfig: { Mode: 'DISTRIBUTED' } };
  const ItemReader = { Resource: 'arn:aws:states:::s3:listObjectsV2', Parameters: { Bucket: 'b' } };
  const read = { kind: 'succeeded' as const, task: 1, output: { Contents } };
  const { execution } = history(mapOf({}, { ItemProcessor: processor, ItemReader }), read);
  expect(JSON.parse(execution.outcome!.output!)).toEqual([
    { Etag: '"e"', Key: 'k', LastModified: 1_704_067_200, Size: 4 },
  ]);
});

describe('a ResultWriter', () => {
  const processor = { ...branch('I', { Type: 'Pass', End: true }), ProcessorConfig: { Mode: 'DISTRIBUTED' } };
  const writing = (ResultWriter: JsonObject, ...inputs: Parameters<typeof history>[1][]) =>
    history(mapOf({}, { ItemProcessor: processor, ResultWriter }), ...inputs);
  const toS3 = { Resource: 'arn:aws:states:::s3:putObject', Parameters: { Bucket: 'b', Prefix: 'p' } };
  const written = (task: number) => ({ kind: 'succeeded' as const, task, output: {} });
  const succeeded = ['5<4 MapRunSucceeded', '6<5 MapStateSucceeded', '7<4 MapStateExited M', '8<7 ExecutionSucceeded'];

  test('writes the results, then a manifest, and names that', () => {
    const { lines, execution } = writing(toS3, written(1), written(2));
    expect(lines.slice(4)).toEqual(succeeded);
    expect(JSON.parse(execution.outcome!.output!)).toEqual({
      MapRunArn: expect.stringMatching(/^arn:aws:states:us-east-1:123456789012:mapRun:m\/[0-9a-f-]{36}:[0-9a-f-]{36}$/),
      ResultWriterDetails: { Bucket: 'b', Key: expect.stringMatching(/^p\/[0-9a-f-]{36}\/manifest.json$/) },
    });
    const { execution: begun } = writing(toS3);
    expect([...begun.tasks.values()][0]!.waiting).toMatchObject({
      request: { parameters: { Bucket: 'b', Key: expect.stringMatching(/\/SUCCEEDED_0.json$/) } },
    });
  });

  test('that cannot write fails the state', () => {
    const { lines, execution } = writing(toS3, {
      kind: 'failed',
      task: 1,
      error: 'S3.NoSuchBucketException',
      cause: 'c',
    });
    expect(lines.slice(4)).toEqual(['5<4 MapRunFailed', '6<5 MapStateFailed', '7<6 ExecutionFailed']);
    expect(execution.outcome).toMatchObject({ error: 'States.ResultWriterFailed', cause: 'c' });
  });

  test.each([
    ['COMPACT', [1, 2]],
    ['NONE', [expect.objectContaining({ Input: '1', Output: '1', Status: 'SUCCEEDED' }), expect.anything()]],
  ])('without a place gives the results another form: %s', (Transformation, expected) => {
    const { lines, execution } = writing({ WriterConfig: { Transformation } });
    expect(lines.slice(4)).toEqual(succeeded);
    expect(JSON.parse(execution.outcome!.output!)).toEqual(expected);
  });
});

describe('a distributed map', () => {
  const distributed = (state: JsonObject, more: JsonObject) => {
    const ItemProcessor = { ...branch('I', state), ProcessorConfig: { Mode: 'DISTRIBUTED' } };
    return history(mapOf({}, { ...more, ItemProcessor })).execution.outcome!;
  };
  const pass = { Type: 'Pass', End: true };
  const output = (more: JsonObject) => JSON.parse(distributed(pass, more).output!);

  test('makes batches of what its selector makes', () => {
    const ItemSelector = { 'v.$': '$$.Map.Item.Value', 'i.$': '$$.Map.Item.Index' };
    expect(output({ ItemSelector, ItemBatcher: { MaxItemsPerBatch: 9, BatchInput: { 'x.$': '$.x' } } })).toEqual([
      {
        BatchInput: { x: 1 },
        Items: [
          { v: 1, i: 0 },
          { v: 2, i: 1 },
        ],
      },
    ]);
  });

  test.each([
    ['{"Items":[{"v":1},{"v":1}]}'.length, 2],
    ['{"Items":[{"v":1},{"v":1}]}'.length - 1, 1],
  ])('counts all that a batch is of: in %i bytes there is room for %i', (MaxInputBytesPerBatch, size) => {
    const [first] = output({ ItemSelector: { v: 1 }, ItemBatcher: { MaxInputBytesPerBatch } });
    expect(first.Items).toHaveLength(size);
  });

  test('counts all items of a batch that fails', () => {
    const tolerant = (ToleratedFailureCount: number) =>
      distributed({ Type: 'Fail' }, { ToleratedFailureCount, ItemBatcher: { MaxItemsPerBatch: 2 } }).status;
    expect([tolerant(1), tolerant(2)]).toEqual(['FAILED', 'SUCCEEDED']);
  });

  test.each(['MaxItemsPerBatchPath', 'MaxInputBytesPerBatchPath'])('takes no %s that is not positive', (field) => {
    const { error, cause } = distributed(pass, { ItemBatcher: { [field]: '$$.Execution.RedriveCount' } });
    expect([error, cause]).toEqual(['States.Runtime', expect.stringMatching(/field Max\w+PerBatch must be positive/)]);
  });

  test('gives each child the context of an execution of its own', () => {
    const child = { Type: 'Pass', Parameters: { 'e.$': '$$.Execution', 'm.$': '$$.StateMachine' }, End: true };
    const [one, two] = JSON.parse(distributed(child, { Label: 'L' }).output!);
    expect(one).toEqual({
      e: expect.objectContaining({
        Id: `arn:aws:states:us-east-1:123456789012:execution:m/L:${one.e.Name}`,
        Input: 1,
        Name: expect.stringMatching(/^[0-9a-f-]{36}$/),
      }),
      m: { Id: 'arn:aws:states:us-east-1:123456789012:stateMachine:m/L', Name: 'm/L' },
    });
    expect(two.e.Name).not.toBe(one.e.Name);
  });
});
