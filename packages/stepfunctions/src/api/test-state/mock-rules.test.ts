import { failing, map, returning, task, testState } from '../../../test/test-state-fixture';

const putEvents = {
  Type: 'Task',
  Resource: 'arn:aws:states:::events:putEvents',
  Parameters: { Entries: [] },
  End: true,
};

describe('the rules of TestState', () => {
  const call = testState();

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
    ['a Task without a role', task, { roleArn: undefined }, 'RoleArn must be specified when testing a Task state'],
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
    [
      'no text of another service',
      sdk('sesv2:sendEmail'),
      returning({ MessageId: 1 }),
      field('MessageId', 'must be a string'),
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
