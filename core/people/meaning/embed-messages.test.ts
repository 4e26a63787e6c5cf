import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { embeddings } from '../../../local/model-server/embeddings';
import { storedRun } from '../../../test/support/page/rows';
import { tableOfTests } from '../../../test/support/tables/table';
import { TellModel, ToolFailed } from '../../base/text/errors';
import { deleteConversation, markDeleted, sweepDeleted } from '../../conversations/conversation/delete';
import { rowsIndex } from '../../conversations/embeddings/message-index';
import type { Person } from '../../conversations/members/role';
import { key } from '../../conversations/rows/keys';
import { createConversation } from '../../conversations/runs/conversation';
import { readSpending } from '../../conversations/runs/spending';
import { readPartition, write } from '../../conversations/store/table';
import { readOpenRows } from '../../machines/reconcile/sweep';
import type { Embedder } from '../memory/memory';
import { embedAgain, embedMessages } from './embed-messages';
import { placesOf, readSaid } from './said';
import { saidBy } from './said-by';
import { reachOf, reachOfCall } from './scope';

const now = new Date('2026-03-01T08:00:00Z');
const table = tableOfTests();
const index = rowsIndex(table);

/** The server of the tests, without HTTP. */
function embedder(model = 'm', dimensions = 256): Embedder & { asked: string[][]; fails?: (texts: string[]) => void } {
  const asked: string[][] = [];
  return {
    model,
    asked,
    price: 0.02,
    async embed(texts) {
      asked.push(texts);
      this.fails?.(texts);
      const { data, usage } = embeddings({ input: texts, model, dimensions });
      return { vectors: data.map(({ embedding }) => Float32Array.from(embedding)), tokens: usage.prompt_tokens };
    },
  };
}
const embed = (id: string, of: Embedder = embedder(), seqs: number[] = []) =>
  embedMessages({ table, index, embedder: of, now: () => now }, id, seqs);

async function talk(user: string, id: string, ...texts: string[]): Promise<void> {
  await createConversation(table, { id, user, agent: 'reminder' }, now);
  for (const [at, text] of texts.entries()) await say(id, at + 1, { text, ...(at % 2 === 0 && { author: user }) });
}
const say = (id: string, seq: number, more: object) =>
  write(table, id, [{ sk: key.message(seq), put: { ...messageOf(seq), ...more } }]);
const messageOf = (seq: number) => ({
  seq,
  version: 1,
  role: seq % 2 ? 'user' : 'assistant',
  author: 'x',
  status: 'complete',
  text: '',
  createdAt: now.toISOString(),
});

async function said(user: Person, words: string, { of = embedder(), asking }: { of?: Embedder; asking?: string } = {}) {
  const reach = await reachOf(table, user);
  const [vector] = (await of.embed([words])).vectors;
  const asked = { scope: reach.scope, vector: vector!, model: of.model, limit: 10 };
  const { places } = await placesOf({ index, now: () => now }, asked);
  return readSaid(table, reach, places, { limit: 5, asking });
}
const found = async (...asked: Parameters<typeof said>) =>
  (await said(...asked)).map(({ meta, message: { seq } }) => `${meta.conversationId} ${seq}`);
const vectorsIn = async (user: string, id: string) =>
  (await readPartition(table, key.saidTo(user), key.embeddings(id), `${key.embeddings(id)}~`)).filter((row) =>
    Object.hasOwn(row, 'vector'),
  ).length;
const openOf = async (id: string) => {
  const { rows } = await readOpenRows(table, undefined, 1_000);
  return rows.filter(({ sk }) => sk === key.embedded(id)).length;
};

const harbour = 'We stayed in a harbour town where boats are repaired';

test('what was said is found by its meaning, and embedding it again asks nothing and changes nothing (R230)', async () => {
  await talk('ada', 'a1', harbour, 'That sounds lovely', 'Peanuts make my throat swell');
  const of = embedder();
  expect(await embed('a1', of, [1, 2, 3])).toMatchObject({ messages: 3 });
  expect(of.asked).toHaveLength(1);
  const before = await index.progressOf({ owner: 'ada', conversationId: 'a1' });
  expect(await embed('a1', of, [1, 2, 3])).toEqual({ messages: 0, tokens: 0 });
  expect(of.asked).toHaveLength(1);
  expect(await index.progressOf({ owner: 'ada', conversationId: 'a1' })).toEqual(before);
  expect(await found('ada', 'place where ships get fixed')).toEqual(['a1 1']);
  expect(await found('eve', 'place where ships get fixed')).toEqual([]);
});

test('two processes at once leave one vector for each message (R230)', async () => {
  await talk('bea', 'b1', ...Array.from({ length: 7 }, (_, at) => `${harbour} ${at}`));
  await Promise.all([embed('b1', embedder(), [7]), embed('b1', embedder(), [3]), embed('b1')]);
  expect(await vectorsIn('bea', 'b1')).toBe(7);
  expect(await index.progressOf({ owner: 'bea', conversationId: 'b1' })).toMatchObject({ through: 7 });
});

test('a change that was lost is made up for with the next message, whatever its number (R230)', async () => {
  await talk('cat', 'c1', harbour, 'Fine', harbour);
  await embed('c1', embedder(), [3]);
  expect(await vectorsIn('cat', 'c1')).toBe(3);
});

test('summaries, unread messages, unfinished replies, notes of the system and withheld words are not embedded (R230)', async () => {
  await talk('dan', 'd1', harbour);
  await say('d1', 2, { text: harbour, covers: 1 });
  await say('d1', 3, { text: harbour, role: 'system' });
  await say('d1', 4, { text: harbour, status: 'streaming' });
  await say('d1', 5, { text: harbour, status: 'pending' });
  await say('d1', 7, {
    text: harbour,
    heard: 'Withheld.',
    guards: [{ guard: 'g', at: 'input', verdict: 'refused', reason: 'r' }],
  });
  await say('d1', 9, { text: ' ' });
  const of = embedder();
  await embed('d1', of);
  expect(of.asked).toEqual([[harbour]]);
  // The two that are not finished are looked at again.
  expect(await index.progressOf({ owner: 'dan', conversationId: 'd1' })).toMatchObject({ through: 3 });
  await say('d1', 4, { text: 'Boats it is' });
  await embed('d1', of);
  expect(of.asked.slice(1)).toEqual([['Boats it is']]);
});

test('what a guard has replaced is embedded as models read it, and so it is recalled (R230)', async () => {
  await talk('dee', 'd2');
  await say('d2', 1, { text: `${harbour}, card 4111`, heard: `${harbour}, card [card]` });
  const of = embedder();
  await embed('d2', of);
  expect(of.asked).toEqual([[`${harbour}, card [card]`]]);
  expect((await said('dee', 'ships fixed'))[0]!.words).not.toContain('4111');
});

test('an amended message is found by its new words only, at once: the old vector finds nothing (R230)', async () => {
  await talk('eli', 'e1', harbour, 'Noted');
  await embed('e1');
  await say('e1', 1, { text: 'I like tea', amended: true });
  expect(await found('eli', 'ships get fixed')).toEqual([]);
  await embed('e1', embedder(), [1]);
  expect(await found('eli', 'ships get fixed')).toEqual([]);
  expect(await found('eli', 'tea')).toEqual(['e1 1']);
  await say('e1', 1, { text: '', amended: true });
  await embed('e1', embedder(), [1]);
  expect(await vectorsIn('eli', 'e1')).toBe(1);
});

test('a long message is embedded by its beginning, and hundreds of messages in batches (R230)', async () => {
  await talk('fay', 'f1', `${harbour} ${'x'.repeat(50_000)}`);
  for (let seq = 2; seq <= 120; seq++) await say('f1', seq, { text: `Message ${seq}` });
  const of = embedder();
  expect(await embed('f1', of)).toMatchObject({ messages: 120 });
  expect(of.asked.map(({ length }) => length)).toEqual([50, 50, 20]);
  expect(of.asked[0]![0]).toHaveLength(4_000);
  expect(await vectorsIn('fay', 'f1')).toBe(120);
});

test('more than one call may embed is left for Reconcile, which continues where it ended (R230)', async () => {
  await talk('gil', 'g1');
  for (let seq = 1; seq <= 560; seq++) await say('g1', seq, { text: `Message ${seq}` });
  expect(await embed('g1')).toMatchObject({ messages: 500 });
  expect(await openOf('g1')).toBe(1);
  expect(await embed('g1')).toMatchObject({ messages: 60 });
  expect(await openOf('g1')).toBe(0);
  expect(await vectorsIn('gil', 'g1')).toBe(560);
});

test('while the server is down, the backlog is one row for each conversation, and then it is caught up (R230)', async () => {
  const of = embedder();
  of.fails = () => {
    throw new ToolFailed('The embeddings server did not answer.');
  };
  await talk('hal', 'h1', harbour);
  await talk('hal', 'h2', 'Peanuts make my throat swell');
  for (let hour = 0; hour < 24; hour++) {
    await say('h1', 2 + hour, { text: `Hour ${hour}` });
    for (const id of ['h1', 'h2']) await expect(embed(id, of)).rejects.toThrow('did not answer');
  }
  expect([await openOf('h1'), await openOf('h2')]).toEqual([1, 1]);
  expect(await vectorsIn('hal', 'h1')).toBe(0);
  of.fails = undefined;
  for (const id of ['h1', 'h2']) await embed(id, of);
  expect([await openOf('h1'), await openOf('h2')]).toEqual([0, 0]);
  expect(await found('hal', 'ships get fixed', { of })).toEqual(['h1 1']);
});

test('a text that the server refuses is left out; if it refuses all, there are no embeddings and no backlog (R230)', async () => {
  await talk('jan', 'j1', harbour, 'poison', 'Peanuts make my throat swell');
  const of = embedder();
  of.fails = (texts) => {
    if (texts.includes('poison')) throw new TellModel('Memory is off.');
  };
  expect(await embed('j1', of)).toMatchObject({ messages: 2 });
  expect(await found('jan', 'ships get fixed', { of })).toEqual(['j1 1']);
  await say('j1', 4, { text: 'And more' });
  expect(await embed('j1', of)).toMatchObject({ messages: 1 });

  await talk('jan', 'j2', ...Array.from({ length: 30 }, (_, at) => `Message ${at}`));
  const off = embedder();
  off.fails = () => {
    throw new TellModel('Memory is off.');
  };
  await expect(embed('j2', off)).rejects.toThrow('Memory is off');
  expect(off.asked.length).toBeLessThan(6);
  expect(await openOf('j2')).toBe(0);
});

describe('a deletion at the same time', () => {
  test('while the server is asked leaves no vector (R230, R124)', async () => {
    await talk('kim', 'k1', harbour);
    const of = embedder();
    const { embed: answer } = of;
    of.embed = async (texts) => {
      await deleteConversation(table, new Map(), 'k1', 'kim', now);
      return answer.call(of, texts);
    };
    await embed('k1', of);
    expect(await vectorsIn('kim', 'k1')).toBe(0);
    expect(await found('kim', 'ships get fixed')).toEqual([]);
  });

  test('hides at once what is embedded, and then removes it; whatever ran before is embedded no more (R230, R124)', async () => {
    await talk('lea', 'l1', harbour);
    await embed('l1');
    await markDeleted(table, 'l1', 'lea', now);
    expect(await found('lea', 'ships get fixed')).toEqual([]);
    await embed('l1');
    await sweepDeleted(table, 'l1', now);
    expect(await vectorsIn('lea', 'l1')).toBe(0);
    await embedAgain({ index, now: () => now }, { owner: 'lea', conversationId: 'l1' });
    expect(await openOf('l1')).toBe(0);
    expect(await embed('l1')).toEqual({ messages: 0, tokens: 0 });
  });
});

describe('a model that changes', () => {
  test('is noticed by a search, which notes the conversations; they are embedded again, and only once (R230)', async () => {
    await talk('mia', 'm1', harbour, 'Fine');
    await embed('m1');
    const next = embedder('next');
    expect(await found('mia', 'ships get fixed', { of: next })).toEqual([]);
    expect(await openOf('m1')).toBe(1);
    expect(await embed('m1', next)).toMatchObject({ messages: 2 });
    expect(await openOf('m1')).toBe(0);
    expect(await found('mia', 'ships get fixed', { of: next })).toEqual(['m1 1']);
    expect(await embed('m1', next)).toMatchObject({ messages: 0 });
    expect(await vectorsIn('mia', 'm1')).toBe(2);
  });

  test('and what was never embedded is noted by a search that hears of the conversation (R230)', async () => {
    await talk('oli', 'o1', harbour);
    const asked = { scope: { owner: 'oli' }, vector: new Float32Array(256), model: 'm', limit: 5, recent: ['o1'] };
    for (let time = 0; time < 2; time++) await placesOf({ index, now: () => now }, asked);
    expect(await openOf('o1')).toBe(1);
    await embed('o1');
    expect(await found('oli', 'ships get fixed')).toEqual(['o1 1']);
  });
});

test('who asks finds neither the question nor what follows it (R230)', async () => {
  await talk('pam', 'p1', harbour, 'Fine', 'Which place was it where ships get fixed?');
  await table.client.send(new PutCommand({ TableName: table.name, Item: { ...(await metaOf('p1')), lastUserSeq: 3 } }));
  await embed('p1');
  expect(await found('pam', 'place where ships get fixed')).toEqual(['p1 3', 'p1 1']);
  expect(await found('pam', 'place where ships get fixed', { asking: 'p1' })).toEqual(['p1 1']);
});
const metaOf = async (id: string) => (await readPartition(table, key.conversation(id), key.meta, key.meta))[0]!;

test('what is recalled has its sources: a stranger’s words, and a reply’s after its agent has read some (R230)', async () => {
  await talk('quin', 'q1', harbour, `I know: ${harbour}`);
  await say('q1', 3, { author: 'quin', text: `${harbour}, they write`, sources: ['person'] });
  const run = storedRun('r', 'done', now.toISOString(), {
    sources: ['web'],
    usage: { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, costMicrodollars: 0 },
    lastRead: { seq: 1, step: 1 },
  });
  await table.client.send(
    new PutCommand({ TableName: table.name, Item: { ...(await metaOf('q1')), run, titledBy: 'model' } }),
  );
  await embed('q1');
  const all = await said('quin', 'place where ships get fixed');
  expect(Object.fromEntries(all.map(({ message: { seq }, sources }) => [seq, sources]))).toEqual({
    1: [],
    2: ['web'],
    3: ['person'],
  });
  expect(all.every(({ isTitleTrusted }) => !isTitleTrusted)).toBe(true);
});

test('what was embedded counts in its user’s spending, as no step (R230)', async () => {
  await talk('rob', 'r1', harbour);
  const { tokens } = await embed('r1');
  expect(tokens).toBeGreaterThan(0);
  expect((await readSpending(table, 'rob', now)).day).toEqual({ steps: 0, tokens, costMicrodollars: 1 });
});

test('a shared conversation is no part of what an agent recalls for one with whom it is shared (R230, R227)', () => {
  const { scope, mayFind } = reachOfCall('tom');
  expect(scope).toEqual({ owner: 'tom' });
  const meta = { conversationId: 's', owner: 'sam', members: { 'user:tom': { role: 'member' } } } as never;
  expect(mayFind(meta)).toBe(false);
  expect(mayFind({ ...(meta as object), owner: 'tom' } as never)).toBe(true);
  expect(reachOfCall('').mayFind({ ...(meta as object), owner: '' } as never)).toBe(false);
});

test('a change is to be embedded if its words have changed: not a read mark, nor a copy of a fork (R230)', () => {
  const at = { conversationId: 'c', sk: key.message(1) };
  const row = { ...messageOf(1), text: 'Hi' };
  const asked = { conversationId: 'c', seq: 1 };
  expect(saidBy({ ...at, row })).toEqual(asked);
  expect(saidBy({ ...at, row, before: { ...row, status: 'pending' } })).toEqual(asked);
  expect(saidBy({ ...at, row, before: row })).toBeUndefined();
  expect(saidBy({ ...at, row: { ...row, text: 'Ho' }, before: row })).toEqual(asked);
  expect(saidBy({ ...at, row: { ...row, text: '' }, before: row })).toEqual(asked);
  expect(saidBy({ ...at, row: { ...row, status: 'pending' } })).toBeUndefined();
  expect(saidBy({ ...at, row: { ...row, copiedFrom: 'b' } })).toBeUndefined();
  const meta = { conversationId: 'c', sk: key.meta };
  expect(saidBy({ ...meta, row: {}, before: { forking: '{}' } })).toEqual({ conversationId: 'c' });
  expect(saidBy({ ...meta, row: {}, before: {} })).toBeUndefined();
  expect(saidBy({ ...meta, row: { owner: 'bo' }, before: { owner: 'pinned:ada' } })).toEqual({ conversationId: 'c' });
  for (const row of [{ owner: 'pinned:ada' }, {}])
    expect(saidBy({ ...meta, row, before: { owner: 'ada' } })).toBeUndefined();
  expect(saidBy({ conversationId: 'c', sk: key.call('x'), row })).toBeUndefined();
});
