import type { Item } from '../../base/content/items';
import { type FilePart, filesOf } from '../../base/content/parts';
import type { GuardVerdict } from '../../base/schemas/guard-verdict';
import { isSettled } from '../../base/state/schemas';
import { clip } from '../../base/text/clip';
import { sideBySide } from '../../base/time/side-by-side';
import type { Agent } from '../../conversations/agent/agent';
import type { Asked, FileText, Reply } from '../../conversations/agent/model';
import type { Decision } from '../../conversations/decisions/decide';
import { maxCallsPerReply, type Objection } from '../../conversations/decisions/judge';
import { textOfResult } from '../../conversations/decisions/read-on';
import { type CallWithResult, filesOfResult, placeOf } from '../../conversations/decisions/transcript';
import { type Checked, checkedBy } from '../../conversations/guards/check';
import { type Guard, guardsAt } from '../../conversations/guards/guard';
import { callAsHeard, isWithheld, messageAsHeard } from '../../conversations/guards/heard';
import { key } from '../../conversations/rows/keys';
import type { Meta } from '../../conversations/rows/meta';
import type { HeardFile, StoredMessage } from '../../conversations/rows/rows';
import { bytesOf, mostRowBytes, partsThatFit } from '../../conversations/rows/size';
import type { Log } from '../../conversations/runs/log';
import { write } from '../../conversations/store/table';
import type { RowWrite, SetWrite } from '../../conversations/store/write';
import type { Loop } from '../loop/advance';
import { readerOf, readingOf } from './files';
import type { BegunStep, Stage, Step } from './step';

// Guards in a step. What a guard decides about a message or a result is stored in that row before the model reads it: once for each row and
// guard, so a repeated step asks none again, and every later request has the same words. What it decides about a reply is stored with it.

/** Guards that are asked at the same time. */
const atOnce = 8;
/** Rows that are checked before they are stored. */
const rowsAtOnce = 20;
/** The step's own row is in the transaction, too. */
const room = { rows: rowsAtOnce, bytes: 3_500_000 };
/** A row also has a message, or a call's arguments and its result. */
const replacedBytes = 100_000;

/**
 * Asks the agent's guards about messages, results and files that they have not checked yet, and stores what they decide.
 *
 * @returns the log as the model reads it; undefined if another attempt has taken over the step.
 * @throws GuardFailed, ConfigurationError. Throttled if the store of the files does not answer.
 */
export async function heardLog(step: BegunStep, log: Log): Promise<Log | undefined> {
  if (!step.agent.guards?.length) return log;
  const hearing: Hearing = { step, texts: new Map(), heard: new Map() };
  const unchecked = uncheckedIn(hearing, log);
  // Each part is stored at once: a long conversation may take more than one attempt.
  for (let from = 0; from < unchecked.length; from += rowsAtOnce) {
    const rows: Checks[] = [];
    await sideBySide(unchecked.slice(from, from + rowsAtOnce), atOnce, async (check) => {
      rows.push(await check());
    });
    if (!(await store(step, rows))) return undefined;
  }
  if (unchecked.length === 0) return log;
  const asHeard = <Row extends object>(row: Row): Row => (hearing.heard.get(row) as Row | undefined) ?? row;
  return { messages: log.messages.map(asHeard), calls: log.calls.map(asHeard) };
}

/** A log that guards read. */
interface Hearing {
  step: BegunStep;
  /** The texts of files, each of which is read once. */
  texts: Map<string, Promise<FileText | undefined>>;
  /** The rows that have been checked, as the model reads them. */
  heard: Map<object, object>;
}

type Check = () => Promise<Checks>;

/** What guards are told of the step. */
const aboutOf = ({ agent, at: { conversationId }, meta }: BegunStep) => ({
  agent: agent.name,
  user: meta.owner,
  conversationId,
});

/** Returns the checks of what the model will read, as far as its guards have not made them. */
function uncheckedIn(hearing: Hearing, { messages, calls }: Log): Check[] {
  const { draft } = hearing.step;
  const covered = messages.findLast(({ covers, status }) => covers !== undefined && status === 'complete')?.covers;
  const read = messages.filter(
    (message) => placeOf(message) > (covered ?? 0) && placeOf(message) < draft.seq && message.status !== 'pending',
  );
  const steps = new Set(read.map(({ runId, step }) => `${runId} ${step}`));
  const settled = calls.filter((call) => steps.has(`${call.runId} ${call.step}`) && isSettled(call.status));
  return [
    ...read.flatMap((message) => checkOfMessage(hearing, message, covered) ?? []),
    ...settled.filter(hasWords).flatMap((call) => checkOfCall(hearing, call) ?? []),
  ];
}

/** @returns undefined if there is nothing left to check. */
function checkOfMessage(hearing: Hearing, message: StoredMessage, covered: number | undefined): Check | undefined {
  const { step, heard } = hearing;
  const ofInput = guardsAt(step.agent, 'input');
  const isSummary = message.covers !== undefined && message.covers === covered;
  const isAsked = (isIncoming(message) && message.text.trim() !== '') || isSummary;
  const guards = isAsked ? unasked(ofInput, message.guards, 'input') : [];
  const ofRecalled = message.recalled ? unasked(ofInput, message.recalledGuards, 'input') : [];
  const from = isOfModel(message) ? 'result' : 'input';
  const isRefused = isWithheld(message.guards, 'input');
  const files = isRefused ? [] : uncheckedFiles(step.agent, filesOf(message), message.guards, from);
  if (guards.length + ofRecalled.length + files.length === 0) return undefined;
  return async () => {
    const at = { ...aboutOf(step), at: 'input' as const };
    const checked = await checkedBy(guards, message.text, at, step.loop);
    const ofFiles = await checkFiles(hearing, checked.refused ? [] : files, message.heardFiles);
    const set: Partial<StoredMessage> = {};
    if (guards.length + files.length > 0)
      set.guards = [...(message.guards ?? []), ...checked.verdicts, ...ofFiles.verdicts];
    if (ofFiles.heard) set.heardFiles = ofFiles.heard;
    if (changed(checked))
      set.heard =
        withheldMessage(checked) ?? clip(checked.words, { bytes: leftIn({ ...message, ...set }) }, cutMessage);
    if (ofRecalled.length > 0)
      Object.assign(set, await checkedRecall(step, ofRecalled, message.recalled!, message.recalledGuards));
    heard.set(message, messageAsHeard({ ...message, ...set }));
    const row = { sk: key.message(message.seq), set, onlyIf: { seq: message.seq } };
    return { row, bytes: bytesOf({ ...message, ...set }) };
  };
}

/** @returns undefined if there is nothing left to check. */
function checkOfCall(hearing: Hearing, call: CallWithResult): Check | undefined {
  const { step, heard } = hearing;
  const at = call.kind === 'callback' ? ('input' as const) : ('result' as const);
  const before = verdictsOf(call, at);
  const guards = unasked(guardsAt(step.agent, at), before, at);
  const files = isWithheld(before, at) ? [] : uncheckedFiles(step.agent, filesOfResult(call), before, at);
  if (guards.length + files.length === 0) return undefined;
  return async () => {
    const earlier = call.heard?.of === call.status ? call.heard : undefined;
    const about = { ...aboutOf(step), at, tool: call.tool };
    const checked = await checkedBy(guards, wordsOfResult(call), about, step.loop);
    const ofFiles = await checkFiles(hearing, checked.refused ? [] : files, earlier?.files, call.tool);
    const words = clip(checked.words, { bytes: replacedBytes }, '… [cut here: a guard has replaced a long result]');
    const text = changed(checked) ? (withheldResult(checked) ?? words) : earlier?.text;
    const verdicts = [...before, ...checked.verdicts, ...ofFiles.verdicts];
    const set = { guards: verdicts, heard: heardOf(call, text, ofFiles.heard) };
    heard.set(call, callAsHeard({ ...call, ...set }));
    const { wholeResult: _, ...stored } = call;
    return { row: { sk: key.call(call.id), set, onlyIf: { id: call.id } }, bytes: bytesOf({ ...stored, ...set }) };
  };
}

const uncheckedFiles = (agent: Agent, files: FilePart[], verdicts: GuardVerdict[] | undefined, at: Incoming) =>
  files
    .map((file): UncheckedFile => ({ file, guards: unasked(guardsAt(agent, at), verdicts, at, file.id), at }))
    .filter(({ guards }) => guards.length > 0);

/** Each file is checked by itself: a text that replaces it stays the quotation of whoever has written it. */
async function checkFiles(
  hearing: Hearing,
  files: UncheckedFile[],
  before: readonly HeardFile[] = [],
  tool?: string,
): Promise<{ verdicts: GuardVerdict[]; heard?: HeardFile[] }> {
  const { step } = hearing;
  if (files.length === 0) return { verdicts: [], heard: before.length > 0 ? [...before] : undefined };
  const verdicts: GuardVerdict[] = [];
  const known = new Map(before.map((one) => [one.id, one]));
  let room = replacedBytes;
  for (const { file, guards, at } of files) {
    const { text: own, problem } = await textOf(hearing, file);
    const { filename = file.filename, text = own, withheld = problem } = known.get(file.id) ?? {};
    const words = `${(filename ?? '').replaceAll('\n', ' ')}\n${withheld === undefined ? (text ?? '') : ''}`;
    const of = { ...aboutOf(step), at, file: { id: file.id, mediaType: file.mediaType }, ...(tool && { tool }) };
    const checked = await checkedBy(words.trim() ? guards : [], words, of, step.loop);
    const passed = ({ name }: Guard) => ({ guard: name, at, verdict: 'passed' as const, file: file.id });
    verdicts.push(...(words.trim() ? checked.verdicts : guards.map(passed)));
    if (changed(checked)) {
      const replaced = heardFile(file.id, words, checked, room);
      room -= Buffer.byteLength(replaced.text ?? '');
      known.set(file.id, { ...known.get(file.id), ...(withheld && { withheld }), ...replaced });
    } else if (problem) known.set(file.id, { ...known.get(file.id), id: file.id, withheld: problem });
  }
  return { verdicts, heard: known.size > 0 ? [...known.values()] : undefined };
}

/** What cannot be read now is not checked, so it is withheld, even if it could be read later. */
async function textOf({ step, texts }: Hearing, file: FilePart): Promise<{ text?: string; problem?: string }> {
  const readFile = readerOf(step);
  const reader = step.loop.textOf;
  if (!reader || !readFile) return { problem: 'files are not read here' };
  const reading = texts.get(file.id) ?? reader(file, readFile, readingOf(step, step.agent).reading);
  texts.set(file.id, reading);
  return (await reading) ?? {};
}

type Incoming = 'input' | 'result';

/** What guards have decided about a row, and the row's size with that. */
interface Checks {
  row: SetWrite;
  bytes: number;
}

/** The bytes that a row can still take. */
const leftIn = (row: object): number => Math.max(0, mostRowBytes - bytesOf(row) - 2_000);
const cutMessage = '… [cut here: a guard has replaced a long message]';

/** A file, and the guards that have not checked it. */
interface UncheckedFile {
  file: FilePart;
  guards: Guard[];
  at: Incoming;
}

/** What the model reads of a file that guards have changed. Its name is the first line of the words, its text the rest. */
function heardFile(id: string, words: string, { words: replaced, refused }: Checked, room: number): HeardFile {
  if (refused)
    return { id, withheld: `the guard "${refused.guard}" has refused it: ${refused.reason.replace(/\.$/, '')}` };
  const [filename = '', ...lines] = replaced.split('\n');
  const [before, ...linesBefore] = words.split('\n');
  const text = lines.join('\n');
  return {
    id,
    ...(filename !== before && { filename }),
    ...(text !== linesBefore.join('\n') && { text: clip(text, { bytes: Math.max(0, room) }, cutFile) }),
  };
}
const cutFile = '… [cut here: a guard has replaced a long text]';

/** What an agent recalls about its owner is stored as the guards have left it: nobody else reads it. */
export async function checkedRecall(
  step: BegunStep,
  guards: Guard[],
  recalled: string,
  before: GuardVerdict[] = [],
): Promise<{ recalled: string; recalledGuards: StoredMessage['recalledGuards'] }> {
  const checked = await checkedBy(guards, recalled, { ...aboutOf(step), at: 'input' }, step.loop);
  const verdicts = [...before, ...checked.verdicts];
  const recalledGuards = verdicts.length > 0 ? verdicts : undefined;
  return { recalled: withheldResult(checked) ?? checked.words, recalledGuards };
}

/** A transcript's files as the agent's guards let its model read them. */
export function guardedFiles(agent: Agent, items: Item[]): Item[] {
  const guards = [...guardsAt(agent, 'input'), ...guardsAt(agent, 'result')];
  if (guards.length === 0) return items;
  const textOnly = guards.some(({ media }) => media === 'withhold');
  return items.map((item) =>
    item.kind === 'call' || !item.files
      ? item
      : { ...item, files: item.files.map((file) => ({ ...file, guarded: { ...file.guarded, textOnly } })) },
  );
}

/** What is heard of a call that has its present result. */
const heardOf = ({ status: of }: CallWithResult, text?: string, files?: HeardFile[]) => ({
  of,
  ...(text !== undefined && { text }),
  ...(files && { files }),
});

/** The verdicts about a call. Those about a result that the call no longer has do not count. */
const verdictsOf = ({ guards = [], heard, status }: CallWithResult, at: 'input' | 'result'): GuardVerdict[] =>
  heard?.of === status ? guards : guards.filter((one) => one.at !== at);

/** Each transaction touches the step's own row, so that an attempt which has been replaced stores nothing. @returns false for such a one. */
async function store({ loop, at, draft: { seq, writer } }: BegunStep, checks: Checks[]): Promise<boolean> {
  const own: RowWrite = { sk: key.message(seq), set: {}, onlyIf: { writer } };
  for (const part of partsThatFit(checks, room, ({ bytes }) => bytes))
    if (!(await write(loop.table, at.conversationId, [own, ...part.map(({ row }) => row)]))) return false;
  return true;
}

/**
 * The provider's guardrail has refused the request. It reads the whole conversation each time, so what the step has read for the first time
 * is withheld from later requests; they would all be refused.
 */
async function withholdRead(of: Step, refused: { guard: string; reason: string }): Promise<void> {
  const { loop, draft, log } = of;
  const { conversationId, runId, step } = of.at;
  const { guard, reason } = refused;
  const refusal = (at: Incoming, before: GuardVerdict[] = []) => [
    ...before,
    { guard, at, verdict: 'refused' as const, reason },
  ];
  const withheld = { words: '', verdicts: [], refused };
  const ofMessages = log.messages
    .filter((message) => message.readBySeq === draft.seq && isIncoming(message))
    .map((message): Checks => {
      const set = { guards: refusal('input', message.guards), heard: withheldMessage(withheld) };
      return { row: { sk: key.message(message.seq), set, onlyIf: { seq: message.seq } }, bytes: bytesOf(message) };
    });
  const ofCalls = log.calls
    .filter((call) => call.runId === runId && call.step === step - 1 && hasWords(call))
    .map((call): Checks => {
      const set = { guards: refusal('result', call.guards), heard: heardOf(call, withheldResult(withheld)) };
      return { row: { sk: key.call(call.id), set, onlyIf: { id: call.id } }, bytes: bytesOf(call) };
    });
  if (await store(of, [...ofMessages, ...ofCalls])) loop.logs.forget(conversationId);
}

/** The words of people and of what is outside. Those of models and of Vigil are not incoming. A scheduled call is checked as a call. */
const isIncoming = ({ role, author, callId, covers, scheduled }: StoredMessage): boolean =>
  callId === undefined &&
  covers === undefined &&
  scheduled === undefined &&
  (role === 'user' || (role === 'system' && author !== 'vigil'));

const outside: readonly unknown[] = ['function', 'callback', 'delegate'];
/** Whether what the model reads of a call comes from a tool, a person or another agent, and not from Vigil. */
const hasWords = ({ kind, status }: CallWithResult): boolean => outside.includes(kind) && status !== 'undone';

/** The guards that have not decided about a row, or about a file of it. After a refusal, there is nothing left to check. */
const unasked = (guards: Guard[], asked: GuardVerdict[] = [], at: Incoming = 'input', file?: string): Guard[] =>
  isWithheld(asked, at, file)
    ? []
    : guards.filter(({ name }) => !asked.some((one) => one.at === at && one.guard === name && one.file === file));

/** The files that models and their tools have made. */
const isOfModel = ({ role }: StoredMessage): boolean => role === 'assistant';

function wordsOfResult(call: CallWithResult): string {
  // Whoever has approved the call may have written its arguments.
  const edit = call.edited ? `What was approved and done: ${JSON.stringify(call.arguments)}\n` : '';
  if (call.status !== 'completed') return edit + (call.error ?? '');
  return edit + textOfResult(call);
}

const changed = ({ verdicts }: Checked): boolean =>
  verdicts.some(({ verdict }) => verdict === 'replaced' || verdict === 'refused');

const withheldMessage = ({ refused }: Checked): string | undefined =>
  refused &&
  `A message is withheld from you, because the guard "${refused.guard}" has refused it: ${refused.reason} The user reads that, too.`;
const withheldResult = ({ refused }: Checked): string | undefined =>
  refused && `This is withheld, because the guard "${refused.guard}" has refused it: ${refused.reason}`;

/**
 * Returns the end of a run that began with refused messages only: without asking the model, the reason is the answer. A message that is
 * refused later does not end the work on those before it; a note tells the model.
 */
function refusedBeginning({ at, draft, log }: Step): Decision | undefined {
  const begun = log.messages.filter(({ readBySeq, callId }) => readBySeq === draft.seq && callId === undefined);
  if (at.step !== 1 || begun.length === 0 || !begun.every(({ guards }) => isWithheld(guards, 'input')))
    return undefined;
  const reasons = begun.flatMap(({ guards = [] }) => guards.flatMap((one) => (one.verdict === 'refused' ? one : [])));
  const text = [...new Set(reasons.map(({ reason }) => reason))].join('\n');
  return { ...nothingMore, text, guards: reasons };
}

const nothingMore = { kind: 'done' as const, calls: [], callbacks: [], children: [] };

/** Asks the agent's guards about a reply's text and calls. Refused words are in nothing that is returned or changed. */
export const guards: Stage = {
  async before(step) {
    return refusedBeginning(step);
  },
  async after(step, received) {
    const { reply } = received;
    const { words, verdicts, refused } = await checkedText(step, reply);
    if (refused && reply.guardrail?.at === 'input') await withholdRead(step, refused);
    received.guards = verdicts.length > 0 ? verdicts : undefined;
    if (refused) return { ...nothingMore, text: refused.reason, guards: received.guards };
    const { toolCalls, objections } = await checkedCalls(step, reply);
    // The maker's own data may have the words that are replaced.
    const { opaque, ...rest } = reply;
    received.reply = { ...(words === reply.text ? reply : rest), text: words, toolCalls };
    received.objections = objections;
    return undefined;
  },
};

/** The provider's own guardrail has decided before the agent's guards, which do not see what it has refused. */
async function checkedText(step: Step, { text, guardrail }: Reply): Promise<Checked> {
  if (guardrail?.verdict === 'refused') {
    const { guard, reason = 'The provider has refused the reply.' } = guardrail;
    return { words: '', verdicts: [guardrail], refused: { guard, reason } };
  }
  const verdicts = guardrail ? [guardrail] : [];
  if (!text.trim()) return { words: text, verdicts };
  const checked = await guardedText(step.loop, step.agent, step.meta, text);
  return { ...checked, verdicts: [...verdicts, ...checked.verdicts] };
}

/** @returns the calls with their arguments as guards have left them, and what they object to: not to be made, or decided by a person. */
async function checkedCalls(step: Step, reply: Reply) {
  const toolCalls = [...reply.toolCalls];
  const objections = new Map<number, Objection>();
  const asked = guardsAt(step.agent, 'call');
  const judged = asked.length > 0 ? [...toolCalls.slice(0, maxCallsPerReply).entries()] : [];
  await sideBySide(judged, atOnce, async ([index, call]) => {
    const words = call.arguments.trim() || '{}';
    const about = { ...aboutOf(step), at: 'call' as const, tool: call.name };
    const checked = await checkedBy(asked, words, about, step.loop);
    toolCalls[index] = withArguments(call, words, checked);
    objections.set(index, {
      guards: checked.verdicts,
      refused: checked.refused?.reason,
      asks: checked.asked && `The guard "${checked.asked.guard}" asks: ${checked.asked.reason}`,
    });
  });
  return { toolCalls, objections };
}

/** A call with the arguments that replace its own, which the maker's data may quote. One that is refused keeps them, for its owner. */
function withArguments(call: Asked, words: string, { words: replaced, refused }: Checked): Asked {
  if (refused || replaced === words) return call;
  const { opaque: _, ...rest } = call;
  return { ...rest, arguments: replaced };
}

/** Asks the agent's guards of replies about a summary or a title, which people read, too. */
export async function guardedText(
  loop: Pick<Loop, 'equip' | 'deadline'>,
  agent: Agent,
  { conversationId, owner }: Pick<Meta, 'conversationId' | 'owner'>,
  text: string,
): Promise<Checked> {
  const about = { at: 'output' as const, agent: agent.name, user: owner, conversationId };
  return checkedBy(guardsAt(agent, 'output'), text, about, loop);
}
