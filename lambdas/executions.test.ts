import type { SFNClient } from '@aws-sdk/client-sfn';
import { registry } from '../core/agent/registry';
import { readMeta } from '../core/store/table';
import { lookingAgent, stepsIn } from '../test/support/tables/steps';
import { tableOfTests } from '../test/support/tables/table';
import { driveRun } from './executions';

const now = new Date('2027-03-01T08:00:00.000Z');
const table = tableOfTests();

test('the execution of a stale segment is stopped before the next one starts, so a crash in between repeats both (R261)', async () => {
  const { id } = await stepsIn(table, now).given('woken');
  const meta = (await readMeta(table, id))!;
  const sent: string[] = [];
  const client = { send: async (command: object) => sent.push(command.constructor.name) } as unknown as SFNClient;
  process.env.STATE_MACHINE_ARN = 'arn:aws:states:eu-central-1:000000000000:stateMachine:loop';
  await driveRun(client, table, registry([lookingAgent]), { ...meta, run: { ...meta.run!, stop: 'stale' } });
  expect(sent).toEqual(['StopExecutionCommand', 'StartExecutionCommand']);
});
