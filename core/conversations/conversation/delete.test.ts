import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { addMember } from '../../../test/support/add-member';
import { askingIn, deployment, order, pay } from '../../../test/support/stories/asking';
import { isWrite, overtaken } from '../../../test/support/tables/mortal-table';
import { tableOfTests } from '../../../test/support/tables/table';
import { forgetTodos, todosIn } from '../../../test/support/tables/todos';
import { readOpenRows } from '../../machines/reconcile/sweep';
import { fireTimer } from '../../machines/timers/fire-timer';
import { readBranches } from '../../people/views/branches';
import { listConversations } from '../../people/views/list';
import { startAttempt } from '../calls/call';
import { readCallback, webhookId } from '../calls/callback';
import { putTimer, readTimers } from '../calls/timer';
import { readSharedWith } from '../members/members';
import { key } from '../rows/keys';
import { allKinds } from '../rows/kinds';
import type { StoredCall } from '../rows/rows';
import { createConversation } from '../runs/conversation';
import { readCounts } from '../store/counts';
import { readMeta, readRows, type Table, write } from '../store/table';
import { toDo } from '../store/write';
import { deleteConversation, endDeleted, markDeleted, sweepDeleted } from './delete';
import { deliver } from './deliver';
import { forkConversation } from './fork';
import { sendMessage } from './send-message';

const table = tableOfTests();
const now = new Date('2027-03-01T08:00:00.000Z');
const due = new Date('2027-03-01T09:00:00.000Z');
const { tools, agents } = deployment;
const user = 'ada';

/** A waiting run with an approval, a webhook, and so many timers. */
async function given(timers: number) {
  const { id, callId } = await askingIn(table, now)([pay.name, { cents: 1 }], [order.name]);
  const ids = Array.from({ length: timers }, (_, index) => `${callId}${index}`);
  for (const timerId of ids) {
    const call = { id: timerId, user, tool: 'remind' } as StoredCall;
    await write(table, id, putTimer(id, call, { kind: 'once', at: due, text: 'Drink water' }, now));
  }
  const fire = (timerId: string, on: Table = table) =>
    fireTimer(on, agents, { conversationId: id, timerId, segment: 1, at: due.toISOString() }, due);
  return { id, callId, ids, fire };
}

/** Counts the requests to the table. */
function counting(): Table & { sent: string[] } {
  const sent: string[] = [];
  const send = (command: never) => {
    sent.push((command as object).constructor.name);
    return table.client.send(command);
  };
  return { ...table, sent, client: { send } as unknown as Table['client'] };
}

describe('deleting a conversation', () => {
  test('takes the same few requests whatever it has, and it is gone after the first write (R61, R189)', async () => {
    const requests = [];
    for (const timers of [0, 12]) {
      const { id } = await given(timers);
      const counted = counting();
      await markDeleted(counted, id, user, now);
      expect(counted.sent).toEqual(['GetCommand', 'TransactWriteCommand']);
      await expect(sendMessage(table, agents, id, { user, text: 'Hello?' }, now)).rejects.toMatchObject({
        name: 'NotFound',
      });
      expect((await listConversations(table, user)).conversations.map((one) => one.id)).not.toContain(id);
      await endDeleted(counted, tools, id, now);
      requests.push(counted.sent.length);
    }
    expect(requests[1]).toBe(requests[0]);
  });

  test('is not delayed by timers that fire at the same time, and afterwards none fires (R61)', async () => {
    const { id, ids, fire } = await given(12);
    const [marked] = await Promise.all([markDeleted(table, id, user, now), ...ids.map((one) => fire(one))]);
    expect(marked).toMatchObject({ owner: '', deletedFor: user });
    const said = async () => (await readRows(table, id, key.messages, `${key.messages}~`)).length;
    const before = await said();
    await Promise.all(ids.map((one) => fire(one)));
    expect(await said()).toBe(before);
    await endDeleted(table, tools, id, now);
    await sweepDeleted(table, id, now);
    expect((await readTimers(table, id)).filter(({ status }) => status === 'active')).toEqual([]);
  });

  test('keeps what is to be done meanwhile, such as a rollback (R61, R261)', async () => {
    const { id } = await given(0);
    const rollback = { does: 'rollback', runId: 'r', segment: 1, at: now.toISOString() } as const;
    const asks = () => write(table, id, [toDo(rollback)]);
    await markDeleted(overtaken(table, isWrite, asks), id, user, now);
    expect(await readMeta(table, id)).toMatchObject({ owner: '', deletedFor: user });
    expect((await todosIn(table, id)).slice(-3)).toEqual(expect.arrayContaining([rollback, { does: 'sweep' }]));
  });

  test('is continued by Reconcile if its process dies after the mark, twice at once and again (R61, R169)', async () => {
    const before = await readCounts(table, user);
    const { id } = await given(3);
    await markDeleted(table, id, user, now);
    await markDeleted(table, id, user, now);
    const open = async () => {
      const { rows } = await readOpenRows(table, undefined, 1_000);
      return rows.some(({ pk, sk }) => pk === key.conversation(id) && !sk.startsWith(key.todos('')));
    };
    expect(await open()).toBe(true);
    expect((await todosIn(table, id)).filter(({ does }) => does === 'sweep')).toHaveLength(1);
    const sweep = async () => {
      await endDeleted(table, tools, id, now);
      await sweepDeleted(table, id, now);
    };
    await Promise.all([sweep(), sweep()]);
    await sweep();
    const meta = (await readMeta(table, id))!;
    expect(meta).toMatchObject({ status: 'cancelled', pending: [] });
    expect(meta.ttl).toBeGreaterThan(0);
    await forgetTodos(table, id);
    expect(await open()).toBe(false);
    const left = ((await readRows(table, id, ' ', '~')) as { ttl?: number }[]).filter(({ ttl }) => ttl === undefined);
    expect(left).toEqual([]);
    const { runs, conversations } = await readCounts(table, user);
    expect({ runs, conversations }).toEqual({ runs: before.runs, conversations: before.conversations });
  });

  test('leaves a fork that is made meanwhile, whose rows do not expire, and refuses what others deliver (R61, R116)', async () => {
    const { id, callId } = await given(0);
    const ordered = `${callId.slice(0, -2)}01`;
    await startAttempt(table, id, ordered, order, now);
    expect(await readCallback(table, id, webhookId(ordered))).toMatchObject({ status: 'pending' });
    await markDeleted(table, id, user, now);
    const late = deliver(table, deployment, { conversationId: id, callbackId: webhookId(ordered) }, {}, now);
    await expect(late).rejects.toMatchObject({ name: 'NotFound' });
    await expect(forkConversation(table, { from: id, id: `${id}-f`, user, step: 1 }, now)).rejects.toMatchObject({
      name: 'NotFound',
    });
    const racing = await given(0);
    // The deletion comes after the fork has read its original.
    const slow = overtaken(table, isWrite, () => deleteConversation(table, tools, racing.id, user, now));
    const to = `${racing.id}-f`;
    await forkConversation(slow, { from: racing.id, id: to, user, step: 1 }, now);
    const rows = (await readRows(table, to, ' ', '~')) as { ttl?: number }[];
    expect(rows.filter(({ ttl }) => ttl !== undefined)).toEqual([]);
  });

  test('leads nobody to it who is let in at the same moment (R61)', async () => {
    const { id } = await given(0);
    const letIn = () => addMember(table, { conversationId: id, by: user }, 'user:mia', { role: 'member' });
    await markDeleted(overtaken(table, isWrite, letIn), id, user, now);
    expect(await readSharedWith(table, 'mia')).toEqual([]);
    expect((await readMeta(table, id))!.deletedFor).toBe(user);
  });
});

describe('what points to a deleted conversation (R259)', () => {
  /** What DynamoDB does when the rows of a conversation expire. */
  async function expireRows(id: string) {
    const rows = (await readRows(table, id, ' ', '~')) as { pk: string; sk: string; ttl?: number }[];
    for (const { pk, sk, ttl } of rows)
      if (ttl) await table.client.send(new DeleteCommand({ TableName: table.name, Key: { pk, sk } }));
  }

  test('keeps its id: while a version is left, no new conversation gets it', async () => {
    const { id } = await given(0);
    const fork = `${id}-version`;
    await forkConversation(table, { from: id, id: fork, user, step: 1 }, now);
    await deleteConversation(table, tools, id, user, now);
    await expireRows(id);
    expect(await readMeta(table, id)).toBeUndefined();
    const again = () => createConversation(table, { id, user, agent: 'asking', text: 'Hello' }, now);
    await expect(again()).rejects.toMatchObject({ name: 'InvalidInput', path: 'id' });
    const onto = forkConversation(table, { from: fork, id, user, step: 1 }, now);
    await expect(onto).rejects.toMatchObject({ name: 'InvalidInput' });
    await deleteConversation(table, tools, fork, user, now);
    await expireRows(id);
    expect(await again()).toMatchObject({ created: true });
    expect(await readBranches(table, (await readMeta(table, id))!)).toHaveLength(1);
  });

  test.each(allKinds)(
    'a row of the kind $name expires as the list says',
    async ({ name, prefix, partition, expires }) => {
      if (partition !== 'C#' || name === 'meta') return;
      const { id } = await given(0);
      const sk = `${prefix}x`;
      // Written by hand, because only the key matters.
      const Item = { pk: key.conversation(id), sk, id: 'x' };
      await table.client.send(new PutCommand({ TableName: table.name, Item }));
      await deleteConversation(table, tools, id, user, now);
      const [row] = (await readRows(table, id, sk, sk)) as { ttl?: number }[];
      expect(row!.ttl !== undefined).toBe(expires === 'with its conversation');
    },
  );
});
