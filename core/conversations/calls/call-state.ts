import type { ServerRound } from '../../base/state/isolated-call';
import type { Call, CallStatus } from '../../base/state/schemas';
import { clip } from '../../base/text/clip';
import type { Effect, FunctionTool, Tool } from '../agent/tool';
import type { StoredCall } from '../rows/rows';
import type { ClosedStatus } from './callback';
import { isFromOutside } from './wait-kinds';

/** The reason why a call waits or waited: a time, a person, work that its attempt has started outside, or another agent. */
type WaitsFor = 'time' | 'person' | 'outside' | 'agent';

/**
 * The state of a call. `uncertain`: an attempt may have taken effect, and its result is lost. Later attempts cannot clear the
 * mark; only a result can.
 */
export interface CallState {
  status: CallStatus;
  attempts: number;
  uncertain?: true;
  waitsFor?: WaitsFor;
  /** The call has begun at its server, which asks a question or works on it, and keeps what it has done. */
  paused?: true;
  /** The server works on the call as a task. An attempt asks how far it is, and makes no call. */
  isTask?: true;
}

/**
 * The state after an event.
 *
 * `callback`: what becomes of the callback that the call waits for, or is to wait for. `open`: it is created, in no list yet. `keep`: it
 * stays pending.
 */
export type NextState = Pick<CallState, 'status' | 'uncertain'> & { callback?: 'open' | 'keep' | ClosedStatus };

/**
 * - `claim`: an attempt begins.
 * - `complete`: the result arrives, from an attempt, a delivery or an answer, or because a wait is over.
 * - `wait`: an attempt has started work elsewhere, whose outcome will be delivered.
 * - `ask`: an attempt had no effect, because a person must approve it or answer a question first.
 * - `pause`: an attempt has stopped at a question of its server, which keeps what it has done. The next attempt continues it.
 * - `defer`: the server works on the call. The next attempt asks it how far it is.
 * - `approve`: a person has approved the call, or answered the question, so that it can be attempted.
 * - `fail`: the attempt had no effect, and the model reads why. Of a waiting call: a person or another agent has refused it.
 * - `retry`: the attempt had no effect, and another one follows.
 * - `lose`: the attempt may have taken effect. Another one follows if that is safe.
 * - `give-up`: the state machine makes no further attempt.
 * - `expire`: the wait is over without an outcome.
 * - `cancel`: the run ends before the call, or the user has withdrawn it.
 * - `undo`: the call was compensated.
 * - `restore`: the table was restored from a backup, so what the call has done since is lost.
 */
export const callEvents = [
  'claim',
  'complete',
  'wait',
  'ask',
  'pause',
  'defer',
  'approve',
  'fail',
  'retry',
  'lose',
  'give-up',
  'expire',
  'cancel',
  'undo',
  'restore',
] as const;
export type CallEvent = (typeof callEvents)[number];

/**
 * Returns the state after an event, or undefined if the event does not apply. This pure function alone decides between
 * `unknown` and `failed` or `cancelled`, which state that the call had no effect, and what becomes of the call's callback.
 *
 * @param effect the tool's effect.
 */
export function transition(state: CallState, event: CallEvent, effect: Effect): NextState | undefined {
  const { status, uncertain, waitsFor, isTask } = state;
  // Rows have `uncertain: true` or no such field.
  const lost = mayHaveEffect(state, effect) || undefined;
  const isRunning = status === 'running';
  const isWaiting = status === 'waiting';
  const isOpen = status === 'queued' || isRunning || isWaiting;
  const or = (certain: 'failed' | 'cancelled', callback?: ClosedStatus): NextState => ({
    status: lost ? 'unknown' : certain,
    uncertain: lost,
    callback,
  });
  switch (event) {
    case 'claim':
      // A paused call has begun, and its server says how it ends. To ask how far it is changes nothing.
      if (isTask && isOpen) return waitsFor === 'person' && isWaiting ? undefined : { status: 'running', uncertain };
      if (isRunning && effect === 'once') return { status: 'unknown', uncertain: true };
      return isRunning || status === 'queued'
        ? { status: 'running', uncertain: isRunning ? lost : uncertain }
        : undefined;
    case 'complete':
      return isOpen ? { status: 'completed', callback: 'answered' } : undefined;
    case 'wait':
      return isRunning && !isTask ? { status: 'waiting', uncertain, callback: 'keep' } : undefined;
    case 'ask':
      return isRunning && !isTask ? { status: 'waiting', uncertain, callback: 'open' } : undefined;
    case 'pause':
      return isRunning ? { status: 'waiting', uncertain, callback: 'open' } : undefined;
    case 'defer':
      return isRunning ? { status: 'waiting', uncertain, callback: isTask ? 'keep' : 'open' } : undefined;
    case 'approve':
      return isWaiting && waitsFor === 'person' ? { status: 'queued', uncertain, callback: 'answered' } : undefined;
    case 'fail':
      if (isWaiting && (waitsFor === 'person' || waitsFor === 'agent')) return or('failed', 'answered');
      return isRunning ? { status: uncertain ? 'unknown' : 'failed', uncertain } : undefined;
    case 'retry':
      return isRunning ? { status: 'queued', uncertain } : undefined;
    case 'lose':
      // To ask how far a task is loses nothing.
      if (!isRunning || isTask) return undefined;
      return { status: effect === 'once' ? 'unknown' : 'queued', uncertain: lost };
    case 'give-up':
      return status === 'queued' || isRunning ? or('failed') : undefined;
    case 'expire':
      return isWaiting && waitsFor !== 'time' ? or('failed', 'expired') : undefined;
    case 'cancel':
      return isOpen ? or('cancelled', 'cancelled') : undefined;
    case 'undo':
      // A sub-agent may have done something before it failed.
      return status === 'completed' || status === 'unknown' || (status === 'failed' && waitsFor === 'agent')
        ? { status: 'undone' }
        : undefined;
    case 'restore':
      if (isHarmless(effect) || isTask || (status !== 'queued' && !isRunning)) return undefined;
      return { status: effect === 'once' ? 'unknown' : status, uncertain: true };
  }
}

/** Whether a call without a result may have taken effect: in a lost or a running attempt, or elsewhere. */
export const mayHaveEffect = ({ status, uncertain, waitsFor, paused }: CallState, effect: Effect): boolean =>
  uncertain === true ||
  (!isHarmless(effect) &&
    (status === 'running' || paused === true || (status === 'waiting' && waitsFor === 'outside')));

/** A `table` effect commits with the call's result or not at all, so a lost attempt had no effect. */
const isHarmless = (effect: Effect): boolean => effect === 'read' || effect === 'table';

/** Returns the state of a stored call. */
export const stateOf = (call: StoredCall): CallState => {
  const { id, status, attempts, uncertain, kind, callbackId, until, round } = call;
  const asked = isFromOutside(id, callbackId) ? 'outside' : callbackId !== undefined ? 'person' : undefined;
  const waitsFor = kind === 'delegate' ? 'agent' : (asked ?? (until === undefined ? undefined : 'time'));
  const isTask = (round as ServerRound | undefined)?.task !== undefined;
  return {
    status,
    attempts,
    uncertain,
    waitsFor,
    ...(round !== undefined && { paused: true }),
    ...(isTask && { isTask }),
  };
};

/** The part of a tool on which a call's state depends, besides its row. */
export type CallTool = Pick<FunctionTool, 'effect'> & Partial<Pick<FunctionTool, 'verify'>>;

/** Stands for a tool that is not known: an attempt at it may have taken effect, and may be repeated. */
export const unknownTool: CallTool = { effect: 'idempotent' };

/** Returns a call's tool; the loop's own calls only read. */
export function toolOf(tools: ReadonlyMap<string, Tool>, { tool: name }: { tool: string }): CallTool {
  const tool = tools.get(name);
  if (!tool) return unknownTool;
  return tool.kind === 'function' ? tool : { effect: 'read' };
}

/** Whether the call is a task for another agent. It is undone by rolling back that agent's run. */
export const isDelegation = ({ kind }: Pick<Call, 'kind'>): boolean => kind === 'delegate';

/** Tells the model that a call may have taken effect, and how to check. */
export const unknownOutcome = ({ verify }: Pick<CallTool, 'verify'>): string =>
  `Whether it took effect is unknown: check ${verify ? `with ${verify.name} ` : ''}before you try again.`;

const argumentBytes = 500;

/** Names the work that a call started elsewhere. The date and arguments distinguish it from other calls of the same tool. */
export const startedBy = ({ tool, arguments: args, createdAt }: StoredCall): string =>
  `The work that ${tool} started on ${createdAt} with ${clip(JSON.stringify(args), { bytes: argumentBytes })}`;
