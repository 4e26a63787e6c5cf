import type { Callback, Timer } from 'vigil-client';
import { asksFor, type Call, type FailedAttempt, isForPeople } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import type { People } from '../members/who';
import { personTool } from '../words/words';
import { deciderWords, hasApprovers, type Me, mayDecide } from './deciders';
import { waitKindOf } from './wait-kinds';

/** The state of a tool call, with what its card shows. */
export type CallState =
  | { is: 'queued' }
  | { is: 'running'; attempt: number; atMost?: number; failed?: FailedAttempt }
  /** The last attempt failed. Another one follows, unless `failed` says none. */
  | { is: 'retrying'; attempt: number; atMost?: number; failed: FailedAttempt }
  /** Waits until a time, or for another party until that time at the latest. `who`: the approvers. */
  | { is: 'waiting'; until?: string; on: 'time' | 'outside' | 'agent' }
  | { is: 'waiting'; until: string; on: 'approvers' | 'owner'; who: string }
  | { is: 'waiting'; until: string; on: 'people' }
  /** Somebody of a group takes the conversation over, or has. `byMe`: the reader has. */
  | { is: 'waiting'; until: string; on: 'person'; callback: Callback; byMe: boolean }
  | { is: 'approval'; callback: Callback }
  | { is: 'question'; callback: Callback }
  /** `notUndone`: the run was rolled back, and undoing this call failed. */
  | { is: 'done'; tookMs?: number; notUndone: boolean }
  /** It has created a timer, which is active or paused. */
  | { is: 'timed'; timer: Timer }
  /** A message ended the wait before its time. */
  | { is: 'interrupted' }
  | { is: 'failed'; error?: string }
  /** A person did not approve it. `by`: the user; absent in old rows. */
  | { is: 'denied'; by?: string; byMe: boolean }
  | { is: 'unknown'; error?: string; notUndone: boolean }
  | { is: 'undone' }
  | { is: 'cancelled' };

/** Returns the state as this user sees it: an approval that others decide is a wait, and a denial may be one's own. */
export function seenBy(me: Me, state: CallState, now: number, people?: Pick<People, 'role' | 'owner'>): CallState {
  if (state.is === 'denied') return { ...state, byMe: state.by === me.user };
  if (state.is === 'waiting' && state.on === 'person')
    return { ...state, byMe: state.callback.assigned?.to === me.user };
  if (state.is !== 'approval' && state.is !== 'question') return state;
  const { role = 'owner', owner } = people ?? {};
  const until = state.callback.expiresAt;
  // Members answer the questions to the owner.
  if (state.is === 'question') return role === 'watcher' ? { is: 'waiting', until, on: 'people' } : state;
  if (mayDecide(state.callback, me, role === 'owner', now)) return state;
  if (owner && role !== 'owner' && !hasApprovers(state.callback, now))
    return { is: 'waiting', until, on: 'owner', who: owner.name };
  return {
    is: 'waiting',
    until: state.callback.expiresAt,
    on: 'approvers',
    who: deciderWords(state.callback, now, role === 'owner' ? undefined : owner?.name),
  };
}

export function callState(call: Call, callback?: Callback, timer?: Timer): CallState {
  const notUndone = call.undoError !== undefined;
  switch (call.status) {
    case 'queued':
      return retryingState(call) ?? { is: 'queued' };
    case 'running':
      return {
        is: 'running',
        attempt: Math.max(1, call.attempts),
        atMost: call.attemptsAtMost,
        failed: call.failedAttempts?.at(-1),
      };
    case 'waiting':
      return waitingState(call, callback);
    case 'completed':
      if (timer?.status === 'active' || timer?.status === 'paused') return { is: 'timed', timer };
      if (isInterrupted(call)) return { is: 'interrupted' };
      return { is: 'done', tookMs: tookMs(call), notUndone };
    case 'failed':
      return denialIn(callback) ?? { is: 'failed', error: call.error };
    case 'unknown':
      return { is: 'unknown', error: call.error, notUndone };
    case 'undone':
      return { is: 'undone' };
    case 'cancelled':
      return { is: 'cancelled' };
  }
}

const isInterrupted = ({ kind, until, completedAt }: Call): boolean =>
  kind === 'wait' && until !== undefined && completedAt !== undefined && Date.parse(completedAt) < Date.parse(until);

function retryingState({ attempts, attemptsAtMost: atMost, failedAttempts }: Call): CallState | undefined {
  const failed = failedAttempts?.at(-1);
  // An approval or a new segment may have queued it since.
  if (failed?.attempt !== attempts) return undefined;
  return { is: 'retrying', attempt: failed.retryBy ? attempts + 1 : attempts, atMost, failed };
}

function denialIn(callback: Callback | undefined): CallState | undefined {
  if (!callback || !asksFor(callback.kind, 'decision') || callback.status !== 'answered') return undefined;
  const { approved, by } = callback.outcome as { approved?: boolean; by?: string };
  return approved === false ? { is: 'denied', by, byMe: false } : undefined;
}

function waitingState({ until }: Call, callback: Callback | undefined): CallState {
  if (!callback) return { is: 'waiting', until, on: 'time' };
  // The callback is answered or expired, and the update of the call's row has not arrived yet.
  return callback.status === 'pending' ? waitKindOf(callback).callState(callback) : { is: 'queued' };
}

/** The duration of the call's execution only: a call with a callback mostly waited for someone else. */
function tookMs({ startedAt, completedAt, callbackId }: Call): number | undefined {
  if (!startedAt || !completedAt || callbackId) return undefined;
  return Date.parse(completedAt) - Date.parse(startedAt);
}

/** The arguments that describe a call best, in order of preference. */
const telling = ['query', 'url', 'at', 'message', 'question', 'task', 'to', 'text', 'reason', 'cron'];

/** Returns the main argument as a name and a value, or undefined if there is none. */
export function mainArgument(input: unknown): { name: string; value: unknown } | undefined {
  if (typeof input !== 'object' || input === null) return input === undefined ? undefined : { name: '', value: input };
  const given = Object.entries(input).filter(([, value]) => value !== null && value !== '');
  const named = telling.flatMap((name) => given.filter(([field]) => field === name))[0] ?? given[0];
  return named && { name: named[0], value: named[1] };
}

const handOff = /^hand_off_to_(.+)$/;

/** Returns the name of the agent that a hand-off leads to. One to a person leads to none. */
export const handedTo = (tool: string): string | undefined =>
  tool === personTool ? undefined : handOff.exec(tool)?.[1]?.replaceAll('_', '-');

/** Returns the decision in words. Approved arguments are shown as the call's own. */
export function decisionWords({ kind, outcome }: Callback): unknown {
  if (outcome === undefined || !isForPeople(kind)) return undefined;
  const { answer, approved, reason, arguments: edited } = outcome as Record<string, unknown>;
  if (approved === undefined) return answer;
  if (approved) return edited === undefined ? t('approved') : t('approved as edited');
  return reason ? t('denied: {reason}', { reason: String(reason) }) : t('denied');
}

/** Returns what ended the wait. */
export function closedWords({ kind, status }: Pick<Callback, 'kind' | 'status'>): string {
  if (status === 'expired') return t('expired');
  return status === 'cancelled' ? t('cancelled') : waitKindOf({ kind }).closed();
}
