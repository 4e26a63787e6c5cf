import type { APIGatewayProxyWebsocketEventV2 } from 'aws-lambda';
import { openConnection } from '../../core/people/live/connections';
import { useTicket } from '../../core/people/live/subscriptions';
import { log } from '../../runtime/log';
import type { Socket } from './subscribe';

/** A handshake with its query string, and the address that it comes from. */
export type ConnectEvent = APIGatewayProxyWebsocketEventV2 & {
  queryStringParameters?: Record<string, string | undefined>;
  requestContext: { identity?: { sourceIp?: string } };
};

/**
 * Opens a connection for the ticket's holder. Browsers cannot send headers with a WebSocket, and a token in an address would end up in
 * logs; a used ticket is worthless. All later messages of the connection act for this user, until the token ends.
 */
export async function connect({ live }: Socket, event: ConnectEvent, now: Date): Promise<{ statusCode: number }> {
  const { connectionId, identity } = event.requestContext;
  const ticket = event.queryStringParameters?.ticket;
  const holder = ticket && (await useTicket(live, ticket, now));
  if (!holder) {
    log.info('refused', { connectionId });
    return { statusCode: 401 };
  }
  try {
    await openConnection(live, connectionId, holder, now);
  } catch (error) {
    if ((error as Error).name !== 'LimitReached') throw error;
    log.info('too many connections', { connectionId });
    return { statusCode: 429 };
  }
  log.info('connected', { connectionId, user: holder.user, ip: identity?.sourceIp });
  return { statusCode: 200 };
}
