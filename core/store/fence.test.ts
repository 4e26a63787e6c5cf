import { callLook, stepsIn } from '../../test/support/tables/steps';
import { tableOfTests } from '../../test/support/tables/table';
import { arrangeConversation } from '../finding/arrange';
import { key } from '../rows/keys';
import { listConversations } from '../views/list';
import { viewConversation } from '../views/view';
import { changeConversation, readRow, write } from './table';

const now = new Date('2026-03-01T08:00:00Z');

describe('the version of a conversation', () => {
  const table = tableOfTests();
  const steps = stepsIn(table, now);

  const listed = async (id: string) =>
    (await listConversations(table, 'ada', undefined, { limit: 100 })).conversations.find((one) => one.id === id)!;
  const versionOf = async (id: string) => (await viewConversation(table, id, 'ada')).version;
  const metaOf = async (id: string) => (await readRow(table, id, key.meta)) as { version: number; fence?: number };

  /** Makes the row as a process wrote it that knew no `fence`. */
  async function asBefore(id: string) {
    const { fence: version, ...row } = await metaOf(id);
    await write(table, id, [{ sk: key.meta, put: { ...row, version } }]);
    return { ...row, version: version! };
  }
  const retitled = (id: string, title: string) =>
    changeConversation(table, id, (meta) => ({ meta: { ...meta, title }, answer: meta.version }));

  test('rises with each step; the list has the one at which its entry last changed (R184, R78)', async () => {
    const { id, at } = await steps.given();
    const begun = { entry: await listed(id), version: await versionOf(id) };
    expect(begun.entry.version).toBe(begun.version);
    await steps.commit(at, await steps.begin(at), callLook);
    expect(await listed(id)).toEqual(begun.entry);
    expect(await versionOf(id)).toBe(begun.version + 2);
    const next = { ...at, step: 2 };
    await steps.commit(next, await steps.begin(next), { text: 'Seen.', toolCalls: [] });
    expect(await listed(id)).toMatchObject({ status: 'done', version: begun.version + 4 });
    await arrangeConversation(table, id, 'ada', { pinned: true });
    expect(await listed(id)).toMatchObject({ pinned: true, version: begun.version + 5 });
  });

  test('of a row from before there was a fence rejects a writer of that time that has read it (R32)', async () => {
    const { id, at } = await steps.given();
    const before = await asBefore(id);
    // The list shows no change, but such a writer compares the only version that it knows.
    await steps.begin(at);
    const late = { sk: key.meta, put: { ...before, title: 'Late', version: before.version + 1 } };
    expect(await write(table, id, [{ ...late, onlyIf: { version: before.version } }])).toBe(false);
    expect(await metaOf(id)).toMatchObject({ title: 'Hello', version: before.version + 1, fence: before.version + 1 });
  });

  test('goes on after such a writer has dropped the fence', async () => {
    const { id, at } = await steps.given();
    await steps.begin(at);
    const before = await asBefore(id);
    expect(await retitled(id, 'One')).toBe(before.version);
    expect(await retitled(id, 'Two')).toBe(before.version + 1);
    expect(await versionOf(id)).toBe(before.version + 2);
    expect(await listed(id)).toMatchObject({ title: 'Two', version: before.version + 2 });
  });
});
