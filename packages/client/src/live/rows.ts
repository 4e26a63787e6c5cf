import type { Call, Callback, Conversation, Message, Timer } from '../api-types';
import type { ConversationHead, LiveRow, Piece, PieceRow, PushedRow } from './protocol';

/**
 * A client's copy of a conversation: the highest version of each row that it has read or been pushed, and the pieces of a reply that is
 * being written.
 *
 * Merging rows by version is commutative, associative and idempotent. Reads and pushes may arrive in any order, twice, late or
 * not at all; all clients that have seen the last version of each row have the same copy.
 */
export interface LiveState {
  readonly rows: ReadonlyMap<string, LiveRow>;
  /** Versions that were announced but not received, by row. While there is one, read again. */
  readonly unread: ReadonlyMap<string, number>;
  /** The longest piece at each place. */
  readonly pieces: ReadonlyMap<string, Piece>;
}

export const nothingKnown: LiveState = { rows: new Map(), unread: new Map(), pieces: new Map() };

/** The number of latest messages among which an agent may amend its own. A client reads those again. */
export const amendable = 50;

/** Merges rows that were pushed, or that `rowsOf` returns. @returns the same state if they tell nothing new. */
export function mergeRows(state: LiveState, came: readonly PushedRow[]): LiveState {
  const rows = new Map(state.rows);
  const unread = new Map(state.unread);
  const pieces = new Map(state.pieces);
  let isNew = false;
  for (const one of came) {
    const at = keyOf(one);
    if (one.kind === 'piece') {
      if (isPast(one.row, rows) || one.row.text.length <= (pieces.get(at)?.text.length ?? -1)) continue;
      pieces.set(at, one.row);
      isNew = true;
      continue;
    }
    if ('changed' in one) {
      if (one.version <= Math.max(versionOf(rows.get(at)), unread.get(at) ?? 0)) continue;
      unread.set(at, one.version);
      isNew = true;
      continue;
    }
    if (isNewer(one, rows.get(at))) {
      rows.set(at, one);
      isNew = true;
    }
    if (one.row.version >= (unread.get(at) ?? Number.POSITIVE_INFINITY)) unread.delete(at);
  }
  if (!isNew) return state;
  for (const [at, piece] of pieces) if (isPast(piece, rows)) pieces.delete(at);
  return { rows, unread, pieces };
}

/** Whether something was not received that a read brings: an announced row, or a piece before those that are here. */
export function isBehind({ rows, unread, pieces }: LiveState): boolean {
  const hasGap = (message: Message) => {
    const own = piecesOf(message, pieces);
    const { length } = textOfPieces(own);
    return own.some(({ from }) => from > length);
  };
  return unread.size > 0 || messagesIn(rows).some((message) => message.status === 'streaming' && hasGap(message));
}

/** Converts the response of `GET /conversations/{id}` to rows. */
export function rowsOf({
  messages,
  more: _,
  branches: __,
  calls,
  callbacks,
  timers,
  ...head
}: Conversation): (LiveRow | PieceRow)[] {
  return [
    { kind: 'conversation', row: head },
    ...messages.flatMap(messageRows),
    ...calls.map((row) => ({ kind: 'call' as const, row })),
    ...callbacks.map((row) => ({ kind: 'callback' as const, row })),
    ...timers.map((row) => ({ kind: 'timer' as const, row })),
  ];
}

/** A read has the text so far, which other pieces continue. */
function messageRows(message: Message): (LiveRow | PieceRow)[] {
  const { seq, attempt, status, text } = message;
  if (status !== 'streaming' || attempt === undefined) return [{ kind: 'message', row: message }];
  return [
    { kind: 'message', row: { ...message, text: '' } },
    { kind: 'piece', row: { seq, attempt, from: 0, text } },
  ];
}

/** Returns the conversation with its rows in order; undefined before its head is known. */
export function conversationOf({ rows, pieces }: LiveState): Omit<Conversation, 'more'> | undefined {
  const all = [...rows.values()];
  const of = <Row>(kind: LiveRow['kind']) => all.filter((one) => one.kind === kind).map(({ row }) => row as Row);
  const [head] = of<ConversationHead>('conversation');
  if (!head) return undefined;
  return {
    ...head,
    messages: messagesIn(rows)
      .map((message) => withText(message, pieces))
      .sort((a, b) => a.seq - b.seq),
    calls: of<Call>('call').sort(byId),
    callbacks: of<Callback>('callback').sort(byId),
    timers: of<Timer>('timer').sort(byId),
  };
}

/** The order of the table's keys, as in a GET. */
const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

const messagesIn = (rows: LiveState['rows']): Message[] =>
  [...rows.values()].flatMap((one) => (one.kind === 'message' ? [one.row] : []));

const piecesOf = ({ seq, attempt }: Message, pieces: LiveState['pieces']): Piece[] =>
  [...pieces.values()].filter((piece) => piece.seq === seq && piece.attempt === attempt);

const withText = (message: Message, pieces: LiveState['pieces']): Message =>
  message.status === 'streaming' && message.text === ''
    ? { ...message, text: textOfPieces(piecesOf(message, pieces)) }
    : message;

/** Whether the message is complete, or a later attempt writes it. */
function isPast(piece: Piece, rows: LiveState['rows']): boolean {
  const { attempt, status } = (rows.get(`message ${piece.seq}`)?.row ?? {}) as Partial<Message>;
  if (attempt === undefined) return false;
  return attempt > piece.attempt || (attempt === piece.attempt && status !== 'streaming');
}

const versionOf = (row: LiveRow | undefined): number => row?.row.version ?? 0;

/** After `expiresAt`, a read shows a callback as expired before its row has a new version. So `expired` wins within one version. */
function isNewer(came: LiveRow, held: LiveRow | undefined): boolean {
  if (came.row.version !== versionOf(held)) return came.row.version > versionOf(held);
  return came.kind === 'callback' && came.row.status === 'expired';
}

function keyOf(one: PushedRow): string {
  if ('changed' in one) return `${one.kind} ${one.key}`;
  if (one.kind === 'piece') return `${one.row.seq} ${one.row.attempt} ${one.row.from}`;
  return `${one.kind} ${one.kind === 'message' ? one.row.seq : one.row.id}`;
}

/** Returns the text of one attempt's pieces up to the first gap. They may overlap, because a read joins those that it finds. */
export function textOfPieces(pieces: readonly Piece[]): string {
  let text = '';
  for (const piece of [...pieces].sort((a, b) => a.from - b.from)) {
    if (piece.from > text.length) break;
    text += piece.text.slice(text.length - piece.from);
  }
  return text;
}
