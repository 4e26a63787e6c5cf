import { segmentOf } from '../../../test/support/segment-of';
import { scriptedLoop } from '../../../test/support/stories/scripted-step';
import { testAgent } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { hosted } from '../../base/models/hosted';
import type { LoopInput } from '../../base/state/loop-state';
import { noUsage } from '../../base/state/schemas';
import { ModelUnavailable } from '../../base/text/errors';
import type { DeploymentLimits } from '../../conversations/agent/limits';
import type { ModelRequest } from '../../conversations/agent/model';
import { registry } from '../../conversations/agent/registry';
import { deleteConversation } from '../../conversations/conversation/delete';
import { key } from '../../conversations/rows/keys';
import { createConversation } from '../../conversations/runs/conversation';
import { readSpending } from '../../conversations/runs/spending';
import { readMeta, write } from '../../conversations/store/table';
import { advance } from '../../machines/loop/advance';
import { arrangeConversation } from './arrange';
import { generateTitle } from './generate-title';

const agent = testAgent('tester', { summaryModel: 'cheap', tools: [hosted.webSearch()] });
const usage = { ...noUsage, modelCalls: 1, inputTokens: 80, outputTokens: 20, costMicrodollars: 7 };
const now = new Date('2026-03-01T08:00:00Z');
const user = 'ada';

describe('a generated title', () => {
  const table = tableOfTests();
  let asked: ModelRequest[];
  let serial = 0;
  beforeEach(() => {
    asked = [];
  });

  const loopOf = (reply: () => Promise<string> | string, limits: DeploymentLimits = {}) =>
    scriptedLoop(
      { table, limits, registry: registry([agent]), now: () => now },
      async (request) => {
        asked.push(request);
        return { text: await reply(), toolCalls: [], usage };
      },
      () => ({ model: 'scripted', maker: 'scripted', price: { input: 1, output: 1 } }),
    );
  const titled = (id: string, reply: () => Promise<string> | string, limits?: DeploymentLimits) =>
    generateTitle(loopOf(reply, limits), id);
  /** A conversation whose first run is done. */
  async function done(of = user): Promise<string> {
    const id = `t${++serial}`;
    const begun = {
      id,
      user: of,
      agent: 'tester',
      text: 'Hello there, where do I find a flat in Lisbon that is not too expensive?',
    };
    const { meta } = await createConversation(table, begun, now);
    await advance(
      loopOf(() => 'Try the north.'),
      segmentOf(meta)!.input as LoopInput,
    );
    asked = [];
    return id;
  }
  const titleOf = async (id: string) => (await readMeta(table, id))!.title;

  test('is asked for once, of the cheaper model, by processes beside one another; its usage is the conversation’s (R160)', async () => {
    const id = await done();
    const before = (await readMeta(table, id))!;
    await Promise.all([1, 2, 3].map(() => titled(id, () => 'Flats in Lisbon')));
    await titled(id, () => 'Again');
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      agent: { model: { name: 'cheap', maxOutputTokens: 1_000 }, tools: [], hosted: [] },
    });
    expect(asked[0]!.items).toEqual([
      {
        kind: 'message',
        by: 'user',
        text: expect.stringMatching(/^\{"user":"Hello there.*"assistant":"Try the north\."\}$/),
      },
    ]);
    const after = (await readMeta(table, id))!;
    expect(after).toMatchObject({ title: 'Flats in Lisbon', titledBy: 'model', status: 'done', earlierUsage: usage });
    expect([after.run, after.updatedAt]).toEqual([before.run, before.updatedAt]);
  });

  test('of a first message without words is made of the names of its files (R210)', async () => {
    const id = await done();
    const file = { type: 'file', id: `f_${'a'.repeat(43)}`, mediaType: 'application/pdf', size: 3 };
    const set = { text: '', parts: [{ ...file, filename: 'Lease.pdf' }, file] };
    await write(table, id, [{ sk: key.message(1), set, onlyIf: { seq: 1 } }]);
    await titled(id, () => 'A lease');
    const text = JSON.stringify({ user: '', files: 'Lease.pdf, a file', assistant: 'Try the north.' });
    expect(asked[0]!.items).toEqual([{ kind: 'message', by: 'user', text }]);
  });

  test('is one plain line, whatever the model writes', async () => {
    for (const [written, title] of [
      ['"Flats in Lisbon."\nI hope that helps.', 'Flats in Lisbon'],
      ['**Flats\u202e in\u0007 Lisbon**', 'Flats in Lisbon'],
      ['x'.repeat(200), `${'x'.repeat(59)}…`],
    ] as const) {
      const id = await done();
      await titled(id, () => written);
      expect(await titleOf(id)).toBe(title);
    }
  });

  test('never replaces the user’s, given before or meanwhile (R160)', async () => {
    const [before, meanwhile] = [await done(), await done()];
    await arrangeConversation(table, before, user, { title: 'Mine' });
    await titled(before, () => 'Generated');
    expect(asked).toHaveLength(0);
    const renames = loopOf(async () => {
      await arrangeConversation(table, meanwhile, user, { title: 'Mine' });
      return 'Generated';
    });
    await generateTitle(renames, meanwhile);
    expect([await titleOf(before), await titleOf(meanwhile)]).toEqual(['Mine', 'Mine']);
    expect((await readMeta(table, meanwhile))!.earlierUsage).toEqual(usage);
  });

  test('is paid at most once if the process dies; an error leaves the first words, and spends nothing', async () => {
    const id = await done('bo');
    const limits = { day: { steps: 100, tokens: 100_000 } };
    const before = await readSpending(table, 'bo', now);
    const broken = loopOf(() => Promise.reject(new ModelUnavailable('No.')), limits);
    await expect(generateTitle(broken, id)).rejects.toMatchObject({ name: 'ModelUnavailable' });
    expect(await readSpending(table, 'bo', now)).toEqual(before);
    await titled(id, () => 'Again');
    expect(asked).toHaveLength(1);
    expect(await titleOf(id)).toMatch(/^Hello there/);
  });

  test('counts in the user’s limits, and is left out when one is reached', async () => {
    const [first, second] = [await done('cy'), await done('cy')];
    const before = await readSpending(table, 'cy', now);
    const limits = { day: { steps: before.day.steps + 1 } };
    await titled(first, () => 'One', limits);
    await titled(second, () => 'Two', limits);
    const { day } = await readSpending(table, 'cy', now);
    expect([day.steps - before.day.steps, day.tokens - before.day.tokens]).toEqual([1, 100]);
    expect(await titleOf(first)).toBe('One');
    expect(await titleOf(second)).toMatch(/^Hello there/);
  });

  test('is not made for a deleted conversation, or before the first run is done', async () => {
    const id = await done();
    await deleteConversation(table, new Map(), id, user, now);
    await createConversation(table, { id: 'running', user, agent: 'tester', text: 'Hello' }, now);
    for (const one of [id, 'running']) await titled(one, () => 'Generated');
    expect(asked).toHaveLength(0);
  });
});
