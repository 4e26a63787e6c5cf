import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { SFNClient } from '@aws-sdk/client-sfn';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Conversation } from '../../core/base/state/schemas';
import { readMeta, type Table } from '../../core/conversations/store/table';
import { viewConversation } from '../../core/people/views/view';
import { conversationsIn, type ServedCloud } from '../support/clouds/served-cloud';
import { runningExecutions as executionsThatRun } from '../support/history';

// Waiting goes past the API: how often it is asked depends on how fast the machine is, and the ordinals of the API's
// invocations must be the same in every run of a story.

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
/** Who asks here asks again by itself. */
const client = { region: 'us-east-1', credentials, maxAttempts: 1 };
const tables = new WeakMap<ServedCloud, Promise<Table>>();

async function open({ awsUrl }: ServedCloud): Promise<Table> {
  const raw = new DynamoDBClient({ ...client, endpoint: awsUrl });
  const { TableNames } = await raw.send(new ListTablesCommand({}));
  return { client: DynamoDBDocumentClient.from(raw), name: conversationsIn(TableNames!) };
}

/** The table of conversations, past everything that may be killed but itself. */
export function tableOf(served: ServedCloud): Promise<Table> {
  const opened = tables.get(served) ?? open(served);
  tables.set(served, opened);
  opened.catch(() => tables.delete(served));
  return opened;
}

/** A conversation as its owner would see it. */
export async function readTable(served: ServedCloud, conversationId: string): Promise<Conversation> {
  const table = await tableOf(served);
  const meta = await readMeta(table, conversationId);
  return viewConversation(table, conversationId, meta?.owner ?? '');
}

/** How many executions there are that have not ended. */
export async function runningExecutions({ awsUrl }: ServedCloud): Promise<number> {
  const stepFunctions = new SFNClient({ ...client, endpoint: awsUrl });
  const running = await executionsThatRun(stepFunctions);
  stepFunctions.destroy();
  return running.length;
}
