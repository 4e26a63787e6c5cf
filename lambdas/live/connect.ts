import type { APIGatewayProxyWebsocketEventV2 } from 'aws-lambda';
import { openConnection, useTicket } from '../../core/live/subscriptions';
import { tableOfDeployment } from '../../runtime/environment';
import { log } from '../../runtime/log';

const live = tableOfDeployment('LIVE_TABLE_NAME');

/** Of a handshake: what the client said in the address. */
type ConnectEvent = APIGatewayProxyWebsocketEventV2 & { queryStringParameters?: Record<string, string | undefined> };

/**
 * Opens a connection for whom a ticket was issued to. Browsers cannot give a WebSocket a header, and a token in an address ends
 * up in logs; a ticket is worth nothing by then. From here on the connection's user is who asks, whatever a message says.
 */
export async function handler(event: ConnectEvent): Promise<{ statusCode: number }> {
  const now = new Date();
  const { connectionId } = event.requestContext;
  const ticket = event.queryStringParameters?.ticket;
  const user = ticket && (await useTicket(live, ticket, now));
  if (!user) {
    log.info('refused', { connectionId });
    return { statusCode: 401 };
  }
  await openConnection(live, connectionId, user, now);
  return { statusCode: 200 };
}
