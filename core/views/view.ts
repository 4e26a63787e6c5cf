import { readOwnMeta } from '../runs/conversation';
import type { Callback, Conversation, Timer } from '../state/schemas';
import { key } from '../store/rows';
import { readRows, type Table } from '../store/table';
import { fitting } from '../text/fitting';
import { shownCall, shownCallback, shownConversation, shownMessage, shownTimer } from './shown';

/** A Lambda's answer has 6 MB at most: what is over these is left out, and of messages that is said. */
const messageBytes = 3_000_000;
const callBytes = 1_800_000;
const callbackBytes = 500_000;
const timerBytes = 500_000;

/**
 * A conversation as its owner may see it: public shapes only, so no task token, no writer, no outbox.
 *
 * @param after only messages with a larger sequence number, as many as fit (`more` says that there are others behind the
 * last one); calls, callbacks and timers always, since they change in place, the latest calls, the open callbacks and the active timers
 * first to be kept.
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
  const messages = fitting(messageRows.map(shownMessage), messageBytes);
  const calls = callRows.map(shownCall);
  const latest = fitting(
    calls.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1)),
    callBytes,
  );
  const kept = new Set(latest);
  const asked = callbacks.map((row) => shownCallback(row, now));
  const keptAsked = new Set(fitting(asked.toSorted(openFirst), callbackBytes));
  const arranged = timers.map(shownTimer).filter((timer) => timer !== undefined);
  const keptTimers = new Set(fitting(arranged.toSorted(activeFirst), timerBytes));
  return {
    ...shownConversation(meta),
    messages,
    more: messages.length < messageRows.length,
    calls: calls.filter((call) => kept.has(call)).sort(byTime),
    callbacks: asked.filter((callback) => keptAsked.has(callback)),
    timers: arranged.filter((timer) => keptTimers.has(timer)).sort(byTime),
  };
}

/** Ids of runs are in no order; within one, rows are in theirs. */
const byTime = (a: { createdAt: string }, b: { createdAt: string }): number =>
  Number(a.createdAt > b.createdAt) - Number(a.createdAt < b.createdAt);

const openFirst = (a: Callback, b: Callback): number =>
  Number(b.status === 'pending') - Number(a.status === 'pending') || (a.expiresAt < b.expiresAt ? 1 : -1);

const activeFirst = (a: Timer, b: Timer): number =>
  Number(b.status === 'active') - Number(a.status === 'active') || (a.createdAt < b.createdAt ? 1 : -1);
