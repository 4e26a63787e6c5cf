import type { Call, Callback } from '../../../core/state/schemas';

/** What one tool call is doing, with what a card needs to say so. */
export type CallState =
  | { is: 'queued' }
  | { is: 'running'; attempt: number; atMost?: number }
  /** Until a time, or at the latest until then, for somebody else. */
  | { is: 'waiting'; until?: string; on: 'time' | 'outside' | 'agent' }
  | { is: 'approval'; callback: Callback }
  | { is: 'question'; callback: Callback }
  /** `notUndone`: its run was rolled back, and undoing it failed. */
  | { is: 'done'; tookMs?: number; notUndone: boolean }
  | { is: 'failed'; error?: string }
  | { is: 'unknown'; error?: string; notUndone: boolean }
  | { is: 'undone' }
  | { is: 'cancelled' };

export function callState(call: Call, callback: Callback | undefined): CallState {
  const notUndone = call.undoError !== undefined;
  switch (call.status) {
    case 'queued':
      return { is: 'queued' };
    case 'running':
      return { is: 'running', attempt: Math.max(1, call.attempts), atMost: call.attemptsAtMost };
    case 'waiting':
      return waitingState(call, callback);
    case 'completed':
      return { is: 'done', tookMs: tookMs(call), notUndone };
    case 'failed':
      return { is: 'failed', error: call.error };
    case 'unknown':
      return { is: 'unknown', error: call.error, notUndone };
    case 'undone':
      return { is: 'undone' };
    case 'cancelled':
      return { is: 'cancelled' };
  }
}

function waitingState({ until }: Call, callback: Callback | undefined): CallState {
  if (!callback) return { is: 'waiting', until, on: 'time' };
  // Answered or expired, and the call's own row is still to come.
  if (callback.status !== 'pending') return { is: 'queued' };
  switch (callback.kind) {
    case 'approval':
      return { is: 'approval', callback };
    case 'question':
      return { is: 'question', callback };
    case 'webhook':
      return { is: 'waiting', until: callback.expiresAt, on: 'outside' };
    case 'agent':
      return { is: 'waiting', until: callback.expiresAt, on: 'agent' };
  }
}

/** Only what ran: a call that waited for a person took as long as the person. */
function tookMs({ startedAt, completedAt, callbackId }: Call): number | undefined {
  if (!startedAt || !completedAt || callbackId) return undefined;
  return Date.parse(completedAt) - Date.parse(startedAt);
}

/** In this order an argument says what a call is about. */
const telling = ['query', 'url', 'at', 'message', 'question', 'task', 'to', 'text', 'reason', 'cron'];

/** The argument that matters, as a name and a value; nothing where there is none. */
export function mainArgument(input: unknown): { name: string; value: unknown } | undefined {
  if (typeof input !== 'object' || input === null) return input === undefined ? undefined : { name: '', value: input };
  const given = Object.entries(input).filter(([, value]) => value !== null && value !== '');
  const named = telling.flatMap((name) => given.filter(([field]) => field === name))[0] ?? given[0];
  return named && { name: named[0], value: named[1] };
}

const handOff = /^hand_off_to_(.+)$/;

/** The agent that a hand-off leads to, as it is called. */
export const handedTo = (tool: string): string | undefined => handOff.exec(tool)?.[1]?.replaceAll('_', '-');

/** What was decided, in words: the arguments that were approved are the call's. */
export function decisionWords({ kind, outcome }: Callback): unknown {
  if (outcome === undefined || kind === 'agent' || kind === 'webhook') return undefined;
  const { answer, approved, reason, arguments: edited } = outcome as Record<string, unknown>;
  if (approved === undefined) return answer;
  if (approved) return edited === undefined ? 'approved' : 'approved as edited';
  return reason ? `denied: ${reason}` : 'denied';
}

/** What ended the wait for somebody else. */
export function closedWords({ kind, status }: Pick<Callback, 'kind' | 'status'>): string {
  if (status === 'expired') return 'its time was over';
  if (status === 'cancelled') return 'given up';
  return { approval: 'decided', question: 'answered', webhook: 'delivered', agent: 'answered' }[kind];
}
