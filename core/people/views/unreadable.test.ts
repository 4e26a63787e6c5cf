import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as fc from 'fast-check';
import { everyFifth, fifthOf } from '../../../test/support/long';
import { askingIn, deployment, order, orderLater, pay } from '../../../test/support/stories/asking';
import { tableOfTests } from '../../../test/support/tables/table';
import { readCallsOfStep, startAttempt } from '../../conversations/calls/call';
import { putTimer } from '../../conversations/calls/timer';
import { cancelRun } from '../../conversations/conversation/cancel';
import { deleteConversation } from '../../conversations/conversation/delete';
import { failRun } from '../../conversations/conversation/fail';
import { forkConversation } from '../../conversations/conversation/fork';
import { retryRun } from '../../conversations/conversation/retry';
import { sendMessage } from '../../conversations/conversation/send-message';
import { transcript } from '../../conversations/decisions/transcript';
import { key } from '../../conversations/rows/keys';
import { isReadable } from '../../conversations/rows/kinds';
import { Meta } from '../../conversations/rows/meta';
import {
  type StoredCall as Call,
  StoredCall,
  StoredCallback,
  StoredMessage,
  StoredTimer,
} from '../../conversations/rows/rows';
import { readLog } from '../../conversations/runs/log';
import { readCounts } from '../../conversations/store/counts';
import { readMeta, readRows, write } from '../../conversations/store/table';
import { arrangeConversation } from '../finding/arrange';
import { searchMessages } from '../finding/search';
import { broadcastOf } from '../live/broadcast';
import { readSince } from '../streams/read';
import { listApprovals } from './approvals';
import { readBranches } from './branches';
import { listConversations, listOpenConversations } from './list';
import { readTimeline } from './read-timeline';
import { listTimers } from './timers';
import { viewConversation } from './view';
import { wholeCalls } from './whole-calls';

// A row that is stored and cannot be read does not take its conversation along, nor its user's other ones.

const table = tableOfTests();
const now = new Date('2027-03-01T08:00:00.000Z');
const { tools, agents } = deployment;
const user = 'ada';
const caller = { user, groups: [], claims: {} };
type Row = Record<string, unknown> & { pk: string; sk: string };

/** A waiting run with a message, a reply, an approval, a webhook and a timer. */
async function given() {
  const { id, at, callId } = await askingIn(table, now)([pay.name, { cents: 1 }], [order.name], [orderLater.name]);
  const timer = { kind: 'once' as const, at: new Date(now.getTime() + 3_600_000), text: 'Drink water' };
  await write(table, id, [putTimer(id, { id: `${callId}9`, user, tool: 'remind' } as Call, timer, now)]);
  await startAttempt(table, id, `${callId.slice(0, -2)}02`, orderLater, now);
  return { id, at, callId };
}

const rowsOf = async (id: string) => (await readRows(table, id, ' ', '~')) as Row[];
const store = (row: object) => table.client.send(new PutCommand({ TableName: table.name, Item: row as Row }));

async function readAll(id: string) {
  const seen = await viewConversation(table, id, user);
  await readTimeline(table, tools, id, user, now);
  await wholeCalls(table, id, user);
  await readSince(table, id, user, { seq: 0, calls: {} } as never, now);
  await readBranches(
    table,
    (await readMeta(table, id).catch(() => undefined)) ?? ({ conversationId: id, owner: user } as never),
  );
  const { messages, calls } = await readLog(table, id);
  const items = transcript(messages, calls, { before: 1_000 });
  return { seen, items };
}

const readLists = () =>
  Promise.all([
    listConversations(table, user),
    listOpenConversations(table, user, 'active'),
    listOpenConversations(table, user, 'failed'),
    listTimers(table, user),
    listApprovals(table, deployment, caller, now),
    searchMessages(table, user, 'Hello'),
  ]);

const shapes = {
  [key.meta]: Meta.shape,
  [key.messages]: StoredMessage.shape,
  [key.call('')]: StoredCall.shape,
  [key.callback('')]: StoredCallback.shape,
  [key.timer('')]: StoredTimer.shape,
};
/** Authorization cannot be guessed: without a valid owner, a conversation is nobody's. A key is always a text. */
const isPlanted = (field: string) => !['owner', 'deletedFor', 'pk', 'unreadable', 'ttl', 'forking'].includes(field);
const ofRun = Object.keys(Meta.shape.run.unwrap().shape).map((field) => [key.meta, `run.${field}`] as const);
const places = [
  ...Object.entries(shapes).flatMap(([prefix, shape]) => Object.keys(shape).map((field) => [prefix, field] as const)),
  ...ofRun,
].filter(([, field]) => isPlanted(field));
const odd: unknown[] = [null, -1.5, 'odd', true, [null], {}];

/** The table refuses a key of an index that is no text, whoever writes it. */
const indexKeys = ['openFor', 'openSince', 'updatedAt'];
const isStorable = (field: string, value: unknown) => typeof value === 'string' || !indexKeys.includes(field);

const planted = (row: Row, field: string, value: unknown): Row => {
  if (!field.startsWith('run.')) return { ...row, [field]: value };
  return { ...row, run: { ...(row.run as object), [field.slice('run.'.length)]: value } };
};

/** They read and write the table some thousand times, which a busy machine does slowly. */
const patience = 600_000;

test(
  'every field of every kind of row may be odd: all is shown but what depends on it (R189)',
  async () => {
    const { id } = await given();
    const rows = await rowsOf(id);
    for (const [prefix, field, value] of everyFifth(
      places.flatMap((place) => odd.map((one) => [...place, one] as const)),
    )) {
      const { conversationId, sk } = { conversationId: id, sk: rows.find((one) => one.sk.startsWith(prefix))!.sk };
      const row = planted(rows.find((one) => one.sk === sk)!, field, value);
      const { pushes, unreadable } = broadcastOf([{ conversationId, sk, row }], now);
      expect({ prefix, field, value, unreadable }).toMatchObject({ unreadable: [] });
      const shown = pushes.flatMap(({ frames }) => frames).join();
      if (!isReadable(row))
        expect({ field, value, shown }).toMatchObject({ shown: expect.stringContaining('"unreadable":') });
    }
  },
  patience,
);

test('a time that cannot be read makes nothing cost, or last, as if it had begun in 1970 (R189)', async () => {
  const { id } = await given();
  const rows = await rowsOf(id);
  const most = (await readTimeline(table, tools, id, user, now)).cost.totalMicrodollars;
  for (const [prefix, field] of places.filter(([, name]) => /(?:At|until)$/.test(name))) {
    const row = rows.findLast(({ sk }) => sk.startsWith(prefix))!;
    await store(planted(row, field, 'odd'));
    const { runs, cost } = await readTimeline(table, tools, id, user, now);
    const times = runs.flatMap(({ startedAt, entries }) => [startedAt, ...entries.map((entry) => entry.startedAt)]);
    expect({ field, times }).toMatchObject({ times: times.map(() => expect.stringMatching(/^20/)) });
    expect([field, cost.totalMicrodollars > 2 * most]).toEqual([field, false]);
    await store(row);
  }
});

test(
  'any row of a conversation may be unreadable: it is read, cancelled, written to and deleted; another one is as it was (R189)',
  async () => {
    const other = await given();
    const { seen: before } = await readAll(other.id);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), fc.constantFrom(...odd), async ([prefix, field], value) => {
        // A call of a tool that is not deployed is readable, and its run waits for its rollback.
        fc.pre(isStorable(field, value) && !(prefix === key.call('') && field === 'tool' && value === 'odd'));
        const { id } = await given();
        const rows = (await rowsOf(id)).filter(({ sk }) => sk.startsWith(prefix));
        await store(planted(rows.at(-1)!, field, value));
        await readAll(id);
        await readLists();
        await arrangeConversation(table, id, user, { title: 'Renamed' });
        await cancelRun(table, tools, { conversationId: id, user }, now);
        expect((await readMeta(table, id))!.status).toBe('cancelled');
        await readAll(id);
        const { meta } = await sendMessage(table, agents, id, { user, text: 'And now?' }, now);
        expect(meta.status).toBe('running');
        await deleteConversation(table, tools, id, user, now);
        const left = (await rowsOf(id)).filter(({ sk, ttl }) => ttl === undefined && !sk.startsWith('PIECE#'));
        expect(left).toEqual([]);
        await expect(viewConversation(table, id, user)).rejects.toMatchObject({ name: 'NotFound' });
      }),
      // Calls that META names are of no run of that id.
      { numRuns: fifthOf(40), examples: [[[key.meta, 'run.id'], 'odd']] },
    );
    expect((await readAll(other.id)).seen).toEqual(before);
  },
  patience,
);

test('usage that an earlier version has stored: the messages are shown, the run has failed, and a message starts the next one (R189)', async () => {
  const { id, at } = await given();
  const { runs } = await readCounts(table, user);
  const usage = { modelCalls: 1, toolCalls: 1, inputTokens: 10, outputTokens: null, costMicrodollars: 0 };
  const [meta] = (await rowsOf(id)).filter(({ sk }) => sk === key.meta);
  await store(planted(meta!, 'run.usage', usage));
  const { seen } = await readAll(id);
  expect(seen).toMatchObject({ status: 'failed', unreadable: 'run.usage' });
  expect(seen.reason).toBe('The record of this conversation cannot be read: its field run.usage is not valid.');
  expect(seen.messages[0]!.text).toBe('Hello');
  await expect(readMeta(table, id)).rejects.toMatchObject({ name: 'UnreadableRow', sk: key.meta });
  await expect(retryRun(table, id, user, now)).rejects.toMatchObject({ name: 'UnreadableRow' });
  await failRun(table, deployment, { ...at, step: 1 }, 'UnreadableRow', now);
  expect((await readMeta(table, id))!).toMatchObject({ status: 'failed', unreadable: 'run.usage' });
  expect((await readCounts(table, user)).runs).toBe(runs - 1);
  await arrangeConversation(table, id, user, { title: 'Renamed' });
  await expect(retryRun(table, id, user, now)).rejects.toMatchObject({ name: 'WrongState' });
  await sendMessage(table, agents, id, { user, text: 'And now?' }, now);
  expect(await viewConversation(table, id, user)).toMatchObject({ status: 'running', title: 'Renamed' });
  expect(await viewConversation(table, id, user)).not.toHaveProperty('unreadable');
});

test('a call that cannot be read is not made again: its step stops, and the model reads that its outcome is unknown (R189, R8)', async () => {
  const { id, at, callId } = await given();
  const [call] = (await rowsOf(id)).filter(({ sk }) => sk === key.call(callId));
  await store({ ...call, modelCallId: 123 });
  await expect(readCallsOfStep(table, id, at.runId, 1)).rejects.toMatchObject({
    ...{ name: 'UnreadableRow', sk: key.call(callId), field: 'modelCallId' },
  });
  await expect(startAttempt(table, id, callId, pay, now)).rejects.toMatchObject({ name: 'UnreadableRow' });
  const { seen, items } = await readAll(id);
  expect(seen.calls.find((one) => one.id === callId)).toMatchObject({ status: 'unknown', unreadable: 'modelCallId' });
  expect(items).toContainEqual({
    kind: 'result',
    callId,
    text: expect.stringContaining('is unknown. Do not repeat it.'),
  });
  const { reason } = (await cancelRun(table, tools, { conversationId: id, user }, now)).run!;
  expect(reason).toContain('The records of 1 of its calls cannot be read');
  const fork = await forkConversation(table, { from: id, id: `${id}-fork`, user, step: 1 }, now);
  expect(fork.status).toBe('running');
});
