import {
  SendTaskSuccessCommand,
  type SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { dropTokens } from '../core/store/callback';
import type { Meta } from '../core/store/rows';
import { segmentOf } from '../core/store/run';
import type { Table } from '../core/store/table';
import { variable } from './environment';

/**
 * Starts the execution of the run's current segment, and stops the one that a wake-up has fenced off. A second start of the
 * same name finds the first, and a second stop finds it over: neither is an error.
 */
export async function startSegment(client: SFNClient, meta: Meta): Promise<void> {
  const segment = segmentOf(meta);
  if (!segment) return;
  const stateMachineArn = variable('STATE_MACHINE_ARN');
  const { name, input } = segment;
  const { stop } = meta.run!;
  if (stop) await stopFenced(client, stateMachineArn, stop);
  const start = new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) });
  await unless('ExecutionAlreadyExists', client.send(start));
}

/** Before the start, which ends the outbox: what dies in between is done again, both of it. */
async function stopFenced(client: SFNClient, stateMachineArn: string, stop: string): Promise<void> {
  const executionArn = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${stop}`;
  const cause = 'A message woke the run: it goes on in its next segment.';
  await unless('ExecutionDoesNotExist', client.send(new StopExecutionCommand({ executionArn, cause })));
}

async function unless(harmless: string, call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if ((error as Error).name !== harmless) throw error;
  }
}

/** Tells a waiting execution that its callback has an outcome; what that is, it reads from the table. */
export async function resume(
  client: SFNClient,
  table: Table,
  conversationId: string,
  callback: { id: string; taskTokens: string[] },
): Promise<void> {
  for (const taskToken of callback.taskTokens) {
    try {
      await client.send(new SendTaskSuccessCommand({ taskToken, output: '{}' }));
    } catch (error) {
      // It has been told already, or is over: there is nobody left to tell.
      if (!['TaskTimedOut', 'TaskDoesNotExist', 'InvalidToken'].includes((error as Error).name)) throw error;
    }
  }
  await dropTokens(table, conversationId, callback.id);
}
