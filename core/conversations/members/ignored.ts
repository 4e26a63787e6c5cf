import { WrongState } from '../../base/text/errors';
import { key } from '../rows/keys';
import { ifReadable } from '../rows/readable';
import { IgnoredRow } from '../rows/rows';
import { retryOnConflict } from '../store/retry-on-conflict';
import { readItem, type Table, write } from '../store/table';

/**
 * What a user does not want to hear of: `user:<id>`, whose invitations and conversations do not reach them, or `conversation:<id>`, of which
 * they get no notices. It changes no role.
 */
export const ignorable = {
  pattern: /^(?:user:[\w.:|@+-]{1,128}|conversation:[\w.-]{1,128})$/,
  words: 'use user:<the id of a user> or conversation:<the id of a conversation>',
};

export const ignoredConversation = (conversationId: string): string => `conversation:${conversationId}`;

const mostIgnored = 200;

const placeOf = (user: string) => ({ pk: key.user(user), sk: key.ignored });

const rowOf = async (table: Table, user: string) => ifReadable(IgnoredRow, await readItem(table, placeOf(user)));

/** Returns the names of what a user ignores. */
export const readIgnored = async (table: Table, user: string): Promise<ReadonlySet<string>> =>
  new Set((await rowOf(table, user))?.names);

/**
 * Ignores a user or a conversation, or no longer. Repeated, it changes nothing.
 *
 * @throws WrongState if the user ignores too many.
 */
export async function setIgnored(table: Table, user: string, name: string, isIgnored: boolean): Promise<void> {
  await retryOnConflict('What you ignore keeps changing.', async () => {
    const row = await rowOf(table, user);
    const names = (row?.names ?? []).filter((one) => one !== name);
    if ((row?.names.includes(name) ?? false) === isIgnored) return true;
    if (isIgnored && names.length >= mostIgnored)
      throw new WrongState(`You ignore ${mostIgnored} people and conversations. End one first.`, {
        kind: 'too-many-ignored',
        values: { most: mostIgnored },
      });
    const put = { version: (row?.version ?? 0) + 1, names: isIgnored ? [...names, name] : names };
    const onlyIf = row ? { version: row.version } : ('absent' as const);
    return (await write(table, '', [{ ...placeOf(user), put, onlyIf }])) || undefined;
  });
}
