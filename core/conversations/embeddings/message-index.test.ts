import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { tableOfTests } from '../../../test/support/tables/table';
import { cosine, quantised } from '../../base/models/vectors';
import { key } from '../rows/keys';
import { readPartition, write } from '../store/table';
import { type ConversationOf, handedOverRows, type Placed, rowsIndex, spaceOf } from './message-index';

const now = new Date('2026-03-01T08:00:00Z');
const table = tableOfTests();
const index = rowsIndex(table);
const at = (...numbers: number[]) => Float32Array.from(numbers);
const space = spaceOf('m', at(0, 0));
const placed = (seq: number, ...numbers: number[]): Placed => ({ seq, vector: at(...numbers), digest: `d${seq}` });

async function put(owner: string, conversationId: string, some: Placed[], of = space) {
  const before = await index.progressOf({ owner, conversationId });
  return index.put({ owner, conversationId }, { before, space: of, through: some.length, placed: some }, now);
}
const found = async (owner: string, vector: Float32Array, shared?: ConversationOf[], limit = 10) =>
  (await index.nearest({ vector, space: spaceOf('m', vector) }, { owner, shared }, limit)).near.map(
    ({ conversationId, seq }) => `${conversationId} ${seq}`,
  );

test('the nearest come first, of the owner’s conversations and of those that are shared, and of no others (R230)', async () => {
  await put('ada', 'a', [placed(1, 1, 0), placed(2, 1, 1)]);
  await put('ada', 'ab', [placed(1, 1, 0.2), placed(2, -1, 0)]);
  await put('eve', 'e', [placed(1, 1, 0)]);
  expect(await found('ada', at(1, 0))).toEqual(['a 1', 'ab 1', 'a 2']);
  expect(await found('ada', at(1, 0), undefined, 2)).toEqual(['a 1', 'ab 1']);
  await put('eve', 'ee', [placed(1, 1, 0.1)]);
  expect(await found('ad', at(1, 0))).toEqual([]);
  const shared = [
    { owner: 'ada', conversationId: 'a' },
    { owner: 'eve', conversationId: 'ee' },
  ];
  expect(await found('ad', at(1, 0), shared)).toEqual(['a 1', 'ee 1', 'a 2']);
  expect(await found('eve', at(1, 0), [{ owner: 'bo', conversationId: 'a' }])).toEqual(['e 1', 'ee 1']);
});

test('what was put by another process since the progress was read is not overwritten (R230)', async () => {
  const of = { owner: 'bo', conversationId: 'b' };
  const change = { space, through: 1, placed: [placed(1, 1, 0)] };
  expect(await index.put(of, change, now)).toBe(true);
  expect(await index.put(of, change, now)).toBe(false);
  const before = await index.progressOf(of);
  expect(await index.put(of, { ...change, before, through: 2 }, now)).toBe(true);
  expect(await index.put(of, { ...change, before, through: 3 }, now)).toBe(false);
  expect(await index.progressOf(of)).toMatchObject({ through: 2, space, isGone: false });
});

test('after a deletion no vector is left, and none that is on its way is put (R230, R124)', async () => {
  const of = { owner: 'cy', conversationId: 'c' };
  await put('cy', 'c', [placed(1, 1, 0), placed(2, 0, 1)]);
  await put('cy', 'cd', [placed(1, 1, 0)]);
  const before = await index.progressOf(of);
  const never = { owner: 'cy', conversationId: 'new' };
  for (let time = 0; time < 2; time++) for (const one of [of, never]) await index.remove(one, now);
  const late = { space, through: 3, placed: [placed(3, 1, 0)] };
  expect(await index.put(of, { ...late, before }, now)).toBe(false);
  expect(await index.put(never, late, now)).toBe(false);
  expect(await index.progressOf(of)).toMatchObject({ isGone: true });
  const rows = (await readPartition(table, key.saidTo('cy'), ' ', '~')) as {
    sk: string;
    vector?: unknown;
    ttl?: number;
  }[];
  expect(rows.filter(({ vector }) => vector).map(({ sk }) => sk)).toEqual([key.embedding('cd', 1)]);
  expect(rows.filter(({ sk, ttl }) => !sk.includes('cd') && !ttl)).toEqual([]);
  expect(await found('cy', at(1, 0))).toEqual(['cd 1']);
});

test('with another owner, nothing is put for the former one, what is left is erased, and all may come back (R230, R225)', async () => {
  const [from, to] = ['fay', 'gil'].map((owner) => ({ owner, conversationId: 'f' }));
  const many = Array.from({ length: 120 }, (_, seq) => placed(seq + 1, 1, 0));
  for (let start = 0; start < many.length; start += 40) {
    const before = await index.progressOf(from!);
    await index.put(from!, { before, space, through: start + 40, placed: many.slice(start, start + 40) }, now);
  }
  const late = { before: await index.progressOf(from!), space, through: 121, placed: [placed(121, 1, 0)] };
  const hand = (a: string, b: string) => write(table, '', handedOverRows('f', a, b, now));
  await hand('fay', 'gil');
  expect(await index.put(from!, late, now)).toBe(false);
  expect(await index.progressOf(from!)).toMatchObject({ isGone: true, openSince: expect.any(String) });
  expect(await index.progressOf(to!)).toMatchObject({ isGone: false, through: 0, openSince: expect.any(String) });
  await index.erase(to!, now);
  await Promise.all([index.erase(from!, now), index.erase(from!, now)]);
  expect(await found('fay', at(1, 0), [], 500)).toEqual([]);
  expect(await index.progressOf(from!)).toMatchObject({ isGone: true });
  expect(await index.progressOf(from!)).not.toHaveProperty('openSince');

  await hand('gil', 'fay');
  await index.erase(from!, now);
  expect(await index.put(from!, late, now)).toBe(false);
  const before = await index.progressOf(from!);
  expect(await index.put(from!, { before, space, through: 1, placed: [placed(1, 1, 0)] }, now)).toBe(true);
  await index.erase(to!, now);
  expect(await found('fay', at(1, 0))).toEqual(['f 1']);
});

test('vectors of another model, or of another length, are not compared, and are named (R230)', async () => {
  await put('dot', 'old', [placed(1, 1, 0)], 'older 2');
  await put('dot', 'short', [placed(1, 1)], 'm 1');
  await put('dot', 'now', [placed(1, 1, 0)]);
  const { near, outdated, known, isWhole } = await index.nearest({ vector: at(1, 0), space }, { owner: 'dot' }, 5);
  expect(near.map(({ conversationId }) => conversationId)).toEqual(['now']);
  expect(outdated.sort()).toEqual(['old', 'short']);
  expect([...known].sort()).toEqual(['now', 'old', 'short']);
  expect(isWhole).toBe(true);
});

test.each([
  ['no vector', { vector: undefined }],
  ['a text for a vector', { vector: 'AAAA' }],
  ['half a vector', { vector: new Uint8Array(1) }],
  ['no model', { embeddingModel: 7 }],
  ['no digest', { digest: null }],
])('a row with %s is left out, and the others are found (R230, R266)', async (what, odd) => {
  const owner = `odd ${what}`;
  await put(owner, 'a', [placed(1, 1, 0), placed(2, 1, 0)]);
  const row = { pk: key.saidTo(owner), sk: key.embedding('a', 1), version: 1 };
  const whole = { ...row, vector: new Uint8Array([127, 0]), embeddingModel: space, digest: 'd', ...odd };
  await table.client.send(new PutCommand({ TableName: table.name, Item: whole }));
  expect(await found(owner, at(1, 0))).toEqual(['a 2']);
});

test.each([
  ['nothing', {}],
  ['a text for its version', { version: 'x' }],
  ['a negative place', { version: 3, through: -1, embeddingModel: space }],
])('a row of the progress with %s is replaced, or removed: nothing hangs (R230, R266)', async (what, odd) => {
  const of = { owner: `progress ${what}`, conversationId: 'p' };
  const at = { pk: key.saidTo(of.owner), sk: key.embedded('p') };
  await table.client.send(new PutCommand({ TableName: table.name, Item: { ...at, ...odd } }));
  const before = await index.progressOf(of);
  expect(before).toMatchObject({ through: 0, space: '' });
  expect(await index.put(of, { before, space, through: 1 }, now)).toBe(true);
  expect(await index.progressOf(of)).toMatchObject({ through: 1, space });
  await table.client.send(new PutCommand({ TableName: table.name, Item: { ...at, ...odd } }));
  await index.remove(of, now);
  expect(await index.progressOf(of)).toMatchObject({ isGone: true });
});

test('a search reads no more than it may, and says so (R230)', async () => {
  const wide = new Array<number>(9_000).fill(1);
  const vectors = Array.from({ length: 40 }, (_, seq) => placed(seq + 1, ...wide));
  for (let talk = 0; talk < 6; talk++) await put('max', `t${talk}`, vectors, spaceOf('m', wide));
  const query = { vector: Float32Array.from(wide), space: spaceOf('m', wide) };
  const few = await rowsIndex(table, { reads: 1 }).nearest(query, { owner: 'max' }, 500);
  expect(few.isWhole).toBe(false);
  expect(few.near.length).toBeGreaterThan(50);
  const all = await index.nearest(query, { owner: 'max' }, 500);
  expect(all).toMatchObject({ isWhole: true, near: { length: 240 } });
});

test('a byte for each number changes the similarity little, and that of nothing is 0 (R230)', () => {
  let seed = 1;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647 - 0.5;
  };
  const one = () => Float32Array.from({ length: 256 }, random);
  for (let time = 0; time < 200; time++) {
    const [a, b] = [one(), one()];
    expect(Math.abs(cosine(a, b) - cosine(quantised(a), quantised(b)))).toBeLessThan(0.01);
  }
  expect(cosine(quantised(at(0, 0)), quantised(at(1, 0)))).toBe(0);
});
