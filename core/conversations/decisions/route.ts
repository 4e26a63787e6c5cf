import { guardRetry, outageRetry, throttledRetry } from '../../base/state/failed-attempts';
import type { CallRef, LoopOutput, SegmentInput } from '../../base/state/loop-state';
import { isSettled, type RunStatus } from '../../base/state/schemas';
import { approversIn } from '../agent/approvers';
import type { FunctionTool, Tool } from '../agent/tool';
import { stateOf } from '../calls/call-state';
import { callbackRef } from '../calls/callback';
import type { Meta } from '../rows/meta';
import type { StoredCall, StoredCallback } from '../rows/rows';
import type { Decision } from './decide';

/**
 * A segment hands over when its history could exceed this many events. AWS fails an execution at 25,000, and one more step can add
 * up to 14,000. The estimate counts every possible retry, so real histories stay far below it.
 */
export const segmentEventBudget = 10_000;

/** An execution lives at most a year. Longer waits are slept in stretches, each in a segment of its own. */
const oldestSegmentDays = 300;
const day = 86_400_000;

const taskEvents = (attempts: number) => 2 + 3 * attempts;
const choiceEvents = 2;
/** CallModel's first attempt and all retries. */
export const callModelAttempts = 1 + outageRetry.maxAttempts + throttledRetry.maxAttempts + guardRetry.maxAttempts;

/** In the Map, a call that its state gave up on passes one more state. */
const gaveUpEvents = 2;
/** AwaitCallback with all retries of Ask. A reply without calls may be a question, too. */
const questionEvents = 30 + 3 * throttledRetry.maxAttempts;

const toolEvents = ({ retry }: FunctionTool) => taskEvents(1 + retry.maxAttempts + throttledRetry.maxAttempts);

/** Returns the most events that a step with these calls can add to the history. */
export function eventsOfStep(calls: StoredCall[], tools: readonly Tool[]): number {
  const ofCall = (call: StoredCall) => {
    const tool = tools.find(({ name }) => name === call.tool);
    const asked = isAsking(call) ? questionEvents : 0;
    return asked + (tool?.kind === 'function' ? toolEvents(tool) : taskEvents(1));
  };
  const open = calls.filter(({ status }) => !isSettled(status));
  const map = open.length > 1 ? 4 + open.length * (2 + choiceEvents + gaveUpEvents) : 0;
  const question = open.length === 0 ? questionEvents : 0;
  return (
    taskEvents(callModelAttempts) + choiceEvents + map + question + open.reduce((sum, call) => sum + ofCall(call), 0)
  );
}

/**
 * Returns what the loop does next for the open calls; undefined if all are settled.
 *
 * Tools and callbacks come first, in parallel. Then one Sleep lasts until the latest wait is over, because the model needs all
 * results. So no tool runs while the run sleeps, and a message can wake it.
 *
 * While a server works on a call, no wait lasts longer than until it is asked again, and then it is asked before anything is waited for. So
 * a call that waits for a person for weeks does not keep a task from being looked after.
 */
export function routeCalls(
  calls: StoredCall[],
  { callbacks, segmentStartedAt, now }: { callbacks: StoredCallback[]; segmentStartedAt: string; now: Date },
): Pick<LoopOutput, 'next' | 'call' | 'calls'> | undefined {
  const open = calls.filter(({ status }) => !isSettled(status));
  const lastDay = lastDayOf(segmentStartedAt);
  const lookAt = nextLook(open, callbacks);
  const isDue = (call: StoredCall) => isToLookAt(call, callbacks, now);
  const furthest = lookAt !== undefined && lookAt < lastDay ? lookAt : lastDay;
  const served = open.filter((call) => !isWait(call));
  const first = served.some(isDue) ? served.filter((call) => !isAsking(call) || isDue(call)) : served;
  const work = first.map((call) => (isDue(call) ? toolRef(call) : refOf(call, callbacks, furthest, now)));
  const [only] = work;
  if (only) return work.length === 1 ? { next: only.next, call: only } : { next: 'many', calls: work };
  const last = open.toSorted((a, b) => (a.until! < b.until! ? 1 : -1))[0];
  if (!last) return undefined;
  const until = last.until! < furthest ? last.until! : furthest;
  return { next: 'wait', call: { next: 'wait', callId: last.id, until } };
}

function refOf(call: StoredCall, callbacks: StoredCallback[], furthest: string, now: Date): CallRef {
  const callback = callbackOf(call, callbacks);
  return callback ? callbackRef(callback, furthest, now) : toolRef(call);
}
const toolRef = ({ tool, id: callId }: StoredCall): CallRef => ({ next: `tool:${tool}`, callId });

const callbackOf = (call: StoredCall, callbacks: StoredCallback[]): StoredCallback | undefined =>
  isAsking(call) ? callbacks.find(({ id }) => id === call.callbackId) : undefined;

/** Whether a server works on the call, and is to be asked now how far it is. */
function isToLookAt(call: StoredCall, callbacks: StoredCallback[], now: Date): boolean {
  const { lookAt } = callbackOf(call, callbacks) ?? {};
  return lookAt !== undefined && lookAt <= now.toISOString();
}

/** Returns the first time at which a server that works on a call is asked again. */
const nextLook = (calls: StoredCall[], callbacks: StoredCallback[]): string | undefined =>
  calls
    .flatMap((call) => callbackOf(call, callbacks)?.lookAt ?? [])
    .sort()
    .at(0);

/** Whether a call waits for a time. */
export const isWait = ({ status, until }: StoredCall): boolean => status === 'waiting' && until !== undefined;
/** Whether a call waits for a callback. */
export const isAsking = ({ status, callbackId }: StoredCall): boolean =>
  status === 'waiting' && callbackId !== undefined;
/** The id that the state machine uses for the call in its current state. */
export const refId = (call: StoredCall): string => (isAsking(call) ? call.callbackId! : call.id);

/** Returns the latest time until which an execution may wait. */
export const lastDayOf = (segmentStartedAt: string): string =>
  new Date(Date.parse(segmentStartedAt) + oldestSegmentDays * day).toISOString();

/** Whether the segment is so old that the run must move to the next one. */
export const isOld = (segmentStartedAt: string, now: Date): boolean => now.toISOString() >= lastDayOf(segmentStartedAt);

/** Whether only waits are open. */
export function onlyWaits(calls: StoredCall[]): boolean {
  const open = calls.filter(({ status }) => !isSettled(status));
  return open.length > 0 && open.every(isWait);
}

/** Returns the run's status while these calls are open. Callbacks take precedence over running tools and waits. */
export function statusWith(calls: StoredCall[]): RunStanding {
  const asking = calls.filter(isAsking);
  if (asking.length > 0) {
    const handOffs = asking.flatMap(({ kind, callbackId }) => (kind === 'person' && callbackId ? [callbackId] : []));
    return { status: 'waiting', until: undefined, waitsFor: waitedFor(asking), handOffs };
  }
  if (!onlyWaits(calls)) return { status: 'running', until: undefined, waitsFor: undefined };
  const times = calls.filter(({ status }) => !isSettled(status)).map(({ until }) => until!);
  return { status: 'sleeping', until: times.sort().at(-1), waitsFor: undefined };
}

/** The status of a run that people see. `handOffs`: the callbacks of those who take the conversation over, or may. */
export type RunStanding = Pick<Meta, 'until' | 'waitsFor'> & { status: RunStatus; handOffs?: readonly string[] };

/** By precedence. */
const waitable = ['you', 'approver', 'person', 'agent', 'outside'] as const;

function waitedFor(asking: StoredCall[]): RunStanding['waitsFor'] {
  const all = asking.map((call): RunStanding['waitsFor'] => {
    const { waitsFor } = stateOf(call);
    if (waitsFor === 'agent' || waitsFor === 'outside') return waitsFor;
    if (call.kind === 'person') return 'person';
    return approversIn(call.decider) ? 'approver' : 'you';
  });
  return waitable.find((one) => all.includes(one));
}

/** Returns the route after a decision, given whether a message is unread. */
export function route(
  at: SegmentInput,
  decision: Decision,
  {
    morePending,
    question,
    segmentStartedAt,
    now,
  }: { morePending: boolean; question?: StoredCallback; segmentStartedAt: string; now: Date },
): LoopOutput {
  const ids: SegmentInput = { conversationId: at.conversationId, runId: at.runId, segment: at.segment, step: at.step };
  // A message that arrived during the model call prevents the run from falling asleep.
  const mustStayAwake = morePending && onlyWaits(decision.calls);
  const { callbacks } = decision;
  if (decision.kind === 'call' && !mustStayAwake)
    return { ...ids, ...routeCalls(decision.calls, { callbacks, segmentStartedAt, now })! };
  if (decision.kind === 'again' || morePending) return { ...ids, next: 'again' };
  if (question) return { ...ids, next: 'callback', call: callbackRef(question, lastDayOf(segmentStartedAt), now) };
  return { ...ids, next: 'done' };
}
