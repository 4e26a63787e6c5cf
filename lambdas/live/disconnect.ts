import type { APIGatewayProxyWebsocketEventV2 } from 'aws-lambda';
import { closeConnection } from '../../core/people/live/subscriptions';
import { tableOfDeployment } from '../../runtime/environment';
import { connectionsOfGateway } from './gateway';
import { tellLeft } from './tell-people';

const table = tableOfDeployment();
const live = tableOfDeployment('LIVE_TABLE_NAME');
const connections = connectionsOfGateway();

/**
 * Removes a connection's rows. API Gateway reports the end of a connection on a best-effort basis. Otherwise, the next push finds it
 * (410), or its rows expire. Those who saw a conversation together with its user learn that they have left.
 */
export async function handler({ requestContext }: APIGatewayProxyWebsocketEventV2): Promise<{ statusCode: number }> {
  const dropped = await closeConnection(live, requestContext.connectionId);
  await tellLeft({ table, live }, connections, dropped, new Date());
  return { statusCode: 200 };
}
