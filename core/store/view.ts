import {
  addUsage,
  Call,
  Callback,
  type Conversation,
  ConversationSummary,
  Message,
  noUsage,
  Run,
  Timer,
} from '../schemas';
import { isOpen } from './callback';
import { readOwnMeta } from './conversation';
import { key, StoredCall, StoredCallback, StoredTimer } from './rows';
import { readRows, type Table } from './table';
import { isArranged } from './timer';

/** A Lambda's answer has 6 MB at most: what is over these is left out, and said to be. */
const messageBytes = 3_000_000;
const callBytes = 2_000_000;
/** Of a call's arguments and result the page gets the beginning. */
const headCharacters = 2_000;

/**
 * A conversation as its owner may see it: public shapes only, so no task token, no writer, no outbox.
 *
 * @param after only messages with a larger sequence number, as many as fit (`more` says that there are others behind the
 * last one); calls and callbacks always, since they change in place, the latest calls first to be kept.
 * @throws NotFound if it is not this user's.
 */
export async function viewConversation(table: Table, id: string, user: string, after = 0): Promise<Conversation> {
  const now = new Date();
  // META first: whatever it speaks of is then in the rows read after it.
  const meta = await readOwnMeta(table, id, user);
  const [messageRows, callRows, callbacks, timers] = await Promise.all([
    readRows(table, id, key.message(after + 1), 'M#~'),
    readRows(table, id, key.call(''), `${key.call('')}~`),
    readRows(table, id, key.callback(''), `${key.callback('')}~`),
    readRows(table, id, key.timer(''), `${key.timer('')}~`),
  ]);
  const messages = fitting(
    messageRows.map((row) => Message.parse(row)),
    messageBytes,
  );
  const calls = callRows.map((row) => shortened(StoredCall.parse(row)));
  const latest = fitting(
    calls.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1)),
    callBytes,
  );
  const kept = new Set(latest);
  return {
    ...ConversationSummary.parse({ ...meta, id }),
    run: meta.run && Run.parse(meta.run),
    messages,
    more: messages.length < messageRows.length,
    calls: calls.filter((call) => kept.has(call)),
    callbacks: callbacks.map((row) => shownCallback(StoredCallback.parse(row), now)),
    timers: timers
      .map((row) => StoredTimer.parse(row))
      .filter(isArranged)
      .map((timer) => Timer.parse(timer)),
    usage: addUsage(meta.earlierUsage, meta.run?.usage ?? noUsage),
  };
}

/** Past its time, it can no longer be answered, even if its execution has not said so yet. */
function shownCallback(stored: StoredCallback, now: Date): Callback {
  const overdue = stored.status === 'pending' && !isOpen(stored, now);
  return Callback.parse(overdue ? { ...stored, status: 'expired' } : stored);
}

/** As many from the beginning as have so many bytes together, one at least. */
function fitting<Row extends object>(rows: Row[], maxBytes: number): Row[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += Buffer.byteLength(JSON.stringify(row));
    return bytes > maxBytes && index > 0;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

function shortened(stored: StoredCall): Call {
  const call = Call.parse(stored);
  return { ...call, arguments: head(call.arguments), ...(call.result !== undefined && { result: head(call.result) }) };
}

function head(value: unknown): unknown {
  const json = JSON.stringify(value);
  if (json.length <= headCharacters + 2) return value;
  return `${(typeof value === 'string' ? value : json).slice(0, headCharacters)}…`;
}
