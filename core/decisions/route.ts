import type { Tool } from '../agent/tool';
import { isDelegation } from '../calls/call-state';
import { callbackRef } from '../calls/callback';
import type { CallRef, LoopOutput, SegmentInput } from '../state/loop-state';
import { type ConversationSummary, isSettled, type RunStatus } from '../state/schemas';
import type { StoredCall, StoredCallback } from '../store/rows';
import type { Decision } from './decide';

/**
 * A segment hands over when its history might pass this many events. AWS fails an execution at 25,000; the estimate
 * counts every retry that could happen, so that real histories stay far below.
 */
export const segmentEventBudget = 20_000;

/** An execution lives a year at most: longer waits are slept in stretches, each in a segment of its own. */
const oldestSegmentDays = 300;
const day = 86_400_000;

const taskEvents = (attempts: number) => 2 + 3 * attempts;
const choiceEvents = 2;
/** CallModel's first attempt, and the retries that its state allows. */
const callModelAttempts = 15;

/** A call in the Map that its state gave up on passes one more state. */
const gaveUpEvents = 2;
/** A reply without calls may be a question: AwaitCallback, with Ask tried again as often as its state allows. */
const questionEvents = 30;

/** The most events that a step with these calls can add to the history. */
export function eventsOfStep(calls: StoredCall[], tools: readonly Tool[]): number {
  const ofCall = (call: StoredCall) => {
    const tool = tools.find(({ name }) => name === call.tool);
    const asked = isAsking(call) ? questionEvents : 0;
    return asked + (tool?.kind === 'function' ? taskEvents(1 + tool.retry.maxAttempts) : taskEvents(1));
  };
  const open = calls.filter(({ status }) => !isSettled(status));
  const map = open.length > 1 ? 4 + open.length * (2 + choiceEvents + gaveUpEvents) : 0;
  const question = open.length === 0 ? questionEvents : 0;
  return (
    taskEvents(callModelAttempts) + choiceEvents + map + question + open.reduce((sum, call) => sum + ofCall(call), 0)
  );
}

/**
 * What the loop does next for calls that are not settled; undefined when all are. Tools and callbacks come first, at the
 * same time; what is left of waits is slept in one Sleep, until the last of them: the model is not called before all have a
 * result. So a sleeper never has a tool at work beside it, and a message can wake it.
 */
export function routeCalls(
  calls: StoredCall[],
  { callbacks, segmentStartedAt, now }: { callbacks: StoredCallback[]; segmentStartedAt: string; now: Date },
): Pick<LoopOutput, 'next' | 'call' | 'calls'> | undefined {
  const open = calls.filter(({ status }) => !isSettled(status));
  const furthest = lastDayOf(segmentStartedAt);
  const work = open.filter((call) => !isWait(call)).map((call) => refOf(call, callbacks, furthest, now));
  const [only] = work;
  if (only) return work.length === 1 ? { next: only.next, call: only } : { next: 'many', calls: work };
  const last = open.toSorted((a, b) => (a.until! < b.until! ? 1 : -1))[0];
  if (!last) return undefined;
  const until = last.until! < furthest ? last.until! : furthest;
  return { next: 'wait', call: { next: 'wait', callId: last.id, until } };
}

function refOf(call: StoredCall, callbacks: StoredCallback[], furthest: string, now: Date): CallRef {
  const callback = isAsking(call) && callbacks.find(({ id }) => id === call.callbackId);
  return callback ? callbackRef(callback, furthest, now) : { next: `tool:${call.tool}`, callId: call.id };
}

const isWait = ({ status, until }: StoredCall): boolean => status === 'waiting' && until !== undefined;
/** Whether a call waits for somebody's answer. */
export const isAsking = ({ status, callbackId }: StoredCall): boolean =>
  status === 'waiting' && callbackId !== undefined;
/** The id that a call goes by in the loop while it is as it is. */
export const refId = (call: StoredCall): string => (isAsking(call) ? call.callbackId! : call.id);

/** Until when an execution may wait for something. */
export const lastDayOf = (segmentStartedAt: string): string =>
  new Date(Date.parse(segmentStartedAt) + oldestSegmentDays * day).toISOString();

/** An execution lives a year: before that, the run goes on in another one. */
export const isOld = (segmentStartedAt: string, now: Date): boolean => now.toISOString() >= lastDayOf(segmentStartedAt);

/** Whether a step has come to where only time is waited for: tools at work are let finish first. */
export function onlyWaits(calls: StoredCall[]): boolean {
  const open = calls.filter(({ status }) => !isSettled(status));
  return open.length > 0 && open.every(isWait);
}

/** What a run looks like from outside while these calls are open: somebody who is waited for comes first. */
export function statusWith(calls: StoredCall[]): Standing {
  const asking = calls.filter(isAsking);
  if (asking.length > 0) return { status: 'waiting', until: undefined, waitsFor: waitedFor(asking) };
  if (!onlyWaits(calls)) return { status: 'running', until: undefined, waitsFor: undefined };
  const times = calls.filter(({ status }) => !isSettled(status)).map(({ until }) => until!);
  return { status: 'sleeping', until: times.sort().at(-1), waitsFor: undefined };
}

interface Standing {
  status: RunStatus;
  until: string | undefined;
  waitsFor: ConversationSummary['waitsFor'];
}

/** Who waits for an outside system has been begun; who waits for a person has not. The person comes first. */
function waitedFor(asking: StoredCall[]): Standing['waitsFor'] {
  const others = asking.filter((call) => isDelegation(call) || call.attempts > 0);
  if (others.length < asking.length) return 'you';
  return others.some(isDelegation) ? 'agent' : 'outside';
}

/** What follows from a decision, once it is known whether a message is still to be seen. */
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
  // A message that came during the model call does not wait until the sleep is over.
  const sleepless = morePending && onlyWaits(decision.calls);
  const { callbacks } = decision;
  if (decision.kind === 'call' && !sleepless)
    return { ...ids, ...routeCalls(decision.calls, { callbacks, segmentStartedAt, now })! };
  if (decision.kind === 'again' || morePending) return { ...ids, next: 'again' };
  if (question) return { ...ids, next: 'callback', call: callbackRef(question, lastDayOf(segmentStartedAt), now) };
  return { ...ids, next: 'done' };
}
