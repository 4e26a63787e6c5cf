import { timerExecution } from '../../base/state/timer-state';
import { NotFound } from '../../base/text/errors';
import { newTimerId } from '../../base/text/ids';
import { type NewTimer, type Rule, ruleWords } from '../../base/time/rule';
import { dueStep, toldNext } from '../approvals/steps';
import { key } from '../rows/keys';
import { openIn, openList } from '../rows/open-lists';
import { onlyReadable, parsedAs } from '../rows/readable';
import { type StoredCall, type StoredCallback, StoredTimer, timerRow } from '../rows/rows';
import { countRow } from '../store/counts';
import { readKind, readRow, type Table } from '../store/table';
import { type RowWrite, toDo } from '../store/write';

/** Creates a call's timer, which has the call's id. It commits with the call, and Relay starts it. */
export const putTimer = (conversationId: string, call: StoredCall, timer: NewTimer, now: Date): RowWrite[] =>
  put({ ...begunBy(call, conversationId, now), ...whatFires(timer), id: call.id, sources: call.after, counted: true });

/** Creates the timer that expires a webhook which no state waits for. It has the webhook's id. */
export const putExpiry = (
  conversationId: string,
  call: StoredCall,
  { id, expiresAt }: StoredCallback,
  now: Date,
): RowWrite[] => put({ ...begunBy(call, conversationId, now), id, callbackId: id, kind: 'once', nextAt: expiresAt });

/**
 * Creates the timer that tells those who can decide about an approval again. Each step has its own: one that finds another step due ends.
 * It does not decide who may decide, which is a function of the clock.
 */
export function putReminder(conversationId: string, user: string, callback: StoredCallback, now: Date): RowWrite[] {
  const { id: callbackId, callId, tool: author = '' } = callback;
  const nextAt = toldNext(callback, now)?.toISOString();
  if (nextAt === undefined) return [];
  const id = `${callbackId}.step${dueStep(callback)}`;
  return put({ ...begun({ conversationId, user, author }, now), id, callbackId, callId, kind: 'once', nextAt });
}

/** A timer that a person, a machine or the code arranges. */
export interface ArrangedTimer {
  timer: NewTimer;
  name?: string;
  /** The schedule in the code: `<agent>/<name>`. */
  schedule?: string;
}

/** Creates a timer that no call has made. It commits with its conversation, which counts it. */
export const putArranged = (
  { conversationId, user }: { conversationId: string; user: string },
  { timer, name, schedule }: ArrangedTimer,
  now: Date,
): RowWrite[] =>
  put({
    ...begun({ conversationId, user, author: 'schedule' }, now),
    ...whatFires(timer),
    id: newTimerId(conversationId),
    name,
    schedule,
    counted: true,
  });

const put = (timer: StoredTimer): RowWrite[] => [
  { sk: key.timer(timer.id), put: { ...timerRow(timer), ...listing(timer) }, onlyIf: 'absent' },
  waitFor(timer),
];

/** What starts the execution of a timer's segment. */
export const waitFor = ({ conversationId, id: timerId, segment }: StoredTimer): RowWrite =>
  toDo({ does: 'wait', timerId, segment }, conversationId);

/** What stops the execution of a timer's segment. */
export const stopWaiting = (
  { conversationId, id, segment }: StoredTimer,
  because: 'timer' | 'renewed' = 'timer',
): RowWrite =>
  toDo({ does: 'stop', machine: 'timer', execution: timerExecution(id, segment), because }, conversationId);

/** An active timer is in a list, by the time of its next firing. Whatever ends it removes `openFor`. */
export const listing = (timer: StoredTimer) => {
  const list = isArranged(timer) ? openList.timers : openList.unseen;
  return openIn(list(timer.user), timer.nextAt, timer.id);
};

const begunBy = ({ id: callId, user, tool: author }: StoredCall, conversationId: string, now: Date) => ({
  ...begun({ conversationId, user, author }, now),
  callId,
});

function begun(of: Pick<StoredTimer, 'conversationId' | 'user' | 'author'>, now: Date) {
  const createdAt = now.toISOString();
  return {
    ...of,
    version: 1,
    createdAt,
    status: 'active' as const,
    fired: 0,
    ...inSegment(1, now),
  };
}

/** Returns the fields of a timer whose execution begins: that of this segment. */
export const inSegment = (segment: number, now: Date) => ({
  segment,
  segmentStartedAt: now.toISOString(),
  segmentFired: 0,
});

/** Whether the timer is visible to its user, who may cancel it. One that expires a webhook or reminds of an approval is not. */
export const isArranged = ({ callbackId }: StoredTimer): boolean => callbackId === undefined;

function whatFires({ at, ...what }: NewTimer) {
  const nextAt = at.toISOString();
  if (what.kind !== 'repeat') return { ...what, nextAt };
  const { rule, ...rest } = what;
  return { ...rest, ...ruleFields(rule), nextAt };
}

export const ruleFields = (rule: Rule): Pick<StoredTimer, 'rule' | 'timeZone' | 'everySeconds'> => ({
  rule: ruleWords(rule),
  timeZone: rule.timeZone,
  everySeconds: rule.everySeconds,
});

export const ruleOf = ({ rule, timeZone, everySeconds }: StoredTimer): Rule =>
  everySeconds === undefined ? { cron: rule, timeZone } : { everySeconds };

export async function readTimer(table: Table, conversationId: string, id: string): Promise<StoredTimer | undefined> {
  const row = await readRow(table, conversationId, key.timer(id));
  return row && parsedAs(StoredTimer, row);
}

/** Reads a timer that its user sees. @throws NotFound if there is none. */
export async function readArranged(table: Table, conversationId: string, id: string): Promise<StoredTimer> {
  const timer = await readTimer(table, conversationId, id);
  if (timer && isArranged(timer)) return timer;
  throw noTimer(id);
}

export const noTimer = (id: string) => new NotFound(`There is no timer ${id} in this conversation.`);

/** Returns the time of the rule that a timer fires for next. */
export const slotOf = ({ slotAt, nextAt }: StoredTimer): Date => new Date(slotAt ?? nextAt);

/** Reads the timers of a conversation that are readable, oldest first. */
export async function readTimers(table: Table, conversationId: string): Promise<StoredTimer[]> {
  const rows = await readKind(table, conversationId, 'timer');
  const timers = onlyReadable(StoredTimer, rows);
  return timers.sort((a, b) => Number(a.createdAt > b.createdAt) - Number(a.createdAt < b.createdAt));
}

/** Whether the timer can still fire, perhaps after it is resumed. */
export const isOpenTimer = ({ status }: Pick<StoredTimer, 'status'>): boolean =>
  status === 'active' || status === 'paused';

/** The number of due timers that are asked for at a time. */
const mostDue = 5;

/** Returns timers that should have fired by now: those that are due for the longest. */
export const dueTimers = (timers: readonly StoredTimer[], now: Date): StoredTimer[] =>
  timers
    .filter(({ status, nextAt }) => status === 'active' && Date.parse(nextAt) <= now.getTime())
    .sort((a, b) => Date.parse(a.nextAt) - Date.parse(b.nextAt))
    .slice(0, mostDue);

/** Cancels a timer of any conversation. Relay stops its execution, which fires nothing meanwhile. */
export const cancelTimerRows = (timer: StoredTimer): RowWrite[] => [
  {
    pk: key.conversation(timer.conversationId),
    sk: key.timer(timer.id),
    set: { status: 'cancelled' },
    remove: ['openFor'],
    onlyIf: { version: timer.version },
  },
  stopWaiting(timer),
  ...noLongerCounted(timer),
];

/** Takes an active timer that ends off its user's counts. */
export const noLongerCounted = ({ user, counted }: StoredTimer): RowWrite[] =>
  counted ? [countRow(user, { timers: -1 })] : [];
