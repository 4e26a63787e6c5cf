import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { broadcastOf, type ChangedImage } from '../../core/broadcast';
import { key } from '../../core/store/rows';
import { tableOfDeployment, variable } from '../environment';
import { log } from '../log';
import { originOf } from '../plain-error';
import { type Connections, pushAll } from './push';

const live = tableOfDeployment('LIVE_TABLE_NAME');
const gateway = new ApiGatewayManagementApiClient({ endpoint: variable('LIVE_CONNECTIONS_URL'), maxAttempts: 2 });

const connections: Connections = {
  async post(ConnectionId, Data, abortSignal) {
    await gateway.send(new PostToConnectionCommand({ ConnectionId, Data }), { abortSignal });
  },
  async close(ConnectionId, abortSignal) {
    await gateway.send(new DeleteConnectionCommand({ ConnectionId }), { abortSignal });
  },
};

/**
 * Shows the table's changes to who looks on. Nothing rests on it: what is not pushed is read. So what cannot be shown is
 * logged and passed over, and only an outage of the live view's own table makes the stream try a batch again.
 */
export async function handler(event: DynamoDBStreamEvent): Promise<void> {
  const images = event.Records.flatMap(({ dynamodb }): ChangedImage[] => {
    if (!dynamodb?.NewImage) return [];
    const { pk, sk, ...row } = unmarshall(dynamodb.NewImage as Record<string, AttributeValue>);
    return [{ conversationId: String(pk).slice(key.conversation('').length), sk: String(sk), row }];
  });
  const { pushes, unreadable } = broadcastOf(images, new Date());
  for (const error of unreadable) log.error('a row cannot be shown', { error: error.name, ...originOf(error) });
  await pushAll(live, connections, pushes);
}
