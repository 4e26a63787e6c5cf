import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { digestOf, memoryFileStore } from '../../../test/support/memory-file-store';
import { segmentOf } from '../../../test/support/segment-of';
import { deployment } from '../../../test/support/stories/asking';
import { scriptedLoop } from '../../../test/support/stories/scripted-step';
import { look, stepsIn } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import type { LoopInput } from '../../base/state/loop-state';
import { advance } from '../../machines/loop/advance';
import { defineAgent } from '../agent/agent';
import { registry } from '../agent/registry';
import { forkConversation } from '../conversation/fork';
import { trust } from '../conversation/trust';
import { readFileRow, storedFile } from '../files/stored-file';
import { beginUpload, completeUpload } from '../files/upload';
import { key } from '../rows/keys';
import { bytesOf, firstThatFit, mostOfTransaction } from '../rows/size';
import { createConversation } from '../runs/conversation';
import { readKind, readMeta, type Table, write } from './table';
import type { RowWrite } from './write';

// R268: a transaction has at most 100 rows, and 4 MB of whole rows, which the local engine does not count.

const table = tableOfTests();
const now = new Date('2027-03-01T08:00:00.000Z');
let serial = 0;

/** A table that measures each transaction, with what its writes leave in their rows. */
function measured(): { of: Table; sizes: { rows: number; bytes: number }[] } {
  const sizes: { rows: number; bytes: number }[] = [];
  const send = async (command: TransactWriteCommand) => {
    const answer = await (table.client.send as (command: unknown) => Promise<unknown>)(command);
    if (!(command instanceof TransactWriteCommand)) return answer;
    const items = command.input.TransactItems!;
    const rows = await Promise.all(
      items.map(({ Put, Update }) => {
        const Key = Update?.Key ?? { pk: Put!.Item!.pk, sk: Put!.Item!.sk };
        return table.client.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
      }),
    );
    sizes.push({ rows: items.length, bytes: rows.reduce((sum, { Item }) => sum + bytesOf(Item), 0) });
    return answer;
  };
  return { of: { ...table, client: { send } as unknown as Table['client'] }, sizes };
}
const areTaken = (sizes: { rows: number; bytes: number }[]) =>
  sizes.every(({ rows, bytes }) => rows <= mostOfTransaction.rows && bytes <= mostOfTransaction.bytes);

test('the first items that fit are chosen by rows and by bytes, and always one (R268)', () => {
  const fit = (rows: number, bytes: number, ...sizes: number[]) =>
    firstThatFit(sizes, { rows, bytes }, (size) => size).length;
  expect(fit(3, 100, 1, 1, 1, 1)).toBe(3);
  expect(fit(9, 100, 50, 50, 1)).toBe(2);
  expect(fit(9, 100, 300, 1)).toBe(1);
  expect(fit(9, 100)).toBe(0);
});

test('writes that one transaction does not take are refused before anything is sent (R268)', async () => {
  const { of, sizes } = measured();
  const rows = (count: number, text: string): RowWrite[] =>
    Array.from({ length: count }, (_, index) => ({ pk: 'N#x', sk: `NOTE#${index}`, put: { text } }));
  for (const many of [rows(101, 'x'), rows(11, 'x'.repeat(390_000))])
    await expect(write(of, 'c', many)).rejects.toMatchObject({ name: 'TransactionTooLarge' });
  expect(sizes).toEqual([]);
});

test('45 deliveries of 100 KB are trusted in transactions that DynamoDB takes (R268)', async () => {
  const id = `large${++serial}`;
  await createConversation(table, { id, user: 'ada', agent: 'tester', text: 'Go' }, now);
  const [first] = await readKind(table, id, 'message');
  const seqs = Array.from({ length: 45 }, (_, index) => index + 100);
  for (const seq of seqs) {
    const put = { ...first, seq, sources: ['system'], text: 'x'.repeat(100_000), version: 1 };
    await write(table, id, [{ sk: key.message(seq), put }]);
  }
  const { of, sizes } = measured();
  await trust(of, { conversationId: id, user: { user: 'ada' } as never }, { messages: seqs, calls: [] });
  expect([sizes.length, areTaken(sizes)]).toEqual([2, true]);
  expect((await readKind(table, id, 'message')).filter((row) => (row as { trusted?: boolean }).trusted)).toHaveLength(
    45,
  );
});

test('a reply with sixteen delegations and more calls is committed, and delegates as much as fits (R268)', async () => {
  const base = { purpose: 'p', instructions: 'i', model: 'm' };
  const agents = registry([
    defineAgent({ ...base, name: 'boss', tools: [look], delegates: ['worker'] }),
    defineAgent({ ...base, name: 'worker', tools: [] }),
  ]);
  const id = `many${++serial}`;
  const metadata = { note: 'n'.repeat(3_000) };
  const { meta } = await createConversation(table, { id, user: 'boss', agent: 'boss', text: 'Go', metadata }, now);
  const toolCalls = Array.from({ length: 40 }, (_, index) => ({
    id: `c${index}`,
    name: index < 16 ? 'delegate' : 'look',
    arguments: JSON.stringify(index < 16 ? { agent: 'worker', task: `Task ${index}` } : { at: 'x' }),
  }));
  const { of, sizes } = measured();
  let asked = 0;
  const loop = scriptedLoop({ table: of, registry: agents, now: () => now }, () => {
    asked += 1;
    return { text: '', toolCalls };
  });
  await advance(loop, segmentOf(meta)!.input as LoopInput);
  expect([asked, areTaken(sizes)]).toEqual([1, true]);
  const calls = (await readKind(table, id, 'call')) as { tool: string; status: string; error?: string }[];
  const delegated = calls.filter(({ tool, status }) => tool === 'delegate' && status === 'waiting');
  expect(calls).toHaveLength(40);
  expect(delegated.length).toBeGreaterThan(10);
  expect(calls.filter(({ error }) => error?.includes('Delegate the task in your next reply'))).toHaveLength(
    16 - delegated.length,
  );
});

test('two forks at once of a conversation with 80 files refer to each of them (R268)', async () => {
  const [user, id] = [`files${++serial}`, `f${serial}`];
  const store = memoryFileStore();
  const most = { file: 100, day: 10_000, all: 10_000, count: 100 };
  const ids: string[] = [];
  for (let file = 0; file < 80; file++) {
    const bytes = Buffer.from(`file ${file}`);
    const announced = { size: bytes.length, mediaType: 'text/plain', sha256: digestOf(bytes) };
    const row = await beginUpload({ table, store }, user, announced, most, now);
    await store.write(storedFile(row), bytes);
    ids.push((await completeUpload({ table, store, typeOf: async (_, said) => said }, user, row.id, now)).id);
  }
  const partsFrom = (from: number) => ids.slice(from, from + 20).map((one) => ({ type: 'file' as const, id: one }));
  await createConversation(table, { id, user, agent: 'tester', text: '', parts: partsFrom(0) }, now);
  const steps = stepsIn(table, now, deployment.agents.get('tester')!);
  const at = { ...segmentOf((await readMeta(table, id))!)!.input, step: 1 };
  const draft = await steps.begin(at);
  await steps.commit(at, draft, { text: 'Read.', toolCalls: [] });
  // The other messages with files, as the step has read them.
  const [first] = await readKind(table, id, 'message');
  for (const [index, from] of [20, 40, 60].entries()) {
    const files = await Promise.all(ids.slice(from, from + 20).map((one) => readFileRow(table, user, one)));
    const parts = files.map((file) => ({ type: 'file', id: file!.id, mediaType: 'text/plain', size: file!.size }));
    const put = { ...first, seq: -index, parts };
    await write(table, id, [{ sk: `${key.message(1)}.${index}`, put }]);
    for (const file of files)
      await write(table, '', [
        { pk: key.filesOf(user), sk: key.file(file!.id), set: { in: [id] }, onlyIf: { version: file!.version } },
      ]);
  }
  const forks = ['a', 'b'].map((name) => `${id}${name}`);
  await Promise.all(
    forks.map((fork) => forkConversation(table, { from: id, id: fork, user, step: 1, text: 'Again' }, now)),
  );
  for (const one of ids) expect((await readFileRow(table, user, one))!.in.sort()).toEqual([id, ...forks]);
});
