import { namesOfFiles, type Part } from '../../base/content/parts';
import type { Source } from '../../base/content/sources';
import { isActive } from '../../base/state/schemas';
import { clip } from '../../base/text/clip';
import type { Tool } from '../agent/tool';
import { readCall } from '../calls/call';
import { isOpen, readCallback } from '../calls/callback';
import { changeCall, writesOf } from '../calls/change-call';
import { asString } from '../decisions/quoted';
import { key } from '../rows/keys';
import type { Meta } from '../rows/meta';
import { onlyReadable } from '../rows/readable';
import { StoredMessage } from '../rows/rows';
import { append } from '../runs/append';
import { standing } from '../runs/standing';
import { type Change, changeConversation } from '../store/change-conversation';
import { readRows, readShownMeta, type Table } from '../store/table';
import { type Answered, answered } from './answer';
import { again, cancelling } from './cancel';

/** The last reply of a run is within this many messages of the log's end. */
const lookedBack = 50;
const answerCharacters = 100_000;

/**
 * Reports the outcome of a sub-agent's run to the delegating conversation, as the outcome of its callback. Of several reports,
 * the first one holds.
 */
export async function report(table: Table, child: Meta, now: Date): Promise<void> {
  if (!child.parent?.outcome) return;
  const { conversationId, callbackId } = child.parent;
  const outcome = await outcomeOf(table, child);
  const deliver = async (meta: Meta): Promise<Change<void>> => {
    const callback = await readCallback(table, conversationId, callbackId);
    // A deleted conversation must not start again.
    if (!meta.owner) return { answer: undefined };
    if (callback?.status !== 'pending' || !meta.run) return { answer: undefined };
    // The delegating run may be over, and then no execution expires its callback.
    if (!isOpen(callback, now)) {
      const call = (await readCall(table, conversationId, callback.callId!))!;
      const expired = changeCall(call, 'expire', { now, callback, error: callback.fallback });
      return { meta, rows: expired ? writesOf(expired) : [], answer: undefined };
    }
    const answer = await answered(table, meta, callback, outcome, now);
    if (meta.run.id !== callback.runId) return newsOf(meta, answer, outcome, now);
    // A run that has failed stays failed. When it is retried, it finds the result.
    const told = { ...meta, updatedAt: now.toISOString() };
    const shown = isActive(meta.run.status) ? standing(told, answer.status) : told;
    return { meta: shown, rows: answer.rows, answer: undefined };
  };
  // The rows of a deleted parent may expire before its sub-agent ends.
  if (await readShownMeta(table, conversationId)) await changeConversation(table, conversationId, deliver);
}

/** Tells the current run, as a message, if the run that delegated the task has been replaced. */
function newsOf(
  meta: Meta,
  answer: Answered,
  outcome: { agent: string; said?: string; failed?: string; sources?: Source[] },
  now: Date,
) {
  const { agent, said, failed, sources } = outcome;
  const text = `The task given to the agent "${agent}" has ended. Its outcome: ${said ?? failed}`;
  const news = append(meta, { role: 'system', author: agent, text, about: answer.callId, sources }, now);
  return { meta: news.meta, rows: [...answer.rows, ...news.rows], answer: undefined };
}

async function outcomeOf(table: Table, { conversationId, parent }: Meta) {
  const { agent, status, reason, runId: id, lastSeq, sources } = parent!.outcome!;
  if (status !== 'done')
    return { agent, failed: `The run of the agent "${agent}" ended with status ${status}. ${reason ?? ''}`.trim() };
  const rows = await readRows(
    table,
    conversationId,
    key.message(Math.max(0, lastSeq - lookedBack)),
    key.message(lastSeq),
  );
  const said = onlyReadable(StoredMessage, rows)
    .filter(({ role, runId, callId }) => role === 'assistant' && runId === id && !callId)
    .map((message) => message.text.trim() || filesAlone(message))
    .findLast((words) => words !== '');
  return { agent, said: clip(said ?? '', { characters: answerCharacters }), sources };
}

/** The files of a sub-agent's reply stay in its conversation. */
function filesAlone(message: { parts?: Part[] }): string {
  const names = namesOfFiles(message);
  return names && `[The answer is files without words, which only the task's own conversation has: ${asString(names)}]`;
}

/** The delegated run is the first one of the sub-agent's conversation. */
const firstRun = 1;

/**
 * Cancels a sub-agent's run and rolls it back, even if it is done, because the delegating run is being undone. Later runs of that
 * conversation are rolled back too, because they continue from the delegated one.
 *
 * @param by who has stopped the delegating run, if it is not the owner: the sub-agent's run is stopped, and what it has done stays.
 */
export async function cancelChild(
  table: Table,
  tools: ReadonlyMap<string, Tool>,
  conversationId: string,
  now: Date,
  { by }: { by?: string } = {},
): Promise<Meta | undefined> {
  if (!(await readShownMeta(table, conversationId))) return undefined;
  const cancel = async (meta: Meta): Promise<Change<Meta>> => {
    const { run } = meta;
    if (!run || run.status === 'cancelling') return { answer: meta };
    const why = 'The run that asked for this was cancelled.';
    if (by !== undefined)
      return isActive(run.status) ? cancelling(table, tools, meta, why, now, { stoppedBy: by }) : { answer: meta };
    const isUndone = run.undoFrom === firstRun && run.stoppedBy === undefined;
    if (run.status === 'cancelled' && isUndone) return { answer: meta };
    // A run that was cancelled on its own has had a rollback, unless a member has stopped it. This is another one.
    const cancelled = run.status === 'cancelled' ? again(run) : run;
    return cancelling(table, tools, { ...meta, run: { ...cancelled, undoFrom: firstRun } }, why, now);
  };
  return changeConversation<Meta>(table, conversationId, cancel, { ends: true });
}
