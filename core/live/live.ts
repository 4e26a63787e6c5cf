import * as z from 'zod';
import { Call, Callback, ConversationHead, ConversationSummary, Message, Timer } from '../state/schemas';

/**
 * What a page and the live view's socket say to each other, one JSON object a message.
 *
 * 1. `POST /live/tickets` answers `{url, ticket, expiresInSeconds}`. Connect to `<url>?ticket=<ticket>`. A ticket is good once,
 *    for a minute; a refused handshake (401) means: get another one.
 * 2. Send `{"action": "subscribe", "conversationId": "…"}`, or `{"action": "subscribe", "list": true}` for the list of one's
 *    conversations. Wait for `subscribed`, which has the same `conversationId` or `list`.
 * 3. Then `GET /conversations/{id}?after=<last seq that is complete>`, or `GET /conversations`. Whatever was committed before
 *    the acknowledgement is in that answer; whatever was committed after it is pushed. Put both into `mergeRows`
 *    (`core/live/live-merge.ts`): a row's higher version wins, so their order does not matter, there is no gap, and what comes
 *    twice changes nothing. Two things to know: an agent may amend what it said in the last 50 messages, so read those again.
 *    And the list is read from an index that is late by moments: what was committed just before the acknowledgement may be
 *    missing from the answer, so read the list once more some seconds later.
 * 4. A row that comes as `changed` was too large for a frame: GET the conversation again.
 *
 * API Gateway ends a connection after 2 hours, and after 10 minutes in which nothing was said. So send `{"action": "ping"}`
 * every `pingSeconds`; and when the socket closes, for whatever reason, begin at 1 again (after a pause that grows, with
 * jitter). The server itself closes a connection that a row could not be pushed to: to begin again is how the client gets
 * it. A push that is lost without that (an outage of the stream's reader) is healed by the next read, so read again at
 * each `pong`: that is a request every few minutes, not polling.
 *
 * A message without a `type` that you know is API Gateway's own (`{"message": "Internal server error", …}`): the last
 * request failed, ask again. The same goes for an `error`, but for 401 and 409 (connect anew) and 404 (there is no such
 * conversation). Each message of a client is served on its own, and a later one may be served first: `unsubscribed` for what
 * has been subscribed to again means that it has to be once more.
 */
export const pingSeconds = 240;
export const ticketSeconds = 60;

const ConversationId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'use 1 to 64 letters, digits, - or _');
const OfConversation = z.object({ conversationId: ConversationId });
const OfList = z.object({ list: z.literal(true) });

export const Ticket = z.object({ url: z.string(), ticket: z.string(), expiresInSeconds: z.number().int() });
export type Ticket = z.infer<typeof Ticket>;

const subscribe = z.literal('subscribe');
const unsubscribe = z.literal('unsubscribe');
export const ClientMessage = z.union([
  OfConversation.extend({ action: subscribe }),
  OfList.extend({ action: subscribe }),
  OfConversation.extend({ action: unsubscribe }),
  OfList.extend({ action: unsubscribe }),
  z.object({ action: z.literal('ping') }),
]);
export type ClientMessage = z.infer<typeof ClientMessage>;

/** A row as the GET shows it, too. */
export const LiveRow = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('conversation'), row: ConversationHead }),
  z.object({ kind: z.literal('message'), row: Message }),
  z.object({ kind: z.literal('call'), row: Call }),
  z.object({ kind: z.literal('callback'), row: Callback }),
  z.object({ kind: z.literal('timer'), row: Timer }),
]);
export type LiveRow = z.infer<typeof LiveRow>;

/** In place of a row that is too large for a frame. `key`: its id, or its seq. */
export const ChangedRow = z.object({
  kind: z.enum(['conversation', 'message', 'call', 'callback', 'timer']),
  key: z.string(),
  version: z.number().int(),
  changed: z.literal(true),
});
export type ChangedRow = z.infer<typeof ChangedRow>;

/** A row of the list of conversations. */
export const ListRow = z.object({ kind: z.literal('conversation'), row: ConversationSummary });
export type ListRow = z.infer<typeof ListRow>;

const type = <Name extends string>(name: Name) => z.literal(name);
export const ServerMessage = z.union([
  OfConversation.extend({ type: type('subscribed') }),
  OfList.extend({ type: type('subscribed') }),
  OfConversation.extend({ type: type('unsubscribed') }),
  OfList.extend({ type: type('unsubscribed') }),
  OfConversation.extend({ type: type('rows'), rows: z.array(z.union([LiveRow, ChangedRow])) }),
  OfList.extend({ type: type('rows'), rows: z.array(ListRow) }),
  /** It was deleted: nothing more comes of it. Subscribers of the list get this too. */
  OfConversation.extend({ type: type('deleted') }),
  z.object({ type: type('pong') }),
  /** As the HTTP API's problems. 401 and 409: connect anew. */
  z.object({
    type: type('error'),
    status: z.number().int(),
    title: z.string(),
    detail: z.string(),
    /** What the refused request was about. */
    conversationId: z.string().optional(),
    list: z.literal(true).optional(),
  }),
]);
export type ServerMessage = z.infer<typeof ServerMessage>;
