import type { Taker } from '../../base/state/schemas';
import { NotAllowed } from '../../base/text/errors';
import { type Caller, deciderOf, ownDeciders, userIn } from '../agent/approvers';
import { key } from '../rows/keys';
import type { Meta } from '../rows/meta';
import { metaAtLeast } from '../rows/readable';
import type { Member, StoredMessage } from '../rows/rows';
import { noConversation } from '../store/change-conversation';
import { readMeta, readRow, readShownMeta, type Table } from '../store/table';

/**
 * What a person is in a conversation: each may do what the ones before may.
 *
 * - `watcher`: reads it.
 * - `member`: also writes, answers its questions, and stops and continues its runs.
 * - `owner`: the person for whom its agents act. Effects, money, memories, budgets, timers and approvals are theirs.
 */
const roles = ['watcher', 'member', 'owner'] as const;
export type Role = (typeof roles)[number];

/** A person: a user, with the groups that their token names. A user's id alone is one without groups. */
export type Person = string | (Pick<Caller, 'user' | 'groups'> & Partial<Pick<Caller, 'claims'>>);

export const userOf = (person: Person): string => (typeof person === 'string' ? person : person.user);

/** Returns the names under which a person may be a member: their own, and those of their groups. */
export const namesOf = (person: Person): string[] =>
  ownDeciders(typeof person === 'string' ? { user: person, groups: [] } : person);

/** Returns the name under which a person is a member by themselves. */
export const ownName = (person: Person): string => deciderOf('owner', userOf(person));

/** Whether somebody is in a conversation. The owner has let in who came by a link, and who was invited has accepted. */
export const isIn = ({ asks, invited }: Pick<Member, 'asks' | 'invited'>): boolean => !asks && !invited;

/** What META says about people. */
type Peopled = Pick<Meta, 'owner' | 'members' | 'takenBy' | 'run'>;

/** Returns who has taken a conversation over from its agent, and has not given it back. */
export const takerIn = ({ takenBy, run }: Pick<Meta, 'takenBy' | 'run'>): Taker | undefined =>
  run?.status === 'waiting' ? takenBy : undefined;

/**
 * Returns what a person is in a conversation; undefined for a stranger, and for everybody once it is deleted. Who takes it over is a member
 * meanwhile.
 */
export function roleIn(meta: Peopled, person: Person): Role | undefined {
  const { owner, members = {} } = meta;
  if (!owner) return undefined;
  if (owner === userOf(person)) return 'owner';
  if (takerIn(meta)?.user === userOf(person)) return 'member';
  const held = namesOf(person).flatMap((name) => (members[name] && isIn(members[name]) ? members[name].role : []));
  return held.includes('member') ? 'member' : held[0];
}

/** Returns the users who are members or watchers by themselves, and not by a group, and who has taken it over. */
export function usersIn(meta: Peopled): string[] {
  const named = Object.entries(meta.members ?? {}).flatMap(([name, member]) =>
    isIn(member) ? (userIn(name) ?? []) : [],
  );
  const taker = takerIn(meta);
  return taker && !named.includes(taker.user) ? [...named, taker.user] : named;
}

/** Whether anybody but its owner is in a conversation. Who has asked to be let in is not. */
export const isShared = (meta: Peopled): boolean =>
  Object.values(meta.members ?? {}).some(({ asks }) => !asks) || takerIn(meta) !== undefined;

/** Whether a conversation is its owner's alone. That of a sub-agent is, if the one at the top is, for which it works. */
export async function isOwnersAlone(table: Table, meta: Meta): Promise<boolean> {
  if (isShared(meta) || meta.unreadable) return false;
  if (!meta.parent) return true;
  const above = await readShownMeta(table, meta.parent.conversationId);
  return above?.owner === meta.owner && isOwnersAlone(table, above);
}

/**
 * Returns the author of a person's words. Those of a member are marked, and have the name by which the conversation knows them.
 *
 * @param called the name that the person's token has, for a member whom the conversation knows by none.
 */
export function authorIn(
  { owner, members = {} }: Pick<Meta, 'owner' | 'members'>,
  person: Person,
  called?: string,
): Pick<StoredMessage, 'author' | 'authorName' | 'sources'> {
  const author = userOf(person);
  if (author === owner) return { author };
  const name = members[ownName(person)]?.name ?? called;
  return { author, sources: ['member'], ...(name !== undefined && { authorName: name }) };
}

/**
 * Returns a message with its author's place among the people of today. Since a conversation was handed over, what was said in it before is
 * another person's words, like a member's, unless the owner of today has said it: also what was said by a machine that acted for the former
 * owner, by a timer of theirs, as a task for a sub-agent, and in a summary.
 */
export function asItsAuthors<Row extends Pick<StoredMessage, 'role' | 'author' | 'sources' | 'seq' | 'covers'>>(
  { owner, startedBy, parent, handedOver }: Pick<Meta, 'owner' | 'startedBy' | 'parent' | 'handedOver'>,
  message: Row,
): Row {
  const { role, author, sources, seq, covers } = message;
  const isReply = role === 'assistant' && covers === undefined;
  const isOfToday = seq > (handedOver?.seq ?? 0) && (role !== 'user' || author === startedBy || parent !== undefined);
  const isOwners = isReply || author === owner || isOfToday;
  return isOwners || sources?.includes('member') ? message : { ...message, sources: [...(sources ?? []), 'member'] };
}

const isAtLeast = (role: Role | undefined, needed: Role): boolean =>
  role !== undefined && roles.indexOf(role) >= roles.indexOf(needed);

/**
 * Checks what a person may do to a conversation that was read for a change. `readRole` is the same rule for those who read it, among them
 * the readers of a sub-agent's conversation, who are in the one above it. Both ask `roleIn`.
 *
 * @throws NotFound for a stranger, who learns nothing, as if there were no such conversation.
 * @throws NotAllowed for one who reads it, and may not do this.
 */
export function checkRole(meta: Peopled & Pick<Meta, 'conversationId'>, person: Person, needed: Role): Role {
  const role = roleIn(meta, person);
  if (role === undefined) throw noConversation(meta.conversationId);
  if (isAtLeast(role, needed)) return role;
  throw notAllowed(needed);
}

/** @throws as `checkRole` does, for what only the owner may do. */
export const checkOwner = (meta: Meta, person: Person): void => void checkRole(meta, person, 'owner');

/** What a person is in a conversation, and the conversation whose members say so. */
interface Held {
  meta: Meta;
  role: Role;
  home: string;
}

/**
 * Reads META, also one with odd fields, and what a person is in the conversation. Who reads a conversation also reads those of its sub-agents.
 *
 * @throws NotFound for a stranger. The error of a conversation that does not exist is the same.
 * @throws NewerRow if a later version has written META.
 */
export async function readRole(table: Table, conversationId: string, person: Person): Promise<Held> {
  const meta = await readShownMeta(table, conversationId);
  if (!meta?.owner) throw noConversation(conversationId);
  // What a later version says of people would be misread.
  if (meta.unreadable?.some(({ field }) => field === 'format')) await readMeta(table, conversationId);
  const role = roleIn(meta, person);
  if (role !== undefined) return { meta, role, home: conversationId };
  if (!meta.parent) throw noConversation(conversationId);
  const { home } = await readRole(table, meta.parent.conversationId, person).catch((error: Error) => {
    throw error.name === 'NotFound' ? noConversation(conversationId) : error;
  });
  return { meta, role: 'watcher', home };
}

/**
 * Reads who may read a conversation, for those who ask about many people.
 *
 * @returns what a person is in it, as `readRole` does; undefined for strangers.
 */
export async function rolesIn(table: Table, conversationId: string): Promise<(person: Person) => Role | undefined> {
  const row = await readRow(table, conversationId, key.meta);
  const meta = row && metaAtLeast(row);
  // What a later version says of people would be misread.
  if (!meta?.owner || meta.unreadable?.some(({ field }) => field === 'format')) return () => undefined;
  const above = meta.parent && (await rolesIn(table, meta.parent.conversationId));
  return (person) => roleIn(meta, person) ?? (above?.(person) && 'watcher');
}

/** Reads META for a person who needs to be at least this. @throws as `checkRole` does. */
export async function readMetaFor(
  table: Table,
  conversationId: string,
  person: Person,
  needed: Role = 'watcher',
): Promise<Meta> {
  const { meta, role } = await readRole(table, conversationId, person);
  if (!isAtLeast(role, needed)) throw notAllowed(needed);
  return meta;
}

export const notAllowed = (needed: Role): NotAllowed =>
  needed === 'owner'
    ? new NotAllowed('You are not the owner of this conversation: only they may do this.', { kind: 'owner-only' })
    : new NotAllowed('You watch this conversation: ask its owner to make you a member.', { kind: 'members-only' });
