import { isDeepStrictEqual } from 'node:util';
import { asksFor } from 'vigil-client/shared';
import { assertShallow } from '../../base/json/foreign-json';
import { parseInput, withoutNulls } from '../../base/schemas/parse-input';
import type { ServerQuestion } from '../../base/state/isolated-call';
import type { StandingLimits } from '../../base/state/schemas';
import { InvalidInput } from '../../base/text/errors';
import { failureWords } from '../../base/text/failure-words';
import { asError } from '../../base/text/thrown';
import type { Caller } from '../agent/approvers';
import type { Registry } from '../agent/registry';
import { type FunctionTool, problemOf } from '../agent/tool';
import { usesStandIn } from '../approvals/absence';
import { wholeDecision } from '../approvals/decision';
import { contentOf } from '../approvals/form';
import { nameOf } from '../approvals/person-name';
import { notYours, rightOf } from '../approvals/right';
import { putStanding } from '../approvals/standing';
import { afterApproval, dueStep, hasDecided } from '../approvals/steps';
import { canonical, digestOf } from '../calls/approved';
import { readCall } from '../calls/call';
import { readCallback, whyNotAnswered } from '../calls/callback';
import { passOn } from '../calls/change-call';
import { putReminder } from '../calls/timer';
import { roleIn } from '../members/role';
import { key } from '../rows/keys';
import type { Meta } from '../rows/meta';
import type { StoredCallback, StoredDecision } from '../rows/rows';
import { standing, standingAfter } from '../runs/standing';
import { type Change, changeConversation, noConversation } from '../store/change-conversation';
import { RowConflict, type Table } from '../store/table';
import type { RowWrite } from '../store/write';
import { type Answer, answered, isAwaited } from './answer';

/**
 * `shown`: where an approval was given that is not the page: the digest of what a notification showed. `standing`: what the owner allows for
 * later.
 */
type Approved = { approved: true; arguments?: object; shown?: string; standing?: StandingLimits };
/** `question`: gives the call back with a question, which the agent reads. */
type Denied = { approved: false; reason?: string; question?: string };
export type Verdict = Approved | Denied;

/** The requested and the approved arguments share the callback's row. */
const maxEditedBytes = 50_000;

/**
 * Approves or denies a tool call. An approved call runs with the original arguments, or with edited ones that fit the tool's
 * schema. A denied call fails, and the model reads the reason, or the question with which it was given back. Each of several approvals is decided separately.
 *
 * If the tool names several approvers, the call runs after the last of them has approved. Until then the callback stays open. A repeated
 * approval by the same person changes nothing.
 *
 * @throws NotFound if there is no such callback, or the caller is neither the owner nor one of its approvers.
 * @throws NotAllowed if the owner asks, and others decide, or somebody else is to decide first.
 * @throws AlreadyAnswered with the first outcome.
 * @throws WrongState if the run is not waiting.
 * @throws InvalidInput if the arguments do not fit the tool, or the callback is not an approval. It then stays open.
 */
export async function approve(
  table: Table,
  registry: Registry,
  { conversationId, callbackId, ...caller }: Caller & { conversationId: string; callbackId: string },
  verdict: Verdict,
  now: Date,
): Promise<Meta> {
  const decide = async (meta: Meta): Promise<Change<Meta>> => {
    const callback = await readCallback(table, conversationId, callbackId);
    const { capacity, standIn } = await rightOf(table, meta, callback, caller, now);
    if (!meta.owner || !(roleIn(meta, caller) ?? capacity)) throw noConversation(conversationId);
    const isApproval = asksFor(callback?.kind, 'decision');
    if (callback && isApproval && capacity === undefined) throw notYours(callback, now);
    if (!callback || !isApproval || !isAwaited(meta, callback, now))
      throw await whyNotAnswered(table, conversationId, callbackId, 'approval', now);
    // The answer to the first request was lost.
    if (verdict.approved && hasDecided(callback, caller.user)) return { answer: meta };
    if (capacity === 'another time') throw notYours(callback, now);
    if (verdict.approved) checkShown({ agent: meta.agent, ...callback }, verdict);
    const right =
      callback.asker && verdict.approved ? filled(callback, verdict) : checked(registry, meta, callback, verdict);
    const made = { ...decisionOf(right, verdict, caller, now), ...(standIn && { inPlaceOf: standIn.user }) };
    const noted = standIn ? [usesStandIn(caller.user, standIn, now)] : [];
    if (!right.approved) {
      const decisions = [...(callback.decisions ?? []), { ...made, step: dueStep(callback) }];
      return closing(table, meta, callback, { ...right, by: caller.user, decisions }, now, noted);
    }
    const changed =
      'digest' in right && right.arguments ? { arguments: right.arguments, asked: callback.arguments } : {};
    const { passed, isComplete } = afterApproval(callback, made);
    if (!isComplete) return passing(table, meta, callback, { ...passed, ...changed }, now, noted);
    const { decisions = [] } = passed;
    const answer = { ...right, ...editedEarlier(passed), by: caller.user, via: made.via, decisions };
    const { standing } = verdict as Approved;
    const allowing = await standingRows(table, meta, callback, { standing, arguments: right.arguments }, now);
    return closing(table, meta, callback, answer, now, [...noted, ...allowing]);
  };
  // The callback may expire, or get a task token, between the read and the write.
  return changeConversation(table, conversationId, decide);
}

function decisionOf(
  right: { approved: boolean; digest?: string; arguments?: object },
  verdict: Verdict,
  caller: Caller,
  now: Date,
): Omit<StoredDecision, 'step'> {
  const { approved, digest } = right;
  const name = nameOf(caller);
  const decided = { by: caller.user, ...(name && { name }), at: now.toISOString(), approved };
  if (!verdict.approved) {
    const { reason, question } = verdict;
    return { ...decided, ...(reason !== undefined && { reason }), ...(question !== undefined && { question }) };
  }
  return {
    ...decided,
    digest,
    ...(verdict.shown !== undefined && { via: 'notification' as const }),
    ...(digest !== undefined && right.arguments && { changed: true as const }),
  };
}

/** Returns the arguments that an earlier approver has changed, which are approved, and who that was. */
function editedEarlier({ asked, arguments: args, decisions = [] }: StoredCallback) {
  if (asked === undefined) return {};
  return { arguments: args as object, editedBy: decisions.find(({ changed }) => changed)?.by };
}

/** Returns the write of what the owner allows for later with an approval, if anything. */
async function standingRows(
  table: Table,
  { owner: user, conversationId }: Meta,
  callback: StoredCallback,
  { standing: limits, arguments: args = callback.arguments as object }: Pick<Approved, 'standing' | 'arguments'>,
  now: Date,
): Promise<RowWrite[]> {
  return limits ? [await putStanding(table, { user, conversationId }, callback, { args, limits }, now)] : [];
}

/** The last decision: the callback ends, and its execution is resumed. */
async function closing(
  table: Table,
  meta: Meta,
  callback: StoredCallback,
  answer: Answer,
  now: Date,
  others: RowWrite[] = [],
) {
  const { rows, status } = await answered(table, meta, callback, answer, now);
  const shown = standing({ ...meta, updatedAt: now.toISOString() }, status);
  return { meta: shown, rows: [...rows, ...others], answer: shown };
}

/** An approval after which others are still to decide. */
async function passing(
  table: Table,
  meta: Meta,
  callback: StoredCallback,
  passed: StoredCallback,
  now: Date,
  others: RowWrite[],
) {
  const { conversationId } = meta;
  const call = await readCall(table, conversationId, callback.callId!);
  // The call was settled between the two reads, and its callback with it.
  if (call?.status !== 'waiting') throw new RowConflict(key.call(callback.callId!));
  const stands = await standingAfter(table, meta, call.id, { decider: passed.decider });
  const shown = standing({ ...meta, updatedAt: now.toISOString() }, stands);
  const isNewStep = dueStep(passed) !== dueStep(callback);
  const reminder = isNewStep ? putReminder(conversationId, meta.owner, passed, now) : [];
  return { meta: shown, rows: [...passOn(call, callback, passed), ...reminder, ...others], answer: shown };
}

/** Checks that a notification showed completely what is approved from it, whatever the device says. */
function checkShown(callback: StoredCallback, { shown, arguments: edited, standing }: Approved): void {
  if (shown === undefined) return;
  if (standing !== undefined)
    throw new InvalidInput('standing', 'cannot be given in a notification, which does not show its limits');
  if (edited !== undefined)
    throw new InvalidInput('arguments', 'cannot be edited in a notification: leave out `shown`');
  if (wholeDecision(callback)?.digest !== shown)
    throw new InvalidInput('shown', 'the notification did not show all that is decided: open the conversation');
}

/** Checks edited arguments. Arguments equal to the original ones do not count as an edit. */
function checked(
  registry: Registry,
  { run }: Meta,
  { tool: name, arguments: original, decisions = [], asked }: StoredCallback,
  verdict: Verdict,
) {
  if (!verdict.approved) return verdict;
  const tool = registry.tools.get(name!) as FunctionTool | undefined;
  if (!tool) throw new InvalidInput('arguments', `this deployment no longer has the tool ${name}: deny the call`);
  const { arguments: edited = original as object } = verdict;
  const isEdited = !isDeepStrictEqual(edited, original);
  if (decisions.length > 0)
    checkUnchanged({ isEdited, isSeen: verdict.arguments !== undefined || verdict.shown !== undefined, asked });
  if (isEdited) assertShallow('arguments', edited);
  const [first, ...others] = isEdited
    ? problemsWith(tool, edited, registry.agents.get(run!.agent)?.tools ?? [])
    : problemsIn(tool, edited);
  if (first) throw new InvalidInput(first.path, first.message, others);
  const args = canonical(tool.input, edited)!;
  // A deployment since then may add a field with a default, which nobody has seen.
  if (!isEdited && !isDeepStrictEqual(args, original))
    throw new InvalidInput(
      'arguments',
      `the tool ${name} reads these arguments otherwise since a deployment: deny the call`,
    );
  return { approved: true as const, digest: digestOf(args), ...(isEdited && { arguments: args }) };
}

/**
 * Only the first of several approvers may change the arguments, so that all approve the same. If that one has, a later approver may have
 * been shown the original ones, and says which were.
 */
function checkUnchanged({ isEdited, isSeen, asked }: { isEdited: boolean; isSeen: boolean; asked: unknown }): void {
  const changed = asked === undefined ? '' : ', with those of the first approver';
  if (isEdited)
    throw new InvalidInput(
      'arguments',
      `can be changed by the first approver only: approve them as they are${changed}, or deny`,
    );
  if (asked !== undefined && !isSeen)
    throw new InvalidInput('arguments', 'were changed by the first approver: send those that you have seen');
}

/** Checks the form that a server has asked for in the middle of a call. */
function filled({ question, arguments: blank }: StoredCallback, { arguments: entered = blank as object }: Approved) {
  assertShallow('arguments', entered);
  if (Buffer.byteLength(JSON.stringify(entered)) > maxEditedBytes)
    throw new InvalidInput('arguments', `are longer than ${maxEditedBytes} bytes`);
  const asked = question as ServerQuestion;
  const read = contentOf(asked, entered);
  if (Array.isArray(read)) throw new InvalidInput(`arguments.${read[0]}`, read[1]);
  return { approved: true as const, asked, arguments: read.content };
}

const at = (path: PropertyKey[], message: string) => ({ path: ['arguments', ...path].join('.'), message });

function problemsIn({ input }: FunctionTool, args: object) {
  const parsed = parseInput(input, args);
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => at(path, message));
}

function problemsWith(tool: FunctionTool, edited: object, tools: Parameters<NonNullable<FunctionTool['check']>>[1]) {
  if (Buffer.byteLength(JSON.stringify(edited)) > maxEditedBytes)
    return [at([], `are longer than ${maxEditedBytes} bytes`)];
  const wrong = problemsIn(tool, edited);
  if (wrong.length > 0) return wrong;
  const parsed = parseInput(tool.input, edited).data!;
  const unknown = droppedFrom(withoutNulls(tool.input, edited) as object, parsed);
  if (unknown.length > 0) return unknown.map((path) => at(path, 'the tool has no such field'));
  try {
    const problem = problemOf(tool, parsed, tools);
    return problem ? [at([], problem)] : [];
  } catch (thrown) {
    return [at([], `cannot be checked: ${failureWords(asError(thrown))}`)];
  }
}

/** Returns the fields that the schema drops: the approver would think that they took effect. */
function droppedFrom(edited: object, parsed: object): string[][] {
  return Object.entries(edited).flatMap(([field, value]) => {
    if (!Object.hasOwn(parsed, field)) return [[field]];
    const kept = (parsed as Record<string, unknown>)[field];
    if (!isObject(value) || !isObject(kept)) return [];
    return droppedFrom(value, kept).map((path) => [field, ...path]);
  });
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
