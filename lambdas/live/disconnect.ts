import type { APIGatewayProxyWebsocketEventV2 } from 'aws-lambda';
import { closeConnection } from '../../core/people/live/subscriptions';
import { tableOfDeployment } from '../../runtime/environment';

const live = tableOfDeployment('LIVE_TABLE_NAME');

/**
 * Removes a connection's rows. API Gateway reports the end of a connection on a best-effort basis. Otherwise, the next push finds it
 * (410), or its rows expire.
 */
export async function handler({ requestContext }: APIGatewayProxyWebsocketEventV2): Promise<{ statusCode: number }> {
  await closeConnection(live, requestContext.connectionId);
  return { statusCode: 200 };
}
