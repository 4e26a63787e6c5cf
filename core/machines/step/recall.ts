import { namesOfFiles } from '../../base/content/parts';
import { inReadingOrder } from '../../conversations/decisions/transcript';
import { guardsAt } from '../../conversations/guards/guard';
import { key } from '../../conversations/rows/keys';
import { write } from '../../conversations/store/table';
import type { Recalled } from '../loop/advance';
import { checkedRecall } from './guarded';
import type { Stage, Step } from './step';

/** Recalls what the user has said in other conversations, for agents that may. */
export const recall: Stage = {
  async before(step) {
    if (step.agent.recall && !step.summary) step.recalled = await recallOnce(step);
    return undefined;
  },
};

/** Recalls what relates to the user's last message. The result is stored with the step, so a retry does not ask again. */
async function recallOnce(step: Step): Promise<Partial<Recalled> | undefined> {
  const { loop, at, agent, draft, meta, log, own, isAlone } = step;
  const last = inReadingOrder(log.messages).findLast(({ seq, status }) => seq < draft.seq && status !== 'pending');
  // What it remembers about its owner is not for those with whom they share the conversation.
  if (!isAlone) return { sources: own.recalledSources };
  if (own.recalled || last?.role !== 'user') return { text: own.recalled, sources: own.recalledSources };
  // A server of embeddings rejects an empty text.
  const words = last.text.trim() || namesOfFiles(last);
  const found = words ? await loop.recall?.(meta.owner, words) : undefined;
  if (!found) return undefined;
  const checked = await checkedRecall(step, guardsAt(agent, 'input'), found.text);
  const set = { ...checked, recalledSources: found.sources };
  await write(loop.table, at.conversationId, [{ sk: key.message(draft.seq), set, onlyIf: { writer: draft.writer } }]);
  return { ...found, text: checked.recalled };
}
