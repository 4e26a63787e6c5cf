import { EngineFixture, machine } from '../../test/engine-fixture';

const definition = machine({ P: { Type: 'Pass', End: true } });
const roleArn = 'arn:aws:iam::123456789012:role/r';
const published = { publish: true, versionDescription: 'd' };

describe('the API of state machines', () => {
  const { call } = new EngineFixture();
  const create = (more: object = {}) => call('CreateStateMachine', { name: 'm', definition, roleArn, ...more });

  test.each<[string, object, object]>([
    ['another role', {}, { roleArn: 'arn:aws:iam::123456789012:role/other' }],
    ['tags', {}, { tags: [{ key: 'k', value: 'v' }] }],
    ['the same version', published, published],
  ])('a second creation with %s answers like the first', async (_what, first, second) => {
    expect(await create(first)).toEqual(await create(second));
  });

  test.each<[string, object, object]>([
    ['another definition', {}, { definition: machine({ Q: { Type: 'Succeed' } }) }],
    ['another type', {}, { type: 'EXPRESS' }],
    ['other settings', {}, { tracingConfiguration: { enabled: true } }],
    ['a version', {}, { publish: true }],
    ['no version', published, {}],
    ['another description of its version', published, { ...published, versionDescription: 'e' }],
  ])('a second creation with %s is refused', async (_what, first, second) => {
    await create(first);
    await expect(create(second)).rejects.toThrow('StateMachineAlreadyExists');
  });

  test.each<[string, object, string]>([
    [
      'a level that there is not',
      { loggingConfiguration: { level: 'SOME' } },
      "Value 'SOME' at 'loggingConfiguration.level'",
    ],
    [
      'a kind of key that there is not',
      { encryptionConfiguration: { type: 'MINE' } },
      "Value 'MINE' at 'encryptionConfiguration.type'",
    ],
  ])('a creation with %s is refused', async (_what, more, message) => {
    await expect(create(more)).rejects.toThrow(message);
  });

  test.each<[string, object]>([
    ['UpdateStateMachine', { definition }],
    ['DeleteStateMachine', {}],
  ])('%s takes no qualified ARN', async (action, more) => {
    const stateMachineArn = (await create(published)).stateMachineVersionArn!;
    await expect(call(action, { stateMachineArn, ...more })).rejects.toThrow('ValidationException');
  });

  test('METADATA_ONLY leaves the definition out', async () => {
    const { stateMachineArn } = await create();
    const described = await call('DescribeStateMachine', { stateMachineArn, includedData: 'METADATA_ONLY' });
    expect(described).toMatchObject({ name: 'm', definition: '{}' });
  });

  test('tags have to be given, and are fifty at most', async () => {
    const { stateMachineArn: resourceArn } = await create();
    await expect(call('TagResource', { resourceArn })).rejects.toThrow("Value null at 'tags'");
    await expect(call('UntagResource', { resourceArn })).rejects.toThrow("Value null at 'tagKeys'");
    const tags = Array.from({ length: 51 }, (_, i) => ({ key: `k${i}`, value: '' }));
    await expect(call('TagResource', { resourceArn, tags })).rejects.toThrow('TooManyTags');
    await expect(call('CreateActivity', { name: 'a', tags })).rejects.toThrow('TooManyTags');
  });

  test.each<[object, string]>([
    [{ severity: 'INFO' }, 'Member must satisfy enum value set: [ERROR, WARNING]'],
    [{ maxResults: 101 }, 'Member must have value less than or equal to 100'],
  ])('ValidateStateMachineDefinition refuses %j', async (more, message) => {
    await expect(call('ValidateStateMachineDefinition', { definition, ...more })).rejects.toThrow(message);
  });

  test('ValidateStateMachineDefinition tells warnings where they are wanted', async () => {
    const doubtful = machine({ P: { Type: 'Pass', Result: '$.a', End: true } });
    const found = (severity?: string) => call('ValidateStateMachineDefinition', { definition: doubtful, severity });
    expect(await found()).toEqual({ result: 'OK', diagnostics: [], truncated: false });
    expect(await found('WARNING')).toMatchObject({ result: 'OK', diagnostics: [{ code: 'PASS_RESULT_IS_STATIC' }] });
  });

  test('ValidateStateMachineDefinition tells the first diagnostics, and that there are more', async () => {
    const wrong = machine({ A: { Type: 'Nap' }, B: { Type: 'Nap' } });
    const found = (maxResults: number) => call('ValidateStateMachineDefinition', { definition: wrong, maxResults });
    expect(await found(1)).toMatchObject({ result: 'FAIL', diagnostics: [{ severity: 'ERROR' }], truncated: true });
    expect(await found(0)).toMatchObject({ truncated: false });
  });
});
