import { isDeepStrictEqual } from 'node:util';
import { InvalidInput } from '../errors';
import { problemsIn } from '../problems';
import type { Registry } from '../registry';
import { type Answer, answered, openCallbacks } from './answer';
import { refusal } from './callback';
import { checkOwner } from './conversation';
import type { Meta, StoredCallback } from './rows';
import type { Told } from './say';
import { changeConversation, type Table, whileRowsChange } from './table';

export type Verdict = Extract<Answer, { approved: boolean }>;

/**
 * Decides about a tool call that waits for approval. Approved, it runs with the arguments as they are or as the approver
 * edited them, within the tool's schema; denied, the model reads the reason. Each of several waits on its own.
 *
 * @throws NotFound, AlreadyAnswered with the first outcome, InvalidInput for arguments that do not fit the tool.
 */
export async function approve(
  table: Table,
  { tools }: Registry,
  { conversationId, callbackId, user }: { conversationId: string; callbackId: string; user: string },
  verdict: Verdict,
  now: Date,
): Promise<{ meta: Meta; told: Told }> {
  const decide = async (meta: Meta) => {
    checkOwner(meta, user);
    const callback = (await openCallbacks(table, meta, now)).find(({ id }) => id === callbackId);
    if (callback?.mayAnswer !== user) throw await refusal(table, conversationId, callbackId);
    if (callback.kind !== 'approval')
      throw new InvalidInput('answer', `this is a ${callback.kind}: answer it in words`);
    const told = await answered(table, meta, callback, checked(tools, callback, verdict), now);
    const updatedAt = now.toISOString();
    const shown = { ...meta, ...told.status, updatedAt, run: { ...meta.run!, ...told.status } } as Meta;
    return { meta: shown, rows: told.rows, answer: { meta: shown, told } };
  };
  // Its token may come in this moment, or its time run out.
  return whileRowsChange(() => changeConversation(table, conversationId, decide));
}

/** Arguments that say the same as before are no edit. */
function checked(
  tools: Registry['tools'],
  { tool: name, arguments: asked }: StoredCallback,
  verdict: Verdict,
): Verdict {
  if (!verdict.approved || verdict.arguments === undefined) return verdict;
  if (isDeepStrictEqual(verdict.arguments, asked)) return { approved: true };
  const parsed = tools.get(name!)?.input.safeParse(verdict.arguments);
  if (parsed?.success) return verdict;
  const problems = parsed ? problemsIn(parsed.error, 'arguments') : `there is no tool ${name} in this deployment`;
  throw new InvalidInput('arguments', problems);
}
