import type { Scope } from '../../conversations/embeddings/message-index';
import { readSharedWith } from '../../conversations/members/members';
import { type Person, roleIn, userOf } from '../../conversations/members/role';
import type { Meta } from '../../conversations/rows/meta';
import { readShownMeta, type Table } from '../../conversations/store/table';

/**
 * What may be found by meaning. Code decides this, here and nowhere else, from the token's person or the call's row, never from what a model
 * or a person wrote.
 */
export interface Reach {
  scope: Scope;
  /** Decides again, by META as it is when something is found. A deleted conversation is nobody's. */
  mayFind(meta: Meta): boolean;
}

/** Returns what an agent's call finds: what was said in all conversations of the user for whom it acts. */
export const reachOfCall = (user: string): Reach => ({
  scope: { owner: user },
  mayFind: ({ owner }) => owner !== '' && owner === user,
});

/** A search reads each of them apart. */
const mostShared = 50;

/** Returns what a person finds: what was said in all of their conversations, and in those that others share with them. */
export async function reachOf(table: Table, person: Person): Promise<Reach> {
  const ids = (await readSharedWith(table, person)).sort().slice(0, mostShared);
  const metas = await Promise.all(ids.map((id) => readShownMeta(table, id)));
  const mayFind = (meta: Meta) => roleIn(meta, person) !== undefined;
  const shared = metas.flatMap((meta) =>
    meta && mayFind(meta) ? [{ owner: meta.owner, conversationId: meta.conversationId }] : [],
  );
  const owner = userOf(person);
  return { scope: { owner, shared: shared.filter((one) => one.owner !== owner) }, mayFind };
}
