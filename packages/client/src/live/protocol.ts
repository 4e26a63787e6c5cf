import type { Call, Callback, Conversation, ConversationSummary, Message, ReadMark, Ticket, Timer } from '../api-types';

// The messages of docs/live-protocol.md as types. `core/people/live/live.ts` has them as schemas, and a test compares the two.

export type { Ticket };
export const pingSeconds = 240;
export const protocolVersion = 1;

type OfConversation = { conversationId: string };
type OfList = { list: true };
type OfApprovals = { approvals: true };
type Subject = OfConversation | OfList | OfApprovals;
type Watched = OfConversation & { visible: boolean; turn: number };

export type ClientMessage =
  | ({ action: 'subscribe' } & Subject)
  | ({ action: 'unsubscribe' } & Subject)
  | ({ action: 'watch' } & Watched)
  | ({ action: 'typing' } & OfConversation)
  | { action: 'ping' };

/** A conversation without its rows. */
export type ConversationHead = Omit<
  Conversation,
  'messages' | 'more' | 'branches' | 'reads' | 'calls' | 'callbacks' | 'timers'
>;

/** A part of a reply that is being written: the text of an attempt from a character on. */
export interface Piece {
  seq: number;
  attempt: number;
  from: number;
  text: string;
}

/** A row as in the GET. */
export type LiveRow =
  | { kind: 'conversation'; row: ConversationHead }
  | { kind: 'message'; row: Message }
  | { kind: 'call'; row: Call }
  | { kind: 'callback'; row: Callback }
  | { kind: 'timer'; row: Timer };

/** A message that is `streaming` is pushed without text; a read has the text so far. */
export type PieceRow = { kind: 'piece'; row: Piece };

/** Replaces a row that is too large for a frame. `key` is the row's id or `seq`. */
interface ChangedRow {
  kind: LiveRow['kind'];
  key: string;
  version: number;
  changed: true;
}

/** A row of a conversation, as it is pushed. */
export type PushedRow = LiveRow | PieceRow | ChangedRow;

/** A row of the list of conversations, or one of their timers. */
type ListRow =
  | { kind: 'conversation'; row: ConversationSummary }
  | { kind: 'timer'; conversationId: string; row: Timer };

type NoticeKind = 'reminder' | 'approval' | 'question' | 'failure' | 'answer' | 'mention' | 'person' | 'allowed';

export type ServerMessage =
  | ({ type: 'subscribed' } & Subject)
  | ({ type: 'unsubscribed' } & Subject)
  | ({ type: 'watched' } & Watched)
  | ({ type: 'here'; users: string[] } & OfConversation)
  | ({ type: 'typing'; user: string } & OfConversation)
  | ({ type: 'read' } & OfConversation & ReadMark)
  | ({ type: 'notice'; id: string; kind: NoticeKind } & OfConversation)
  | ({ type: 'changed' } & (OfApprovals | OfList))
  | ({ type: 'rows'; rows: PushedRow[] } & OfConversation)
  | ({ type: 'rows'; rows: ListRow[] } & OfList)
  | ({ type: 'delta' } & OfConversation & Piece)
  | ({ type: 'deleted' } & OfConversation)
  | { type: 'pong' }
  | ({ type: 'error'; status: number; title: string; detail: string } & Partial<OfConversation & OfList & OfApprovals>);
