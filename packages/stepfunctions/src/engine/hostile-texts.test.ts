import { EngineFixture, functionArn, machine } from '../../test/engine-fixture';

const f = new EngineFixture();
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const tooDeep = /Document nesting depth \(1001\) exceeds the maximum allowed \(1000\)/;

const roleArn = 'arn:aws:iam::123456789012:role/r';
const ended = async (executionArn: string) => {
  const { status, error = '', cause = '' } = await f.call('DescribeExecution', { executionArn });
  return { status, error, cause };
};
const play = async (name: string, states: object, input?: string) =>
  ended(await f.begin(await f.create(name, machine(states)), 'x', input));

test('JSON that nests too deeply is refused where it comes in, and read again nowhere (R196)', async () => {
  const pass = await f.create('pass', machine({ A: { Type: 'Pass', End: true } }));
  for (const levels of [1_001, 100_000]) {
    const input = deep(levels);
    await expect(f.begin(pass, `input${levels}`, input)).rejects.toThrow(tooDeep);
    await expect(f.begin(pass, `half${levels}`, input.slice(0, levels))).rejects.toThrow(tooDeep);
    const definition = machine({ A: { Type: 'Pass', Result: '?', End: true } }).replace('"?"', input);
    await expect(f.create(`deep${levels}`, definition)).rejects.toThrow(tooDeep);
    const said = await f.call('ValidateStateMachineDefinition', { definition });
    expect(JSON.stringify(said)).toMatch(tooDeep);
    const state = JSON.stringify({ Type: 'Pass', End: true });
    await expect(f.call('TestState', { definition: state, input, roleArn })).rejects.toThrow(tooDeep);
  }
  f.answer = () => deep(1_001);
  expect(await play('result', { A: { Type: 'Task', Resource: functionArn('deep'), End: true } })).toMatchObject({
    status: 'FAILED',
    error: 'States.TaskFailed',
    cause: expect.stringMatching(tooDeep),
  });
  await f.restart();
  expect(await f.types(await f.begin(pass, 'after'))).toContain('ExecutionSucceeded');
});

test('a failure is told in no more than AWS tells of it (R196)', async () => {
  const long = '💥'.repeat(50_000);
  const input = JSON.stringify({ long });
  const told = [
    await play('fail', { A: { Type: 'Fail', ErrorPath: '$.long', CausePath: '$.long' } }, input),
    await play('expression', {
      A: { Type: 'Pass', QueryLanguage: 'JSONata', Output: "{% $error($pad('', 99999, '💥')) %}", End: true },
    }),
    await play('path', { A: { Type: 'Pass', Parameters: { 'a.$': '$.none' }, End: true } }, input),
  ];
  f.answer = () => {
    throw Object.assign(new Error(long), { name: long });
  };
  told.push(await play('function', { A: { Type: 'Task', Resource: functionArn('loud'), End: true } }));
  for (const { status, error, cause } of told) {
    expect(status).toBe('FAILED');
    expect(error.length).toBeLessThanOrEqual(256);
    expect(cause.length).toBeGreaterThan(30_000);
    expect(cause.length).toBeLessThanOrEqual(32_768);
    expect(cause).not.toMatch(/[\ud800-\udbff]$/);
  }
});
