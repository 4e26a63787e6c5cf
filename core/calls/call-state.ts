import type { Effect, Tool } from '../agent/tool';
import type { Call, CallStatus } from '../state/schemas';

/**
 * The state of a call. `uncertain`: an attempt may have taken effect, and its result is lost. Later attempts cannot clear the
 * mark; only a result can.
 */
export interface CallState {
  status: CallStatus;
  attempts: number;
  uncertain?: true;
}

type NextState = Omit<CallState, 'attempts'>;

/**
 * - `claim`: an attempt begins.
 * - `complete`: the result arrives, from an attempt, a delivery or an answer, or because a wait is over.
 * - `wait`: an attempt has started work elsewhere, whose outcome will be delivered.
 * - `fail`: the attempt had no effect, and the model reads why.
 * - `retry`: the attempt had no effect, and another one follows.
 * - `lose`: the attempt may have taken effect. Another one follows if that is safe.
 * - `give-up`: no attempt is left, or nothing was delivered in time.
 * - `cancel`: the run ends before the call.
 * - `undo`: the call was compensated.
 * - `restore`: the table was restored from a backup, so what the call has done since is lost.
 */
export const callEvents = [
  'claim',
  'complete',
  'wait',
  'fail',
  'retry',
  'lose',
  'give-up',
  'cancel',
  'undo',
  'restore',
] as const;
export type CallEvent = (typeof callEvents)[number];

/**
 * Returns the state after an event, or undefined if the event does not apply. This pure function alone decides between
 * `unknown` and `failed` or `cancelled`, which state that the call had no effect.
 *
 * @param effect the tool's effect.
 */
export function transition(state: CallState, event: CallEvent, effect: Effect): NextState | undefined {
  const { status, uncertain } = state;
  // Rows have `uncertain: true` or no such field.
  const lost = mayHaveEffect(state, effect) || undefined;
  const isRunning = status === 'running';
  const isOpen = status === 'queued' || isRunning || status === 'waiting';
  const or = (certain: 'failed' | 'cancelled'): NextState => ({ status: lost ? 'unknown' : certain, uncertain: lost });
  switch (event) {
    case 'claim':
      if (isRunning && effect === 'once') return { status: 'unknown', uncertain: true };
      return isRunning || status === 'queued' ? { status: 'running', uncertain: lost } : undefined;
    case 'complete':
      return isOpen ? { status: 'completed' } : undefined;
    case 'wait':
      return isRunning ? { status: 'waiting', uncertain } : undefined;
    case 'fail':
      return isRunning ? { status: uncertain ? 'unknown' : 'failed', uncertain } : undefined;
    case 'retry':
      return isRunning ? { status: 'queued', uncertain } : undefined;
    case 'lose':
      if (!isRunning) return undefined;
      return { status: effect === 'once' ? 'unknown' : 'queued', uncertain: lost };
    case 'give-up':
      return isOpen ? or('failed') : undefined;
    case 'cancel':
      return isOpen ? or('cancelled') : undefined;
    case 'undo':
      return status === 'completed' || status === 'unknown' ? { status: 'undone' } : undefined;
    case 'restore':
      if (isHarmless(effect) || (status !== 'queued' && !isRunning)) return undefined;
      return { status: effect === 'once' ? 'unknown' : status, uncertain: true };
  }
}

/** Whether a call without a result may have taken effect: in a lost or a running attempt, or elsewhere. */
export const mayHaveEffect = ({ status, attempts, uncertain }: CallState, effect: Effect): boolean =>
  uncertain === true || (!isHarmless(effect) && (status === 'running' || (status === 'waiting' && attempts > 0)));

/** A `table` effect commits with the call's result or not at all, so a lost attempt had no effect. */
const isHarmless = (effect: Effect): boolean => effect === 'read' || effect === 'table';

/** Returns the effect of a call's tool. A tool that is no longer deployed counts as `idempotent`; the loop's own calls as `read`. */
export function effectOf(tools: ReadonlyMap<string, Tool>, { tool: name }: { tool: string }): Effect {
  const tool = tools.get(name);
  if (!tool) return 'idempotent';
  return tool.kind === 'function' ? tool.effect : 'read';
}

/** Whether the call is a task for another agent. It is undone by rolling back that agent's run. */
export const isDelegation = ({ kind }: Pick<Call, 'kind'>): boolean => kind === 'delegate';
