// core/people/live: what is pushed to pages and published as events.

import * as z from 'zod';
import {
  Call,
  Callback,
  ConversationHead,
  ConversationSummary,
  Message,
  Piece,
  ReadMark,
  Timer,
} from '../../base/state/schemas';

/**
 * The messages between a client and the live view's WebSocket. docs/live-protocol.md describes them and says when to read; a test
 * compares its examples with these schemas. How a client follows it is in `packages/client/src/live/`.
 */
export const pingSeconds = 240;
export const ticketSeconds = 60;
/** docs/live-protocol.md says what changes it. */
export const protocolVersion = 1;

/**
 * An event of which a user is notified.
 *
 * - `reminder`: a timer's message has come.
 * - `approval`, `question`: a run waits for the user.
 * - `failure`: a run has failed, or has reached a limit.
 * - `answer`: a run is done.
 * - `mention`: somebody has mentioned the user, or writes to them after taking a conversation over.
 * - `person`: somebody has given the user a conversation to take over.
 * - `allowed`: a call is made on the authority of a standing approval, so that nobody was asked.
 */
export const NoticeKind = z.enum([
  'reminder',
  'approval',
  'question',
  'failure',
  'answer',
  'mention',
  'person',
  'allowed',
]);
export type NoticeKind = z.infer<typeof NoticeKind>;

const ConversationId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'use 1 to 64 letters, digits, - or _');
const OfConversation = z.object({ conversationId: ConversationId });
const OfList = z.object({ list: z.literal(true) });
const OfApprovals = z.object({ approvals: z.literal(true) });
const OfWatched = OfConversation.extend({ visible: z.boolean(), turn: z.number().int().nonnegative() });

export const Ticket = z.object({
  url: z.string(),
  ticket: z.string(),
  expiresInSeconds: z.number().int(),
  version: z.number().int().describe('The version of the protocol that the WebSocket speaks'),
});
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
  OfConversation.extend({ action: z.literal('typing') }),
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

/** A part of a reply that is being written. A message that is `streaming` is pushed without text; a read has the text so far. */
export const PieceRow = z.object({ kind: z.literal('piece'), row: Piece });
export type PieceRow = z.infer<typeof PieceRow>;

/** Replaces a row that is too large for a frame. `key` is the row's id or `seq`. */
export const ChangedRow = z.object({
  kind: z.enum(['conversation', 'message', 'call', 'callback', 'timer']),
  key: z.string(),
  version: z.number().int(),
  changed: z.literal(true),
});
export type ChangedRow = z.infer<typeof ChangedRow>;

/** A row of a conversation, as it is pushed. */
export type PushedRow = LiveRow | PieceRow | ChangedRow;

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
  /** The users who see the conversation now. Sent to its subscribers when that changes, if they are several people. */
  OfConversation.extend({ type: type('here'), users: z.array(z.string()) }),
  /** A person writes a message. It is not repeated, so forget it after some seconds. The answer to `typing` is the same. */
  OfConversation.extend({ type: type('typing'), user: z.string() }),
  /** A person has read the conversation up to a message. */
  OfConversation.extend({ type: type('read'), ...ReadMark.shape }),
  /** Something that the user should hear of has happened in one of their conversations. May come twice, with the same `id`. */
  OfConversation.extend({ type: type('notice'), id: z.string(), kind: NoticeKind }),
  /** The list of what waits for the user's decision or answer has changed. Read it again. */
  OfApprovals.extend({ type: type('changed') }),
  /** The invitations of the user have changed. Read them again. */
  OfList.extend({ type: type('changed') }),
  OfConversation.extend({ type: type('rows'), rows: z.array(z.union([LiveRow, PieceRow, ChangedRow])) }),
  OfList.extend({ type: type('rows'), rows: z.array(ListRow) }),
  /** The next words of a reply that is being written, before their row: see `deltas.ts`. */
  OfConversation.extend({ type: type('delta'), ...Piece.shape }),
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
