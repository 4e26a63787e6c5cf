import type { APIGatewayProxyWebsocketEventV2 } from 'aws-lambda';
import { readClientJson } from '../../core/base/json/foreign-json';
import { readOwnMeta } from '../../core/conversations/runs/conversation';
import type { Holder } from '../../core/people/live/connections';
import { ClientMessage, type ServerMessage } from '../../core/people/live/live';
import {
  approvalsTopic,
  conversationTopic,
  holderOf,
  listTopic,
  subscribe,
  unsubscribe,
} from '../../core/people/live/subscriptions';
import { setWatched } from '../../core/people/live/watching';
import { tableOfDeployment } from '../../runtime/environment';
import { logged } from '../../runtime/log';
import { BadRequest, problemOf, titleOf } from '../problems';

const table = tableOfDeployment();
const live = tableOfDeployment('LIVE_TABLE_NAME');

/** Handles every message of a client. The route's response goes back over the connection. */
export const handler = logged(async (event: APIGatewayProxyWebsocketEventV2) => {
  let message: ClientMessage | undefined;
  try {
    message = ClientMessage.safeParse(readClientJson(event.body ?? '', 'body')).data;
  } catch (error) {
    return { statusCode: 200, body: JSON.stringify(refusal(error as Error, undefined)) };
  }
  const answer = await serve(event.requestContext.connectionId, message).catch((error: Error) =>
    refusal(error, message),
  );
  return { statusCode: 200, body: JSON.stringify(answer) };
});

async function serve(connectionId: string, request: ClientMessage | undefined): Promise<ServerMessage> {
  if (!request) {
    const message =
      'send {"action": "subscribe" or "unsubscribe", with a conversationId, "list": true or "approvals": true} {"action": "watch", …} or {"action": "ping"}';
    throw new BadRequest([{ path: 'action', message }]);
  }
  const now = new Date();
  const holder = await holderOf(live, connectionId, now);
  if (!holder)
    return { type: 'error', status: 401, title: titleOf(401), detail: 'This connection has ended: connect again.' };
  if (request.action === 'ping') return { type: 'pong' };
  if (request.action === 'watch') return watch(connectionId, request, now);
  const { action, ...about } = request;
  const topics = topicsOf(about, holder);
  if (action === 'unsubscribe') {
    for (const topic of topics) await unsubscribe(live, connectionId, topic);
    return { type: 'unsubscribed', ...about };
  }
  if ('conversationId' in about) await readOwnMeta(table, about.conversationId, holder.user);
  for (const topic of topics) {
    if (await subscribe(live, connectionId, topic, holder, now)) continue;
    const detail = 'This connection has ended or has too many subscriptions: connect again, or unsubscribe from some.';
    return { type: 'error', status: 409, title: titleOf(409), detail, ...about };
  }
  return { type: 'subscribed', ...about };
}

async function watch(
  connectionId: string,
  { action: _, ...watched }: Extract<ClientMessage, { action: 'watch' }>,
  now: Date,
): Promise<ServerMessage> {
  // Only its owner's connections subscribe to a conversation.
  if (await setWatched(live, connectionId, watched, now)) return { type: 'watched', ...watched };
  const detail = 'This connection does not subscribe to that conversation: subscribe first.';
  const { conversationId } = watched;
  return { type: 'error', status: 409, title: titleOf(409), detail, conversationId };
}

type About = { conversationId: string } | { list: true } | { approvals: true };

function topicsOf(about: About, { user, deciders }: Holder): string[] {
  if ('conversationId' in about) return [conversationTopic(about.conversationId)];
  return 'list' in about ? [listTopic(user)] : deciders.map(approvalsTopic);
}

/** Returns the same problem as the HTTP API. */
function refusal(error: Error, request: ClientMessage | undefined): ServerMessage {
  const { status, detail } = problemOf(error);
  const { action: _, ...about } = request ?? { action: undefined };
  return { type: 'error', status, title: titleOf(status), detail, ...about };
}
