import { readOutsideJson } from '../../base/json/foreign-json';
import type { LoopOutput, SegmentInput } from '../../base/state/loop-state';
import { addUsage, noUsage, type Usage } from '../../base/state/schemas';
import { ModelUnreadable, Superseded } from '../../base/text/errors';
import { newWriterId } from '../../base/text/ids';
import { type Instructed, refusedBy } from '../../conversations/agent/agent';
import type { ModelRequest, Reply } from '../../conversations/agent/model';
import { estimatedUsage, priced } from '../../conversations/agent/prices';
import { type Decision, decide } from '../../conversations/decisions/decide';
import { whatIsRead } from '../../conversations/decisions/provenance';
import { type SummaryRequest, summaryRequest, windowsOf } from '../../conversations/decisions/summary';
import { inReadingOrder, recalledNote, transcript } from '../../conversations/decisions/transcript';
import { key } from '../../conversations/rows/keys';
import type { Draft, Meta } from '../../conversations/rows/meta';
import type { StoredMessage } from '../../conversations/rows/rows';
import { beginStep } from '../../conversations/runs/begin-step';
import type { Log } from '../../conversations/runs/log';
import { limitRun } from '../../conversations/runs/run';
import { giveBack, type Reservation, type Reserving, spentOnCutOff } from '../../conversations/runs/spending';
import { changeConversation } from '../../conversations/store/change-conversation';
import { readMeta, readRow, write } from '../../conversations/store/table';
import type { Loop, Recalled } from './advance';
import { afterFailure, pauseLeft } from './after-failure';
import { budgetOf } from './budget';
import { commitWithRoom } from './commit-with-room';
import { givenIn } from './given';
import { openScreen } from './screen';

/** The interval at which a step checks whether it is still current. Writing text checks this too, but the model may send none. */
const watchMs = 1_000;

/** Makes one step: reserves its place in the log, calls the model, and commits the reply and its calls. */
export async function makeStep(
  loop: Loop,
  at: SegmentInput,
  agent: Instructed,
  last: SegmentInput,
): Promise<LoopOutput> {
  const { table } = loop;
  const begun = await beginStep(table, at, { agent, writer: newWriterId(), now: loop.now(), until: loop.until });
  if (begun.kind === 'stored') return begun.next;
  if (begun.kind === 'fenced') return { ...last, next: 'done' };
  // Another attempt may have been told to wait since META was read.
  const pause = await pauseLeft(loop, last, agent, begun.meta);
  if (pause) return pause;

  const asked = await askedIn(loop, at, agent, begun);
  const { reservation, usedUp } = await budgetOf(loop, at, { ...begun, ...asked });
  if (usedUp) return limitRun(table, last, { reason: usedUp, evenUnread: true }, loop.now());
  const { draft, meta } = begun;
  const step: Step = { draft, meta, reservation };
  const startedAt = loop.now();
  const decided = asked.summary
    ? summarise(loop, at, step, asked.summary)
    : decisionOf(loop, at, agent, { ...step, ...asked });
  const made = await decided.catch(async (error: Error) => {
    const next = await afterFailure(loop, at, last, { draft, meta, agent, startedAt, ...asked }, error);
    if (next) return next;
    throw error;
  });
  if ('next' in made) return made;
  const committed = await commitWithRoom(loop, at, draft, { agent, ...made, ...step });
  if (committed.kind !== 'fenced') return committed.next;
  await countStopped(loop, at, step, made.usage).catch(() => undefined);
  return { ...last, next: 'done' };
}

/**
 * Reads the log, and what the model is asked with it: for the next reply or, if the log has become too long, for a summary.
 *
 * @throws Superseded if another attempt has taken over the step. What the message holds, such as a reservation, is that attempt's.
 */
async function askedIn(loop: Loop, at: SegmentInput, agent: Instructed, { draft, meta }: Step) {
  const log = await loop.logs.read({ ...at, seq: draft.seq, amendments: meta.amendments });
  const own = log.messages.find(({ seq }) => seq === draft.seq);
  if (own?.writer !== draft.writer) throw superseded();
  const { maker } = loop.model.about(agent);
  const whole = transcript(log.messages, log.calls, { before: draft.seq, maker });
  const isAgain = Boolean(meta.run?.cutOff);
  const windows = windowsOf(loop.model, agent, meta.windows);
  const summary = draft.scheduled?.length
    ? undefined
    : summaryRequest(agent, log, { before: draft.seq, whole, isAgain, ...windows });
  return { log, own, whole, summary, request: summary ?? { agent, items: whole } };
}

const superseded = () => new Superseded('This step was cut off, or another attempt has taken over.');

type Asked = Awaited<ReturnType<typeof askedIn>>;

/** A step in progress: its place in the log, META as it was when it began, and what it has reserved of its user's budget. */
interface Step {
  draft: Draft;
  meta: Meta;
  reservation?: Reservation;
}

/** Counts a whole reply that came after its run had been stopped, because it is billed. */
async function countStopped(loop: Loop, at: SegmentInput, step: Step, made: Usage): Promise<void> {
  const row = await readRow(loop.table, at.conversationId, key.message(step.draft.seq));
  const { status, usage } = (row ?? {}) as Partial<StoredMessage>;
  // Without that mark the step may have been stored, or be another attempt's.
  if (status === 'cancelled' && !usage && made.modelCalls > 0) await countCutOff(loop, at, step, made);
}

interface Decided {
  decision: Decision;
  usage: Usage;
}

/** Gets the model's reply to the transcript, or the scheduled calls, and decides what follows. */
async function decisionOf(
  loop: Loop,
  at: SegmentInput,
  agent: Instructed,
  { draft, meta, reservation, log, own, whole }: Step & Omit<Asked, 'summary' | 'request'>,
): Promise<Decided> {
  const recalled = agent.recall ? await recallOnce(loop, at, { draft, meta, log, own }) : undefined;
  const items = [...whole, ...recalledNote(recalled?.text)];
  const replied = draft.scheduled?.length
    ? { ...scheduledReply(log, draft), usage: noUsage }
    : await replyOf(loop, at, { draft, meta, reservation }, { agent, items, shown: true });
  const refused = await refusedBy(agent, { ...proposalOf(replied), user: meta.owner, items });
  const knownIds = new Set(log.calls.map(({ modelCallId }) => modelCallId));
  const { runId, step } = at;
  const decision = decide(agent, replied, {
    runId,
    step,
    now: loop.now(),
    user: meta.owner,
    timeZone: meta.timeZone,
    given: givenIn(meta),
    knownIds,
    refused,
    depth: meta.parent?.depth,
    maker: loop.model.about(agent).maker,
    misfits: meta.run?.misfits,
    read: whatIsRead(log, draft.seq, recalled?.sources),
  });
  return { decision, usage: replied.usage };
}

/** Recalls what relates to the user's last message. The result is stored with the step, so a retry does not ask again. */
async function recallOnce(
  loop: Loop,
  { conversationId }: SegmentInput,
  { draft, meta, log, own }: { draft: Draft; meta: Meta; log: Log; own: StoredMessage },
): Promise<Partial<Recalled> | undefined> {
  const last = inReadingOrder(log.messages).findLast(({ seq, status }) => seq < draft.seq && status !== 'pending');
  if (own.recalled || last?.role !== 'user') return { text: own.recalled, sources: own.recalledSources };
  const found = await loop.recall?.(meta.owner, last.text);
  if (!found) return undefined;
  const set = { recalled: found.text, recalledSources: found.sources };
  await write(loop.table, conversationId, [{ sk: key.message(draft.seq), set, onlyIf: { writer: draft.writer } }]);
  return found;
}

/** Makes a summary in a step of its own, so it is paid for once. The next step finds it in the log. */
async function summarise(loop: Loop, at: SegmentInput, step: Step, request: SummaryRequest): Promise<Decided> {
  const { text, usage, cutOff } = await replyOf(loop, at, step, { ...request, shown: false });
  const { covers, sources } = request;
  const decision = { kind: 'again' as const, byVigil: true, calls: [], callbacks: [], children: [] };
  // A partial summary would lose facts. There are three attempts, as for any reply.
  if (cutOff)
    return { decision: { ...decision, text: 'A summary was cut off because it was too long.', cutOff }, usage };
  // An empty summary would erase everything that it covers.
  if (!text.trim()) throw new ModelUnreadable('The model returned an empty summary.');
  return { decision: { ...decision, text: text.trim(), covers, sources }, usage };
}

/** Builds a reply from the scheduled calls. The model decided on them when it scheduled them, so it is not asked again. */
function scheduledReply({ messages }: Log, { scheduled = [] }: Draft): Reply {
  const due = messages.filter(({ seq }) => scheduled.includes(seq)).flatMap((message) => message.scheduled ?? []);
  return { text: '', toolCalls: due.map(({ tool: name, arguments: args }) => ({ id: '', name, arguments: args })) };
}

/** @param shown whether people see the text while it arrives. */
async function replyOf(
  loop: Loop,
  at: SegmentInput,
  step: Step,
  { agent, items, shown }: Pick<ModelRequest, 'agent' | 'items'> & { shown: boolean },
): Promise<Reply & { usage: Usage }> {
  const { table, model, deadline } = loop;
  const { draft, reservation } = step;
  let said = '';
  const unwanted = new AbortController();
  const signal = AbortSignal.any([unwanted.signal, deadline]);
  const screen = shown ? openScreen(loop, at.conversationId, draft, unwanted) : undefined;
  const watch = setInterval(async () => {
    const meta = await readMeta(table, at.conversationId).catch(() => undefined);
    if (meta && !(meta.run?.draft?.writer === draft.writer)) unwanted.abort();
  }, watchMs);
  try {
    const onText = (piece: string) => {
      said += piece;
      screen?.add(piece);
    };
    return await model.reply({ agent, items, signal, onText });
  } catch (error) {
    const usage = priced(estimatedUsage({ agent, items }, said), model.about(agent).price);
    if (unwanted.signal.aborted) {
      await countCutOff(loop, at, step, { ...usage, modelCalls: 1 }).catch(() => undefined);
      throw superseded();
    }
    // What the model had begun is billed. After the deadline, it may have been reasoning.
    const billed = said !== '' || deadline.aborted ? usage : undefined;
    if (reservation) await giveBack(table, reservingOf(at, step), reservation, billed).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(watch);
    await screen?.close();
  }
}

/** Counts a reply that was cut off, because its tokens are billed. Otherwise, interrupting every reply would evade the limits. */
async function countCutOff({ table }: Loop, at: SegmentInput, step: Step, usage: Usage): Promise<void> {
  await spentOnCutOff(table, reservingOf(at, step), step.reservation, usage);
  await changeConversation<void>(table, at.conversationId, (meta) => {
    const { run } = meta;
    const counted = run?.id === at.runId ? { ...run, usage: addUsage(run.usage, usage) } : run;
    return { meta: { ...meta, run: counted }, answer: undefined };
  });
}

const reservingOf = ({ conversationId }: SegmentInput, { draft, meta: { owner } }: Step): Reserving => ({
  conversationId,
  owner,
  draft,
});

function proposalOf({ text, toolCalls }: Reply) {
  const calls = toolCalls.map(({ name: tool, arguments: text }) => ({ tool, arguments: readable(text) }));
  return { text, calls };
}

/** Parses a call's arguments for the review. Unreadable ones stay text. */
function readable(text: string): unknown {
  try {
    return readOutsideJson(text || '{}', 'arguments');
  } catch {
    return text;
  }
}
