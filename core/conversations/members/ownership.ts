import { isActive } from '../../base/state/schemas';
import type { Counts } from '../../base/state/user-limits';
import { InvalidInput, WrongState } from '../../base/text/errors';
import { childrenOf, readCallbacks } from '../calls/callback';
import { isOpenTimer, readTimers } from '../calls/timer';
import { handedOverRows } from '../embeddings/message-index';
import { readFileRows } from '../files/stored-file';
import type { Meta } from '../rows/meta';
import type { StoredTodos } from '../rows/todo';
import { withRun } from '../runs/standing';
import { type Change, changeConversations } from '../store/change-conversation';
import { countChange } from '../store/counts';
import { readKind, readShownMeta, type Table } from '../store/table';
import { type Asked, changeVersions, versionsOf, withMembers } from './members';
import { checkOwner, checkRole, isIn, ownName, userOf } from './role';

/**
 * Offers the conversation to a member, who becomes its owner when they accept: from then on its agents act for them, and what they cost is
 * theirs. So no one becomes an owner without agreeing to it. An offer of `undefined` takes it back.
 *
 * @throws NotFound, NotAllowed if the person is not the owner.
 * @throws InvalidInput if the user is no member.
 */
export const offerOwnership = (table: Table, asked: Asked, user: string | undefined): Promise<Meta> =>
  changeVersions(table, asked.conversationId, (meta) => {
    checkOwner(meta, asked.by);
    const entry = user === undefined ? undefined : meta.members?.[ownName(user)];
    if (user !== undefined && (entry?.role !== 'member' || !isIn(entry)))
      throw new InvalidInput('user', 'only a user who is a member can become the owner');
    if (meta.offeredTo === user) return { answer: meta };
    const offered = { ...meta, offeredTo: user };
    return { meta: offered, answer: { ...offered, version: meta.version + 1 } };
  });

/** Of a transaction, two rows count conversations. Each version has five: META, two lists of shared ones, two of vectors. A task has no lists. */
const rowsAtOnce = 98;
const rowsOfVersion = 5;
const rowsOfTask = 3;

/**
 * Makes the person to whom a conversation is offered its owner, and the former owner a member. What its agents do for an owner must be over:
 * no run, no timer. Its versions and its sub-agents' conversations go with it, in one transaction: nobody ever has a part. A version that is
 * forked meanwhile changes the META that it is forked from, so it goes with it, too.
 *
 * @throws NotFound, NotAllowed if it is not offered to this person.
 * @throws WrongState if something is still done for the former owner, it has files, which stay their owner's, or is too large.
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
  return changeConversations(
    table,
    () => allOf(table, conversationId),
    async (meta): Promise<Change<Meta>> => {
      // An earlier attempt has committed, and its answer was lost.
      if (meta.owner === user) return { answer: meta };
      // A version that is made at this moment is not offered, nor is a sub-agent's conversation.
      if (meta.conversationId === conversationId) checkOffered(meta, by);
      await checkIdle(table, meta);
      return handOver(meta, user, now, atMost);
    },
  );
}

/** Returns the ids of the versions of a conversation, the named one first, and of its sub-agents' conversations. @throws WrongState if they are too many. */
async function allOf(table: Table, conversationId: string): Promise<string[]> {
  const versions = await versionsOf(table, conversationId);
  const tasks = (await Promise.all(versions.map((id) => tasksOf(table, id)))).flat();
  if (rowsOfVersion * versions.length + rowsOfTask * tasks.length > rowsAtOnce)
    throw new WrongState(
      'It has too many versions and conversations of sub-agents to be handed over at once: delete some of them first.',
      { kind: 'owner-has-too-much' },
    );
  return [...versions, ...tasks];
}

/** Returns the ids of the conversations of sub-agents, and of theirs. */
async function tasksOf(table: Table, conversationId: string): Promise<string[]> {
  const callbacks = await readCallbacks(table, conversationId, '');
  const all: string[] = [];
  for (const id of childrenOf(callbacks)) {
    // A deleted one is nobody's.
    if ((await readShownMeta(table, id))?.owner) all.push(id);
    all.push(...(await tasksOf(table, id)));
  }
  return all;
}

/**
 * Returns the change of the owner. What else the former owner has left would steer the agents of the new one, or act for them: the claims,
 * metadata, instructions and model that were given to the conversation, the machine that started it, and a run that could be retried, go.
 */
function handOver(current: Meta, user: string, now: Date, atMost?: Partial<Counts>): Change<Meta> {
  const { owner, run, parent, conversationId, handedOver, lastSeq } = current;
  const { [ownName(user)]: _, ...others } = current.members ?? {};
  const members = parent ? {} : { ...others, [ownName(owner)]: { role: 'member' as const } };
  const { meta: shared = current, rows = [] } = withMembers(current, members, now);
  const isRetriable = run?.status === 'failed';
  const bare: Meta = {
    ...shared,
    owner: user,
    offeredTo: undefined,
    handedOver: { times: (handedOver?.times ?? 0) + 1, seq: lastSeq },
    pinned: undefined,
    archived: undefined,
    claims: undefined,
    timeZone: undefined,
    language: undefined,
    metadata: undefined,
    given: undefined,
    overrides: undefined,
    startedBy: undefined,
    updatedAt: now.toISOString(),
  };
  const over = run && {
    ...run,
    claims: undefined,
    stoppedBy: undefined,
    ...(isRetriable && { status: 'cancelled' as const, draft: undefined }),
  };
  const given = over ? withRun(bare, over) : bare;
  const counts = [
    ...countChange(current, { ...current, owner: '', deletedFor: owner }),
    ...countChange(undefined, given, atMost),
  ];
  return {
    meta: given,
    rows: [...rows, ...counts, ...handedOverRows(conversationId, owner, user, now)],
    answer: { ...given, version: current.version + 1 },
  };
}

function checkOffered(meta: Meta, by: Asked['by']): void {
  checkRole(meta, by, 'member');
  if (meta.offeredTo !== userOf(by))
    throw new WrongState('This conversation is not offered to you.', { kind: 'not-offered' });
}

async function checkIdle(table: Table, { conversationId, owner, run }: Meta): Promise<void> {
  const isToEnd = run && (isActive(run.status) || run.status === 'cancelling' || run.status === 'limited');
  const todos = (await readKind(table, conversationId, 'todos')) as Partial<StoredTodos>[];
  const isLeft = todos.some((row) => row.todos?.length !== 0);
  if (isToEnd || run?.heldUntil !== undefined || isLeft)
    throw new WrongState('Its agents still work for its owner: wait until the run is over, or cancel it.', {
      kind: 'owner-has-run',
    });
  if ((await readTimers(table, conversationId)).some(isOpenTimer))
    throw new WrongState('It has timers of its owner: cancel them first.', { kind: 'owner-has-timers' });
  if ((await readFileRows(table, owner)).some((file) => file.in.includes(conversationId)))
    throw new WrongState('It has files, which belong to its owner: a conversation with files stays theirs.', {
      kind: 'owner-has-files',
    });
}
