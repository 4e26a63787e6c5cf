import { isDeepStrictEqual } from 'node:util';
import type { Registry } from '../agent/registry';
import type { FunctionTool } from '../agent/tool';
import { canonical, digestOf } from '../calls/approved';
import { whyNotAnswered } from '../calls/callback';
import { checkOwner } from '../runs/conversation';
import type { Meta, StoredCallback } from '../store/rows';
import { changeConversation, type Table } from '../store/table';
import { InvalidInput } from '../text/errors';
import { assertShallow } from '../text/nesting';
import { type Answer, answered, openCallbacks } from './answer';
import type { PendingResume } from './send-message';

export type Verdict = { approved: true; arguments?: object } | Extract<Answer, { approved: false }>;

/** The requested and the approved arguments share the callback's row. */
const maxEditedBytes = 50_000;

/**
 * Approves or denies a tool call. An approved call runs with the original arguments, or with edited ones that fit the tool's
 * schema. A denied call fails, and the model reads the reason. Each of several approvals is decided separately.
 *
 * @throws NotFound if there is no such callback.
 * @throws AlreadyAnswered with the first outcome.
 * @throws WrongState if the run is not waiting.
 * @throws InvalidInput if the arguments do not fit the tool, or the callback is not an approval. It then stays open.
 */
export async function approve(
  table: Table,
  registry: Registry,
  { conversationId, callbackId, user }: { conversationId: string; callbackId: string; user: string },
  verdict: Verdict,
  now: Date,
): Promise<{ meta: Meta; resume: PendingResume }> {
  const decide = async (meta: Meta) => {
    checkOwner(meta, user);
    const callback = (await openCallbacks(table, meta, now)).find(({ id }) => id === callbackId);
    if (callback?.mayAnswer !== user || callback.kind !== 'approval')
      throw await whyNotAnswered(table, conversationId, callbackId, 'approval', now);
    const decided = checked(registry, meta, callback, verdict);
    const resume = await answered(table, meta, callback, decided, now);
    const updatedAt = now.toISOString();
    const shown = { ...meta, ...resume.status, updatedAt, run: { ...meta.run!, ...resume.status } } as Meta;
    return { meta: shown, rows: resume.rows, answer: { meta: shown, resume } };
  };
  // The callback may expire, or get a task token, between the read and the write.
  return changeConversation(table, conversationId, decide);
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
  const digest = digestOf(canonical(tool.input, edited)!);
  return { approved: true as const, digest, ...(isEdited && { arguments: edited }) };
}

const at = (path: PropertyKey[], message: string) => ({ path: ['arguments', ...path].join('.'), message });

function problemsIn({ input }: FunctionTool, args: object) {
  const parsed = input.safeParse(args);
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => at(path, message));
}

function problemsWith(tool: FunctionTool, edited: object, tools: Parameters<NonNullable<FunctionTool['check']>>[1]) {
  if (Buffer.byteLength(JSON.stringify(edited)) > maxEditedBytes)
    return [at([], `are longer than ${maxEditedBytes} bytes`)];
  const wrong = problemsIn(tool, edited);
  if (wrong.length > 0) return wrong;
  // Zod would drop unknown fields, and the approver would think that they took effect.
  const unknown = Object.keys(edited).filter((field) => !(field in tool.input.shape));
  if (unknown.length > 0) return unknown.map((field) => at([field], 'the tool has no such field'));
  const problem = tool.check?.(tool.input.parse(edited), tools);
  return problem ? [at([], problem)] : [];
}
