import { exhaustedByUser, isUserLimited, tokensOf } from '../agent/limits';
import type { ModelRequest } from '../agent/model';
import { expectedUsage, priced } from '../agent/prices';
import type { Draft, Meta } from '../rows/meta';
import type { Log } from '../runs/log';
import { readSpending, reserve } from '../runs/spending';
import type { SegmentInput } from '../state/loop-state';
import { noUsage } from '../state/schemas';
import { ConversationBusy } from '../text/errors';
import type { Loop } from './advance';

/** Reserves what the step may use of its user's budget. @returns META after that, or the reason if the budget is used up. */
export async function budgetOf(
  { table, limits, model, now }: Loop,
  at: SegmentInput,
  { draft, meta, log, request }: { draft: Draft; meta: Meta; log: Log; request: Pick<ModelRequest, 'agent' | 'items'> },
): Promise<Meta | string> {
  if (!isUserLimited(limits)) return meta;
  const { price } = model.about(request.agent);
  const usage = draft.scheduled?.length ? noUsage : priced(expectedUsage(request), price);
  const held = log.messages.find(({ seq }) => seq === draft.seq)?.reserved;
  const reserved = await reserve(table, { at, draft, meta, held }, usage, limits, now());
  if (reserved) return reserved;
  const next = { steps: 1, tokens: tokensOf(usage), costMicrodollars: usage.costMicrodollars };
  const reason = exhaustedByUser(limits, await readSpending(table, meta.owner, now()), next);
  // Another step has given back its reservation meanwhile. The state machine tries again.
  if (!reason) throw new ConversationBusy('The budget of this user was reserved by other steps. Try again.');
  return reason;
}
