import { asksFor } from 'vigil-client/shared';
import { isActive } from '../../base/state/schemas';
import type { Tool } from '../../conversations/agent/tool';
import { readCallsOfStep, stepPrefix } from '../../conversations/calls/call';
import { toolOf } from '../../conversations/calls/call-state';
import { readCallbacks } from '../../conversations/calls/callback';
import { changeCall } from '../../conversations/calls/change-call';
import { key } from '../../conversations/rows/keys';
import { type StoredRun, withTodo } from '../../conversations/rows/meta';
import type { Todo } from '../../conversations/rows/todo';
import { stopOf } from '../../conversations/runs/segment';
import { changeConversation } from '../../conversations/store/change-conversation';
import type { Table } from '../../conversations/store/table';
import type { RowWrite } from '../../conversations/store/write';

export interface Renewal {
  runId: string;
  /** The segment that the run must be in. Of several renewals at once, the first one holds. */
  from: number;
  /** The next segment. None of its executions exists. */
  to: number;
  /** Whether the table was restored from a backup. What was open then may have been done since. */
  isRestored: boolean;
}

/**
 * Moves a run to another segment, and requests what carries it on there: its loop, its rollback, or its hold. Executions of earlier
 * segments change nothing any more.
 *
 * @returns whether the run has moved. If not, it has moved on by itself.
 */
export function renewRun(
  table: Table,
  tools: ReadonlyMap<string, Tool>,
  conversationId: string,
  { runId, from, to, isRestored }: Renewal,
  now: Date,
): Promise<boolean> {
  return changeConversation<boolean>(table, conversationId, async (meta) => {
    const { run } = meta;
    if (run?.id !== runId || run.segment !== from || !canGoOn(run)) return { answer: false };
    const rows = isRestored ? await restoredRows(table, tools, conversationId, run, now) : [];
    const renewed = { ...run, segment: to, segmentStartedAt: now.toISOString(), segmentEvents: 0 };
    // Executions of earlier segments change nothing any more, but might sleep for months.
    const stops = segmentsOf(from, to).map((segment) => stopOf({ ...run, segment }, 'renewed'));
    return { meta: withTodo({ ...meta, run: renewed }, ...stops, ...carryOn(renewed, now)), rows, answer: true };
  });
}

/** Whether the run is under way, is undone, or can be retried. */
export const canGoOn = ({ status }: StoredRun): boolean =>
  isActive(status) || status === 'cancelling' || status === 'failed' || status === 'limited';

/** Returns the segments from one to before another. */
export const segmentsOf = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

/** Returns what carries the run on in its segment. */
function carryOn({ id: runId, segment, step, status, heldUntil }: StoredRun, now: Date): Todo[] {
  if (isActive(status)) return [{ does: 'start', runId, segment, step }];
  if (status === 'cancelling') return [{ does: 'rollback', runId, segment, at: now.toISOString() }];
  return heldUntil === undefined ? [] : [{ does: 'rollback', runId, segment, at: heldUntil, isHeld: true }];
}

/**
 * The calls of the last step that may have been made since the backup, and the approvals that may have been decided. A `once` call is
 * not made again. A person who is asked again reads why.
 */
async function restoredRows(
  table: Table,
  tools: ReadonlyMap<string, Tool>,
  conversationId: string,
  { id, step, status }: StoredRun,
  now: Date,
): Promise<RowWrite[]> {
  // The rollback waits for calls that were running when it began.
  if (status === 'cancelling') return [];
  const calls = await readCallsOfStep(table, conversationId, id, step);
  const callbacks = await readCallbacks(table, conversationId, stepPrefix(id, step));
  const lost = calls.flatMap((call): RowWrite[] => {
    const changed = changeCall(call, 'restore', { tool: toolOf(tools, call), now, error: maybeDone });
    return changed ? [changed.own] : [];
  });
  const asked = callbacks.filter(({ kind, status, prompt }) => {
    return asksFor(kind, 'decision') && status === 'pending' && !prompt?.endsWith(askedAgain);
  });
  const again = asked.map(({ id: callbackId, version, prompt, sentence }): RowWrite => {
    // People read the sentence instead of the prompt, where there is one.
    const parts = sentence && { sentence: [...sentence, { text: ` ${askedAgain}` }] };
    const set = { prompt: `${prompt} ${askedAgain}`, ...parts };
    return { sk: key.callback(callbackId), set, onlyIf: { version } };
  });
  return [...lost, ...again];
}

const maybeDone = 'The data was restored from a backup, so this may have been done since.';
const askedAgain =
  '(The data was restored from a backup. This may have been decided and done already: check before you approve.)';
