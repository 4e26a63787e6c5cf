import { SendTaskSuccessCommand, type SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { dropToken } from '../core/store/callback';
import type { Meta } from '../core/store/rows';
import { segmentOf } from '../core/store/run';
import type { Table } from '../core/store/table';
import { variable } from './environment';

/** Starts the execution of the run's current segment. A second start of the same name finds the first and is no error. */
export async function startSegment(client: SFNClient, meta: Meta): Promise<void> {
  const segment = segmentOf(meta);
  if (!segment) return;
  const { name, input } = segment;
  try {
    await client.send(
      new StartExecutionCommand({ stateMachineArn: variable('STATE_MACHINE_ARN'), name, input: JSON.stringify(input) }),
    );
  } catch (error) {
    if ((error as Error).name !== 'ExecutionAlreadyExists') throw error;
  }
}

/** Tells a waiting execution that its callback has an outcome; what that is, it reads from the table. */
export async function resume(
  client: SFNClient,
  table: Table,
  conversationId: string,
  callback: { id: string; taskToken: string },
) {
  try {
    await client.send(new SendTaskSuccessCommand({ taskToken: callback.taskToken, output: '{}' }));
  } catch (error) {
    // It has been told already, or is over: there is nobody left to tell.
    if (!['TaskTimedOut', 'TaskDoesNotExist', 'InvalidToken'].includes((error as Error).name)) throw error;
  }
  await dropToken(table, conversationId, callback.id);
}
