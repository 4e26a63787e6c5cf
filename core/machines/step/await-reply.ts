import type { CancelReply, LoopOutput } from '../../base/state/loop-state';
import { ModelUnavailable, Superseded } from '../../base/text/errors';
import type { Background, ModelRequest } from '../../conversations/agent/model';
import { expectedUsage, priced } from '../../conversations/agent/prices';
import { readCallback } from '../../conversations/calls/callback';
import {
  cancelledReply,
  countCancelled,
  dropPending,
  keepPending,
  keepWaiting,
  longestReplySeconds,
  secondsToNextPoll,
} from '../../conversations/replies/pending-reply';
import type { Loop } from '../loop/advance';
import type { Stage, Step } from './step';

/** Drops a reply in the background to another request: the model has been replaced, or is asked for something else, since it began. */
export const background: Stage = {
  async enter({ loop, at, last, draft, request, summary }) {
    const { pending } = draft;
    const { maker } = loop.model.about(request.agent);
    if (!pending || (pending.maker === maker && Boolean(pending.isSummary) === Boolean(summary))) return undefined;
    await dropPending(loop.table, at, draft, { cancels: true, now: loop.now() });
    return { ...last, next: 'again' };
  },
};

/** Returns how a step's request follows a reply in the background: the one that has begun, or a new one, which is stored as soon as its id is known. */
export async function backgroundOf(
  { loop: { table, model, now }, at, draft, summary }: Step,
  { agent, items }: Pick<ModelRequest, 'agent' | 'items'>,
): Promise<Background> {
  const callback = draft.pending && (await readCallback(table, at.conversationId, draft.pending.callbackId));
  return {
    id: callback?.reply?.id,
    async begun({ provider, id, isTold }) {
      const { maker, model: name, price } = model.about(agent);
      const reply = {
        provider,
        id,
        maker,
        model: name,
        seq: draft.seq,
        expected: { ...priced(expectedUsage({ agent, items }), price), modelCalls: 1 },
        ...(summary && { isSummary: true as const }),
        ...(isTold && { isTold: true as const }),
      };
      if (!(await keepPending(table, at, draft, reply, now()))) throw superseded();
    },
  };
}

/**
 * Waits for a reply that the provider makes in the background: in the state AwaitCallback, until its webhook comes or it is to be asked
 * again. If the webhook has come too early, the state Sleep waits.
 *
 * @param isShown whether people have seen a part of the reply. Its rest follows at once.
 * @throws ModelUnavailable if the reply takes longer than a day.
 * @throws Superseded if another attempt has taken over the step.
 */
export async function awaitReply(step: Step, isShown = false): Promise<LoopOutput> {
  const { at, last, draft, meta } = step;
  const { table, now } = step.loop;
  const { seconds } = step.agent.limits;
  const kept = await keepWaiting(table, at, draft, isShown, now());
  if (!kept) throw superseded();
  const { since, callbackId } = kept.pending;
  if (now().getTime() - Date.parse(since) >= longestReplySeconds * 1_000) {
    await dropPending(table, at, draft, { cancels: true, now: now() });
    throw new ModelUnavailable('The provider has not completed the reply within a day.');
  }
  if (isShown) return { ...last, next: 'again' };
  const taken = (now().getTime() - Date.parse(meta.run!.startedAt)) / 1_000;
  const left = seconds === undefined ? Number.POSITIVE_INFINITY : Math.ceil(seconds - taken);
  const timeoutSeconds = Math.max(1, Math.min(left, secondsToNextPoll(kept.pending, now())));
  if (kept.isOpen) return { ...last, next: 'callback', call: { next: 'callback', callId: callbackId, timeoutSeconds } };
  const until = new Date(now().getTime() + timeoutSeconds * 1_000).toISOString();
  return { ...last, next: 'wait', call: { next: 'wait', callId: callbackId, until } };
}

/**
 * Tells the provider to stop a reply that nobody waits for any more, and counts what it has used.
 *
 * @throws what the provider answers. The usage is counted all the same.
 */
export async function cancelReply(
  { table, model, now }: Pick<Loop, 'table' | 'model' | 'now'>,
  { conversationId, callbackId }: CancelReply['cancelReply'],
): Promise<void> {
  const reply = await cancelledReply(table, conversationId, callbackId);
  if (!reply) return;
  const cancelled = await Promise.resolve(model.cancel?.(reply) ?? reply.expected).catch((error: Error) => error);
  const usage = cancelled instanceof Error ? reply.expected : cancelled;
  await countCancelled(table, conversationId, callbackId, reply, usage, now());
  if (cancelled instanceof Error) throw cancelled;
}

export const superseded = () => new Superseded('This step was cut off, or another attempt has taken over.');
