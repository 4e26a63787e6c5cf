import { type CallStatus, isSettled } from '../../base/state/schemas';
import { key } from '../rows/keys';
import type { StoredCall, StoredCallback, StoredDecision } from '../rows/rows';
import type { RowWrite, SetWrite } from '../store/write';
import {
  type CallEvent,
  type CallTool,
  type NextState,
  stateOf,
  transition,
  unknownOutcome,
  unknownTool,
} from './call-state';
import { closeCallback, passCallback, putCallback, taskCallbackId, webhookId } from './callback';

/** The data that an event brings besides the state. */
export interface CallChange {
  /** Needed where the event leaves open whether the call took effect. */
  tool?: CallTool;
  now: Date;
  /** The callback that the call waits for, as it was read; for `ask`, the one that it is to wait for. */
  callback?: StoredCallback;
  /** The part of the outcome that the callback's row keeps, as JSON. */
  outcome?: string;
  /** Of an approval: all that was decided. */
  decisions?: StoredDecision[];
  /** Whether the execution that waits for a cancelled callback is to be resumed. An answered one always is. */
  resumes?: boolean;
  /**
   * The reason why the call has no result. A text gets a sentence if the call may have taken effect. A function gets that sentence, or
   * undefined if the call certainly had no effect, and returns the whole text.
   */
  error?: string | ((unknown: string | undefined) => string);
  /** Fields of the call that its state does not decide. */
  set?: Omit<Partial<Record<keyof StoredCall, unknown>>, StateField>;
  remove?: Exclude<keyof StoredCall, StateField>[];
}
type StateField = 'id' | 'status' | 'uncertain' | 'completedAt' | 'undoneAt' | 'callbackId' | 'decider' | 'error';

export interface ChangedCall {
  status: CallStatus;
  own: SetWrite;
  callbacks: RowWrite[];
}

/**
 * Returns the writes by which an event changes a call and the callback that it waits for. Nothing else writes the status of a call. Both
 * writes fail if the call has changed since it was read.
 *
 * @returns undefined if the event changes nothing.
 * @throws Error if an event that does not end the call needs its callback, and it is not given.
 */
export function changeCall(call: StoredCall, event: CallEvent, change: CallChange): ChangedCall | undefined {
  const { tool = unknownTool, now, callback } = change;
  const state = stateOf(call);
  const next = transition(state, event, tool.effect);
  if (!next) return undefined;
  const { status, uncertain, callback: fate } = next;
  const closesTask = state.isTask && isSettled(status);
  const waitsForCallback =
    call.status === 'waiting' && state.waitsFor !== 'time' && !(state.isTask && state.waitsFor === 'outside');
  // What ends a call does not need a callback that is gone or cannot be read: it stays as it is.
  const needsCallback = fate === 'open' || (waitsForCallback && !endings.includes(event));
  if (!callback && needsCallback) throw new Error(`The event ${event} of the call ${call.id} needs its callback.`);
  const time = now.toISOString();
  const own: SetWrite = {
    sk: key.call(call.id),
    set: {
      ...change.set,
      status,
      uncertain,
      ...(isSettled(status) && { [event === 'undo' ? 'undoneAt' : 'completedAt']: time }),
      ...(fate === 'open' && { callbackId: callback!.id, decider: callback!.decider }),
      ...(fate === 'keep' && { callbackId: keptId(call, callback) }),
      error: errorText(change, status),
    },
    remove: [
      ...(change.remove ?? []),
      ...(call.uncertain && !uncertain ? ['uncertain'] : []),
      ...(call.round !== undefined && (isSettled(status) || event === 'wait') ? ['round'] : []),
      ...(status === 'completed' || status === 'waiting' ? ['error'] : []),
    ],
    onlyIf: { status: call.status, attempts: call.attempts, ttl: call.ttl ?? null },
  };
  const isItself = closesTask && callback?.id === taskCallbackId(call.id);
  const waited = isItself ? [] : callbackWrites(call, fate, change);
  return {
    status,
    own,
    callbacks: [...waited, ...(closesTask ? closeTask(call, event, now) : [])],
  };
}

const endings: readonly CallEvent[] = ['cancel', 'expire', 'fail'];

/**
 * A task whose call has ended is closed with it, whatever the call waits for at the moment. Its server is told, unless it has given the
 * outcome. The cancel of a run may have closed it before.
 */
function closeTask({ id: callId, status }: StoredCall, event: CallEvent, now: Date): RowWrite[] {
  const isOver = event === 'complete' || (event === 'fail' && status === 'running');
  const task = { id: taskCallbackId(callId), version: 0, kind: 'task' } as const;
  const [own, ...todos] = closeCallback(task, isOver ? 'answered' : 'cancelled', now, { resumes: false });
  return [{ ...own, onlyIf: { status: ['pending', 'answered', 'cancelled'] } }, ...todos];
}

function errorText({ error, tool = unknownTool }: CallChange, status: CallStatus): string | undefined {
  const unknown = status === 'unknown' ? unknownOutcome(tool) : undefined;
  if (typeof error === 'function') return error(unknown);
  return error === undefined || unknown === undefined ? error : `${error} ${unknown}`;
}

/** Says that a person or a message has ended a call before it was done, or perhaps after an earlier attempt. */
export const notDone =
  (why: string, then = '') =>
  (unknown: string | undefined): string =>
    `${why}${unknown ? `. ${unknown}` : ', so it was not done.'}${then && ` ${then}`}`;

/** Returns the id of the callback that stays open: of a task, or the webhook that the call has from its beginning. */
const keptId = (call: StoredCall, callback: StoredCallback | undefined): string => callback?.id ?? webhookId(call.id);

function callbackWrites(
  call: StoredCall,
  fate: NextState['callback'],
  { callback, now, outcome, decisions, resumes }: CallChange,
): RowWrite[] {
  // Fails if the run was cancelled while the tool still ran: no state waits then.
  if (fate === 'keep')
    return [
      {
        sk: key.callback(keptId(call, callback)),
        set: callback ? { lookAt: callback.lookAt, expiresAt: callback.expiresAt } : {},
        onlyIf: { status: 'pending' },
      },
    ];
  if (!callback || !fate) return [];
  // No list has it before the run waits for it: see `listEntryWrites`.
  if (fate === 'open') return [putCallback(callback)];
  return callback.status === 'pending' ? closeCallback(callback, fate, now, { outcome, decisions, resumes }) : [];
}

/**
 * Returns the writes of an approval after which others are still to decide. The call waits on, and names the decider of the step that is
 * due. Both writes fail if the call or the callback has changed since it was read.
 */
export const passOn = (call: StoredCall, callback: StoredCallback, passed: StoredCallback): RowWrite[] => [
  {
    sk: key.call(call.id),
    set: { decider: passed.decider },
    onlyIf: { status: call.status, attempts: call.attempts, ttl: call.ttl ?? null },
  },
  passCallback(callback, passed),
];

/** The writes of a change, the call's first. */
export const writesOf = ({ own, callbacks }: ChangedCall): [SetWrite, ...RowWrite[]] => [own, ...callbacks];
