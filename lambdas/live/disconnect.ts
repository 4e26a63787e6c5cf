import type { APIGatewayProxyWebsocketEventV2 } from 'aws-lambda';
import { closeConnection } from '../../core/people/live/subscriptions';
import type { Socket } from './subscribe';
import { tellLeft } from './tell-people';

/**
 * Removes a connection's rows. API Gateway reports the end of a connection on a best-effort basis. Otherwise, the next push finds it
 * (410), or its rows expire. Those who saw a conversation together with its user learn that they have left.
 */
export async function disconnect(
  to: Socket,
  { requestContext }: APIGatewayProxyWebsocketEventV2,
  now: Date,
): Promise<{ statusCode: number }> {
  const dropped = await closeConnection(to.live, requestContext.connectionId);
  await tellLeft(to, to.connections, dropped, now);
  return { statusCode: 200 };
}
