import { failing, map, returning, task, testState } from '../../../test/test-state-fixture';

const configured = (stateConfiguration: object) => ({ ...failing, stateConfiguration });
const wrong = { QueryLanguage: 'JSONata', Output: '{% $states.result.b %}' };
const DEBUG = { inspectionLevel: 'DEBUG' };
const retry = [
  { ErrorEquals: ['Other'] },
  { ErrorEquals: ['E'], IntervalSeconds: 3, BackoffRate: 2.3, MaxAttempts: 2 },
];

describe('TestState', () => {
  const call = testState();

  test.each<[string, object, object, object]>([
    ['Task', task, {}, { status: 'SUCCEEDED', output: '{"a":1,"list":[1,2]}' }],
    ['Wait, which is skipped', { Type: 'Wait', Seconds: 299, Next: 'B' }, {}, { status: 'SUCCEEDED', nextState: 'B' }],
    [
      'a Wait that takes longer than a test may',
      { Type: 'Wait', Seconds: 301, Next: 'B' },
      {},
      { status: 'FAILED', error: 'States.Timeout' },
    ],
    [
      'an expression that fails, without the place in a history',
      { Type: 'Pass', QueryLanguage: 'JSONata', Output: '{% $states.input.b %}', End: true },
      {},
      {
        status: 'FAILED',
        error: 'States.QueryEvaluationError',
        cause: expect.stringMatching(/^The JSONata expression/),
      },
    ],
    [
      'an activity that fails',
      { ...task, Resource: 'arn:aws:states:us-east-1:123456789012:activity:a', Retry: retry },
      failing,
      { status: 'RETRIABLE', error: 'E', cause: 'c' },
    ],
    [
      'an expression that fails and is caught',
      { ...task, ...wrong, Catch: [{ ErrorEquals: ['States.ALL'], Next: 'C' }] },
      returning(1),
      {
        status: 'CAUGHT_ERROR',
        nextState: 'C',
        error: 'States.QueryEvaluationError',
        output: expect.stringContaining('"Cause":"The JSONata expression'),
      },
    ],
    [
      'an expression that fails and is tried again',
      { ...task, ...wrong, Retry: [{ ErrorEquals: ['States.ALL'] }] },
      returning(1),
      { status: 'RETRIABLE', error: 'States.QueryEvaluationError' },
    ],
    [
      'Map',
      { ...map, ResultPath: '$.m' },
      returning([3]),
      { status: 'SUCCEEDED', output: '{"a":1,"list":[1,2],"m":[3]}' },
    ],
    [
      'a Map without items',
      { ...map, ItemsPath: '$.a' },
      returning([3]),
      { status: 'FAILED', error: 'States.Runtime' },
    ],
    [
      'JSONata with variables',
      { Type: 'Pass', QueryLanguage: 'JSONata', Output: '{% $states.input.a + $v %}', End: true },
      { variables: '{"v":2}' },
      { status: 'SUCCEEDED', output: '3' },
    ],
  ])('%s', async (_what, state, more, expected) => {
    const { body } = await call(state, more);
    expect(body).toMatchObject(expected);
    expect(body).not.toHaveProperty('inspectionData');
  });

  const input = '{"a":1,"list":[1,2]}';
  test.each<[string, object, object, object]>([
    [
      'Task',
      { ...task, InputPath: '$.a', ResultSelector: { 'r.$': '$' }, ResultPath: '$.x' },
      returning(7),
      {
        input,
        afterInputPath: '1',
        afterParameters: '1',
        result: '7',
        afterResultSelector: '{"r":7}',
        afterResultPath: '{"a":1,"list":[1,2],"x":{"r":7}}',
      },
    ],
    [
      'a Task in JSONata',
      { ...task, QueryLanguage: 'JSONata', Arguments: '{% $states.input.a %}', Assign: { v: 2 } },
      returning(7),
      { input, afterArguments: '1', result: '7', variables: '{"v":2}' },
    ],
    [
      'a Task that is caught when it has been retried',
      { ...task, Retry: retry, Catch: [{ ErrorEquals: ['E'], Next: 'C' }] },
      configured({ retrierRetryCount: 2 }),
      {
        input,
        afterInputPath: input,
        afterParameters: input,
        errorDetails: { retryIndex: 1, catchIndex: 0 },
      },
    ],
    [
      'a Task with a token',
      {
        Type: 'Task',
        Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
        Parameters: { FunctionName: 'f', Payload: { 'token.$': '$$.Task.Token' } },
        End: true,
      },
      returning(7),
      {
        input,
        afterInputPath: input,
        afterParameters: expect.stringMatching(/"token":"[\w-]{40,}"/),
        result: '7',
        afterResultSelector: '7',
        afterResultPath: '7',
      },
    ],
    [
      'a Pass whose Parameters lead nowhere',
      { Type: 'Pass', Parameters: { 'x.$': '$.x' }, End: true },
      {},
      { input, afterInputPath: input },
    ],
    [
      'Map',
      { ...map, ItemSelector: { 'v.$': '$$.Map.Item.Value' }, MaxConcurrency: 2 },
      returning([1, 2]),
      {
        input,
        afterInputPath: input,
        afterItemsPath: '[1,2]',
        afterItemSelector: '[{"v":1},{"v":2}]',
        maxConcurrency: 2,
        afterResultSelector: '[1,2]',
        afterResultPath: '[1,2]',
      },
    ],
  ])('shows the data of %s', async (_what, state, more, expected) => {
    expect((await call(state, { ...more, ...DEBUG })).body.inspectionData).toEqual(expected);
  });
});
