import type { Conversation } from 'vigil-client';
import type { Call, Callback, Run } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import { handedTo } from './call-state';

/**
 * The places of a run in the picture of the loop. `tool` stands for the states of all tools, `End` for Done and the
 * other ways to end.
 */
const places = ['CallModel', 'Route', 'tool', 'Sleep', 'AwaitCallback', 'RunTools', 'End'] as const;
export type Place = (typeof places)[number];

export interface MachinePlaces {
  /** The current place. */
  lit: Place;
  /** The visited places. */
  visited: ReadonlySet<Place>;
  /** The label of the tool's place: the current tool, or the last one. */
  tool: string;
  /** The end that the run reaches, or has reached. */
  end: 'Done' | 'Failed' | 'Stopped' | 'Undo';
}

/** Returns the place of a run in the state machine and the places that it has visited, or undefined without a run. */
export function machinePlaces({
  run,
  calls,
  callbacks,
}: Pick<Conversation, 'run' | 'calls' | 'callbacks'>): MachinePlaces | undefined {
  if (!run) return undefined;
  const steps = stepsOf(calls.filter(({ runId }) => runId === run.id));
  const gone = steps.map(placeOf);
  const visited = new Set<Place>(['CallModel', 'Route', ...gone.flat()]);
  const last = steps.at(-1) ?? [];
  const lit = placeOfModelWait(run, callbacks) ?? litPlace(run.status, last);
  // A run that failed in its first CallModel has not reached Route.
  if (steps.length === 0 && (lit === 'CallModel' || run.status === 'failed')) visited.delete('Route');
  visited.add(lit);
  const tools = steps.filter((step) => placeOf(step).includes('tool')).at(-1);
  const end = ends[run.status] ?? 'Done';
  return { lit, visited, tool: tools?.find(isWork)?.tool ?? t('a tool'), end };
}

/** Where a running run waits for its model, if it does: for a reply in the background, or while the model does not answer. */
function placeOfModelWait(run: Run, callbacks: readonly Callback[]): Place | undefined {
  if (run.status !== 'running') return undefined;
  if (backgroundReply(callbacks, run.id)) return 'AwaitCallback';
  return run.modelWait && 'Sleep';
}

/** Returns the callback of the reply that the run's provider is making in the background. */
export const backgroundReply = (callbacks: readonly Callback[], runId: string): Callback | undefined =>
  callbacks.find((one) => one.kind === 'model' && one.status === 'pending' && one.runId === runId);

const ends: Partial<Record<Run['status'], MachinePlaces['end']>> = {
  failed: 'Failed',
  cancelled: 'Stopped',
  cancelling: 'Undo',
};

function litPlace(status: Run['status'], last: readonly Call[]): Place {
  switch (status) {
    case 'running':
      return last.some(isRunning) ? (last.filter(isWork).length > 1 ? 'RunTools' : 'tool') : 'CallModel';
    case 'sleeping':
      return 'Sleep';
    case 'waiting':
      // Several calls of one reply wait, and are retried, inside the Map.
      return last.filter(isWork).length > 1 ? 'RunTools' : 'AwaitCallback';
    default:
      return 'End';
  }
}

/** Returns the calls grouped by step, in order. */
function stepsOf(calls: readonly Call[]): Call[][] {
  const steps = new Map<number, Call[]>();
  for (const call of [...calls].sort((a, b) => a.step - b.step || a.index - b.index))
    steps.set(call.step, [...(steps.get(call.step) ?? []), call]);
  return [...steps.values()];
}

/** Returns the states that the calls of a step lead to. */
function placeOf(step: readonly Call[]): Place[] {
  const work = step.filter(isWork);
  const slept: Place[] = step.some(isWait) ? ['Sleep'] : [];
  if (work.length > 1) return ['RunTools', ...slept];
  const [one] = work;
  if (!one) return slept;
  const ran = one.attempts > 0 || !one.callbackId;
  return [...(one.callbackId ? (['AwaitCallback'] as const) : []), ...(ran ? (['tool'] as const) : []), ...slept];
}

/** A hand-off has no state of its own, and a wait is in Sleep. */
const isWork = (call: Call): boolean => !isWait(call) && handedTo(call.tool) === undefined;
const isWait = ({ until, callbackId }: Call): boolean => until !== undefined && callbackId === undefined;
const isRunning = (call: Call): boolean => isWork(call) && (call.status === 'queued' || call.status === 'running');
