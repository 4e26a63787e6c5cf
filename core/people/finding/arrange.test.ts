import { tableOfTests } from '../../../test/support/tables/table';
import { deleteConversation } from '../../conversations/conversation/delete';
import { sendMessage } from '../../conversations/conversation/send-message';
import { createConversation } from '../../conversations/runs/conversation';
import { readMeta } from '../../conversations/store/table';
import { listConversations, listOpenConversations } from '../views/list';
import { arrangeConversation } from './arrange';

const now = new Date('2026-03-01T08:00:00Z');
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);

describe('how a user arranges conversations', () => {
  const table = tableOfTests();

  async function begin(user: string, ...ids: string[]): Promise<void> {
    for (const [index, id] of ids.entries())
      await createConversation(table, { id, user, agent: 'reminder', text: `Talk ${id}` }, minutes(index));
  }
  async function listed(user: string, options?: Parameters<typeof listConversations>[3]): Promise<string[]> {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listConversations(table, user, cursor, options);
      ids.push(...page.conversations.map(({ id }) => id));
      cursor = page.cursor;
    } while (cursor);
    return ids;
  }

  test('pinned ones come first and archived ones are in a list of their own, whatever the size of the pages (R160)', async () => {
    await begin('ada', 'a1', 'a2', 'a3', 'a4', 'a5');
    await arrangeConversation(table, 'a1', 'ada', { pinned: true });
    await arrangeConversation(table, 'a3', 'ada', { pinned: true });
    await arrangeConversation(table, 'a4', 'ada', { archived: true });
    for (const limit of [1, 2, 3, 30]) {
      expect(await listed('ada', { limit })).toEqual(['a3', 'a1', 'a5', 'a2']);
      expect(await listed('ada', { limit, of: ['archived'] })).toEqual(['a4']);
    }
    const { conversations } = await listConversations(table, 'ada');
    expect(conversations.map(({ pinned }) => pinned)).toEqual([true, true, undefined, undefined]);
    // What runs is among what runs, archived or not.
    expect((await listOpenConversations(table, 'ada', 'active')).conversations).toHaveLength(5);
  });

  test('a cursor of another list is refused', async () => {
    await begin('cy', 'c1', 'c2');
    const { cursor } = await listConversations(table, 'cy', undefined, { limit: 1 });
    await expect(listConversations(table, 'cy', cursor, { of: ['archived'] })).rejects.toMatchObject({
      path: 'cursor',
    });
  });

  test('a conversation is pinned or archived: the later wish holds, and both at once are refused (R160)', async () => {
    await begin('bo', 'b1');
    await arrangeConversation(table, 'b1', 'bo', { pinned: true });
    expect(await arrangeConversation(table, 'b1', 'bo', { archived: true })).not.toMatchObject({ pinned: true });
    expect(await listed('bo')).toEqual([]);
    expect(await arrangeConversation(table, 'b1', 'bo', { pinned: true })).not.toMatchObject({ archived: true });
    expect(await listed('bo')).toEqual(['b1']);
    await expect(arrangeConversation(table, 'b1', 'bo', { pinned: true, archived: true })).rejects.toMatchObject({
      path: 'archived',
    });
  });

  test('a change is made once: repeated, beside itself, and beside a step, whose messages stay (R160)', async () => {
    await begin('eve', 'e1');
    const before = (await readMeta(table, 'e1'))!.version;
    const wish = { title: 'Rent', pinned: true };
    const said = Array.from({ length: 5 }, (_, index) =>
      sendMessage(table, new Map(), 'e1', { user: 'eve', text: `Number ${index}` }, now),
    );
    await Promise.all([...said, ...[1, 2, 3].map(() => arrangeConversation(table, 'e1', 'eve', wish))]);
    const after = (await readMeta(table, 'e1'))!;
    expect(after).toMatchObject({ title: 'Rent', titledBy: 'user', pinned: true, lastSeq: 6, version: before + 6 });
    await arrangeConversation(table, 'e1', 'eve', wish);
    expect((await readMeta(table, 'e1'))!.version).toBe(after.version);
  });

  test('another user’s and a deleted conversation are not there (R124)', async () => {
    await begin('fay', 'f1', 'f2');
    await arrangeConversation(table, 'f1', 'fay', { pinned: true });
    for (const user of ['eve', 'pinned:fay'])
      await expect(arrangeConversation(table, 'f1', user, { title: 'Mine' })).rejects.toMatchObject({
        name: 'NotFound',
      });
    await deleteConversation(table, new Map(), 'f1', 'fay', now);
    await expect(arrangeConversation(table, 'f1', 'fay', { pinned: false })).rejects.toMatchObject({
      name: 'NotFound',
    });
    expect(await listed('fay', { of: ['pinned', 'open', 'archived'] })).toEqual(['f2']);
  });

  test.each(['pinned:hal', 'archived:hal', 'open:hal'])('the user %s has lists of their own (R124)', async (user) => {
    const own = `own-${user.split(':')[0]}`;
    await begin('hal', `${own}-hal1`, `${own}-hal2`, `${own}-hal3`);
    await arrangeConversation(table, `${own}-hal1`, 'hal', { pinned: true });
    await arrangeConversation(table, `${own}-hal2`, 'hal', { archived: true });
    const all = { of: ['pinned', 'open', 'archived'] } as const;
    expect(await listed(user, all)).toEqual([]);
    await begin(user, own);
    expect(await listed(user, all)).toEqual([own]);
    expect((await readMeta(table, own))!.owner).toBe(user);
    expect(await arrangeConversation(table, own, user, { archived: true })).toMatchObject({ owner: user });
    expect(await listed(user, { of: ['archived'] })).toEqual([own]);
    expect(await listed('hal', all)).not.toContain(own);
  });

  test.each([
    ['a\u202ebc\u0007d', 'abcd'],
    ['  two \n lines  ', 'two lines'],
    ['x'.repeat(100), 'x'.repeat(100)],
    ['👩🏽 Zoë', '👩🏽 Zoë'],
  ])('the title %j becomes %j', async (given, title) => {
    await createConversation(table, { id: 'titled', user: 'gus', agent: 'reminder' }, now);
    expect(await arrangeConversation(table, 'titled', 'gus', { title: given })).toMatchObject({ title });
  });

  test.each([' \u200b ', 'x'.repeat(101)])('the title %j is refused, and nothing is changed', async (title) => {
    await createConversation(table, { id: 'kept', user: 'gus', agent: 'reminder' }, now);
    await expect(arrangeConversation(table, 'kept', 'gus', { title })).rejects.toMatchObject({ path: 'title' });
    expect(await readMeta(table, 'kept')).toMatchObject({ title: '', version: 1 });
  });
});
