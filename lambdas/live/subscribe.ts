import type { APIGatewayProxyWebsocketEventV2 } from 'aws-lambda';
import { readClientJson } from '../../core/base/json/foreign-json';
import { readRole } from '../../core/conversations/members/role';
import type { Holder } from '../../core/people/live/connections';
import { ClientMessage, type ServerMessage } from '../../core/people/live/live';
import type { LiveTables } from '../../core/people/live/readers';
import {
  approvalsTopic,
  conversationTopic,
  guestsTopic,
  holderOf,
  listTopic,
  subscribe,
  unsubscribe,
} from '../../core/people/live/subscriptions';
import { setWatched } from '../../core/people/live/watching';
import { typing, typingPush } from '../../core/people/presence/presence';
import { BadRequest, problemOf, titleOf } from '../problems';
import type { Connections } from './push';
import { tell, tellHere, tellLeft } from './tell-people';

/** What the messages of clients are about. */
export interface Socket extends LiveTables {
  connections: Connections;
}

/** Answers a message of a client. The route's response goes back over the connection. */
export async function answer(to: Socket, event: APIGatewayProxyWebsocketEventV2, now: Date) {
  let message: ClientMessage | undefined;
  try {
    message = ClientMessage.safeParse(readClientJson(event.body ?? '', 'body')).data;
  } catch (error) {
    return { statusCode: 200, body: JSON.stringify(refusal(error as Error, undefined)) };
  }
  const { connectionId } = event.requestContext;
  const served = await serve(to, connectionId, message, now).catch((error: Error) => refusal(error, message));
  return { statusCode: 200, body: JSON.stringify(served) };
}

async function serve(
  to: Socket,
  connectionId: string,
  request: ClientMessage | undefined,
  now: Date,
): Promise<ServerMessage> {
  const { table, live } = to;
  if (!request) {
    const message =
      'send {"action": "subscribe" or "unsubscribe", with a conversationId, "list": true or "approvals": true} {"action": "watch", …}, {"action": "typing", …} or {"action": "ping"}';
    throw new BadRequest([{ path: 'action', message }]);
  }
  const holder = await holderOf(live, connectionId, now);
  if (!holder)
    return { type: 'error', status: 401, title: titleOf(401), detail: 'This connection has ended: connect again.' };
  if (request.action === 'ping') return { type: 'pong' };
  if (request.action === 'watch') return watch(to, connectionId, request, holder, now);
  if (request.action === 'typing') return types(to, connectionId, request.conversationId, holder, now);
  const { action, ...about } = request;
  const topics = topicsOf(about, holder);
  if (action === 'unsubscribe') {
    const dropped = [];
    for (const topic of topics) dropped.push(await unsubscribe(live, connectionId, topic));
    await tellLeft(
      to,
      to.connections,
      dropped.filter((one) => one !== undefined),
      now,
    );
    return { type: 'unsubscribed', ...about };
  }
  const id = 'conversationId' in about ? about.conversationId : undefined;
  const { role, home } = id === undefined ? {} : await readRole(table, id, holder);
  const isGuest = home !== undefined && role !== 'owner';
  const wanted = topics.map((topic) => ({ topic, role }));
  // By this one, which comes first, a guest is found who is removed meanwhile or later. Its role is that in the conversation that has the members.
  if (isGuest) wanted.unshift({ topic: guestsTopic(home), role: home === id ? role : undefined });
  for (const one of wanted) {
    if (await subscribe(live, connectionId, one.topic, holder, now, one.role)) continue;
    const detail = 'This connection has ended or has too many subscriptions: connect again, or unsubscribe from some.';
    return { type: 'error', status: 409, title: titleOf(409), detail, ...about };
  }
  // The removal of a guest may have come before the subscription was stored, and not have found it.
  if (isGuest)
    await readRole(table, id!, holder).catch(async (error: Error) => {
      for (const topic of topics) await unsubscribe(live, connectionId, topic);
      throw error;
    });
  return { type: 'subscribed', ...about };
}

async function watch(
  to: Socket,
  connectionId: string,
  { action: _, ...watched }: Extract<ClientMessage, { action: 'watch' }>,
  { user }: Holder,
  now: Date,
): Promise<ServerMessage> {
  const { conversationId } = watched;
  if (await setWatched(to.live, connectionId, watched, now)) {
    await tellHere(to, to.connections, conversationId, user, now);
    return { type: 'watched', ...watched };
  }
  const detail = 'This connection does not subscribe to that conversation: subscribe first.';
  return { type: 'error', status: 409, title: titleOf(409), detail, conversationId };
}

async function types(
  to: Socket,
  connectionId: string,
  conversationId: string,
  holder: Holder,
  now: Date,
): Promise<ServerMessage> {
  const push = await typingPush(to, connectionId, { conversationId, holder }, now);
  if (push === undefined) {
    const detail = 'Only those who may write in a conversation, and subscribe to it, say that they do.';
    return { type: 'error', status: 403, title: titleOf(403), detail, conversationId };
  }
  if (push !== 'early') await tell(to, to.connections, async () => push);
  return typing(conversationId, holder.user);
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
