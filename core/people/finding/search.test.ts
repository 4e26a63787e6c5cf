import { addMember } from '../../../test/support/add-member';
import { tableOfTests } from '../../../test/support/tables/table';
import { deleteConversation } from '../../conversations/conversation/delete';
import { removeMember } from '../../conversations/members/members';
import type { Person } from '../../conversations/members/role';
import { key } from '../../conversations/rows/keys';
import { createConversation } from '../../conversations/runs/conversation';
import { readMeta, write } from '../../conversations/store/table';
import { arrangeConversation } from './arrange';
import { type Found, searchMessages } from './search';

const now = new Date('2026-03-01T08:00:00Z');

describe('the search in what was said', () => {
  const table = tableOfTests();

  /** Creates a conversation with these messages. */
  async function talk(user: string, id: string, texts: readonly string[], minute = 0): Promise<void> {
    const at = new Date(now.getTime() + minute * 60_000);
    await createConversation(table, { id, user, agent: 'reminder' }, at);
    for (const [index, text] of texts.entries()) await say(id, index + 1, { text });
  }
  const say = (id: string, seq: number, more: object) =>
    write(table, id, [
      {
        sk: key.message(seq),
        put: {
          seq,
          version: 1,
          role: 'assistant',
          author: 'reminder',
          status: 'complete',
          ...more,
          createdAt: now.toISOString(),
        },
      },
    ]);
  async function all(user: Person, q: string, bounds?: Parameters<typeof searchMessages>[4]) {
    const pages: Found[][] = [];
    let cursor: string | undefined;
    do {
      const page = await searchMessages(table, user, q, cursor, bounds);
      pages.push(page.found);
      cursor = page.cursor;
    } while (cursor);
    return pages;
  }
  const places = (pages: Found[][]) => pages.flat().map(({ conversation: { id }, seq }) => `${id} ${seq}`);

  test('messages with all words are found, in pinned and archived conversations as well, with excerpts (R161)', async () => {
    await talk('ada', 'a1', ['The rent in Paris is due', 'Paris again', 'RENT, paris!'], 1);
    await talk('ada', 'a2', ['Rent a car in Paris'], 2);
    await talk('ada', 'a3', ['Paris: the rent'], 3);
    await arrangeConversation(table, 'a1', 'ada', { pinned: true });
    await arrangeConversation(table, 'a3', 'ada', { archived: true, title: 'Old flat' });
    const pages = await all('ada', 'rent PARIS');
    expect(places(pages)).toEqual(['a1 3', 'a1 1', 'a2 1', 'a3 1']);
    expect(pages.flat().at(-1)).toMatchObject({
      conversation: { id: 'a3', title: 'Old flat', archived: true },
      excerpt: [{ text: 'Paris', hit: true }, { text: ': the ' }, { text: 'rent', hit: true }],
    });
  });

  test('page by page, nothing is missed and nothing comes twice, wherever a page ends (R161)', async () => {
    for (let minute = 0; minute < 7; minute++)
      await talk('bo', `b${minute}`, minute === 3 ? ['nothing'] : ['a needle', 'hay', 'needle'], minute);
    const expected = [6, 5, 4, 2, 1, 0].flatMap((minute) => [`b${minute} 3`, `b${minute} 1`]);
    for (const hits of [1, 2, 3, 5, 50])
      for (const atOnce of [1, 2, 10]) {
        const pages = await all('bo', 'needle', { hits, reads: 3, atOnce });
        expect(places(pages)).toEqual(expected);
        expect(Math.max(...pages.map((page) => page.length))).toBeLessThanOrEqual(hits);
      }
  });

  test('a conversation of more than a read is read to its beginning, in bounded requests (R161)', async () => {
    const long = 'x'.repeat(300_000);
    await talk('lin', 'long', ['The first needle', ...Array.from({ length: 9 }, () => long), 'The last needle']);
    const pages = await all('lin', 'needle', { hits: 20, reads: 1, atOnce: 10 });
    expect(places(pages)).toEqual(['long 11', 'long 1']);
    expect(pages.length).toBeGreaterThan(2);
  });

  test('what is amended is found as it is now, and a summary repeats nothing (R161)', async () => {
    await talk('kim', 'k1', ['I like tea', 'needle']);
    await say('k1', 1, { text: 'I like coffee', amended: true });
    await say('k1', 3, { text: 'They said needle and coffee.', covers: 2 });
    expect(places(await all('kim', 'tea'))).toEqual([]);
    expect(places(await all('kim', 'coffee'))).toEqual(['k1 1']);
    expect(places(await all('kim', 'needle'))).toEqual(['k1 2']);
  });

  test('nobody finds another user’s words, nor those of a deleted conversation (R161, R124)', async () => {
    await talk('mia', 'm1', ['A secret needle']);
    await talk('mia', 'm2', ['Another needle']);
    expect(places(await all('eve', 'needle'))).toEqual([]);
    const { cursor } = await searchMessages(table, 'mia', 'needle', undefined, { hits: 1, reads: 60, atOnce: 10 });
    expect((await searchMessages(table, 'eve', 'needle', cursor)).found).toEqual([]);
    await deleteConversation(table, new Map(), 'm1', 'mia', now);
    expect(places(await all('mia', 'needle'))).toEqual(['m2 1']);
    expect(await readMeta(table, 'm1')).toMatchObject({ deletedFor: 'mia' });
  });

  test('what others share is found after one’s own, page by page, and no more after a removal (R161, R225)', async () => {
    const ids = ['s1', 's2', 's3'];
    for (const id of ids) await talk('sue', id, ['a needle', 'hay', 'needle']);
    await talk('tim', 't1', ['my needle']);
    const tim = { user: 'tim', groups: ['sewing'] };
    const asked = (conversationId: string) => ({ conversationId, by: 'sue' });
    for (const id of ids)
      await addMember(table, asked(id), id === 's2' ? 'group:sewing' : 'user:tim', { role: 'watcher' });
    const expected = ['t1 1', ...ids.flatMap((id) => [`${id} 3`, `${id} 1`])];
    for (const hits of [1, 2, 50])
      for (const atOnce of [1, 10])
        expect(places(await all(tim, 'needle', { hits, reads: 3, atOnce }))).toEqual(expected);
    expect((await all(tim, 'needle')).flat().map(({ conversation: { role } }) => role)).toEqual([
      undefined,
      ...Array.from({ length: 6 }, () => 'watcher'),
    ]);
    await removeMember(table, asked('s1'), 'user:tim', now);
    expect(places(await all({ ...tim, groups: [] }, 'needle'))).toEqual(['t1 1', 's3 3', 's3 1']);
  });

  test.each([
    ['q', ' x ', undefined],
    ['q', 'x'.repeat(201), undefined],
    ['q', 'a b c d e f g h i j k', undefined],
    ['cursor', 'needle', 'nonsense'],
    ['cursor', 'needle', Buffer.from('{"list":"x"}').toString('base64url')],
  ])('an invalid %s is refused: %j %j', async (path, q, cursor) => {
    await expect(searchMessages(table, 'ada', q, cursor)).rejects.toMatchObject({ name: 'InvalidInput', path });
  });
});
