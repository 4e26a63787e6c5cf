import { isSettled } from '../../base/state/schemas';
import type { Decision } from './decide';

/** Keeps the first delegations of a reply, as far as a limit allows, and fails the others with the reason. */
export function withDelegations(decision: Decision, most: number, why: string, now: Date): Decision {
  const refused = new Set(decision.children.slice(Math.max(0, most)).map(({ callbackId }) => callbackId));
  if (refused.size === 0) return decision;
  const completedAt = now.toISOString();
  const calls = decision.calls.map((call) =>
    call.callbackId !== undefined && refused.has(call.callbackId)
      ? { ...call, status: 'failed' as const, error: `Not done: ${why}`, callbackId: undefined, completedAt }
      : call,
  );
  const isOver = decision.kind === 'call' && calls.every(({ status }) => isSettled(status));
  return {
    ...decision,
    calls,
    kind: isOver ? 'again' : decision.kind,
    callbacks: decision.callbacks.filter(({ id }) => !refused.has(id)),
    children: decision.children.filter(({ callbackId }) => !refused.has(callbackId)),
  };
}
