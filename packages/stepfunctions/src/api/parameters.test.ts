import { EngineFixture, machine } from '../../test/engine-fixture';

const states = { P: { Type: 'Pass', End: true } };

describe('the API refuses', () => {
  const fixture = new EngineFixture();
  const { call, create, begin, ended } = fixture;

  test.each<[string, string, object, string]>([
    [
      'a name that is too long',
      'CreateActivity',
      { name: 'a'.repeat(81) },
      'Member must have length less than or equal to 80',
    ],
    ['an empty name', 'CreateActivity', { name: '' }, "Value '' at 'name' failed"],
    [
      'a page that is too large',
      'ListActivities',
      { maxResults: 1001 },
      "Value '1001' at 'maxResults' failed to satisfy",
    ],
    [
      'two things at a time',
      'ListExecutions',
      { maxResults: -1, statusFilter: 'DONE' },
      "2 validation errors detected: Value '-1' at 'maxResults' failed to satisfy constraint: Member must have value " +
        "greater than or equal to 0; Value 'DONE' at 'statusFilter' failed to satisfy constraint: Member must satisfy enum",
    ],
    [
      'a count inside another parameter',
      'TestState',
      { definition: '{}', stateConfiguration: { retrierRetryCount: -1 } },
      "Value '-1' at 'stateConfiguration.retrierRetryCount' failed to satisfy constraint: Member must have value greater",
    ],
    [
      'a tag without a name',
      'CreateActivity',
      { name: 'a', tags: [{ key: 'a' }, { key: '' }] },
      "Value '' at 'tags.2.member.key' failed to satisfy constraint: Member must have length greater than or equal to 1",
    ],
    ['a tag without a key', 'CreateActivity', { name: 'a', tags: [{ value: 'b' }] }, "Value null at 'key' failed"],
    ['an action that objects have', 'constructor', {}, 'UnknownOperationException'],
    ['a role of a tested state', 'TestState', { definition: '{"Type":"Succeed"}', roleArn: 'me' }, 'Invalid Role Arn'],
    ['a type that there is not', 'CreateStateMachine', { type: 'FAST' }, 'enum value set: [STANDARD, EXPRESS]'],
    ['a token of nothing', 'ListActivities', { nextToken: 'x' }, 'InvalidToken'],
    ['a list of no executions in particular', 'ListExecutions', {}, 'Must provide a State Machine ARN or Map Run ARN'],
    [
      'a role that is none',
      'CreateStateMachine',
      { name: 'n', definition: '{}', roleArn: 'me' },
      'InvalidArn","message":"Invalid Role Arn: \'me\'',
    ],
    [
      'the ARN of a Distributed Map state',
      'StartExecution',
      { stateMachineArn: 'arn:aws:states:us-east-1:123456789012:stateMachine:m/label' },
      'ValidationException',
    ],
  ])('%s', async (_what, action, body, message) => {
    await expect(call(action, body)).rejects.toThrow(message);
  });

  test.each<[string, object, string]>([
    ['ListExecutions', [], '"SerializationException","message":"Start of list found where not expected"'],
    ['CreateActivity', { name: 5 }, 'NUMBER_VALUE can not be converted to a String'],
    ['StartExecution', { stateMachineArn: true }, 'TRUE_VALUE can not be converted to a String'],
    ['ListActivities', { maxResults: 1.5 }, 'NUMBER_VALUE can not be converted to an Integer'],
    ['GetExecutionHistory', { reverseOrder: 'true' }, 'STRING_VALUE can not be converted to a Boolean'],
    ['GetExecutionHistory', { includeExecutionData: 0 }, 'NUMBER_VALUE can not be converted to a Boolean'],
    ['TestState', { revealSecrets: [] }, 'Start of list found where not expected'],
    ['TestState', { stateConfiguration: 'x' }, 'STRING_VALUE can not be converted to a structure'],
    ['CreateStateMachine', { publish: {} }, 'Start of structure or map found where not expected'],
    ['CreateStateMachine', { loggingConfiguration: { destinations: {} } }, 'Start of structure or map found'],
    ['CreateStateMachine', { loggingConfiguration: { includeExecutionData: 1 } }, 'converted to a Boolean'],
    ['CreateStateMachine', { tracingConfiguration: { enabled: 'no' } }, 'converted to a Boolean'],
    ['CreateStateMachine', { encryptionConfiguration: { type: 'STANDARD' } }, 'set: [AWS_OWNED_KEY, CUSTOMER_MANAGED_'],
    ['CreateStateMachineAlias', { routingConfiguration: [1] }, 'NUMBER_VALUE can not be converted to a structure'],
    ['TagResource', { tags: ['a'] }, 'STRING_VALUE can not be converted to a structure'],
    ['UntagResource', { tagKeys: 'a' }, 'STRING_VALUE can not be converted to a list'],
    ['UntagResource', { tagKeys: [{}] }, 'Start of structure or map found where not expected'],
  ])('%s with %j, which is of another type (R196)', async (action, body, message) => {
    await expect(call(action, body)).rejects.toThrow(message);
  });

  test('an update that changes nothing', async () => {
    const stateMachineArn = await create('m', machine(states));
    await expect(call('UpdateStateMachine', { stateMachineArn })).rejects.toThrow('MissingRequiredParameter');
  });

  test('a list of Express executions', async () => {
    const definition = JSON.stringify({ StartAt: 'P', States: states });
    const roleArn = 'arn:aws:iam::123456789012:role/r';
    const { stateMachineArn } = await call('CreateStateMachine', { name: 'x', roleArn, definition, type: 'EXPRESS' });
    await expect(call('ListExecutions', { stateMachineArn })).rejects.toThrow('StateMachineTypeNotSupported');
  });

  test('a redrive after fourteen days', async () => {
    const stateMachineArn = await create('f', machine({ F: { Type: 'Fail' } }));
    const executionArn = await begin(stateMachineArn, 'e');
    await ended(executionArn);
    expect(await call('DescribeExecution', { executionArn })).not.toHaveProperty('redriveDate');
    await call('RedriveExecution', { executionArn });
    await ended(executionArn);
    const again = { redriveStatus: 'REDRIVABLE', redriveCount: 1, redriveDate: expect.any(Number) };
    expect(await call('DescribeExecution', { executionArn })).toMatchObject(again);
    const listed = (redriveFilter: string) => call('ListExecutions', { stateMachineArn, redriveFilter });
    expect(await listed('NOT_REDRIVEN')).toEqual({ executions: [] });
    expect(await listed('REDRIVEN')).toMatchObject({ executions: [{ redriveCount: 1 }] });
    fixture.clock.advance(15 * 86_400_000);
    const redriveStatusReason = 'Execution redrivable period exceeded';
    expect(await call('DescribeExecution', { executionArn })).toMatchObject({ redriveStatusReason });
    await expect(call('RedriveExecution', { executionArn })).rejects.toThrow(redriveStatusReason);
  });
});
