import { addUsage, type Usage } from '../../base/state/schemas';
import { key } from '../../conversations/rows/keys';
import type { StoredMessage } from '../../conversations/rows/rows';
import { givenBack, spentOnCutOff } from '../../conversations/runs/spending';
import { changeConversation } from '../../conversations/store/change-conversation';
import { readMeta, readRow } from '../../conversations/store/table';
import type { Step } from './step';

type Loss = 'failed' | 'cut-off' | 'lost' | 'stopped';

/**
 * Counts what a reply has used that is not committed, because it is billed. Otherwise, interrupting every reply would evade the limits.
 *
 * - `failed`: the model call has failed. What the step has reserved is given back.
 * - `cut-off`: the reply is no longer wanted.
 * - `lost`: it came as a whole, and could not be checked or stored.
 * - `stopped`: it came as a whole, when its run had been stopped.
 *
 * @param usage absent if nothing is billed.
 */
export async function countLost(step: Step, loss: Loss, usage: Usage | undefined): Promise<void> {
  try {
    if (loss === 'failed') await giveBack(step, usage);
    else if (usage && !(await isCountedElsewhere(step, loss, usage))) await countUsed(step, usage);
  } catch {
    // What has become of the reply decides.
  }
}

/** If another attempt has taken over the step, the reservation is that attempt's. */
async function giveBack({ loop, at, draft, meta, reservation }: Step, billed: Usage | undefined): Promise<void> {
  if (!billed && !reservation) return;
  await changeConversation<void>(loop.table, at.conversationId, (current) => {
    const { run } = current;
    if (run?.draft?.writer !== draft.writer) return { answer: undefined };
    return {
      meta: billed && { ...current, run: { ...run, usage: addUsage(run.usage, billed) } },
      rows: reservation ? givenBack(draft, meta.owner, reservation, billed) : [],
      answer: undefined,
    };
  });
}

async function countUsed({ loop, at, draft, meta, reservation }: Step, usage: Usage): Promise<void> {
  const { conversationId } = at;
  await spentOnCutOff(loop.table, { conversationId, owner: meta.owner, draft }, reservation, usage);
  await changeConversation<void>(loop.table, conversationId, (current) => {
    const { run } = current;
    const counted = run?.id === at.runId ? { ...run, usage: addUsage(run.usage, usage) } : run;
    return { meta: { ...current, run: counted }, answer: undefined };
  });
}

async function isCountedElsewhere({ loop, at, draft }: Step, loss: Loss, usage: Usage): Promise<boolean> {
  if (loss === 'lost') {
    const meta = await readMeta(loop.table, at.conversationId).catch(() => undefined);
    // The provider still has the reply. It is fetched again, and counted then.
    return meta?.run?.draft?.pending !== undefined;
  }
  if (loss !== 'stopped') return false;
  const row = await readRow(loop.table, at.conversationId, key.message(draft.seq));
  const { status, usage: counted } = (row ?? {}) as Partial<StoredMessage>;
  // Without that mark the step may have been stored, or be another attempt's.
  return status !== 'cancelled' || counted !== undefined || usage.modelCalls === 0;
}
