import fs from 'node:fs';
import path from 'node:path';
import { EngineFixture, functionArn, machine } from '../../test/engine-fixture';

describe('an engine with much behind it', () => {
  const fixture = new EngineFixture();
  const { restart, call, create, begin, types, until, ended } = fixture;

  test('finished executions leave the journal, and can still be listed, described and read', async () => {
    await restart({ segmentSize: 20_000 });
    const arn = await create(
      'many',
      machine({ Work: { Type: 'Task', Resource: functionArn('work'), ResultPath: '$.r', End: true } }),
    );
    const sleeper = await begin(
      await create('sleeper', machine({ Sleep: { Type: 'Wait', Seconds: 3600, End: true } })),
      'one',
    );
    const pad = 'x'.repeat(500);
    const executions: string[] = [];
    for (let i = 0; i < 150; i += 1) executions.push(await begin(arn, `run-${i}`, JSON.stringify({ i, pad })));
    for (const execution of executions) await ended(execution);
    await until(async () => {
      await begin(arn, `more-${Math.random()}`);
      return journalSize() < 120_000;
    });
    for (const again of [false, true]) {
      if (again) await restart({ segmentSize: 20_000 });
      expect(JSON.parse((await call('DescribeExecution', { executionArn: executions[3]! })).output!)).toMatchObject({
        i: 3,
        r: { i: 3 },
      });
      expect(await types(executions[3]!)).toHaveLength(7);
      await expect(begin(arn, 'run-3', '{}')).rejects.toThrow('ExecutionAlreadyExists');
      expect((await list(arn)).filter((name) => name.startsWith('run-'))).toEqual(
        executions.map((_, i) => `run-${149 - i}`),
      );
    }
    fixture.clock.advance(3_600_000);
    await ended(sleeper);
    expect(await types(sleeper)).toEqual([
      'ExecutionStarted',
      'WaitStateEntered',
      'WaitStateExited',
      'ExecutionSucceeded',
    ]);
    // Ninety days later they are forgotten.
    fixture.clock.advance(91 * 86_400_000);
    await until(async () => {
      await begin(arn, `late-${Math.random()}`, JSON.stringify({ pad }));
      return (await fixture.engine.call('DescribeExecution', { executionArn: executions[3]! })).status === 400;
    });
  });

  const journalSize = () =>
    fs
      .readdirSync(fixture.directory)
      .filter((name) => name.endsWith('.log'))
      .reduce((sum, name) => sum + Math.min(fs.statSync(path.join(fixture.directory, name)).size, 20_000), 0);

  async function list(stateMachineArn: string): Promise<string[]> {
    const names: string[] = [];
    for (let nextToken: string | undefined; ; ) {
      const page = (await call('ListExecutions', { stateMachineArn, nextToken, maxResults: 40 })) as unknown as {
        executions: { name: string }[];
        nextToken?: string;
      };
      names.push(...page.executions.map(({ name }) => name));
      nextToken = page.nextToken;
      if (nextToken === undefined) return names;
    }
  }
});
