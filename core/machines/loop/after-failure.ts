import { isDeepStrictEqual } from 'node:util';
import {
  currentOutages,
  hopelessReason,
  isHopeless,
  type ModelFailure,
  type ModelOutage,
  type ModelWait,
  outageAfter,
  type PassedOver,
} from '../../base/models/model-outage';
import { takesOf } from '../../base/models/models';
import { modelsOf } from '../../base/models/provider';
import { withFailed } from '../../base/state/failed-attempts';
import type { LoopOutput } from '../../base/state/loop-state';
import { ModelRejected, type ModelThrottled, type TooLong } from '../../base/text/errors';
import { failureWords } from '../../base/text/failure-words';
import type { Instructed } from '../../conversations/agent/agent';
import { chooseModel, type ModelDecision } from '../../conversations/decisions/choose-model';
import { eventsOfStep } from '../../conversations/decisions/route';
import { learnedWindow, summaryRequest, windowsOf } from '../../conversations/decisions/summary';
import { inReadingOrder } from '../../conversations/decisions/transcript';
import { key } from '../../conversations/rows/keys';
import type { Meta, StoredRun } from '../../conversations/rows/meta';
import { limitRun } from '../../conversations/runs/run';
import { changeConversation } from '../../conversations/store/change-conversation';
import { write } from '../../conversations/store/table';
import type { DueStep, Step } from '../step/step';

/**
 * Decides what follows a failed model call. People see the failure while the step is repeated.
 *
 * - The model does not answer: the next one is asked, or the execution waits until one may be asked. Nothing asks a model of this
 *   conversation sooner, whatever happens meanwhile.
 * - The request was too long: its size becomes known, and the step is made again with a summary.
 *
 * @returns what the loop does next.
 * @throws the error, if it decides. ModelRejected if there is nothing left to wait for.
 */
export async function afterFailure(step: Step, error: Error): Promise<LoopOutput> {
  const { loop, last, draft, meta, request, declared, summary } = step;
  if (error.name === 'Superseded') throw error;
  const failure = failureOf(error, loop.deadline.aborted);
  if (!failure) {
    await noteFailed(step, error);
    return askShorter(step, error);
  }
  const now = loop.now();
  const { maker, model } = loop.model.about(request.agent);
  const choices = summary ? declared.summaryModel : declared.model;
  const known = currentOutages(meta.run?.outages, now);
  const outages = { ...known, [maker]: outageAfter(known[maker], failure, { now, random: Math.random() }) };
  const models = modelsOf(choices).map((model) => loop.model.about({ ...declared, model }));
  const all = models.map(({ maker, model }) => ({ ...outages[maker], model }));
  const isHopelessNow = all.every((one) => one.since !== undefined && isHopeless(one as ModelOutage));
  const chosen = chooseModel(choices, declared, { outages, about: loop.model.about, now });
  const wait = !isHopelessNow && chosen.kind === 'wait' ? chosen.wait : undefined;
  await noteFailed(step, error, isHopelessNow ? undefined : (wait?.nextAt ?? now.toISOString()));
  const isOurs = await changeRun(step, (current, run) => ({ ...current, run: { ...run, outages, modelWait: wait } }));
  if (!isOurs) throw error;
  if (isHopelessNow) throw hopeless(all as (ModelOutage & { model: string })[], error);
  loop.failed?.(error, { agent: declared.name, model, attempt: draft.attempt });
  return wait ? pauseUntil(step, meta, wait) : { ...last, next: 'again' };
}

/** Returns what an error says about the model; undefined if it says nothing: it is about the request, or not the model's. */
function failureOf(error: Error, isOutOfTime: boolean): ModelFailure | undefined {
  const { name } = error;
  const { notBefore, isLasting = false } = error as Partial<ModelThrottled>;
  const failure = { reason: failureWords(error), notBefore, isLasting };
  if (name === 'ModelUnreadable') return { ...failure, isRefusal: false, isPaid: true };
  if (name === 'ModelThrottled' || name === 'ModelUnavailable')
    return { ...failure, isRefusal: false, isPaid: isOutOfTime };
  return isLasting ? { ...failure, isRefusal: true, isPaid: false } : undefined;
}

function hopeless(models: readonly (ModelOutage & { model: string })[], cause: Error): Error {
  const reason = hopelessReason(models);
  return reason === cause.message ? cause : new ModelRejected(reason, { cause });
}

/** The agent with the models that a step may ask now, and those that it would ask before them. */
export interface ModelsNow {
  agent: Instructed;
  insteadOf: Record<'model' | 'summaryModel', PassedOver[]>;
}

/**
 * Chooses the models of a step.
 *
 * @returns what the loop does instead, if the step has to wait for one of them.
 */
export async function modelsNow(due: DueStep, meta: Meta): Promise<ModelsNow | LoopOutput> {
  const { loop, declared } = due;
  const pending = pendingModel(due, meta);
  if (pending) return pending;
  const asking = { outages: meta.run?.outages, about: loop.model.about, now: loop.now() };
  const model = chooseModel(declared.model, declared, asking);
  const summaryModel = chooseModel(declared.summaryModel, declared, asking);
  const waits = [model, summaryModel].flatMap((one) => (one.kind === 'wait' ? [one.wait] : []));
  // Scheduled calls are made without a model.
  const isScheduled = Boolean((meta.run?.draft ?? meta).scheduled?.length);
  if (waits.length > 0 && !isScheduled) {
    const [longest] = waits.toSorted((a, b) => (a.nextAt < b.nextAt ? 1 : -1)) as [ModelWait];
    await showWait(due, longest);
    return pauseUntil(due, meta, longest);
  }
  const chosen = (one: ModelDecision) => (one.kind === 'ask' ? one : undefined);
  return {
    agent: {
      ...declared,
      model: chosen(model)?.model ?? declared.model,
      summaryModel: chosen(summaryModel)?.model ?? declared.summaryModel,
    },
    insteadOf: { model: chosen(model)?.insteadOf ?? [], summaryModel: chosen(summaryModel)?.insteadOf ?? [] },
  };
}

/** Returns the model that makes a reply in the background. It alone can be asked for that reply. */
function pendingModel({ loop, declared }: DueStep, { run }: Meta): ModelsNow | undefined {
  const { about } = loop.model;
  const { pending } = run?.draft ?? {};
  if (!pending) return undefined;
  const which = pending.isSummary ? 'summaryModel' : 'model';
  const models = modelsOf(declared[which]).map((model) => ({ choice: model, ...about({ ...declared, model }) }));
  const index = models.findIndex(({ maker }) => maker === pending.maker);
  const found = models[index];
  if (!found) return undefined;
  const passedOver = models.slice(0, index).flatMap(({ maker, model }): PassedOver[] => {
    const { since, reason } = run?.outages?.[maker] ?? {};
    return since && reason ? [{ model, since, reason }] : [];
  });
  return {
    agent: { ...declared, [which]: found.choice },
    insteadOf: { model: [], summaryModel: [], [which]: passedOver },
  };
}

/** Another run of the conversation may have met the outage: people see that this one waits, too. */
const showWait = ({ loop, last: { conversationId, runId, segment } }: DueStep, wait: ModelWait): Promise<void> =>
  changeConversation<void>(loop.table, conversationId, (meta) => {
    const { run } = meta;
    const isShown = isDeepStrictEqual(run?.modelWait, wait);
    if (isShown || run?.id !== runId || run.segment !== segment || run.status !== 'running')
      return { answer: undefined };
    return { meta: { ...meta, run: { ...run, modelWait: wait } }, answer: undefined };
  });

/** The state Sleep waits, unless the run may not take so long. */
function pauseUntil({ loop, last, declared }: DueStep, meta: Meta, wait: ModelWait): LoopOutput | Promise<LoopOutput> {
  const { model, nextAt: until, reason: failure } = wait;
  const { seconds } = declared.limits;
  const ends = seconds === undefined ? undefined : Date.parse(meta.run!.startedAt) + seconds * 1_000;
  if (ends === undefined || Date.parse(until) <= ends)
    return { ...last, next: 'wait', call: { next: 'wait', callId: 'model', until } };
  const reason = `${failure} The model ${model} is asked again at ${until}, and this run may take ${seconds} seconds. Retry it then.`;
  return limitRun(loop.table, last, { reason, evenUnread: true }, loop.now());
}

/** Below this, no conversation is left. */
const leastTokens = 250;

/** Stores what the server has taught about the size of requests. @throws the error, if none would be shorter. */
async function askShorter(step: Step, error: Error & { tooLong?: TooLong }): Promise<LoopOutput> {
  const { loop, last, draft, meta, log, agent, request, summary } = step;
  if (!error.tooLong) throw error;
  const { model } = loop.model.about(request.agent);
  const tokens = learnedWindow(request.items, error.tooLong, takesOf(request.agent.model));
  if (tokens < leastTokens) throw error;
  const windows = { ...meta.windows, [model]: tokens };
  if (!(await changeRun(step, (current) => ({ ...current, windows })))) throw error;
  const before = inReadingOrder(log.messages).findLast(({ seq }) => seq < draft.seq);
  // A summary has just been made, and did not help.
  const isSummarised = before?.covers !== undefined && before.status === 'complete';
  if (!summary && isSummarised) throw error;
  if (!summaryRequest(agent, log, { before: draft.seq, ...windowsOf(loop.model, agent, windows) })) throw error;
  return { ...last, next: 'again' };
}

/** Changes META unless another attempt has taken over. The execution's history grows by another round of the loop. */
const changeRun = ({ loop, at, draft }: Step, change: (meta: Meta, run: StoredRun) => Meta): Promise<boolean> =>
  changeConversation<boolean>(loop.table, at.conversationId, (meta) => {
    const { run } = meta;
    if (run?.draft?.writer !== draft.writer) return { answer: false };
    return { meta: change(meta, { ...run, segmentEvents: run.segmentEvents + eventsOfStep([], []) }), answer: true };
  });

/** Stores why an attempt failed with its message, unless another attempt has taken over. If that fails, the attempt has failed all the same. */
export async function noteFailed(
  { loop: { table, now }, at, draft, own, startedAt }: Pick<Step, 'loop' | 'at' | 'draft' | 'own' | 'startedAt'>,
  error: Error,
  retryBy?: string,
): Promise<void> {
  const { seq, writer, attempt } = draft;
  const times = { startedAt: startedAt.toISOString(), endedAt: now().toISOString() };
  const failed = { attempt, ...times, error: failureWords(error), retryBy };
  const set = { failedAttempts: withFailed(own.failedAttempts, failed) };
  await write(table, at.conversationId, [{ sk: key.message(seq), set, onlyIf: { writer } }]).catch(() => undefined);
}
