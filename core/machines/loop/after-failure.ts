import { attemptFailed, modelRetries, modelRetry, retryBy, withFailed } from '../../base/state/failed-attempts';
import type { LoopOutput, SegmentInput } from '../../base/state/loop-state';
import { ModelRejected, type ModelThrottled } from '../../base/text/errors';
import { failureWords } from '../../base/text/failure-words';
import type { Instructed } from '../../conversations/agent/agent';
import type { ModelRequest } from '../../conversations/agent/model';
import { eventsOfStep } from '../../conversations/decisions/route';
import { learnedWindow, type SummaryRequest, summaryRequest, windowsOf } from '../../conversations/decisions/summary';
import { inReadingOrder } from '../../conversations/decisions/transcript';
import { key } from '../../conversations/rows/keys';
import type { Draft, Meta, StoredRun } from '../../conversations/rows/meta';
import type { StoredMessage } from '../../conversations/rows/rows';
import type { Log } from '../../conversations/runs/log';
import { limitRun } from '../../conversations/runs/run';
import { changeConversation } from '../../conversations/store/change-conversation';
import { write } from '../../conversations/store/table';
import type { Loop } from './advance';

/** A step whose model call has failed. */
interface FailedStep {
  draft: Draft;
  meta: Meta;
  log: Log;
  /** The step's message, as it was when the step began. */
  own: StoredMessage;
  agent: Instructed;
  request: Pick<ModelRequest, 'agent' | 'items'>;
  summary?: SummaryRequest;
  startedAt: Date;
}

/** A run does not wait longer for a server. */
const longestPauseMs = 86_400_000;

/**
 * Decides what follows a failed model call. People see the failure while the step is repeated.
 *
 * - The server has asked for a pause: the execution waits, and nothing asks this conversation's model before, whatever happens meanwhile.
 * - The request was too long: its size becomes known, and the step is made again with a summary.
 *
 * @returns what the loop does next; undefined if the error decides.
 * @throws ModelRejected if the server has asked for a pause too often, or for too long.
 */
export async function afterFailure(
  loop: Loop,
  at: SegmentInput,
  last: SegmentInput,
  step: FailedStep,
  error: Error,
): Promise<LoopOutput | undefined> {
  if (error.name === 'Superseded') return undefined;
  const { attempt } = step.draft;
  const now = loop.now();
  const asked = (error as Partial<ModelThrottled>).notBefore;
  const own = retryBy(modelRetry, attempt, now);
  // Pauses grow here as well: a server that always asks for a second would be asked too often.
  const until = asked && own ? new Date(Math.max(asked.getTime(), Date.parse(own))) : undefined;
  // If the write fails, the attempt has failed all the same.
  await noteFailed(loop, at, step, error, until).catch(() => undefined);
  if ((error as Partial<ModelRejected>).tooLong) return askShorter(loop, at, last, step, error as ModelRejected);
  if (!asked) return undefined;
  if (!until) throw new ModelRejected(`${error.message} It was asked ${attempt} times, and asked to wait each time.`);
  if (until.getTime() - now.getTime() > longestPauseMs)
    throw new ModelRejected(
      `${error.message} It asks to wait until ${until.toISOString()}, which is longer than a day.`,
    );
  const { maker } = loop.model.about(step.request.agent);
  const isOurs = await changeRun(loop, at, step.draft, (meta, run) => ({
    ...meta,
    run: { ...run, notBefore: { at: until.toISOString(), maker } },
  }));
  return isOurs ? pauseUntil(loop, last, step, until, now) : undefined;
}

/** Returns the rest of the pause that a server has asked for; undefined if there is none. */
export async function pauseLeft(loop: Loop, last: SegmentInput, agent: Instructed, meta: Meta) {
  const { at: until, maker } = meta.run?.notBefore ?? {};
  const makers = [agent, { ...agent, model: agent.summaryModel }].map((one) => loop.model.about(one).maker);
  if (!until || !maker || !makers.includes(maker) || until <= loop.now().toISOString()) return undefined;
  return pauseUntil(loop, last, { agent, meta }, new Date(until), loop.now());
}

/** The state Sleep waits, unless the run may not take so long. */
function pauseUntil(
  { table }: Loop,
  last: SegmentInput,
  { agent, meta }: Pick<FailedStep, 'agent' | 'meta'>,
  time: Date,
  now: Date,
): LoopOutput | Promise<LoopOutput> {
  const { seconds } = agent.limits;
  const until = time.toISOString();
  const ends = seconds === undefined ? undefined : Date.parse(meta.run!.startedAt) + seconds * 1_000;
  if (ends === undefined || time.getTime() <= ends)
    return { ...last, next: 'wait', call: { next: 'wait', callId: 'model', until } };
  const reason = `The model's server asks to wait until ${until}, and this run may take ${seconds} seconds. Retry it then.`;
  return limitRun(table, last, { reason, evenUnread: true }, now);
}

/** Below this, no conversation is left. */
const leastTokens = 250;

/** Stores what the server has taught about the size of requests. @returns undefined if none would be shorter. */
async function askShorter(
  loop: Loop,
  at: SegmentInput,
  last: SegmentInput,
  { draft, meta, log, agent, request, summary }: FailedStep,
  { tooLong }: ModelRejected,
): Promise<LoopOutput | undefined> {
  const { model } = loop.model.about(request.agent);
  const tokens = learnedWindow(request.items, tooLong!);
  if (tokens < leastTokens) return undefined;
  const windows = { ...meta.windows, [model]: tokens };
  if (!(await changeRun(loop, at, draft, (current) => ({ ...current, windows })))) return undefined;
  const before = inReadingOrder(log.messages).findLast(({ seq }) => seq < draft.seq);
  // A summary has just been made, and did not help.
  const isSummarised = before?.covers !== undefined && before.status === 'complete';
  if (!summary && isSummarised) return undefined;
  const shorter = summaryRequest(agent, log, { before: draft.seq, ...windowsOf(loop.model, agent, windows) });
  return shorter && { ...last, next: 'again' };
}

/** Changes META unless another attempt has taken over. The execution's history grows by another round of the loop. */
const changeRun = (
  { table }: Loop,
  { conversationId }: SegmentInput,
  draft: Draft,
  change: (meta: Meta, run: StoredRun) => Meta,
): Promise<boolean> =>
  changeConversation<boolean>(table, conversationId, (meta) => {
    const { run } = meta;
    if (run?.draft?.writer !== draft.writer) return { answer: false };
    return { meta: change(meta, { ...run, segmentEvents: run.segmentEvents + eventsOfStep([], []) }), answer: true };
  });

/** Stores why an attempt failed with its message, unless another attempt has taken over. */
async function noteFailed(
  { table, now }: Loop,
  { conversationId }: SegmentInput,
  { draft, own, startedAt }: FailedStep,
  error: Error,
  until: Date | undefined,
): Promise<void> {
  const { seq, writer, attempt } = draft;
  const failed = attemptFailed(
    { attempt, startedAt: startedAt.toISOString(), error: failureWords(error), retry: modelRetries[error.name] },
    now(),
  );
  const shown = until ? { ...failed, retryBy: until.toISOString() } : failed;
  await write(table, conversationId, [
    { sk: key.message(seq), set: { failedAttempts: withFailed(own.failedAttempts, shown) }, onlyIf: { writer } },
  ]);
}
