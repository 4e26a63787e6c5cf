import type { Call, Callback, Conversation, Message, Timer } from '../api-types';
import { beginningOf, type GrowingText, withPart } from './growing-text';
import type { ConversationHead, LiveRow, Piece, PieceRow, PushedRow } from './protocol';

/**
 * A client's copy of a conversation: the highest version of each row that it has read or been pushed, and what it knows of the replies
 * that are being written.
 *
 * Merging rows by version is commutative, associative and idempotent. Reads and pushes may arrive in any order, twice, late or
 * not at all; all clients that have seen the last version of each row have the same copy.
 */
export interface LiveState {
  readonly rows: ReadonlyMap<string, LiveRow>;
  /** Versions that were announced but not received, by row. While there is one, read again. */
  readonly unread: ReadonlyMap<string, number>;
  /** The replies that are being written, by message and attempt. */
  readonly growing: ReadonlyMap<string, Growing>;
}

/** A reply that an attempt writes: what its rows and its deltas tell of its text. */
interface Growing {
  readonly seq: number;
  readonly attempt: number;
  readonly text: GrowingText;
  /** The farthest beginning of a piece among the rows. While the text before it is not known, read again. */
  readonly rowsFrom: number;
}

export const nothingKnown: LiveState = { rows: new Map(), unread: new Map(), growing: new Map() };

/** The number of latest messages among which an agent may amend its own. A client reads those again. */
export const amendable = 50;

/** Merges rows that were pushed, or that `rowsOf` returns. @returns the same state if they tell nothing new. */
export function mergeRows(state: LiveState, came: readonly PushedRow[]): LiveState {
  const rows = new Map(state.rows);
  const unread = new Map(state.unread);
  const growing = new Map(state.growing);
  let isNew = false;
  for (const one of came) {
    if (one.kind === 'piece') {
      if (grow(growing, rows, one.row, one.row.from)) isNew = true;
      continue;
    }
    const at = keyOf(one);
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
  for (const [at, one] of growing) if (isPast(one, rows)) growing.delete(at);
  return { rows, unread, growing };
}

/**
 * Merges a delta: a part of a reply's text that was sent before its row. It can be late, lost or doubled, because the rows have the same
 * text. @returns the same state if it tells nothing new.
 */
export function mergeDelta(state: LiveState, delta: Piece): LiveState {
  const growing = new Map(state.growing);
  return grow(growing, state.rows, delta, 0) ? { ...state, growing } : state;
}

/** Adds a part of a reply's text. @returns whether it tells something new. */
function grow(
  growing: Map<string, Growing>,
  rows: LiveState['rows'],
  { seq, attempt, from, text }: Piece,
  rowsFrom: number,
): boolean {
  if (text === '' || isPast({ seq, attempt }, rows)) return false;
  const at = `${seq} ${attempt}`;
  const known = growing.get(at) ?? { seq, attempt, text: [], rowsFrom: 0 };
  const grown = withPart(known.text, { from, text });
  if (grown === known.text && rowsFrom <= known.rowsFrom) return false;
  growing.set(at, { ...known, text: grown, rowsFrom: Math.max(rowsFrom, known.rowsFrom) });
  return true;
}

/**
 * Whether something was not received that a read brings: an announced row, a piece before those that are here, or the row of a message
 * that is being written.
 */
export function isBehind({ rows, unread, growing }: LiveState): boolean {
  const lacks = (one: Growing) =>
    one.rowsFrom > beginningOf(one.text).length || messageAt(rows, one.seq)?.attempt !== one.attempt;
  return unread.size > 0 || [...growing.values()].some(lacks);
}

/** Converts the response of `GET /conversations/{id}` to rows. */
export function rowsOf({
  messages,
  more: _,
  branches: __,
  reads: ___,
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
export function conversationOf({ rows, growing }: LiveState): Omit<Conversation, 'more'> | undefined {
  const all = [...rows.values()];
  const of = <Row>(kind: LiveRow['kind']) => all.filter((one) => one.kind === kind).map(({ row }) => row as Row);
  const [head] = of<ConversationHead>('conversation');
  if (!head) return undefined;
  return {
    ...head,
    messages: messagesIn(rows)
      .map((message) => withText(message, growing))
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

const messageAt = (rows: LiveState['rows'], seq: number): Message | undefined =>
  rows.get(`message ${seq}`)?.row as Message | undefined;

/** Returns a message with the text that the latest attempt has written so far. Its row may not be here yet. */
function withText(message: Message, growing: LiveState['growing']): Message {
  const own = [...growing.values()].filter(({ seq }) => seq === message.seq);
  const latest = own.reduce<Growing | undefined>((a, b) => (a && a.attempt > b.attempt ? a : b), undefined);
  if (!latest) return message;
  const { attempt } = latest;
  // A row from before there were pieces has its text.
  if (attempt === message.attempt && message.text !== '') return message;
  return { ...message, attempt, status: 'streaming', text: beginningOf(latest.text) };
}

/** Whether the message is complete, or a later attempt writes it. */
function isPast({ seq, attempt }: Pick<Piece, 'seq' | 'attempt'>, rows: LiveState['rows']): boolean {
  const message = messageAt(rows, seq);
  if (!message) return false;
  if (message.attempt === undefined || message.status === 'complete') return true;
  return message.attempt > attempt || (message.attempt === attempt && message.status !== 'streaming');
}

const versionOf = (row: LiveRow | undefined): number => row?.row.version ?? 0;

/** After `expiresAt`, a read shows a callback as expired before its row has a new version. So `expired` wins within one version. */
function isNewer(came: LiveRow, held: LiveRow | undefined): boolean {
  if (came.row.version !== versionOf(held)) return came.row.version > versionOf(held);
  return came.kind === 'callback' && came.row.status === 'expired';
}

function keyOf(one: Exclude<PushedRow, PieceRow>): string {
  if ('changed' in one) return `${one.kind} ${one.key}`;
  return `${one.kind} ${one.kind === 'message' ? one.row.seq : one.row.id}`;
}

/** Returns the text of one attempt's pieces up to the first gap. They may overlap, because a read joins those that it finds. */
export const textOfPieces = (pieces: readonly Piece[]): string => beginningOf(pieces.reduce<GrowingText>(withPart, []));
