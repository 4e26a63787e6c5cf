import type { APIGatewayProxyWebsocketEventV2 } from 'aws-lambda';
import { ClientMessage, type ServerMessage } from '../../core/live/live';
import { conversationTopic, listTopic, subscribe, unsubscribe, userOfConnection } from '../../core/live/subscriptions';
import { readOwnMeta } from '../../core/runs/conversation';
import { tableOfDeployment } from '../../runtime/environment';
import { BadRequest, problemOf, titleOf } from '../problems';

const table = tableOfDeployment();
const live = tableOfDeployment('LIVE_TABLE_NAME');

/** Serves every message of a client. The answer goes back over its connection, by the route's response. */
export async function handler(event: APIGatewayProxyWebsocketEventV2): Promise<{ statusCode: number; body: string }> {
  const asked = parse(event.body);
  const answer = await serve(event.requestContext.connectionId, asked).catch((error: Error) => refusal(error, asked));
  return { statusCode: 200, body: JSON.stringify(answer) };
}

async function serve(connectionId: string, asked: ClientMessage | undefined): Promise<ServerMessage> {
  if (!asked) {
    const message =
      'send {"action": "subscribe" or "unsubscribe", with a conversationId or "list": true} or {"action": "ping"}';
    throw new BadRequest([{ path: 'action', message }]);
  }
  if (asked.action === 'ping') return { type: 'pong' };
  const user = await userOfConnection(live, connectionId);
  if (!user)
    return { type: 'error', status: 401, title: titleOf(401), detail: 'This connection has ended: connect anew.' };
  const { action, ...about } = asked;
  const topic = 'list' in about ? listTopic(user) : conversationTopic(about.conversationId);
  if (action === 'unsubscribe') {
    await unsubscribe(live, connectionId, topic);
    return { type: 'unsubscribed', ...about };
  }
  if ('conversationId' in about) await readOwnMeta(table, about.conversationId, user);
  if (await subscribe(live, connectionId, topic, new Date())) return { type: 'subscribed', ...about };
  const detail = 'This connection has ended or has too many subscriptions: connect anew, or unsubscribe from some.';
  return { type: 'error', status: 409, title: titleOf(409), detail, ...about };
}

function parse(body: string | undefined): ClientMessage | undefined {
  try {
    return ClientMessage.parse(JSON.parse(body ?? ''));
  } catch {
    return undefined;
  }
}

/** In the words of the HTTP API: what is not yours is not there. */
function refusal(error: Error, asked: ClientMessage | undefined): ServerMessage {
  const { status, detail } = problemOf(error);
  const { action: _, ...about } = asked ?? { action: undefined };
  return { type: 'error', status, title: titleOf(status), detail, ...about };
}
