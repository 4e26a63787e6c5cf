import { breakingOff } from '../../../test/support/tables/mortal-table';
import { stepsIn } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { readVersions } from '../../people/views/branches';
import { listConversations } from '../../people/views/list';
import { viewConversation } from '../../people/views/view';
import { type Agent, defineAgent } from '../agent/agent';
import { registry } from '../agent/registry';
import { key } from '../rows/keys';
import { readMeta, readRows, type Table } from '../store/table';
import { deleteConversation } from './delete';
import { forkConversation } from './fork';

// The versions of a conversation: what a fork stores about them, and what a deletion leaves.

const now = new Date('2026-03-01T08:00:00Z');
const later = new Date('2026-03-01T09:00:00Z');
const { agents, tools } = registry([
  defineAgent({ name: 'talker', purpose: 'p', instructions: 'i', model: 'm', tools: [] }),
]);

describe('the versions of a conversation', () => {
  const table = tableOfTests();

  const steps = () => stepsIn(table, now, agents.get('talker') as Agent);
  async function given(name: string) {
    const { given, begin, commit } = steps();
    const { id, at } = await given(name);
    await commit(at, await begin(at), { text: 'One.', toolCalls: [] });
    return id;
  }
  const fork = (from: string, id: string, more: object = {}, through: Table = table) =>
    forkConversation(through, { from, id, user: 'ada', step: 1, ...more }, later);
  const rows = async (root: string) => readRows(table, root, key.branch(''), `${key.branch('')}~`);
  const branches = async (id: string) => (await viewConversation(table, id, 'ada')).branches;

  test('are found from each of them: where they depart, in one query (R159)', async () => {
    const root = await given('family');
    expect(await branches(root)).toBeUndefined();
    const before = await readMeta(table, root);
    await fork(root, 'again');
    await fork(root, 'edited', { text: 'Something else' });
    const family = await branches(root);
    expect(family).toEqual([
      { id: root, path: [], createdAt: now.toISOString() },
      { id: 'again', path: [{ of: root, at: 2, by: 'again', seq: 2 }], createdAt: later.toISOString() },
      { id: 'edited', path: [{ of: root, at: 1, by: 'edited', seq: 1 }], createdAt: later.toISOString() },
    ]);
    expect(await branches('again')).toEqual(family);
    // Of the forked conversation nothing changes but its version, and the list says which family each one belongs to.
    expect(await readMeta(table, root)).toEqual({ ...before, version: before!.version + 2 });
    const { conversations } = await listConversations(table, 'ada');
    expect(
      conversations
        .filter(({ rootId }) => rootId === root)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['again', 'edited']);
    expect(conversations.every(({ parentId }) => parentId === undefined)).toBe(true);
    expect(await readMeta(table, 'edited')).toMatchObject({ title: 'Something else', rootId: root });
    expect((await readMeta(table, 'again'))!.title).toBe(before!.title);
    await expect(viewConversation(table, 'again', 'eve')).rejects.toMatchObject({ name: 'NotFound' });
  });

  test('are stored with the fork: all or nothing, and once, if it is broken off, repeated or made twice at once (R159)', async () => {
    const root = await given('broken');
    await expect(fork(root, 'b1', {}, breakingOff(table, 2))).rejects.toThrow('gone');
    expect(await rows(root)).toEqual([]);
    await Promise.all([fork(root, 'b1'), fork(root, 'b1')]);
    await fork(root, 'b1');
    // The answer of the last write is lost, so the request is repeated.
    const lost = {
      ...table,
      client: {
        async send(command: { input: { TransactItems?: { Put?: { Item?: { sk: string } } }[] } }) {
          const answer = await table.client.send(command as never);
          if (command.input.TransactItems?.some(({ Put }) => Put?.Item?.sk.startsWith('FORK#')))
            throw new Error('lost');
          return answer;
        },
      } as unknown as Table['client'],
    };
    await expect(fork(root, 'b2', {}, lost)).rejects.toThrow('lost');
    await fork(root, 'b2');
    expect((await rows(root)).map((row) => (row as { id: string }).id)).toEqual(['b1', 'b2']);
    expect((await branches('b2'))!.map(({ id }) => id)).toEqual([root, 'b1', 'b2']);
  });

  test('lead to no deleted one; the others stay, also without their root (R159)', async () => {
    const root = await given('leaving');
    for (const id of ['l1', 'l2', 'l3']) await fork(root, id);
    const remove = (id: string) => deleteConversation(table, tools, id, 'ada', later);
    await remove('l1');
    expect((await branches(root))!.map(({ id }) => id)).toEqual([root, 'l2', 'l3']);
    await remove(root);
    expect((await branches('l2'))!.map(({ id }) => id)).toEqual(['l2', 'l3']);
    // A deleted conversation's rows expire, but not those of forks that are still there.
    const expiring = ((await rows(root)) as { id: string; ttl?: number }[])
      .filter(({ ttl }) => ttl)
      .map(({ id }) => id);
    expect(expiring).toEqual(['l1']);
    expect(await readVersions(table, 'l2', 'ada')).toEqual(['l3', 'l2']);
    expect(await readVersions(table, 'l2', 'eve')).toEqual(['l2']);
    await remove('l3');
    expect(await branches('l2')).toBeUndefined();
  });
});
