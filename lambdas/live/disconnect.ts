import type { APIGatewayProxyWebsocketEventV2 } from 'aws-lambda';
import { closeConnection } from '../../core/live/subscriptions';
import { tableOfDeployment } from '../../runtime/environment';

const live = tableOfDeployment('LIVE_TABLE_NAME');

/**
 * Removes what a connection has in the table. API Gateway tells of a connection's end as best it can; what it does not tell is
 * found by the next push (410) or expires.
 */
export async function handler({ requestContext }: APIGatewayProxyWebsocketEventV2): Promise<{ statusCode: number }> {
  await closeConnection(live, requestContext.connectionId);
  return { statusCode: 200 };
}
