import type { FilePart } from '../../base/content/parts';
import type { LoopOutput, SegmentInput } from '../../base/state/loop-state';
import type { Usage } from '../../base/state/schemas';
import { newWriterId } from '../../base/text/ids';
import { localeOf } from '../../base/time/time-zone';
import type { Instructed } from '../../conversations/agent/agent';
import type { AboutFile, KeptFiles, ModelRequest, Reply } from '../../conversations/agent/model';
import type { Decision } from '../../conversations/decisions/decide';
import type { Objection } from '../../conversations/decisions/judge';
import { withReadResult } from '../../conversations/decisions/read-on';
import { firstRecalled, withoutRecalled } from '../../conversations/decisions/recalled';
import { type SummaryRequest, summaryRequest, windowsOf, withoutOldFiles } from '../../conversations/decisions/summary';
import { transcript } from '../../conversations/decisions/transcript';
import { asItsAuthors, isOwnersAlone } from '../../conversations/members/role';
import type { Draft, Meta } from '../../conversations/rows/meta';
import type { StoredMessage } from '../../conversations/rows/rows';
import { beginStep } from '../../conversations/runs/begin-step';
import type { Log } from '../../conversations/runs/log';
import type { Reservation } from '../../conversations/runs/spending';
import type { Loop, Recalled } from '../loop/advance';
import { type ModelsNow, modelsNow, noteFailed } from '../loop/after-failure';
import { superseded } from './await-reply';
import { guardedFiles, heardLog } from './guarded';

/** A step that is to be made. */
export interface DueStep {
  loop: Loop;
  at: SegmentInput;
  /** The step before, from which the state machine continues if this one is not made now. */
  last: SegmentInput;
  /** The agent with all of its models. */
  declared: Instructed;
}

/** A step that has its place in the log. `agent` has the models that are asked now. */
export interface BegunStep extends DueStep, ModelsNow {
  draft: Draft;
  /** META after the step has begun. */
  meta: Meta;
}

/** A step whose log is read. */
export interface Step extends BegunStep {
  /** Its message, as it was when the step began. */
  own: StoredMessage;
  log: Log;
  /** Whether the conversation is its owner's alone. */
  isAlone: boolean;
  /** What is asked of the model: the next reply or, if the log has become too long, a summary. */
  request: Pick<ModelRequest, 'agent' | 'items'>;
  summary?: SummaryRequest;
  startedAt: Date;
  /** Set by the stages of the budget and of what is recalled. */
  reservation?: Reservation;
  recalled?: Partial<Recalled>;
}

/** A reply on its way into the table. The stages change it. */
export interface Received {
  reply: Reply;
  usage: Usage;
  aboutFiles: ToldFile[];
  kept?: KeptFiles;
  /** What guards have decided about its text, and about its calls by index. */
  guards?: Decision['guards'];
  objections?: ReadonlyMap<number, Objection>;
}

/** What people are told of a file that the model has not read whole. */
export interface ToldFile extends AboutFile {
  file: Pick<FilePart, 'id' | 'filename'>;
  /** Whether it has turned out in this step. Otherwise people are told when the file is read for the first time. */
  isNew: boolean;
}

/** A part of the work on each step besides the model's reply. */
export interface Stage {
  /** Before the step costs anything. @returns what the loop does instead of the step. */
  enter?(step: Step): Promise<LoopOutput | undefined>;
  /** Before the reply. @returns what is decided without it. */
  before?(step: Step): Promise<Decision | undefined>;
  /** After the reply, which is counted if this fails. @returns what is decided instead of what the reply says. */
  after?(step: Step, received: Received): Promise<Decision | undefined>;
}

/** Whether the step makes scheduled calls. The model decided on them when it scheduled them, so it is not asked again. */
export const isScheduled = ({ draft }: Pick<Step, 'draft'>): boolean => Boolean(draft.scheduled?.length);

/**
 * Reserves a step's place in the log, and reads the log.
 *
 * @returns what the loop does instead, if the step is stored, is another execution's, or has to wait for a model.
 * @throws Superseded if another attempt has taken over the step.
 */
export async function begunStep(due: DueStep): Promise<Step | LoopOutput> {
  const { loop, at, last, declared } = due;
  const begun = await beginStep(loop.table, at, { agent: declared, writer: newWriterId(), now: loop.now() });
  if (begun.kind === 'stored') return begun.next;
  if (begun.kind === 'fenced') return { ...last, next: 'done' };
  // Another attempt may have been told to wait since META was read.
  const chosen = await modelsNow(due, begun.meta);
  return 'next' in chosen ? chosen : readStep({ ...due, ...begun, ...chosen });
}

/** @throws Superseded if another attempt has taken over. What the step's message holds, such as a reservation, is that attempt's. */
async function readStep(begun: BegunStep): Promise<Step> {
  const { loop, at, meta, draft } = begun;
  const place = { ...at, seq: draft.seq, amendments: meta.amendments };
  const read = await loop.logs.read(place);
  const own = read.messages.find(({ seq }) => seq === draft.seq);
  if (own?.writer !== draft.writer) throw superseded();
  const startedAt = loop.now();
  const heard = await heardLog(begun, read).catch(async (error: Error) => {
    await noteFailed({ ...begun, own, startedAt }, error);
    throw error;
  });
  if (!heard) throw superseded();
  if (heard !== read) loop.logs.keep(heard, place);
  const isAlone = await isOwnersAlone(loop.table, meta);
  const known = withoutRecalled(heard.messages, firstRecalled(meta, isAlone));
  const log = { ...heard, messages: known.map((message) => asItsAuthors(meta, message)) };
  return { ...begun, ...requestOf(begun, log), own, log, isAlone, startedAt };
}

function requestOf(begun: BegunStep, log: Log): Pick<Step, 'agent' | 'request' | 'summary'> {
  const { loop, agent, meta, draft } = begun;
  const windows = windowsOf(loop.model, agent, meta.windows);
  const { contextTokens } = windows;
  const before = draft.seq;
  const all = transcript(log.messages, log.calls, {
    before,
    maker: loop.model.about(agent).maker,
    locale: localeOf(meta),
    contextTokens,
    hosted: agent.hosted.map(({ name }) => name),
  });
  const whole = withoutOldFiles(guardedFiles(agent, all), agent.model, contextTokens);
  const isAgain = Boolean(meta.run?.cutOff);
  const summary = isScheduled(begun) ? undefined : summaryRequest(agent, log, { before, whole, isAgain, ...windows });
  const able = { ...agent, tools: withReadResult(agent.tools, whole, contextTokens) };
  return { agent: able, summary, request: summary ?? { agent: able, items: whole } };
}
