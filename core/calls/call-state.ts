import type { Effect, Tool } from '../agent/tool';
import type { Call, CallStatus } from '../state/schemas';

/**
 * Where a call is, and what is certain of it. `uncertain`: an attempt may have taken effect, and its outcome is lost. That
 * stays so, whatever later attempts say: only a result ends it.
 */
export interface CallState {
  status: CallStatus;
  attempts: number;
  uncertain?: true;
}

type NextState = Omit<CallState, 'attempts'>;

/**
 * - `claim`: an attempt begins.
 * - `complete`: an attempt, a delivery, an answer or a time has its result.
 * - `wait`: an attempt has begun something elsewhere, whose outcome is delivered.
 * - `fail`: the attempt surely had no effect, and the model is told why.
 * - `retry`: the attempt surely had no effect, and another one is made.
 * - `lose`: nobody knows whether the attempt took effect; another one is made where that is safe.
 * - `give-up`: no further attempt is made, or nothing was delivered in time.
 * - `cancel`: the run ends before the call.
 * - `undo`: it was compensated.
 */
export const callEvents = ['claim', 'complete', 'wait', 'fail', 'retry', 'lose', 'give-up', 'cancel', 'undo'] as const;
export type CallEvent = (typeof callEvents)[number];

/**
 * The state after an event; undefined where the event changes nothing any more, or comes too early. Pure, and the only place
 * that decides between `failed` or `cancelled`, which say that nothing happened, and `unknown`.
 *
 * @param effect of the tool.
 */
export function transition(state: CallState, event: CallEvent, effect: Effect): NextState | undefined {
  const { status, uncertain } = state;
  // Set or absent, as a row has it.
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
  }
}

/** Whether the call may have taken effect although it has no result: by an earlier attempt, at work, or begun elsewhere. */
export const mayHaveEffect = ({ status, attempts, uncertain }: CallState, effect: Effect): boolean =>
  uncertain === true || (!isHarmless(effect) && (status === 'running' || (status === 'waiting' && attempts > 0)));

/** What a tool does in the table is committed with the call's result, or not at all: an attempt that is lost has done nothing. */
const isHarmless = (effect: Effect): boolean => effect === 'read' || effect === 'table';

/** Of a tool that is not deployed any more the worst is assumed. What the loop itself does has no effect outside. */
export function effectOf(tools: ReadonlyMap<string, Tool>, { tool: name }: { tool: string }): Effect {
  const tool = tools.get(name);
  if (!tool) return 'idempotent';
  return tool.kind === 'function' ? tool.effect : 'read';
}

/** Another agent's work. It is undone by undoing what that agent did. */
export const isDelegation = ({ kind }: Pick<Call, 'kind'>): boolean => kind === 'delegate';
