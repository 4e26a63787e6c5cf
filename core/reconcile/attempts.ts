import * as z from 'zod';
import type { Tool } from '../agent/tool';
import {
  attemptFailed,
  FailedAttempt,
  modelRetries,
  outageRetry,
  type Retry,
  throttledErrors,
  throttledRetry,
} from '../state/failed-attempts';
import { clip } from '../text/clip';

/**
 * What Step Functions knows of a run that is at work. A function that crashes, times out, is throttled or cannot start may write no row, so
 * only the history of its execution tells.
 */
export const RunAttempts = z.object({
  /** `not started`: its start is lost or delayed. `ended`: the run is about to end, too. `unknown`: Step Functions did not say. */
  execution: z.enum(['running', 'not started', 'ended', 'unknown']),
  attempts: z.array(
    z.object({
      /** The state of the state machine: `CallModel`, or a tool. */
      state: z.string(),
      callId: z.string().optional(),
      /** The attempt in progress, or the next one, from 1. */
      attempt: z.number().int(),
      /** When the attempt began. Absent while it waits for its time. */
      startedAt: z.iso.datetime().optional(),
      /** The attempt before it. `retryBy` is when the next one begins, at the latest. */
      failed: FailedAttempt.optional(),
    }),
  ),
});
export type RunAttempts = z.infer<typeof RunAttempts>;

/** An event of GetExecutionHistory. */
export interface HistoryEvent {
  id?: number;
  previousEventId?: number;
  timestamp?: Date;
  type?: string;
  stateEnteredEventDetails?: { name?: string; input?: string };
  taskFailedEventDetails?: Reason;
  taskTimedOutEventDetails?: Reason;
  taskStartFailedEventDetails?: Reason;
  taskSubmitFailedEventDetails?: Reason;
}
interface Reason {
  error?: string;
  cause?: string;
}

/**
 * Returns the attempts in progress, from the latest events of an execution. A state that was entered before those is left out. Events of
 * parallel calls are told apart by the event that precedes each.
 */
export function attemptsIn(events: readonly HistoryEvent[], tools: ReadonlyMap<string, Tool>): RunAttempts {
  const ordered = [...events].sort((a, b) => a.id! - b.id!);
  const entries = new Map<number, HistoryEvent[]>();
  const entryOf = new Map<number, number>();
  for (const event of ordered) {
    const entry = event.type === 'TaskStateEntered' ? event.id! : entryOf.get(event.previousEventId!);
    if (entry === undefined) continue;
    entryOf.set(event.id!, entry);
    entries.set(entry, [...(entries.get(entry) ?? []), event]);
  }
  const ended = /^Execution(?!Started|Redriven)/.test(ordered.at(-1)?.type ?? '');
  const open = [...entries.values()].filter((all) => !all.some(({ type }) => type === 'TaskStateExited'));
  return { execution: ended ? 'ended' : 'running', attempts: ended ? [] : open.map((all) => attemptIn(all, tools)) };
}

function attemptIn([entered, ...events]: HistoryEvent[], tools: ReadonlyMap<string, Tool>): RunAttempts['attempts'][0] {
  const { name = '', input = '{}' } = entered?.stateEnteredEventDetails ?? {};
  const failures = events.filter((event) => reasonIn(event) !== undefined);
  const last = failures.at(-1);
  const begun = events.findLast(({ type }) => type === 'TaskScheduled');
  const runs = begun !== undefined && begun.id! > (last?.id ?? 0);
  const callId = callIn(input);
  const retry = last && retryOf(name, reasonIn(last)!, tools);
  // Each retrier counts its own errors.
  const others = last && failures.filter((one) => retryOf(name, reasonIn(one)!, tools) !== retry).length;
  return {
    state: name,
    ...(callId && { callId }),
    attempt: failures.length + 1,
    ...(runs && { startedAt: begun.timestamp!.toISOString() }),
    ...(last && {
      failed: attemptFailed(
        {
          attempt: failures.length,
          error: wordsOf(reasonIn(last)!),
          ...(!runs && { retry }),
          throttled: others,
        },
        last.timestamp!,
      ),
    }),
  };
}

const reasonIn = (event: HistoryEvent): Reason | undefined =>
  event.taskFailedEventDetails ??
  event.taskTimedOutEventDetails ??
  event.taskStartFailedEventDetails ??
  event.taskSubmitFailedEventDetails;

function callIn(input: string): string | undefined {
  try {
    const { call } = JSON.parse(input) as { call?: { callId?: unknown } };
    return typeof call?.callId === 'string' ? call.callId : undefined;
  } catch {
    return undefined;
  }
}

/** The retriers of the Standard machine (`statemachines/retriers.ts`) have the same table. */
function retryOf(state: string, { error = '' }: Reason, tools: ReadonlyMap<string, Tool>): Retry {
  if (throttledErrors.includes(error)) return throttledRetry;
  const tool = tools.get(state.replace(/^Undo /, '').replace(/ \(parallel\)$/, ''));
  if (tool?.kind === 'function') return tool.retry;
  return modelRetries[error] ?? outageRetry;
}

/** The messages of Vigil's own errors are for people; what a runtime or a service says is named by its kind. */
function wordsOf({ error = 'an unknown error', cause = '' }: Reason): string {
  const name = clip(error.replace(/[^\w.]/g, ''), { characters: 80 });
  if (throttledErrors.includes(error)) return `AWS had no capacity for the function (${name}).`;
  if (/timed?.?out/i.test(error) || /timed out/i.test(cause)) return `The function did not answer in time (${name}).`;
  return `The function failed before it could say why (${name}).`;
}
