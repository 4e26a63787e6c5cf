import { createHash, randomBytes } from 'node:crypto';
import { NotFound, WrongState } from '../../base/text/errors';
import { key } from '../rows/keys';
import type { Meta } from '../rows/meta';
import { onlyReadable, parsedAs } from '../rows/readable';
import { type Member, StoredLink } from '../rows/rows';
import { changeConversation, noConversation } from '../store/change-conversation';
import { retryOnConflict } from '../store/retry-on-conflict';
import { readKind, readRow, type Table, write } from '../store/table';
import { type Asked, changeVersions, nameFrom, withMembers } from './members';
import { checkOwner, ownName, readMetaFor, roleIn, userOf } from './role';

/** A link to a conversation as its owner makes it. */
export interface WantedLink {
  role: Member['role'];
  /** In seconds. */
  lasts: number;
  once?: boolean;
}

const mostOpenLinks = 10;

const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** Whether people can ask by a link to be let in. */
export const isLive = ({ revokedAt, expiresAt, once, uses }: StoredLink, now: Date): boolean =>
  revokedAt === undefined && expiresAt > now.toISOString() && !(once && uses > 0);

/**
 * Makes a link. Its secret is returned once, and never stored.
 *
 * @throws NotFound, NotAllowed if the person is not the owner.
 * @throws WrongState if there are too many.
 */
export async function makeLink(
  table: Table,
  { conversationId, by }: Asked,
  { role, lasts, once }: WantedLink,
  now: Date,
): Promise<{ link: StoredLink; secret: string }> {
  const secret = randomBytes(24).toString('base64url');
  const link: StoredLink = {
    version: 1,
    id: randomBytes(9).toString('base64url'),
    digest: digestOf(secret),
    role,
    by: userOf(by),
    uses: 0,
    ...(once && { once }),
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + lasts * 1_000).toISOString(),
  };
  return changeConversation(table, conversationId, async (meta) => {
    checkOwner(meta, by);
    if ((await readLinks(table, meta)).filter((one) => isLive(one, now)).length >= mostOpenLinks)
      throw new WrongState(`This conversation has ${mostOpenLinks} links. Revoke one first.`, {
        kind: 'too-many-links',
        values: { most: mostOpenLinks },
      });
    const made = { ...link, handedOver: meta.handedOver?.times };
    return { rows: [{ sk: key.link(link.id), put: made, onlyIf: 'absent' }], answer: { link, secret } };
  });
}

/** Returns the links of the owner of today. Those of a former owner have ended. */
export async function readLinks(
  table: Table,
  { conversationId, handedOver }: Pick<Meta, 'conversationId' | 'handedOver'>,
): Promise<StoredLink[]> {
  const links = onlyReadable(StoredLink, await readKind(table, conversationId, 'link'));
  return links.filter((link) => link.handedOver === handedOver?.times);
}

/** Ends a link. Those who were let in stay. @throws NotFound, NotAllowed if the person is not the owner, or there is no such link. */
export async function revokeLink(table: Table, { conversationId, by }: Asked, id: string, now: Date): Promise<void> {
  await readMetaFor(table, conversationId, by, 'owner');
  await retryOnConflict(`The link ${id} keeps changing.`, async () => {
    const row = await readRow(table, conversationId, key.link(id));
    if (!row) throw new NotFound(`The conversation has no link ${id}.`);
    const { revokedAt, version } = parsedAs(StoredLink, row);
    if (revokedAt !== undefined) return true;
    const revoked = { sk: key.link(id), set: { revokedAt: now.toISOString() }, onlyIf: { version } };
    return (await write(table, conversationId, [revoked])) || undefined;
  });
}

/**
 * Asks the owner to let a person in, to all versions, who has the secret of a link. Of two people who use a link that is for one, one asks. A
 * repeated request changes nothing.
 *
 * @param called the name that their token has.
 * @returns META, in which the person asks, or is already.
 * @throws NotFound if the link is none, is over, or the conversation is deleted. The error is the same.
 * @throws InvalidInput if the conversation has too many members.
 */
export function joinByLink(
  table: Table,
  { conversationId, by }: Asked,
  { secret, called }: { secret: string; called?: string },
  now: Date,
): Promise<Meta> {
  const name = ownName(by);
  const digest = digestOf(secret);
  return changeVersions<Meta>(table, conversationId, async (meta) => {
    // It is the named conversation's.
    const links = await readLinks(table, { conversationId, handedOver: meta.handedOver });
    const link = links.find((one) => one.digest === digest);
    if (!meta.owner || !link) throw noConversation(conversationId);
    // They are in, or have asked: the request is repeated. Who is invited accepts as such.
    if (roleIn(meta, by) !== undefined || meta.members?.[name]) return { answer: meta };
    if (!isLive(link, now)) throw noConversation(conversationId);
    const known = nameFrom(called ?? '');
    const member: Member = {
      role: link.role,
      ...(known !== undefined && { name: known }),
      asks: true,
    };
    const { version, uses } = link;
    const used = { sk: key.link(link.id), set: { uses: uses + 1 }, onlyIf: { version } };
    const { rows = [], ...changed } = withMembers(meta, { ...meta.members, [name]: member }, now);
    return { ...changed, rows: meta.conversationId === conversationId ? [...rows, used] : rows };
  });
}
