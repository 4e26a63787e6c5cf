import { isDeepStrictEqual } from 'node:util';
import { assertShallow } from '../../base/json/foreign-json';
import { parseInput, withoutNulls } from '../../base/schemas/parse-input';
import type { ServerQuestion } from '../../base/state/isolated-call';
import { InvalidInput, NotAllowed } from '../../base/text/errors';
import { failureWords } from '../../base/text/failure-words';
import { asError } from '../../base/text/thrown';
import { approversIn, approverWords, type Caller, isDecider } from '../agent/approvers';
import type { Registry } from '../agent/registry';
import { type FunctionTool, problemOf } from '../agent/tool';
import { wholeDecision } from '../approvals/decision';
import { canonical, digestOf } from '../calls/approved';
import { readCallback, whyNotAnswered } from '../calls/callback';
import { contentOf } from '../mcp/form';
import type { Meta } from '../rows/meta';
import type { StoredCallback } from '../rows/rows';
import { changeConversation, noConversation } from '../store/change-conversation';
import type { Table } from '../store/table';
import { answered, isAwaited } from './answer';
import type { PendingResume } from './send-message';

/** `shown`: where an approval was given that is not the page: the digest of what a notification showed. */
type Approved = { approved: true; arguments?: object; shown?: string };
export type Verdict = Approved | { approved: false; reason?: string };

/** The requested and the approved arguments share the callback's row. */
const maxEditedBytes = 50_000;

/**
 * Approves or denies a tool call. An approved call runs with the original arguments, or with edited ones that fit the tool's
 * schema. A denied call fails, and the model reads the reason. Each of several approvals is decided separately.
 *
 * @throws NotFound if there is no such callback, or the caller is neither the owner nor one of its approvers.
 * @throws NotAllowed if the owner asks, and others decide.
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
): Promise<{ meta: Meta; resume: PendingResume }> {
  const decide = async (meta: Meta) => {
    const callback = await readCallback(table, conversationId, callbackId);
    checkDecider(meta, callback, caller);
    if (callback?.kind !== 'approval' || !isAwaited(meta, callback, now))
      throw await whyNotAnswered(table, conversationId, callbackId, 'approval', now);
    if (verdict.approved) checkShown({ agent: meta.agent, ...callback }, verdict);
    const right =
      callback.asker && verdict.approved ? filled(callback, verdict) : checked(registry, meta, callback, verdict);
    const isFromNotification = verdict.approved && verdict.shown !== undefined;
    const decided = { ...right, by: caller.user, ...(isFromNotification && { via: 'notification' as const }) };
    const resume = await answered(table, meta, callback, decided, now);
    const updatedAt = now.toISOString();
    const shown = { ...meta, ...resume.status, updatedAt, run: { ...meta.run!, ...resume.status } } as Meta;
    return { meta: shown, rows: resume.rows, answer: { meta: shown, resume } };
  };
  // The callback may expire, or get a task token, between the read and the write.
  return changeConversation(table, conversationId, decide);
}

/** The caller must be a decider. Who is neither that nor the owner learns nothing, not even that there is a conversation. */
function checkDecider(meta: Meta, callback: StoredCallback | undefined, caller: Caller): void {
  const { decider, excludesOwner } = callback ?? {};
  const isOwner = meta.owner === caller.user;
  const decides = decider !== undefined && isDecider(decider, caller);
  if (!meta.owner || !(isOwner || decides)) throw noConversation(meta.conversationId);
  const others = approversIn(decider);
  if (!isOwner || !others || (decides && !excludesOwner)) return;
  const except = excludesOwner ? ', but not the owner of the conversation' : '';
  throw new NotAllowed(`You cannot decide about this: ${approverWords(others)} can${except}.`);
}

/** Checks that a notification showed completely what is approved from it, whatever the device says. */
function checkShown(callback: StoredCallback, { shown, arguments: edited }: Approved): void {
  if (shown === undefined) return;
  if (edited !== undefined)
    throw new InvalidInput('arguments', 'cannot be edited in a notification: leave out `shown`');
  if (wholeDecision(callback)?.digest !== shown)
    throw new InvalidInput('shown', 'the notification did not show all that is decided: open the conversation');
}

/** Checks edited arguments. Arguments equal to the original ones do not count as an edit. */
function checked(
  registry: Registry,
  { run }: Meta,
  { tool: name, arguments: original }: StoredCallback,
  verdict: Verdict,
) {
  if (!verdict.approved) return verdict;
  const tool = registry.tools.get(name!) as FunctionTool | undefined;
  if (!tool) throw new InvalidInput('arguments', `this deployment no longer has the tool ${name}: deny the call`);
  const { arguments: edited = original as object } = verdict;
  const isEdited = !isDeepStrictEqual(edited, original);
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
