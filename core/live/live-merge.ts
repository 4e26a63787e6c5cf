import type { Call, Callback, Conversation, ConversationHead, Message, Timer } from '../state/schemas';
import type { ChangedRow, LiveRow } from './live';

/**
 * What a client knows of a conversation: of each row the highest version that it has seen, whether read or pushed.
 *
 * Putting rows together by version is commutative, associative and idempotent: reads and pushes may come in any order, twice,
 * late or not at all, and all who have seen the last version of each row know the same.
 */
export interface LiveState {
  readonly rows: ReadonlyMap<string, LiveRow>;
  /** Versions that are said to be there and have not been read yet, by row: while there is one, read again. */
  readonly unread: ReadonlyMap<string, number>;
}

export const nothingKnown: LiveState = { rows: new Map(), unread: new Map() };

/** Rows that were pushed, or those of `rowsOf` a read conversation. */
export function mergeRows(state: LiveState, came: readonly (LiveRow | ChangedRow)[]): LiveState {
  const rows = new Map(state.rows);
  const unread = new Map(state.unread);
  for (const one of came) {
    const at = keyOf(one);
    if ('changed' in one) {
      if (one.version > Math.max(versionOf(rows.get(at)), unread.get(at) ?? 0)) unread.set(at, one.version);
      continue;
    }
    if (isNewer(one, rows.get(at))) rows.set(at, one);
    if (one.row.version >= (unread.get(at) ?? Number.POSITIVE_INFINITY)) unread.delete(at);
  }
  return { rows, unread };
}

/** What `GET /conversations/{id}` answered, as rows. */
export function rowsOf({ messages, more: _, calls, callbacks, timers, ...head }: Conversation): LiveRow[] {
  return [
    { kind: 'conversation', row: head },
    ...messages.map((row) => ({ kind: 'message' as const, row })),
    ...calls.map((row) => ({ kind: 'call' as const, row })),
    ...callbacks.map((row) => ({ kind: 'callback' as const, row })),
    ...timers.map((row) => ({ kind: 'timer' as const, row })),
  ];
}

/** The conversation as it is known, its rows in the order of the log; undefined before the first read or push of its head. */
export function conversationOf({ rows }: LiveState): Omit<Conversation, 'more'> | undefined {
  const all = [...rows.values()];
  const of = <Row>(kind: LiveRow['kind']) => all.filter((one) => one.kind === kind).map(({ row }) => row as Row);
  const [head] = of<ConversationHead>('conversation');
  if (!head) return undefined;
  return {
    ...head,
    messages: of<Message>('message').sort((a, b) => a.seq - b.seq),
    calls: of<Call>('call').sort(byId),
    callbacks: of<Callback>('callback').sort(byId),
    timers: of<Timer>('timer').sort(byId),
  };
}

/** The order of the table's keys, which is the order of a GET. */
const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

const versionOf = (row: LiveRow | undefined): number => row?.row.version ?? 0;

/**
 * A callback that nobody answered in time is shown as expired by whoever reads it late, before its row says so in a new
 * version: of two pictures of one version the late one is the one to keep.
 */
function isNewer(came: LiveRow, held: LiveRow | undefined): boolean {
  if (came.row.version !== versionOf(held)) return came.row.version > versionOf(held);
  return came.kind === 'callback' && came.row.status === 'expired';
}

function keyOf(one: LiveRow | ChangedRow): string {
  if ('changed' in one) return `${one.kind} ${one.key}`;
  return `${one.kind} ${one.kind === 'message' ? one.row.seq : one.row.id}`;
}
