import type { SegmentInput } from '../../base/state/loop-state';
import { isOver } from '../../base/state/schemas';
import type { Agent } from '../agent/agent';
import type { Tool } from '../agent/tool';
import { readCallsToUndoFor } from '../calls/call';
import { readCallbacksOfRun, removeListEntry } from '../calls/callback';
import { canBeUndone } from '../calls/undoable';
import { type Meta, withTodo } from '../rows/meta';
import { ended, reporting } from '../runs/run';
import { type Change, changeConversation } from '../store/change-conversation';
import { breakOffDraft } from '../store/end-draft';
import type { Table } from '../store/table';
import { cancelling } from './cancel';

interface Deployment {
  agents: ReadonlyMap<string, Agent>;
  tools: ReadonlyMap<string, Tool>;
}

const day = 86_400_000;
const defaultHoldDays = 7;

/**
 * Ends a run as `failed`, marks its half-written message, and takes what it waits for from the lists. If the run has calls to undo, it
 * is held for a retry and rolled back afterwards. A second or late report changes nothing.
 *
 * @returns whether it ended the run.
 */
export function failRun(
  table: Table,
  { agents, tools }: Deployment,
  at: SegmentInput,
  reason: string,
  now: Date,
): Promise<boolean> {
  const { conversationId } = at;
  const fail = async (meta: Meta): Promise<Change<boolean>> => {
    const { run } = meta;
    const over = !run || isOver(run.status) || run.status === 'cancelling';
    if (run?.id !== at.runId || run.segment !== at.segment || over) return { answer: false };
    const { calls } = await readCallsToUndoFor(table, conversationId, run);
    const undoable = calls.some((call) => canBeUndone(tools, call));
    const holdDays = agents.get(run.agent)?.holdFailedDays ?? defaultHoldDays;
    // Of a META that is not whole, no run can be continued.
    if ((undoable && holdDays === 0) || meta.unreadable) {
      const { answer: _, ...cancelled } = await cancelling(table, tools, meta, `It failed: ${reason}`, now);
      return { ...cancelled, answer: true };
    }
    const failed = ended(meta, run, { status: 'failed', reason }, now);
    const listed = (await readCallbacksOfRun(table, conversationId, run.id)).filter(({ openFor }) => openFor);
    const heldUntil = undoable ? new Date(now.getTime() + holdDays * day).toISOString() : undefined;
    return {
      meta: reporting({
        ...(heldUntil
          ? withTodo(failed, { does: 'rollback', runId: run.id, segment: run.segment, at: heldUntil, isHeld: true })
          : failed),
        // Without a draft, what failed is a call of the last stored step.
        run: { ...failed.run!, draft: run.draft, heldUntil, failedStep: run.draft?.step ?? run.step },
      }),
      rows: [...(await breakOffDraft(table, conversationId, run, now)), ...listed.map(removeListEntry)],
      answer: true,
    };
  };
  return changeConversation(table, conversationId, fail, { ends: true });
}
