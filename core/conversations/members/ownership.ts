import { isActive } from '../../base/state/schemas';
import type { Counts } from '../../base/state/user-limits';
import { InvalidInput, WrongState } from '../../base/text/errors';
import { readCallbacks } from '../calls/callback';
import { isOpenTimer, readTimers } from '../calls/timer';
import { handedOverRows } from '../embeddings/message-index';
import { readFileRows } from '../files/stored-file';
import type { Meta } from '../rows/meta';
import { changeConversation, noConversation } from '../store/change-conversation';
import { countChange } from '../store/counts';
import { readShownMeta, type Table } from '../store/table';
import { type Asked, changeVersions, versionsIn, withMembers } from './members';
import { checkOwner, checkRole, isIn, ownName, userOf } from './role';

/**
 * Offers the conversation to a member, who becomes its owner when they accept: from then on its agents act for them, and what they cost is
 * theirs. So no one becomes an owner without agreeing to it. An offer of `undefined` takes it back.
 *
 * @throws NotFound, NotAllowed if the person is not the owner.
 * @throws InvalidInput if the user is no member.
 */
export const offerOwnership = (table: Table, asked: Asked, user: string | undefined): Promise<Meta> =>
  changeVersions(table, asked, (meta) => {
    checkOwner(meta, asked.by);
    const entry = user === undefined ? undefined : meta.members?.[ownName(user)];
    if (user !== undefined && (entry?.role !== 'member' || !isIn(entry)))
      throw new InvalidInput('user', 'only a user who is a member can become the owner');
    if (meta.offeredTo === user) return { answer: meta };
    const offered = { ...meta, offeredTo: user };
    return { meta: offered, answer: { ...offered, version: meta.version + 1 } };
  });

/**
 * Makes the person to whom a conversation is offered its owner, and the former owner a member. What its agents do for an owner must be over:
 * no run, no timer. Its sub-agents' conversations and its versions go with it.
 *
 * @throws NotFound, NotAllowed if it is not offered to this person.
 * @throws WrongState if something is still done for the former owner, or it has files, which stay their owner's.
 * @throws LimitReached if the new owner has too many conversations.
 */
export async function acceptOwnership(
  table: Table,
  { conversationId, by }: Asked,
  now: Date,
  atMost?: Partial<Counts>,
): Promise<Meta> {
  const user = userOf(by);
  const first = await readShownMeta(table, conversationId);
  if (first?.owner === user) return first;
  if (!first) throw noConversation(conversationId);
  checkOffered(first, by);
  const { owner, rootId = conversationId } = first;
  const versions = [...(await versionsIn(table, rootId)).filter((id) => id !== conversationId), conversationId];
  const all: string[] = [];
  for (const id of versions) all.push(...(await childrenOf(table, id)), id);
  for (const id of all) await checkIdle(table, owner, id);
  let last = first;
  // This one comes last, so a request that is broken off can be repeated.
  for (const id of all) {
    const meta = await readShownMeta(table, id);
    if (meta?.owner !== owner) continue;
    last = await changeConversation<Meta>(table, id, async (current) => {
      if (current.owner === user) return { answer: current };
      // A version that is made at this moment is not offered, nor is a sub-agent's conversation.
      if (id === conversationId) checkOffered(current, by);
      await checkIdle(table, owner, id, current);
      const { [ownName(user)]: _, ...others } = current.members ?? {};
      const members = current.parent ? {} : { ...others, [ownName(owner)]: { role: 'member' as const } };
      const { meta: shared = current, rows = [] } = withMembers(current, members, now);
      const given: Meta = {
        ...shared,
        owner: user,
        offeredTo: undefined,
        pinned: undefined,
        archived: undefined,
        claims: undefined,
        timeZone: undefined,
        language: undefined,
        updatedAt: now.toISOString(),
      };
      const counts = [
        ...countChange(current, { ...current, owner: '', deletedFor: owner }),
        ...countChange(undefined, given, atMost),
      ];
      const vectors = handedOverRows(id, owner, user, now);
      return {
        meta: given,
        rows: [...rows, ...counts, ...vectors],
        answer: { ...given, version: current.version + 1 },
      };
    });
  }
  return last;
}

function checkOffered(meta: Meta, by: Asked['by']): void {
  checkRole(meta, by, 'member');
  if (meta.offeredTo !== userOf(by))
    throw new WrongState('This conversation is not offered to you.', { kind: 'not-offered' });
}

async function childrenOf(table: Table, conversationId: string): Promise<string[]> {
  const callbacks = await readCallbacks(table, conversationId, '');
  const own = callbacks.filter(({ kind }) => kind === 'agent').map((callback) => callback.conversationId!);
  const all: string[] = [];
  for (const id of own) all.push(...(await childrenOf(table, id)), id);
  return all;
}

async function checkIdle(table: Table, owner: string, id: string, given?: Meta): Promise<void> {
  const meta = given ?? (await readShownMeta(table, id));
  if (!meta || meta.owner !== owner) return;
  const { run } = meta;
  if (run && (isActive(run.status) || run.status === 'cancelling' || run.heldUntil !== undefined || meta.outbox))
    throw new WrongState('Its agents still work for its owner: wait until the run is over, or cancel it.', {
      kind: 'owner-has-run',
    });
  if ((await readTimers(table, id)).some(isOpenTimer))
    throw new WrongState('It has timers of its owner: cancel them first.', { kind: 'owner-has-timers' });
  if ((await readFileRows(table, owner)).some((file) => file.in.includes(id)))
    throw new WrongState('It has files, which belong to its owner: a conversation with files stays theirs.', {
      kind: 'owner-has-files',
    });
}
