import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { broadcastOf, type RowChange } from '../../core/live/broadcast';
import { finishedBy } from '../../core/live/finished';
import { key } from '../../core/store/rows';
import { optionalVariable, tableOfDeployment, variable } from '../../runtime/environment';
import { log } from '../../runtime/log';
import { originOf } from '../../runtime/plain-error';
import { type Publication, type PutEvents, publishAll } from './publish';
import { type Connections, pushAll, withinPatience } from './push';

const live = tableOfDeployment('LIVE_TABLE_NAME');
const gateway = new ApiGatewayManagementApiClient({ endpoint: variable('LIVE_CONNECTIONS_URL'), maxAttempts: 2 });
const bridge = new EventBridgeClient({});
const EventBusName = variable('EVENT_BUS_NAME');
const withContent = optionalVariable('VIGIL_EVENTS_CONTENT') === 'true';

/** The time limits for all pushes of a batch, and for one call to EventBridge. */
const pushingMs = 10_000;
const puttingMs = 5_000;

const connections: Connections = {
  async post(ConnectionId, Data, abortSignal) {
    await gateway.send(new PostToConnectionCommand({ ConnectionId, Data }), { abortSignal });
  },
  async close(ConnectionId, abortSignal) {
    await gateway.send(new DeleteConnectionCommand({ ConnectionId }), { abortSignal });
  },
};

const put: PutEvents = async (entries) => {
  const command = new PutEventsCommand({ Entries: entries.map((entry) => ({ ...entry, EventBusName })) });
  return (await bridge.send(command, { abortSignal: AbortSignal.timeout(puttingMs) })).Entries ?? [];
};

/**
 * Broadcast: pushes the table's changes to pages and publishes events about finished things. Both are in one function, because a
 * DynamoDB stream should have at most two readers, and Relay is the other.
 *
 * The two jobs run in parallel, and a failure of one does not affect the other. Failed pushes are only logged, because clients read
 * again. Unpublished events are reported, so the stream delivers their changes again.
 */
export async function handler(event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const changes = event.Records.flatMap(changeOf);
  const [unpublished] = await Promise.all([publish(changes), push(changes)]);
  return { batchItemFailures: unpublished.map((itemIdentifier) => ({ itemIdentifier })) };
}

type Change = RowChange & { sequenceNumber: string };

function changeOf({ dynamodb }: DynamoDBRecord): Change[] {
  // Memories, accounts and spending are in the same table but in no conversation.
  if (!dynamodb?.NewImage || !dynamodb.Keys?.pk?.S?.startsWith(key.conversation(''))) return [];
  const image = (attributes: object) => unmarshall(attributes as Record<string, AttributeValue>);
  const { pk, sk, ...row } = image(dynamodb.NewImage);
  const ids = { conversationId: String(pk).slice(key.conversation('').length), sk: String(sk) };
  const before = dynamodb.OldImage && image(dynamodb.OldImage);
  return [{ ...ids, row, before, sequenceNumber: dynamodb.SequenceNumber! }];
}

async function push(changes: Change[]): Promise<void> {
  const { pushes, unreadable } = broadcastOf(changes, new Date());
  for (const error of unreadable) log.error('a row cannot be shown', { error: error.name, ...originOf(error) });
  try {
    await withinPatience(() => pushAll(live, connections, pushes), pushingMs);
  } catch (error) {
    log.error('changes were not pushed', { topics: pushes.length, error: (error as Error).name, ...originOf(error) });
  }
}

async function publish(changes: Change[]): Promise<string[]> {
  const publications = changes.flatMap((change): Publication[] => {
    try {
      const finished = finishedBy(change, withContent);
      return finished ? [{ sequenceNumber: change.sequenceNumber, event: finished }] : [];
    } catch (error) {
      // A retry would fail too, and block the shard.
      log.error('an event cannot be made from a row', { error: (error as Error).name, ...originOf(error) });
      return [];
    }
  });
  return publishAll(put, publications);
}
