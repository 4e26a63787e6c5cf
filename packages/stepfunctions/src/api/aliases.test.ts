import { machine as definitionOf, roleArn, SharedEngine } from '../../test/engine-fixture';

describe('aliases', () => {
  const { begin, call } = new SharedEngine();
  let machine: string;
  beforeAll(async () => {
    const definition = (n: number) => definitionOf({ P: { Type: 'Pass', Result: n, End: true } });
    machine = (await call('CreateStateMachine', { name: 'm', roleArn, definition: definition(1), publish: true }))
      .stateMachineArn!;
    await call('UpdateStateMachine', { stateMachineArn: machine, definition: definition(2), publish: true });
  });
  const routes = (...weights: [version: number, weight: number][]) =>
    weights.map(([version, weight]) => ({ stateMachineVersionArn: `${machine}:${version}`, weight }));
  const output = async (stateMachineArn: string) =>
    call('DescribeExecution', { executionArn: await begin(stateMachineArn) });

  test('an alias starts its version, and can be turned to another', async () => {
    const { stateMachineAliasArn } = await call('CreateStateMachineAlias', {
      name: 'live',
      routingConfiguration: routes([1, 100]),
    });
    expect(await call('DescribeStateMachine', { stateMachineArn: stateMachineAliasArn })).toMatchObject({
      stateMachineArn: `${machine}:1`,
      definition: expect.stringContaining('"Result":1'),
    });
    expect(stateMachineAliasArn).toBe(`${machine}:live`);
    expect(await output(stateMachineAliasArn!)).toMatchObject({
      output: '1',
      stateMachineArn: machine,
      stateMachineVersionArn: `${machine}:1`,
      stateMachineAliasArn,
    });
    await call('UpdateStateMachineAlias', {
      stateMachineAliasArn,
      routingConfiguration: routes([1, 0], [2, 100]),
      description: 'd',
    });
    expect(await output(stateMachineAliasArn!)).toMatchObject({ output: '2', stateMachineVersionArn: `${machine}:2` });
    expect(await call('DescribeStateMachineAlias', { stateMachineAliasArn })).toMatchObject({
      name: 'live',
      description: 'd',
      routingConfiguration: routes([1, 0], [2, 100]),
    });
    expect(await call('ListExecutions', { stateMachineArn: stateMachineAliasArn })).toMatchObject({
      executions: [{ stateMachineAliasArn }, { stateMachineAliasArn }],
    });
  });

  test('a version stays as long as an alias names it', async () => {
    const { stateMachineAliasArn } = await call('CreateStateMachineAlias', {
      name: 'old',
      routingConfiguration: routes([1, 100]),
    });
    expect(await call('ListStateMachineAliases', { stateMachineArn: `${machine}:1` })).toMatchObject({
      stateMachineAliases: expect.arrayContaining([expect.objectContaining({ stateMachineAliasArn })]),
    });
    await expect(call('DeleteStateMachineVersion', { stateMachineVersionArn: `${machine}:1` })).rejects.toThrow(
      'ConflictException',
    );
    await call('DeleteStateMachineAlias', { stateMachineAliasArn });
    await expect(call('DescribeStateMachineAlias', { stateMachineAliasArn })).rejects.toThrow('ResourceNotFound');
    await expect(call('StartExecution', { stateMachineArn: stateMachineAliasArn })).rejects.toThrow(
      'StateMachineDoesNotExist',
    );
  });

  test('the same creation again is the same alias; another is refused', async () => {
    const alias = { name: 'twice', routingConfiguration: routes([1, 100]) };
    expect(await call('CreateStateMachineAlias', alias)).toEqual(await call('CreateStateMachineAlias', alias));
    await expect(call('CreateStateMachineAlias', { ...alias, description: 'other' })).rejects.toThrow(
      'ConflictException',
    );
  });

  test.each<[string, object, string]>([
    ['a number for a name', { name: '7', routingConfiguration: [1, 100] }, 'ValidationException'],
    ['weights that do not add up', { name: 'a', routingConfiguration: [1, 99] }, 'ValidationException'],
    ['an unknown version', { name: 'a', routingConfiguration: [9, 100] }, 'ResourceNotFound'],
    ['no version', { name: 'a' }, 'ValidationException'],
  ])('refuses %s', async (_what, alias, error) => {
    const { routingConfiguration } = alias as { routingConfiguration?: [number, number] };
    const body = { ...alias, routingConfiguration: routingConfiguration && routes(routingConfiguration) };
    await expect(call('CreateStateMachineAlias', body)).rejects.toThrow(error);
  });
});
