// core/machines/step: one step of a run: what is asked of a model, and what becomes of its reply.

import { type FilePart, filesOf, namesOfFiles } from '../../base/content/parts';
import { readOutsideJson } from '../../base/json/foreign-json';
import type { LoopOutput, SegmentInput } from '../../base/state/loop-state';
import { addUsage, noUsage, type Usage } from '../../base/state/schemas';
import { ModelRejected, ModelUnreadable, NotFound, type ReplyPending } from '../../base/text/errors';
import { newWriterId } from '../../base/text/ids';
import { localeOf } from '../../base/time/time-zone';
import { type Agent, type Instructed, refusedBy } from '../../conversations/agent/agent';
import type { AboutFile, Background, Caching, ModelRequest, Reading, Reply } from '../../conversations/agent/model';
import { estimatedUsage, priced } from '../../conversations/agent/prices';
import { cacheLasts } from '../../conversations/decisions/caching';
import { type Decision, decide } from '../../conversations/decisions/decide';
import type { Objection } from '../../conversations/decisions/judge';
import { whatIsRead } from '../../conversations/decisions/provenance';
import { asString } from '../../conversations/decisions/quoted';
import { readableIn, withReadResult } from '../../conversations/decisions/read-on';
import { firstRecalled, withoutRecalled } from '../../conversations/decisions/recalled';
import { type SummaryRequest, summaryRequest, windowsOf, withoutOldFiles } from '../../conversations/decisions/summary';
import { inReadingOrder, placeOf, recalledNote, transcript } from '../../conversations/decisions/transcript';
import { beginReading, endReading, noteRefusal, refusalBy } from '../../conversations/files/readings';
import { readOpenFile } from '../../conversations/files/references';
import { readFileRow } from '../../conversations/files/stored-file';
import { guardsAt } from '../../conversations/guards/guard';
import { asItsAuthors, isOwnersAlone } from '../../conversations/members/role';
import { dropPending } from '../../conversations/replies/pending-reply';
import { key } from '../../conversations/rows/keys';
import type { Draft, Meta } from '../../conversations/rows/meta';
import type { StoredMessage } from '../../conversations/rows/rows';
import { beginStep } from '../../conversations/runs/begin-step';
import type { Log } from '../../conversations/runs/log';
import { limitRun } from '../../conversations/runs/run';
import { givenBack, type Reservation, type Reserving, spentOnCutOff } from '../../conversations/runs/spending';
import { changeConversation } from '../../conversations/store/change-conversation';
import { readMeta, readRow, write } from '../../conversations/store/table';
import { awaitReply, backgroundOf, superseded } from '../replies/await-reply';
import { checkStore, keptFiles } from '../replies/kept-files';
import type { Loop, Recalled } from '../loop/advance';
import { afterFailure, answererOf, modelsNow, noteFailed } from '../loop/after-failure';
import { budgetOf } from './budget';
import { commitWithRoom } from './commit-with-room';
import { givenIn } from '../loop/given';
import { checkedRecall, guardedFiles, guardedReply, guardedText, heardLog, refusedBeginning } from './guarded';
import { openScreen } from './screen';

/** The interval at which a step checks whether it is still current. Writing text checks this too, but the model may send none. */
const watchMs = 1_000;

/** Makes one step: reserves its place in the log, calls the model, and commits the reply and its calls. */
export async function makeStep(
  loop: Loop,
  at: SegmentInput,
  declared: Instructed,
  last: SegmentInput,
): Promise<LoopOutput> {
  const { table } = loop;
  const begun = await beginStep(table, at, {
    agent: declared,
    writer: newWriterId(),
    now: loop.now(),
  });
  if (begun.kind === 'stored') return begun.next;
  if (begun.kind === 'fenced') return { ...last, next: 'done' };
  // Another attempt may have been told to wait since META was read.
  const chosen = await modelsNow(loop, last, declared, begun.meta);
  if ('next' in chosen) return chosen;
  const asked = await askedIn(loop, at, chosen.agent, begun);
  const { agent } = asked;
  const refused = refusedBeginning(at, begun, asked.log);
  // The model has been replaced, or is asked for something else, since the provider began the reply.
  if (!isOfRequest(loop, begun.draft, asked)) {
    await dropPending(table, at, begun.draft, { cancels: true, now: loop.now() });
    return { ...last, next: 'again' };
  }
  const { reservation, usedUp } = await budgetOf(loop, at, { ...begun, ...asked });
  if (usedUp) return limitRun(table, last, { reason: usedUp, evenUnread: true }, loop.now());
  const { draft, meta } = begun;
  const step: Step = { draft, meta, reservation };
  const startedAt = loop.now();
  const deciding = async () => {
    if (refused) return { decision: refused, usage: noUsage };
    return asked.summary
      ? summarise(loop, at, agent, step, asked.summary)
      : decisionOf(loop, at, agent, { ...step, ...asked });
  };
  const afterError = async (error: Error): Promise<LoopOutput> => {
    const { isShown } = error as ReplyPending;
    if (error.name === 'ReplyPending') return awaitReply(loop, at, last, agent, { ...step, isShown }).catch(afterError);
    if (isOfModel(error)) await dropPending(table, at, draft, { cancels: false, now: loop.now() });
    const next = await afterFailure(loop, at, last, { draft, meta, declared, startedAt, ...asked }, error);
    if (next) return next;
    throw error;
  };
  const made = await deciding().catch(afterError);
  if ('next' in made) return made;
  const answeredBy = draft.scheduled?.length ? undefined : answererOf(loop, chosen, asked);
  const committed = await commitWithRoom(loop, at, draft, { agent, ...made, ...step, answeredBy });
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
  const place = { ...at, seq: draft.seq, amendments: meta.amendments };
  const read = await loop.logs.read(place);
  const own = read.messages.find(({ seq }) => seq === draft.seq);
  if (own?.writer !== draft.writer) throw superseded();
  const startedAt = loop.now();
  const { reading } = readingOf(loop, at, { draft, meta }, agent);
  const ofFiles = { readFile: readerOf(loop, at, meta), reading };
  const heard = await heardLog(loop, at, agent, { draft, meta }, read, ofFiles).catch(async (error: Error) => {
    await noteFailed(loop, at, { draft, own, startedAt }, error).catch(() => undefined);
    throw error;
  });
  if (!heard) throw superseded();
  if (heard !== read) loop.logs.keep(heard, place);
  const isAlone = await isOwnersAlone(loop.table, meta);
  const known = withoutRecalled(heard.messages, firstRecalled(meta, isAlone));
  const log = { ...heard, messages: known.map((message) => asItsAuthors(meta, message)) };
  const { maker } = loop.model.about(agent);
  const windows = windowsOf(loop.model, agent, meta.windows);
  const all = transcript(log.messages, log.calls, {
    before: draft.seq,
    maker,
    locale: localeOf(meta),
    contextTokens: windows.contextTokens,
    hosted: agent.hosted.map(({ name }) => name),
  });
  const whole = withoutOldFiles(guardedFiles(agent, all), agent.model, windows.contextTokens);
  const isAgain = Boolean(meta.run?.cutOff);
  const summary = draft.scheduled?.length
    ? undefined
    : summaryRequest(agent, log, { before: draft.seq, whole, isAgain, ...windows });
  const able = { ...agent, tools: withReadResult(agent.tools, whole, windows.contextTokens) };
  return { agent: able, log, own, isAlone, whole, summary, request: summary ?? { agent: able, items: whole } };
}

/** Whether the model's provider has failed with the reply. Other errors leave a reply in the background as it is. */
const isOfModel = ({ name }: Error): boolean => name.startsWith('Model');

type Asked = Awaited<ReturnType<typeof askedIn>>;

function isOfRequest(loop: Loop, { pending }: Draft, { request, summary }: Asked): boolean {
  if (!pending) return true;
  return pending.maker === loop.model.about(request.agent).maker && Boolean(pending.isSummary) === Boolean(summary);
}

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
  { draft, meta, reservation, log, own, isAlone, whole }: Step & Omit<Asked, 'summary' | 'request'>,
): Promise<Decided> {
  const recalled = agent.recall ? await recallOnce(loop, at, agent, { draft, meta, log, own, isAlone }) : undefined;
  const items = [...whole, ...recalledNote(recalled?.text)];
  const lasts = cacheLasts(agent, log.messages, { before: draft.seq, now: loop.now() });
  const replied = draft.scheduled?.length
    ? { ...scheduledReply(log, draft), usage: noUsage, aboutFiles: [] }
    : await replyOf(loop, at, { draft, meta, reservation }, { agent, items, lasts, shown: isShownAtOnce(agent) });
  const step = { draft, meta, reservation };
  const guarded = await guardedReply(loop, at, agent, step, log, replied).catch((error) =>
    lostReply(loop, at, step, replied.usage, error),
  );
  const { reply, guards, refused, objections } = guarded;
  if (refused) return { decision: refused, usage: replied.usage };
  const kept = await keptFiles(loop, at, step, reply.files).catch((error) =>
    lostReply(loop, at, step, replied.usage, error),
  );
  kept.notes.push(...linesAbout(replied.aboutFiles, log, draft));
  const reviewed = await refusedBy(agent, { ...proposalOf(reply), user: meta.owner, items });
  const knownIds = new Set(log.calls.map(({ modelCallId }) => modelCallId));
  const decision = decide(agent, reply, {
    runId: at.runId,
    step: at.step,
    now: loop.now(),
    user: meta.owner,
    timeZone: meta.timeZone,
    given: givenIn(meta),
    knownIds,
    readable: readableIn(log.calls, whole),
    failed: loop.failed,
    objections: withReview(objections, reviewed),
    depth: meta.parent?.depth,
    maker: loop.model.about(agent).maker,
    misfits: meta.run?.misfits,
    read: whatIsRead(log, draft.seq, [...(recalled?.sources ?? []), ...(meta.run?.askedBy ? ['member' as const] : [])]),
    taker: steppedIn(log, draft),
    kept,
  });
  return { decision: { ...decision, guards }, usage: replied.usage };
}

/** Counts a reply that could not be checked or stored, because it is billed, unless its provider still has it. @throws the error. */
async function lostReply(loop: Loop, at: SegmentInput, step: Step, usage: Usage, error: Error): Promise<never> {
  const meta = await readMeta(loop.table, at.conversationId).catch(() => undefined);
  if (meta?.run?.draft?.pending) throw error;
  await countCutOff(loop, at, step, usage).catch(() => undefined);
  throw error;
}

/** What a guard of replies has not passed is shown to nobody. */
const isShownAtOnce = (agent: Agent): boolean => guardsAt(agent, 'output').length === 0;

/** A review is a guard of calls that sees the whole reply. What it refuses is refused, whatever the guards say. */
function withReview(objections: ReadonlyMap<number, Objection>, reviewed: ReadonlyMap<number, string>) {
  const all = new Map(objections);
  for (const [index, reason] of reviewed) {
    const { guards = [], ...objection } = all.get(index) ?? {};
    const verdict = { guard: 'review', at: 'call' as const, verdict: 'refused' as const, reason };
    all.set(index, { ...objection, guards: [...guards, verdict], refused: reason });
  }
  return all;
}

/** Recalls what relates to the user's last message. The result is stored with the step, so a retry does not ask again. */
async function recallOnce(
  loop: Loop,
  { conversationId }: SegmentInput,
  agent: Agent,
  { draft, meta, log, own, isAlone }: Pick<Asked, 'log' | 'own' | 'isAlone'> & { draft: Draft; meta: Meta },
): Promise<Partial<Recalled> | undefined> {
  const last = inReadingOrder(log.messages).findLast(({ seq, status }) => seq < draft.seq && status !== 'pending');
  // What it remembers about its owner is not for those with whom they share the conversation.
  if (!isAlone) return { sources: own.recalledSources };
  if (own.recalled || last?.role !== 'user') return { text: own.recalled, sources: own.recalledSources };
  // A server of embeddings rejects an empty text.
  const words = last.text.trim() || namesOfFiles(last);
  const found = words ? await loop.recall?.(meta.owner, words) : undefined;
  if (!found) return undefined;
  const about = { at: 'input' as const, agent: agent.name, user: meta.owner, conversationId };
  const checked = await checkedRecall(loop, about, guardsAt(agent, 'input'), found.text);
  const set = { ...checked, recalledSources: found.sources };
  await write(loop.table, conversationId, [{ sk: key.message(draft.seq), set, onlyIf: { writer: draft.writer } }]);
  return { ...found, text: checked.recalled };
}

/** Makes a summary in a step of its own, so it is paid for once. The next step finds it in the log. */
async function summarise(
  loop: Loop,
  at: SegmentInput,
  agent: Agent,
  step: Step,
  request: SummaryRequest,
): Promise<Decided> {
  const {
    text: written,
    usage,
    cutOff,
    guardrail,
  } = await replyOf(loop, at, step, { ...request, lasts: 'none', shown: false, isSummary: true });
  const checked = await guardedText(loop, agent, step.meta, written).catch((error) =>
    lostReply(loop, at, step, usage, error),
  );
  const { words: text, verdicts, refused = guardrail?.verdict === 'refused' ? guardrail : undefined } = checked;
  if (refused) throw new ModelRejected(`The guard "${refused.guard}" refused the summary: ${refused.reason}`);
  const { covers, sources, recalledFrom } = request;
  const decision = { kind: 'again' as const, byVigil: true, calls: [], callbacks: [], children: [] };
  // A partial summary would lose facts. There are three attempts, as for any reply.
  if (cutOff)
    return { decision: { ...decision, text: 'A summary was cut off because it was too long.', cutOff }, usage };
  // An empty summary would erase everything that it covers.
  if (!text.trim()) throw new ModelUnreadable('The model returned an empty summary.');
  const guards = verdicts.length > 0 ? verdicts : undefined;
  return { decision: { ...decision, text: text.trim(), covers, sources, recalledFrom, guards }, usage };
}

/** Builds a reply from the scheduled calls. The model decided on them when it scheduled them, so it is not asked again. */
function scheduledReply({ messages }: Log, { scheduled = [] }: Draft): Reply {
  const due = messages.filter(({ seq }) => scheduled.includes(seq)).flatMap((message) => message.scheduled ?? []);
  return { text: '', toolCalls: due.map(({ tool: name, arguments: args }) => ({ id: '', name, arguments: args })) };
}

/** Returns who has stepped in, if the scheduled call is that of a person. */
const steppedIn = ({ messages }: Log, { scheduled = [] }: Draft): { user: string; name?: string } | undefined =>
  messages.flatMap(({ seq, role, author, authorName }) =>
    role === 'user' && scheduled.includes(seq) ? [{ user: author, name: authorName }] : [],
  )[0];

/** @param shown whether people see the text while it arrives. */
async function replyOf(
  loop: Loop,
  at: SegmentInput,
  step: Step,
  {
    agent,
    items,
    lasts,
    shown,
    isSummary = false,
  }: Pick<ModelRequest, 'agent' | 'items'> & Pick<Caching, 'lasts'> & { shown: boolean; isSummary?: boolean },
): Promise<Reply & { usage: Usage; aboutFiles: ToldFile[] }> {
  const { table, model, deadline } = loop;
  const { draft } = step;
  let said = '';
  await checkStore(loop, draft);
  const own = await backgroundOf(loop, at, step, { agent, items }, isSummary);
  let isBegun = own.id !== undefined;
  const background: Background = {
    ...own,
    async begun(of) {
      await own.begun(of);
      isBegun = true;
    },
  };
  // The versions of a conversation begin alike.
  const cache = { key: step.meta.rootId ?? at.conversationId, lasts };
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
    const { reading, aboutFiles } = readingOf(loop, at, step, agent);
    const ofFiles = {
      readFile: readerOf(loop, at, step.meta),
      reading,
      fileBytes: loop.files && loop.fileLimits?.file,
    };
    const reply = await model.reply({ agent, items, ...ofFiles, cache, signal, onText, background });
    return { ...reply, aboutFiles: aboutFiles() };
  } catch (error) {
    const usage = { ...priced(estimatedUsage({ agent, items }, said), model.about(agent).price), modelCalls: 1 };
    if (unwanted.signal.aborted || (error as Error).name === 'Superseded') {
      // Whoever has cut off a reply in the background cancels it, which counts it.
      if (!isBegun) await countCutOff(loop, at, step, usage).catch(() => undefined);
      throw superseded();
    }
    if ((error as Error).name === 'ReplyPending') {
      throw Object.assign(error as ReplyPending, { isShown: shown && said !== '' });
    }
    // A reply in the background holds its reservation until it is over: the provider continues it, and bills it.
    if (isBegun && !isOfModel(error as Error)) throw error;
    if (isBegun) await dropPending(table, at, draft, { cancels: false, now: loop.now() });
    // What the model had begun is billed. After the deadline, it may have been reasoning.
    const billed = said !== '' || deadline.aborted ? usage : undefined;
    await countFailed(loop, at, step, billed).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(watch);
    await screen?.close();
  }
}

const readerOf = ({ table, files }: Loop, { conversationId }: SegmentInput, { owner }: Meta) =>
  files &&
  (async ({ id, size }: FilePart, firstBytes?: number) => {
    const row = await readOpenFile(table, { owner, conversationId }, id);
    // A result may say another size than its file has. What was planned by it does not hold.
    if (row.size !== size) throw new NotFound(`The file ${id} has ${row.size} bytes, and not ${size}.`);
    return files.read(row.key, firstBytes);
  });

interface ToldFile extends AboutFile {
  file: Pick<FilePart, 'id' | 'filename'>;
  /** Whether it has turned out in this step. Otherwise people are told when the file is read for the first time. */
  isNew: boolean;
}

/** Returns what notes how files are read, and what its reply tells people of them. */
function readingOf(
  { table, model, now }: Loop,
  { conversationId }: SegmentInput,
  { draft, meta: { owner } }: Step,
  agent: Agent,
) {
  const told = new Map<string, Omit<ToldFile, 'isNew'>>();
  const found = new Set<string>();
  const reader = { step: `${conversationId}#${draft.seq}`, writer: draft.writer };
  const { maker } = model.about(agent);
  const reading: Reading = {
    async begin({ id }) {
      const isRead = await beginReading(table, { owner, id }, reader, now());
      if (!isRead) found.add(id);
      return isRead;
    },
    end: ({ id }) => endReading(table, { owner, id }, reader),
    async refusal({ id }) {
      const row = await readFileRow(table, owner, id);
      const refusal = row && refusalBy(row, maker, now());
      // An attempt of this step that has ended has told nobody.
      if (refusal?.step === reader.step) found.add(id);
      return refusal?.why;
    },
    async refused({ id }, why) {
      found.add(id);
      await noteRefusal(table, { owner, id }, { maker, why, step: reader.step }, now());
    },
    tell(file, about) {
      told.set(file.id, { file, ...about });
    },
  };
  const aboutFiles = () => [...told.values()].map((about) => ({ ...about, isNew: found.has(about.file.id) }));
  return { reading, aboutFiles };
}

/** Returns a line for people about each file that a step has not read whole: of those that came since the reply before, and what is new. */
function linesAbout(files: readonly ToldFile[], { messages }: Log, { seq }: Draft): string[] {
  const isReply = ({ role, status }: StoredMessage) => role === 'assistant' && status === 'complete';
  const last = messages.findLast((message) => message.seq < seq && isReply(message))?.seq ?? 0;
  const sent = messages.filter((message) => message.role === 'user' && placeOf(message) > last);
  const ids = sent.flatMap(filesOf).map(({ id }) => id);
  return files
    .filter(({ file, isNew }) => isNew || ids.includes(file.id))
    .map(({ file: { id, filename }, isRead, words }) => {
      const name = filename ? asString(filename) : id;
      return isRead ? `[About the file ${name}: ${words}.]` : `[The file ${name} was left out: ${words}.]`;
    });
}

/**
 * Counts what a model call has used that failed, because it is billed, and gives back what the step has reserved. If another attempt has
 * taken over the step, the reservation is that attempt's.
 */
async function countFailed({ table }: Loop, at: SegmentInput, step: Step, billed: Usage | undefined): Promise<void> {
  const { draft, meta, reservation } = step;
  const { conversationId } = at;
  if (!billed && !reservation) return;
  await changeConversation<void>(table, conversationId, (current) => {
    const { run } = current;
    if (run?.draft?.writer !== draft.writer) return { answer: undefined };
    return {
      meta: billed && { ...current, run: { ...run, usage: addUsage(run.usage, billed) } },
      rows: reservation ? givenBack(draft, meta.owner, reservation, billed) : [],
      answer: undefined,
    };
  });
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
