// core/conversations/members: the people of a conversation: members, links, owners, those who take over.

import { seen } from 'vigil-client/shared';
import { clip } from '../../base/text/clip';
import { InvalidInput, WrongState } from '../../base/text/errors';
import { ttlAfter } from '../../base/time/ttl';
import { userIn } from '../agent/approvers';
import { key } from '../rows/keys';
import type { Meta } from '../rows/meta';
import { onlyReadable } from '../rows/readable';
import { type Member, SharedRow } from '../rows/rows';
import { type Change, changeConversations, noConversation } from '../store/change-conversation';
import { readKind, readPartition, readShownMeta, type Table } from '../store/table';
import type { RowWrite } from '../store/write';
import { checkOwner, checkRole, namesOf, ownName, type Person } from './role';

/**
 * The people of a conversation, besides its owner. They are in META, which every change of the conversation reads and fences: who is removed
 * has no later place in its order. A row in each member's own partition leads to the conversation.
 *
 * All versions of a conversation have the same members: a change is made in all of them, in one transaction.
 */

/** META stays below 4 KB with them. */
const mostMembers = 20;
const mostBytes = 1_500;
const nameCharacters = 40;

/** A user's id as a request may name it. It is part of keys, where `#` separates. */
export const userId = {
  pattern: /^[\w.:|@+-]{1,128}$/,
  words: 'use the id of a user, which has 1 to 128 letters, digits and . : | @ + - _',
};
export const memberName = {
  pattern: /^(?:user:[\w.:|@+-]{1,128}|group:[^\s#]{1,128})$/,
  words: 'use user:<the id of a user> or group:<the name of a group>',
};

/** A conversation, and who wants to change it. */
export interface Asked {
  conversationId: string;
  by: Person;
}

/**
 * Invites a user, adds a group, changes a member, or lets in who has come by a link. Who is invited has no role before they accept; the people
 * of a group are in at once, so only one of them adds it.
 *
 * @throws NotFound, NotAllowed if the person is not the owner.
 * @throws InvalidInput if there are too many, the member is the owner, or a group that the owner is not in.
 */
export const setMember = (
  table: Table,
  asked: Asked,
  name: string,
  { role, name: called }: Pick<Member, 'role'> & { name?: string },
): Promise<Meta> =>
  changeVersions(table, asked.conversationId, (meta) => {
    checkOwner(meta, asked.by);
    if (name === ownName(meta.owner)) throw new InvalidInput('member', 'the owner is no member');
    const before = meta.members?.[name];
    const isGroup = userIn(name) === undefined;
    if (isGroup && !before && !namesOf(asked.by).includes(name))
      throw new InvalidInput('member', 'only somebody who is in a group can add it; invite its people one by one');
    const known = called === undefined ? before?.name : (nameFrom(called) ?? undefined);
    const invited = !isGroup && (before?.invited ?? before === undefined);
    const member: Member = { role, ...(known !== undefined && { name: known }), ...(invited && { invited }) };
    return withMembers(meta, { ...meta.members, [name]: member });
  });

/**
 * Removes a member, or lets one leave. From then on, they find no such conversation.
 *
 * @throws NotFound, NotAllowed if the person is neither the owner nor the member.
 */
export const removeMember = (table: Table, asked: Asked, name: string, now: Date): Promise<Meta | undefined> => {
  const isSelf = name === ownName(asked.by);
  return changeVersions<Meta | undefined>(table, asked.conversationId, (meta) => {
    if (!isSelf) checkOwner(meta, asked.by);
    // A request that is repeated, or one that a link has not been confirmed for.
    else if (!meta.members?.[name]) checkRole(meta, asked.by, 'watcher');
    if (!meta.members?.[name]) return { answer: meta };
    const { [name]: _, ...others } = meta.members;
    return withMembers(meta, others, now);
  });
};

/** Returns the change to these members, with the rows that lead them to the conversation. @throws InvalidInput if they are too many. */
export function withMembers(meta: Meta, wanted: Record<string, Member>, now = new Date()): Change<Meta> {
  const members = Object.keys(wanted).length > 0 ? wanted : undefined;
  if (JSON.stringify(members) === JSON.stringify(meta.members)) return { answer: meta };
  checkFits(wanted, meta.members ?? {});
  const led = (some: Record<string, Member> | undefined) =>
    Object.keys(some ?? {}).filter((name) => !some![name]!.asks);
  const [was, is] = [led(meta.members), led(members)];
  const asBefore = (name: string) =>
    was.includes(name) && meta.members![name]!.invited === members![name]!.invited && !members![name]!.invited;
  const rows = [
    ...is.filter((name) => !asBefore(name)).map((name) => sharedRow(meta, name, members![name]!, now)),
    ...was.filter((name) => !is.includes(name)).map((name) => unsharedRow(name, meta.conversationId, now)),
  ];
  const changed = { ...meta, members, membersVersion: (meta.membersVersion ?? 0) + 1 };
  return { meta: changed, rows, answer: { ...changed, version: meta.version + 1 } };
}

/** Fewer are always taken. */
function checkFits(wanted: Record<string, Member>, before: Record<string, Member>): void {
  const [count, had] = [Object.keys(wanted).length, Object.keys(before).length];
  if (count > mostMembers && count > had)
    throw new InvalidInput('member', `a conversation has at most ${mostMembers} members; add a group instead`);
  const bytes = (some: Record<string, Member>) => Buffer.byteLength(JSON.stringify(some));
  if (bytes(wanted) > mostBytes && bytes(wanted) > bytes(before))
    throw new InvalidInput('member', 'the names of the members are too long together; add a group instead');
}

/** Returns a name as one line of what is visible; undefined for none. */
export function nameFrom(text: string): string | undefined {
  return clip(seen(text), { characters: nameCharacters }) || undefined;
}

/** Returns the rows that lead the members of a conversation to a version of it. */
export const sharedRows = (meta: Meta, conversationId: string, now: Date): RowWrite[] =>
  Object.entries(meta.members ?? {})
    .filter(([, { asks }]) => !asks)
    .map(([name, member]) =>
      sharedRow({ ...meta, rootId: meta.rootId ?? meta.conversationId, conversationId }, name, member, now),
    );

function sharedRow(
  { conversationId, owner, rootId = conversationId }: Meta,
  name: string,
  { role, invited }: Member,
  now: Date,
): RowWrite {
  const invitedBy = invited && { user: owner, role, at: now.toISOString(), rootId };
  return {
    pk: key.sharedWith(name),
    sk: key.shared(conversationId),
    put: { conversationId, ...(invitedBy && { invitedBy }) },
  };
}

const unsharedRow = (name: string, conversationId: string, now: Date): RowWrite => ({
  pk: key.sharedWith(name),
  sk: key.shared(conversationId),
  mark: { ttl: ttlAfter(now, 1) },
});

/** Returns the rows that lead to a conversation no more, because it is deleted. */
export const unsharedRows = ({ conversationId, members = {} }: Meta, now: Date): RowWrite[] =>
  Object.keys(members)
    .filter((name) => !members[name]!.asks)
    .map((name) => unsharedRow(name, conversationId, now));

/** Returns the ids of the conversations that a person is in as a member, or a group of theirs. An invitation is none. */
export async function readSharedWith(table: Table, person: Person): Promise<string[]> {
  const rows = (await Promise.all(namesOf(person).map((name) => readSharedRows(table, name)))).flat();
  return [...new Set(rows.filter(({ invitedBy }) => !invitedBy).map(({ conversationId }) => conversationId))];
}

/** Returns the rows that lead a user or a group to conversations, and a user to invitations. */
export async function readSharedRows(table: Table, name: string): Promise<SharedRow[]> {
  const rows = await readPartition(table, key.sharedWith(name), key.shared(''), key.shared('~'));
  return onlyReadable(SharedRow, rows).filter(({ ttl }) => ttl === undefined);
}

/** What a shared conversation may have. A change of a member has two rows for each version, and a transaction at most 100. */
export const mostVersions = 40;
const mostAtOnce = 48;

/**
 * Makes a change in all versions of a conversation, or in none of them. A version that is forked meanwhile changes the META that it is forked
 * from, so the change is decided again, with that version.
 *
 * @returns the answer of the named one.
 * @throws WrongState if there are too many versions.
 */
export const changeVersions = <Answer>(
  table: Table,
  conversationId: string,
  decide: (meta: Meta) => Change<Answer> | Promise<Change<Answer>>,
): Promise<Answer> =>
  changeConversations(
    table,
    async () => {
      const versions = await versionsOf(table, conversationId);
      if (versions.length > mostAtOnce) throw tooManyVersions();
      return versions;
    },
    decide,
  );

export const tooManyVersions = (): WrongState =>
  new WrongState(`A shared conversation has at most ${mostVersions} versions. Delete some of them first.`, {
    kind: 'too-many-versions',
    values: { most: mostVersions },
  });

/** Returns the ids of the versions of a conversation that are its owner's, the named one first. */
export async function versionsOf(table: Table, conversationId: string): Promise<string[]> {
  const { owner, rootId = conversationId } = (await readShownMeta(table, conversationId)) ?? {};
  if (!owner) throw noConversation(conversationId);
  const rows = await readKind(table, rootId, 'branch');
  const forks = rows.filter((row) => !('ttl' in row)).map((row) => String((row as { id: unknown }).id));
  const others = [rootId, ...forks].filter((id) => id !== conversationId);
  const metas = await Promise.all(others.map((id) => readShownMeta(table, id)));
  return [conversationId, ...others.filter((_, index) => metas[index]?.owner === owner)];
}
