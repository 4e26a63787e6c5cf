import * as z from 'zod';
import {
  attemptFailed,
  FailedAttempt,
  outageRetry,
  patientRetry,
  type Retry,
  throttledErrors,
  throttledRetry,
} from '../../base/state/failed-attempts';
import { clip } from '../../base/text/clip';
import { isOwnError } from '../../base/text/failure-words';
import type { Tool } from '../../conversations/agent/tool';
import {
  type Entry,
  entriesIn,
  type Failure,
  failuresIn,
  fieldsIn,
  type HistoryEvent,
  inParallel,
  isOpen,
  type Reason,
} from './history';

/**
 * The report of Step Functions on a run that is at work, and on timers that are due. A function that crashes, times out, is throttled or
 * cannot start may write no row, so only the history of its execution tells.
 */
export const RunAttempts = z.object({
  /** `not started`: its start is lost or delayed. `ended`: the run is about to end, too. `unknown`: Step Functions did not say. */
  execution: z.enum(['running', 'not started', 'ended', 'unknown']),
  attempts: z.array(
    z.object({
      /** The state of the state machine: `CallModel`, a tool, or `FireTimer` of a timer that is due. */
      state: z.string(),
      callId: z.string().optional(),
      timerId: z.string().optional(),
      /** The attempt in progress, or the next one, from 1. */
      attempt: z.number().int(),
      /** The start of the attempt. Absent while it waits for its time. */
      startedAt: z.iso.datetime().optional(),
      /** The attempt before it. `retryBy` is when the next one begins, at the latest. */
      failed: FailedAttempt.optional(),
    }),
  ),
});
export type RunAttempts = z.infer<typeof RunAttempts>;
type Attempt = RunAttempts['attempts'][0];

/** Returns the attempts in progress, from the latest events of an execution. A state that was entered before those is left out. */
export function attemptsIn(events: readonly HistoryEvent[], tools: ReadonlyMap<string, Tool>): RunAttempts {
  const ordered = [...events].sort((a, b) => a.id! - b.id!);
  if (/^Execution(?!Started|Redriven)/.test(ordered.at(-1)?.type ?? '')) return { execution: 'ended', attempts: [] };
  const redriven = ordered.findLast(({ type }) => type === 'ExecutionRedriven')?.id ?? 0;
  const attempts = entriesIn(ordered)
    .filter((entry) => isOpen(entry, redriven))
    .map((entry) => attemptIn(entry, { redriven, tools }));
  return { execution: 'running', attempts };
}

/** The payload of these still has the call before them. */
const ofNoCall = new Set(['CallModel', 'Settle', 'NextUndo', 'ContinueAsNew']);

function attemptIn(
  [entered, ...all]: Entry,
  { redriven, tools }: { redriven: number; tools: ReadonlyMap<string, Tool> },
): Attempt {
  const { name = '', input } = entered.stateEnteredEventDetails ?? {};
  // A redrive begins to count anew.
  const events = all.filter(({ id }) => id! > redriven);
  const failures = failuresIn(events);
  const last = failures.at(-1);
  const begun = events.findLast(({ type }) => type === 'TaskScheduled');
  const runs = begun !== undefined && begun.id! > (last?.id ?? 0);
  const callId = ofNoCall.has(name) ? undefined : (fieldsIn(input).call as { callId?: unknown } | undefined)?.callId;
  const retrier = (failure: Failure) => retryOf(name, failure, tools);
  const retry = last && retrier(last);
  // Each retrier counts its own errors.
  const counted = failures.filter((one) => retrier(one) === retry).length;
  return {
    state: name,
    ...(typeof callId === 'string' && { callId }),
    attempt: failures.length + 1,
    ...(runs && { startedAt: begun.timestamp!.toISOString() }),
    ...(last && {
      failed: attemptFailed(
        {
          attempt: failures.length,
          error: wordsOf(last),
          ...(!runs && { retry }),
          throttled: failures.length - counted,
        },
        last.at,
      ),
    }),
  };
}

/** The retriers of the state machines (`statemachines/retriers.ts`) have the same table. */
function retryOf(state: string, { error = '' }: Reason, tools: ReadonlyMap<string, Tool>): Retry | undefined {
  if (throttledErrors.includes(error)) return throttledRetry;
  if (state === 'NextUndo' || state === 'FireTimer') return patientRetry;
  const tool = tools.get(state.replace(/^Undo /, '').replace(inParallel, ''));
  if (tool?.kind === 'function') return tool.retry;
  return outageRetry;
}

/** The messages of Vigil's own errors are for people; what a runtime or a service says is named by its kind. */
function wordsOf({ error = 'an unknown error', cause = '' }: Reason): string {
  const name = clip(error.replace(/[^\w.]/g, ''), { characters: 80 });
  if (throttledErrors.includes(error)) return `AWS had no capacity for the function (${name}).`;
  if (isOwnError({ name: error })) return ownWords(cause) ?? `The function failed (${name}).`;
  if (/timed?.?out/i.test(error) || /timed out/i.test(cause)) return `The function did not answer in time (${name}).`;
  return `The function failed before it could say why (${name}).`;
}

/** Lambda reports an error as JSON. */
function ownWords(cause: string): string | undefined {
  const { errorMessage } = fieldsIn(cause);
  return typeof errorMessage === 'string' ? clip(errorMessage, { characters: 400 }) : undefined;
}
