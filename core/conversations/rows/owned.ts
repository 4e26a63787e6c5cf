/**
 * The lists of a user's conversations in the index `byOwner`: the pinned ones, the others, and the archived ones. The index's key,
 * `owner`, names the list of a conversation, so each list is read without the others.
 */
export const lists = ['pinned', 'open', 'archived'] as const;
export type OwnedList = (typeof lists)[number];

/** The attributes of a conversation in the index, besides its keys. */
export const listedAttributes = [
  'conversationId',
  'version',
  'title',
  'agent',
  'parentId',
  'createdAt',
  'status',
  'waitsFor',
  'until',
];

/** Returns the index's key for a user's list. `open:` escapes users whose own name begins like another list's key. */
export const ownedBy = (user: string, list: OwnedList): string =>
  list === 'open' && !prefix.test(user) ? user : `${list}:${user}`;

/** Returns the user in such a key. */
export const ownerIn = (stored: string): string => stored.replace(prefix, '');

const prefix = /^(?:pinned|open|archived):/;

/**
 * Whether a change of META's row names another owner. A list is no owner: a conversation may be pinned, or archived. One that is deleted, or is a
 * fork that is completed, has no owner before or after.
 */
export function isHandedOver(row: { owner?: unknown }, before: { owner?: unknown } | undefined): boolean {
  const [is, was] = [row.owner, before?.owner];
  return typeof is === 'string' && typeof was === 'string' && ownerIn(is) !== ownerIn(was);
}

/** The way a user keeps a conversation: pinned, archived, or neither. */
export interface Kept {
  pinned?: true;
  archived?: true;
}

export const listOf = ({ pinned, archived }: Kept): OwnedList => (archived ? 'archived' : pinned ? 'pinned' : 'open');

/** Returns what such a key says about a conversation. */
export const keptIn = (stored: string): Kept => ({
  ...(stored.startsWith('pinned:') && { pinned: true }),
  ...(stored.startsWith('archived:') && { archived: true }),
});
