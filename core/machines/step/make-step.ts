// core/machines/step: one step of a run: what is asked of a model, and what becomes of its reply.

import type { LoopOutput } from '../../base/state/loop-state';
import { noUsage } from '../../base/state/schemas';
import type { ReplyPending } from '../../base/text/errors';
import { dropPending } from '../../conversations/replies/pending-reply';
import { afterFailure } from '../loop/after-failure';
import { askModel, isOfModel } from './ask-model';
import { awaitReply, background } from './await-reply';
import { budget } from './budget';
import { commitWithRoom, type Decided } from './commit-with-room';
import { decisionOf, scheduledReply, summary } from './decision';
import { files } from './files';
import { guards } from './guarded';
import { countLost } from './lost-reply';
import { recall } from './recall';
import { begunStep, type DueStep, isScheduled, type Stage, type Step } from './step';

/** What belongs to a step besides the model's reply. The stages come in this order, before the reply and after it. */
const stages: readonly Stage[] = [
  // A reply in the background that answers another request is dropped.
  background,
  // The user's budget has room, which is reserved.
  budget,
  // A summary is no reply, and ends the step.
  summary,
  // A refused message is not answered. What is refused of a reply is neither said nor done.
  guards,
  // What the user has said in other conversations goes with the request.
  recall,
  // The store answers before a model is paid whose files it shall keep.
  files,
];

/** Makes one step: reserves its place in the log, gets the model's reply, and commits it with its calls. */
export async function makeStep(due: DueStep): Promise<LoopOutput> {
  const step = await begunStep(due);
  if ('next' in step) return step;
  for (const { enter } of stages) {
    const next = await enter?.(step);
    if (next) return next;
  }
  step.startedAt = step.loop.now();
  const decided = await makeDecision(step).catch((error) => afterError(step, error));
  if ('next' in decided) return decided;
  const committed = await commitWithRoom(step, decided);
  if (committed.kind !== 'fenced') return committed.next;
  await countLost(step, 'stopped', decided.usage);
  return { ...step.last, next: 'done' };
}

/** Decides what follows: by what a stage says or else, after the agent's review of it, by the model's reply. */
async function makeDecision(step: Step): Promise<Decided> {
  for (const { before } of stages) {
    const decision = await before?.(step);
    if (decision) return { decision, usage: noUsage };
  }
  const received = isScheduled(step) ? scheduledReply(step) : await askModel(step);
  const { usage } = received;
  // A summary that cannot be used is the model's failure, and billed like a reply.
  const lost = async (error: Error): Promise<never> => {
    await countLost(step, isOfModel(error) ? 'failed' : 'lost', usage);
    throw error;
  };
  for (const { after } of stages) {
    const decision = await after?.(step, received).catch(lost);
    if (decision) return { decision, usage };
  }
  return { decision: await decisionOf(step, received).catch(lost), usage };
}

/** @returns what the loop does when a step has failed. @throws the error, if that decides. */
async function afterError(step: Step, error: Error): Promise<LoopOutput> {
  if (error.name === 'ReplyPending')
    return awaitReply(step, (error as ReplyPending).isShown).catch((late: Error) => afterError(step, late));
  const { loop, at, draft } = step;
  if (isOfModel(error)) await dropPending(loop.table, at, draft, { cancels: false, now: loop.now() });
  return afterFailure(step, error);
}
