import { movedClock } from '../../clock/moved-clock';
import { type StepFunctions, startStepFunctions } from '../../start';

const echo = 'arn:aws:lambda:us-east-1:123456789012:function:echo';
const roleArn = 'arn:aws:iam::123456789012:role/r';
const task = { Type: 'Task', Resource: echo, End: true };
const putEvents = {
  Type: 'Task',
  Resource: 'arn:aws:states:::events:putEvents',
  Parameters: { Entries: [] },
  End: true,
};
const processor = { StartAt: 'P', States: { P: { Type: 'Pass', End: true } } };
const map = { Type: 'Map', ItemsPath: '$.list', ItemProcessor: processor, End: true };
const other = { StartAt: 'Q', States: { Q: { Type: 'Pass', End: true } } };
const parallel = { Type: 'Parallel', Branches: [processor, other], End: true };
const failing = { mock: { errorOutput: { error: 'E', cause: 'c' } } };
const returning = (result: unknown, more = {}) => ({ mock: { result: JSON.stringify(result), ...more } });

describe('the rules of TestState', () => {
  const clock = movedClock();
  let engine: StepFunctions;

  beforeAll(async () => {
    engine = await startStepFunctions({ clock, services: { invokeLambda: async ({ payload }) => ({ payload }) } });
  });
  afterAll(async () => {
    await engine.stop();
    clock.stop();
  });

  const call = async (state: object, more: object = {}) =>
    (await engine.call('TestState', {
      definition: JSON.stringify(state),
      roleArn,
      input: '{"a":1,"list":[1,2]}',
      ...more,
    })) as { status: number; body: Record<string, string> };

  const invoke = {
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke',
    Parameters: { FunctionName: 'f' },
    End: true,
  };
  const sdk = (name: string) => ({
    Type: 'Task',
    Resource: `arn:aws:states:::aws-sdk:${name}`,
    Parameters: {},
    End: true,
  });
  const startSync = {
    ...sdk(''),
    Resource: 'arn:aws:states:::states:startExecution.sync:2',
    Parameters: { StateMachineArn: 'm' },
  };
  const field = (name: string, problem: string) => `Mock result schema validation error: Field '${name}' ${problem}`;
  test.each<[string, object, object, string]>([
    [
      'a mocked Pass',
      { Type: 'Pass', End: true },
      returning(1),
      "State type 'Pass' is not supported when a mock is specified",
    ],
    ['Map without a mock', map, {}, 'TestState API does not support Map or Parallel states.'],
    [
      'a count without a mock',
      map,
      { stateConfiguration: { mapIterationFailureCount: 0 } },
      'TestState does not support MapIterationFailureCount when a mock is not specified.',
    ],
    ['a Task without a role', task, { roleArn: undefined }, 'RoleArn must be specified when testing a Task state'],
    ['no list for Map', map, returning({}), 'Mocked result must be an array.'],
    ['no list for Parallel', parallel, returning({}), 'Mocked result must be an array.'],
    ['a definition of no JSON', task, { definition: 'x' }, "INVALID_JSON_DESCRIPTION: Unrecognized token 'x'"],
    ['a result of no JSON', task, { mock: { result: '{' } }, 'Mocked result must be valid JSON'],
    [
      'a result and an error',
      task,
      { mock: { ...returning(1).mock, ...failing.mock } },
      'A test mock should have only one of the following fields: [result, errorOutput].',
    ],
    ['an unknown level of inspection', task, { inspectionLevel: 'ALL' }, "Value 'ALL' at 'inspectionLevel'"],
    [
      'an unknown mode of validation',
      task,
      { mock: { result: '1', fieldValidationMode: 'LOOSE' } },
      "Value 'LOOSE' at 'fieldValidationMode'",
    ],
    [
      'an error of a state that is elsewhere',
      map,
      { ...failing, stateConfiguration: { errorCausedByState: 'Q' } },
      "The state 'Q', which causes the error",
    ],
    ['an unknown state', { StartAt: 'M', States: { M: map } }, { stateName: 'X' }, 'State not found in definition'],
    ['a name of all objects', { StartAt: 'M', States: { M: map } }, { stateName: 'constructor' }, 'State not found'],
    ['the root of all objects', { StartAt: 'M', States: { M: map } }, { stateName: '__proto__' }, 'State not found'],
    ['no list', putEvents, returning({ Entries: 'x' }), field('Entries', 'must be an array')],
    ['no text', putEvents, returning({ Entries: [{}, { EventId: 1 }] }), field('EventId', 'must be a string')],
    [
      'no text of another service',
      sdk('sesv2:sendEmail'),
      returning({ MessageId: 1 }),
      field('MessageId', 'must be a string'),
    ],
    ['no number', invoke, returning({ StatusCode: '200' }), field('StatusCode', 'must be a number')],
    [
      'too small a number',
      sdk('lambda:getFunction'),
      returning({ Configuration: { MemorySize: 127 } }),
      field('MemorySize', 'is less than the minimum value'),
    ],
    [
      'an unknown value',
      sdk('s3:getObject'),
      returning({ StorageClass: 'Papyrus' }, { fieldValidationMode: 'PRESENT' }),
      field('StorageClass', 'is not an expected value'),
    ],
    [
      'too short a text',
      sdk('kms:encrypt'),
      returning({ CiphertextBlob: '' }),
      field('CiphertextBlob', 'is smaller than the minimum length'),
    ],
    [
      'too large a number inside a list',
      sdk('lambda:listFunctions'),
      returning({ Functions: [{}, { EphemeralStorage: { Size: 10241 } }] }),
      field('Size', 'exceeds the maximum value'),
    ],
    [
      'no value of a shape that holds itself',
      sdk('dynamodb:getItem'),
      returning({ Item: { a: { L: [{ M: { b: { BOOL: 'yes' } } }] } } }),
      field('BOOL', 'must be a boolean'),
    ],
    [
      'a missing field',
      sdk('sfn:startExecution'),
      returning({ ExecutionArn: 'arn' }),
      "Mock result schema validation error: Required field 'StartDate' is missing",
    ],
    [
      "a required field by the service's own name",
      sdk('sfn:startExecution'),
      returning({ executionArn: 'arn', startDate: 's' }),
      "Mock result schema validation error: Required field 'ExecutionArn' is missing",
    ],
  ])('refuses %s', async (_what, state, more, message) => {
    const { status, body } = await call(state, more);
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  test.each<[string, object, object]>([
    ['fields that the API does not have', putEvents, returning({ other: 1 })],
    ["fields by the service's own name", sdk('sns:publish'), returning({ messageId: 1 })],
    [
      'anything where nothing is to be validated',
      putEvents,
      returning({ Entries: 1 }, { fieldValidationMode: 'NONE' }),
    ],
    ['a payload of JSON', invoke, returning({ Payload: { a: 1 } })],
    [
      'an answer without a required field',
      sdk('sfn:startExecution'),
      returning({}, { fieldValidationMode: 'PRESENT' }),
    ],
    [
      'the description of a nested execution',
      startSync,
      returning({ Output: {}, StartDate: 1, ExecutionArn: 'a', StateMachineArn: 'm', Status: 'SUCCEEDED' }),
    ],
    ['what an unknown service answers', sdk('glue:getTable'), returning({ Table: 1 })],
  ])('takes %s', async (_what, state, more) => {
    expect((await call(state, more)).body).toMatchObject({ status: 'SUCCEEDED' });
  });
});
