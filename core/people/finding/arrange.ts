import { InvalidInput } from '../../base/text/errors';
import { checkOwner, type Person } from '../../conversations/members/role';
import type { Meta } from '../../conversations/rows/meta';
import { type Change, changeConversation } from '../../conversations/store/change-conversation';
import type { Table } from '../../conversations/store/table';

/** A user's change to what their list shows. What is absent stays as it is. */
export interface Arrangement {
  title?: string;
  pinned?: boolean;
  archived?: boolean;
}

const mostTitleCharacters = 100;

/**
 * Renames, pins or archives a conversation. It has no effect on its run and its timers, and its place by date stays. A pinned
 * conversation is not archived: the later wish holds.
 *
 * @returns META after the change. A change that is made twice writes nothing the second time.
 * @throws NotFound, NotAllowed if the conversation is deleted, or the person is not its owner.
 * @throws InvalidInput if it is to be both pinned and archived, or the title is none.
 */
export async function arrangeConversation(
  table: Table,
  conversationId: string,
  user: Person,
  wish: Arrangement,
): Promise<Meta> {
  if (wish.pinned && wish.archived)
    throw new InvalidInput('archived', 'a conversation is pinned or archived: leave one of them out');
  const title = wish.title === undefined ? undefined : titleFrom(wish.title);
  const arrange = (current: Meta): Change<Meta> => {
    checkOwner(current, user);
    const meta: Meta = {
      ...current,
      ...(title !== undefined && { title, titledBy: 'user' }),
      pinned: wanted(wish.pinned, current.pinned, wish.archived),
      archived: wanted(wish.archived, current.archived, wish.pinned),
    };
    const isSame = (['title', 'titledBy', 'pinned', 'archived'] as const).every((one) => meta[one] === current[one]);
    return isSame ? { answer: current } : { meta, answer: { ...meta, version: meta.version + 1 } };
  };
  return changeConversation(table, conversationId, arrange);
}

const wanted = (wish: boolean | undefined, is: true | undefined, instead: boolean | undefined): true | undefined =>
  (wish ?? (is && !instead)) ? true : undefined;

/** Characters that are not visible, or that change the direction of the text around them. */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** Returns a text as one line that looks like what it is: hidden characters are left out. */
export const plainLine = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(hidden, '').replace(/ +/g, ' ').trim();

function titleFrom(text: string): string {
  const title = plainLine(text);
  const { length } = [...title];
  if (length === 0) throw new InvalidInput('title', 'use at least one visible character');
  if (length <= mostTitleCharacters) return title;
  throw new InvalidInput('title', `use at most ${mostTitleCharacters} characters`);
}
