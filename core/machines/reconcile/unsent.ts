import { stepPrefix } from '../../conversations/calls/call';
import { readCallback, readCallbacks } from '../../conversations/calls/callback';
import { key } from '../../conversations/rows/keys';
import type { Meta } from '../../conversations/rows/meta';
import { isUnreported } from '../../conversations/runs/run';
import { readShownMeta, type Table } from '../../conversations/store/table';

/** A row with an outbox entry that has not been acted on. */
export interface Unsent {
  conversationId: string;
  sk: string;
}

/**
 * Returns the rows that an active run depends on and whose outbox is older than `before`: answers that did not reach it, outcomes of
 * its sub-agents, and the end of the run that has asked for it.
 *
 * @param before in ISO 8601 UTC. Relay acts on what is younger.
 */
export async function unsentFor(table: Table, meta: Meta, before: string): Promise<Unsent[]> {
  const { conversationId, run, parent } = meta;
  const callbacks = await readCallbacks(table, conversationId, stepPrefix(run!.id, run!.step));
  const unsent: Unsent[] = [];
  for (const { id, kind, status, outbox, taskTokens, closedAt = '', conversationId: child } of callbacks) {
    if (outbox === 'answer' && taskTokens?.length && closedAt < before)
      unsent.push({ conversationId, sk: key.callback(id) });
    if (kind !== 'agent' || status !== 'pending' || !child) continue;
    const ended = await readShownMeta(table, child);
    if (ended && isUnreported(ended) && ended.updatedAt < before) unsent.push({ conversationId: child, sk: key.meta });
  }
  const asked = parent && (await readCallback(table, parent.conversationId, parent.callbackId));
  if (asked?.status === 'cancelled' && asked.outbox && (asked.closedAt ?? '') < before)
    unsent.push({ conversationId: parent!.conversationId, sk: key.callback(asked.id) });
  return unsent;
}
