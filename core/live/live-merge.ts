import type { Call, Callback, Conversation, ConversationHead, Message, Timer } from '../state/schemas';
import type { ChangedRow, LiveRow } from './live';

/**
 * A client's copy of a conversation: the highest version of each row that it has read or been pushed.
 *
 * Merging rows by version is commutative, associative and idempotent. Reads and pushes may arrive in any order, twice, late or
 * not at all; all clients that have seen the last version of each row have the same copy.
 */
export interface LiveState {
  readonly rows: ReadonlyMap<string, LiveRow>;
  /** Versions that were announced but not received, by row. While there is one, read again. */
  readonly unread: ReadonlyMap<string, number>;
}

export const nothingKnown: LiveState = { rows: new Map(), unread: new Map() };

/** Merges rows that were pushed, or that `rowsOf` returns. */
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

/** Converts the response of `GET /conversations/{id}` to rows. */
export function rowsOf({
  messages,
  more: _,
  branches: __,
  calls,
  callbacks,
  timers,
  ...head
}: Conversation): LiveRow[] {
  return [
    { kind: 'conversation', row: head },
    ...messages.map((row) => ({ kind: 'message' as const, row })),
    ...calls.map((row) => ({ kind: 'call' as const, row })),
    ...callbacks.map((row) => ({ kind: 'callback' as const, row })),
    ...timers.map((row) => ({ kind: 'timer' as const, row })),
  ];
}

/** Returns the conversation with its rows in order; undefined before its head is known. */
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

/** The order of the table's keys, as in a GET. */
const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

const versionOf = (row: LiveRow | undefined): number => row?.row.version ?? 0;

/** After `expiresAt`, a read shows a callback as expired before its row has a new version. So `expired` wins within one version. */
function isNewer(came: LiveRow, held: LiveRow | undefined): boolean {
  if (came.row.version !== versionOf(held)) return came.row.version > versionOf(held);
  return came.kind === 'callback' && came.row.status === 'expired';
}

function keyOf(one: LiveRow | ChangedRow): string {
  if ('changed' in one) return `${one.kind} ${one.key}`;
  return `${one.kind} ${one.kind === 'message' ? one.row.seq : one.row.id}`;
}
