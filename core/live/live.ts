import * as z from 'zod';
import { Call, Callback, ConversationHead, ConversationSummary, Message, Timer } from '../state/schemas';

/**
 * The protocol between a page and the live view's WebSocket. Each message is a JSON object.
 *
 * 1. `POST /live/tickets` returns `{url, ticket, expiresInSeconds}`. Connect to `<url>?ticket=<ticket>`. A ticket is valid once,
 *    for a minute. If the handshake is refused (401), get another ticket.
 * 2. Send `{"action": "subscribe", "conversationId": "…"}`, or `{"action": "subscribe", "list": true}` for the user's list of
 *    conversations. Wait for `subscribed` with the same `conversationId` or `list`.
 * 3. Then read `GET /conversations/{id}?after=<last complete seq>`, or `GET /conversations`. The response has everything that was
 *    committed before the acknowledgement; everything later is pushed. Pass both to `mergeRows` (`core/live/live-merge.ts`). The
 *    higher version of a row wins, so there is no gap, order does not matter, and repetitions change nothing.
 *    - An agent may amend its messages among the last 50, so read those again.
 *    - The list comes from an index that may lag briefly behind, so read the list once more some seconds later.
 * 4. A row that arrives as `changed` was too large for a frame. Read the conversation again.
 *
 * The list also brings the timers of all conversations, as in `GET /timers`. Keep the higher version of each.
 *
 * For what waits for the user's decision or answer, send `{"action": "subscribe", "approvals": true}`, wait for `subscribed`, and read
 * `GET /approvals`. Read it again at each `{"type": "changed", "approvals": true}`. Nothing of an approval is pushed, because the user may
 * have left a group since the ticket was issued. That list, too, comes from an index that may lag briefly behind.
 *
 * While a client shows a conversation to its user, nothing of it is sent to the user's devices. Say so once it is subscribed to, whenever
 * it becomes visible or hidden, and with each ping: `{"action": "watch", "conversationId": "…", "visible": true, "turn": 1}`. `turn`
 * increases with each such message of a connection. After the error 409, subscribe again.
 *
 * Subscribers of the list get `{"type": "notice", "id", "kind", "conversationId"}` for what users are notified of.
 *
 * A connection ends with the access token with which its ticket was requested. The next request, also a ping, is then answered with the
 * error 401, and the next push closes the connection. Connect again with another ticket. API Gateway closes a connection after 2 hours,
 * or after 10 minutes without messages.
 *
 * - Send `{"action": "ping"}` every `pingSeconds`.
 * - When the socket closes, start again at 1, after a growing pause with jitter. The server closes a connection to which it could
 *   not push a row, so that the client reads again.
 * - Read again at each `pong`. This repairs pushes that were lost otherwise, with one request every few minutes.
 *
 * A message without a known `type` comes from API Gateway (`{"message": "Internal server error", …}`): the last request failed, so
 * repeat it. Repeat it after an `error`, too, except for 401 and 409 (connect again) and 404 (there is no such conversation).
 *
 * Messages of a client may be handled out of order. If `unsubscribed` arrives for a current subscription, subscribe again.
 */
export const pingSeconds = 240;
export const ticketSeconds = 60;

/**
 * What a user is notified of.
 *
 * - `reminder`: a timer's message has come.
 * - `approval`, `question`: a run waits for the user.
 * - `failure`: a run has failed, or has reached a limit.
 * - `answer`: a run is done.
 */
export const NoticeKind = z.enum(['reminder', 'approval', 'question', 'failure', 'answer']);
export type NoticeKind = z.infer<typeof NoticeKind>;

const ConversationId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'use 1 to 64 letters, digits, - or _');
const OfConversation = z.object({ conversationId: ConversationId });
const OfList = z.object({ list: z.literal(true) });
const OfApprovals = z.object({ approvals: z.literal(true) });
const OfWatched = OfConversation.extend({ visible: z.boolean(), turn: z.number().int().nonnegative() });

export const Ticket = z.object({ url: z.string(), ticket: z.string(), expiresInSeconds: z.number().int() });
export type Ticket = z.infer<typeof Ticket>;

const subscribe = z.literal('subscribe');
const unsubscribe = z.literal('unsubscribe');
export const ClientMessage = z.union([
  OfConversation.extend({ action: subscribe }),
  OfList.extend({ action: subscribe }),
  OfApprovals.extend({ action: subscribe }),
  OfConversation.extend({ action: unsubscribe }),
  OfList.extend({ action: unsubscribe }),
  OfApprovals.extend({ action: unsubscribe }),
  OfWatched.extend({ action: z.literal('watch') }),
  z.object({ action: z.literal('ping') }),
]);
export type ClientMessage = z.infer<typeof ClientMessage>;

/** A row as in the GET. */
export const LiveRow = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('conversation'), row: ConversationHead }),
  z.object({ kind: z.literal('message'), row: Message }),
  z.object({ kind: z.literal('call'), row: Call }),
  z.object({ kind: z.literal('callback'), row: Callback }),
  z.object({ kind: z.literal('timer'), row: Timer }),
]);
export type LiveRow = z.infer<typeof LiveRow>;

/** Replaces a row that is too large for a frame. `key` is the row's id or `seq`. */
export const ChangedRow = z.object({
  kind: z.enum(['conversation', 'message', 'call', 'callback', 'timer']),
  key: z.string(),
  version: z.number().int(),
  changed: z.literal(true),
});
export type ChangedRow = z.infer<typeof ChangedRow>;

/** A row of the list of conversations, or one of their timers. */
export const ListRow = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('conversation'), row: ConversationSummary }),
  z.object({ kind: z.literal('timer'), conversationId: z.string(), row: Timer }),
]);
export type ListRow = z.infer<typeof ListRow>;

const type = <Name extends string>(name: Name) => z.literal(name);
export const ServerMessage = z.union([
  OfConversation.extend({ type: type('subscribed') }),
  OfList.extend({ type: type('subscribed') }),
  OfApprovals.extend({ type: type('subscribed') }),
  OfConversation.extend({ type: type('unsubscribed') }),
  OfList.extend({ type: type('unsubscribed') }),
  OfApprovals.extend({ type: type('unsubscribed') }),
  OfWatched.extend({ type: type('watched') }),
  /** Something that the user should hear of has happened in one of their conversations. May come twice, with the same `id`. */
  OfConversation.extend({ type: type('notice'), id: z.string(), kind: NoticeKind }),
  /** What waits for the user's decision or answer has changed. Read it again. */
  OfApprovals.extend({ type: type('changed') }),
  OfConversation.extend({ type: type('rows'), rows: z.array(z.union([LiveRow, ChangedRow])) }),
  OfList.extend({ type: type('rows'), rows: z.array(ListRow) }),
  /** The conversation was deleted, and no rows follow. Subscribers of the list get this too. */
  OfConversation.extend({ type: type('deleted') }),
  z.object({ type: type('pong') }),
  /** A problem as in the HTTP API. After 401 and 409, connect again. */
  z.object({
    type: type('error'),
    status: z.number().int(),
    title: z.string(),
    detail: z.string(),
    /** The subject of the refused request. */
    conversationId: z.string().optional(),
    list: z.literal(true).optional(),
    approvals: z.literal(true).optional(),
  }),
]);
export type ServerMessage = z.infer<typeof ServerMessage>;
