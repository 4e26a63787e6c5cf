// core/people/views: what the API shows of conversations, calls and timers.

import type { Metadata } from '../../base/state/given';
import type { Callback, Conversation, Timer } from '../../base/state/schemas';
import { fitting } from '../../base/text/fitting';
import { isOpenTimer } from '../../conversations/calls/timer';
import { type Person, type Role, readRole } from '../../conversations/members/role';
import { prefix } from '../../conversations/rows/keys';
import { parsedAs, readEach } from '../../conversations/rows/readable';
import { StoredTimer } from '../../conversations/rows/rows';
import { readKind, readRows, readShownMeta, type Table } from '../../conversations/store/table';
import { readMarks } from '../presence/read-marks';
import { readBranches } from './branches';
import { readMessages } from './messages';
import { seenByOthers, shownCall, shownCallback, shownConversation, shownTimer } from './shown';

/** A Lambda response has at most 6 MB. Rows beyond these limits are left out; `more` says so for messages. */
const messageBytes = 3_000_000;
const callBytes = 1_800_000;
const callbackBytes = 500_000;
const timerBytes = 500_000;

/**
 * Returns a conversation as this person may see it: public schemas only, so no task token, no writer, no to-do.
 *
 * @param as what the person was when they were allowed to read it, if their own request may have ended that. By default, it is read.
 * @param after the message after which to begin. Messages are cut at the end, and `more` says so. Calls, callbacks and timers are
 *   always included, because they change in place; the latest calls, open callbacks and active timers are kept first.
 * @throws NotFound if this person may not read it.
 */
export async function viewConversation(
  table: Table,
  id: string,
  user: Person,
  { after = 0, as }: { after?: number; as?: Role } = {},
): Promise<Conversation> {
  const now = new Date();
  // META is read first, so the later reads contain every row that it names.
  const shown = as && (await readShownMeta(table, id));
  const { meta, role } = shown?.owner ? { meta: shown, role: as } : await readRole(table, id, user);
  const [branches, written, callsAndCallbacks, timers, reads] = await Promise.all([
    readBranches(table, meta),
    readMessages(table, id, after),
    // They lie side by side.
    readRows(table, id, prefix.call, `${prefix.callback}~`) as Promise<{ sk: string }[]>,
    readKind(table, id, 'timer'),
    readMarks(table, meta),
  ]);
  const callRows = callsAndCallbacks.filter(({ sk }) => sk.startsWith(prefix.call));
  const callbacks = callsAndCallbacks.filter(({ sk }) => sk.startsWith(prefix.callback));
  const messages = fitting(written.messages, messageBytes);
  const { read: calls, unreadable: oddCalls } = readEach(callRows, shownCall);
  const latest = fitting(
    calls.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1)),
    callBytes,
  );
  const kept = new Set(latest);
  const { read: shownCallbacks, unreadable: oddCallbacks } = readEach(callbacks, (row) => shownCallback(row, now));
  const keptCallbacks = new Set(fitting(shownCallbacks.toSorted(openFirst), callbackBytes));
  const { read: allTimers, unreadable: oddTimers } = readEach(timers, (row) => parsedAs(StoredTimer, row));
  const arranged = allTimers.map(shownTimer).filter((timer) => timer !== undefined);
  const keptTimers = new Set(fitting(arranged.toSorted(openTimersFirst), timerBytes));
  const head = shownConversation(meta);
  const odd = [...(head.unreadable ?? []), ...written.unreadable, ...oddCalls, ...oddCallbacks, ...oddTimers];
  return {
    ...(role === 'owner' ? head : { ...seenByOthers(head), role }),
    ...(odd.length > 0 && { unreadable: odd }),
    ...(meta.metadata !== undefined && { metadata: meta.metadata as Metadata }),
    ...(meta.startedBy && { startedBy: meta.startedBy }),
    messages,
    more: messages.length < written.messages.length,
    calls: calls.filter((call) => kept.has(call)).sort(byTime),
    callbacks: shownCallbacks.filter((callback) => keptCallbacks.has(callback)),
    timers: arranged.filter((timer) => keptTimers.has(timer)).sort(byTime),
    ...(branches.length > 1 && { branches }),
    ...(reads.length > 0 && { reads }),
  };
}

const byTime = (a: { createdAt: string }, b: { createdAt: string }): number =>
  Number(a.createdAt > b.createdAt) - Number(a.createdAt < b.createdAt);

const openFirst = (a: Callback, b: Callback): number =>
  Number(b.status === 'pending') - Number(a.status === 'pending') || (a.expiresAt < b.expiresAt ? 1 : -1);

const openTimersFirst = (a: Timer, b: Timer): number =>
  Number(isOpenTimer(b)) - Number(isOpenTimer(a)) || (a.createdAt < b.createdAt ? 1 : -1);
