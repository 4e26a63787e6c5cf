import { isDeepStrictEqual } from 'node:util';
import type { Registry } from '../agent/registry';
import type { FunctionTool } from '../agent/tool';
import { whyNotAnswered } from '../calls/callback';
import { checkOwner } from '../runs/conversation';
import type { Meta, StoredCallback } from '../store/rows';
import { changeConversation, type Table } from '../store/table';
import { InvalidInput } from '../text/errors';
import { assertShallow } from '../text/nesting';
import { type Answer, answered, openCallbacks } from './answer';
import type { PendingResume } from './send-message';

export type Verdict = Extract<Answer, { approved: boolean }>;

/** The arguments that were asked for and the approved ones share the callback's row. */
const maxEditedBytes = 50_000;

/**
 * Decides about a tool call that waits for approval. Approved, it runs with the arguments as they are or as the approver
 * edited them, within what the tool takes; denied, the model reads the reason. Each of several waits on its own.
 *
 * @throws NotFound, AlreadyAnswered with the first outcome, WrongState while the run does not wait, InvalidInput for arguments
 *   that do not fit the tool, or what is no approval: then it is still to be decided.
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
    const resume = await answered(table, meta, callback, checked(registry, meta, callback, verdict), now);
    const updatedAt = now.toISOString();
    const shown = { ...meta, ...resume.status, updatedAt, run: { ...meta.run!, ...resume.status } } as Meta;
    return { meta: shown, rows: resume.rows, answer: { meta: shown, resume } };
  };
  // Its token may come in this moment, or its time run out.
  return changeConversation(table, conversationId, decide);
}

/** Arguments that say the same as before are no edit. */
function checked(
  registry: Registry,
  { run }: Meta,
  { tool: name, arguments: asked }: StoredCallback,
  verdict: Verdict,
) {
  if (!verdict.approved || verdict.arguments === undefined) return verdict;
  const { arguments: edited } = verdict;
  assertShallow('arguments', edited);
  if (isDeepStrictEqual(edited, asked)) return { approved: true as const };
  const tool = registry.tools.get(name!) as FunctionTool | undefined;
  if (!tool) throw new InvalidInput('arguments', `there is no tool ${name} in this deployment any more: deny it`);
  const [first, ...others] = problemsWith(tool, edited, registry.agents.get(run!.agent)?.tools ?? []);
  if (first) throw new InvalidInput(first.path, first.message, others);
  return verdict;
}

function problemsWith(tool: FunctionTool, edited: object, tools: Parameters<NonNullable<FunctionTool['check']>>[1]) {
  const at = (path: PropertyKey[], message: string) => ({ path: ['arguments', ...path].join('.'), message });
  if (Buffer.byteLength(JSON.stringify(edited)) > maxEditedBytes)
    return [at([], `are longer than ${maxEditedBytes} bytes`)];
  const parsed = tool.input.safeParse(edited);
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => at(path, message));
  // What the tool does not take would be dropped, and the approver think that it was done.
  const unknown = Object.keys(edited).filter((field) => !(field in parsed.data) && !(field in tool.input.shape));
  if (unknown.length > 0) return unknown.map((field) => at([field], 'the tool takes no such field'));
  const problem = tool.check?.(parsed.data, tools);
  return problem ? [at([], problem)] : [];
}
