import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { ask, askingIn, deployment } from '../../../test/support/stories/asking';
import { tableOfTests } from '../../../test/support/tables/table';
import { cancelTimer as cancelTimerTool } from '../../../tools/timers/cancel-timer';
import { listTimers as listTimersTool } from '../../../tools/timers/list-timers';
import type { Source } from '../../base/content/sources';
import { newRunId } from '../../base/text/ids';
import type { NewTimer } from '../../base/time/rule';
import { isTableEffect } from '../../conversations/agent/table-effect';
import type { ToolContext } from '../../conversations/agent/tool';
import { putTimer } from '../../conversations/calls/timer';
import { cancelRun } from '../../conversations/conversation/cancel';
import { deleteConversation } from '../../conversations/conversation/delete';
import { failRun } from '../../conversations/conversation/fail';
import { retryRun } from '../../conversations/conversation/retry';
import { sendMessage } from '../../conversations/conversation/send-message';
import { key } from '../../conversations/rows/keys';
import type { StoredCall } from '../../conversations/rows/rows';
import { createConversation } from '../../conversations/runs/conversation';
import { write } from '../../conversations/store/table';
import { cancelTimer } from '../../conversations/timers/change-timer';
import { fireTimer } from '../../machines/timers/fire-timer';
import { listApprovals } from './approvals';
import { listOpenConversations } from './list';
import { listTimers } from './timers';

// What is open, wherever it is: the lists of timers, of conversations and of what waits, on a real table.

const table = tableOfTests();

const now = new Date('2026-03-01T08:00:00.000Z');
const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000);

describe('timers of all conversations (R156)', () => {
  const once = (hours: number, text = 'Drink water'): NewTimer => ({ kind: 'once', at: later(hours), text });
  const hourly: NewTimer = { kind: 'repeat', at: later(1), rule: { everySeconds: 3_600 }, text: 'Stretch' };
  let serial = 0;
  const conversationOf = async (user: string) => {
    const id = `t${++serial}`;
    await createConversation(table, { id, user, agent: 'tester' }, now);
    return id;
  };
  async function timerIn(id: string, user: string, timer: NewTimer, after?: Source[]) {
    const timerId = `${newRunId(1)}.00001.00`;
    const call = { id: timerId, user, tool: 'repeat', after } as StoredCall;
    await write(table, id, putTimer(id, call, timer, now));
    const fire = (hours: number) =>
      fireTimer(
        table,
        deployment.agents,
        { conversationId: id, timerId, segment: 1, at: later(hours).toISOString() },
        later(hours),
      );
    return { timerId, fire };
  }
  const list = async (user: string) => (await listTimers(table, user)).timers;
  const idsOf = async (user: string) => (await list(user)).map(({ id }) => id);
  const context = (user: string, conversationId: string) => ({ table, user, conversationId }) as unknown as ToolContext;

  test('the next one is first; one that fires, is cancelled or deleted moves or leaves', async () => {
    const [a, b, c] = [await conversationOf('abe'), await conversationOf('abe'), await conversationOf('abe')];
    const far = await timerIn(a, 'abe', once(48));
    const often = await timerIn(b, 'abe', hourly);
    const soon = await timerIn(c, 'abe', once(2));
    expect(await list('abe')).toMatchObject([
      { id: often.timerId, conversationId: b, rule: 'every 3600 seconds', nextAt: later(1).toISOString() },
      { id: soon.timerId, conversationId: c },
      { id: far.timerId, conversationId: a, text: 'Drink water' },
    ]);
    expect((await listTimers(table, 'abe')).conversations.map(({ id }) => id)).toEqual([b, c, a]);
    await often.fire(1.9);
    await often.fire(2.5);
    expect(await list('abe')).toMatchObject([
      { id: soon.timerId },
      { id: often.timerId, fired: 1, nextAt: later(3).toISOString() },
      { id: far.timerId },
    ]);
    await soon.fire(3);
    expect(await idsOf('abe')).toEqual([often.timerId, far.timerId]);
    await cancelTimer(table, b, often.timerId, { user: 'abe' });
    expect(await idsOf('abe')).toEqual([far.timerId]);
    await deleteConversation(table, deployment.tools, a, 'abe', now);
    expect(await idsOf('abe')).toEqual([]);
  });

  test('nobody sees another user’s, nor does a misplaced entry of the index show one', async () => {
    const [mine, theirs] = [await conversationOf('bea'), await conversationOf('eve')];
    const own = await timerIn(mine, 'bea', once(1));
    const other = await timerIn(theirs, 'eve', once(2));
    expect(await idsOf('bea')).toEqual([own.timerId]);
    const misplaced = { set: { openFor: 'timers:bea' }, onlyIf: { status: 'active' } };
    await write(table, theirs, [{ sk: key.timer(other.timerId), ...misplaced }]);
    expect(await idsOf('bea')).toEqual([own.timerId]);
    const { execute } = cancelTimerTool;
    await expect(execute({ timer_id: other.timerId }, context('bea', mine))).rejects.toThrow('There is no timer');
  });

  test('of 130 timers, pages have all, in order', async () => {
    const id = await conversationOf('cy');
    const made: string[] = [];
    for (let count = 1; count <= 130; count++) made.push((await timerIn(id, 'cy', once(count))).timerId);
    const first = await listTimers(table, 'cy');
    const second = await listTimers(table, 'cy', first.cursor);
    expect([first.timers.length, second.timers.length, second.cursor]).toEqual([100, 30, undefined]);
    expect([...first.timers, ...second.timers].map((one) => one.id)).toEqual(made);
    await expect(listTimers(table, 'cy', 'forged')).rejects.toMatchObject({ name: 'InvalidInput', path: 'cursor' });
  });

  test('an agent lists those of all conversations, its own ones first, and the words of strangers as such', async () => {
    const [here, there] = [await conversationOf('dan'), await conversationOf('dan')];
    const far = await timerIn(here, 'dan', once(9));
    const soon = await timerIn(there, 'dan', once(1, 'Pay the invoice'), ['web']);
    const listed = await listTimersTool.execute({}, context('dan', here));
    if (!isTableEffect(listed)) throw new Error('It has no sources.');
    expect(listTimersTool.output.parse(listed.output).timers).toEqual([
      expect.objectContaining({ id: far.timerId }),
      expect.objectContaining({ id: soon.timerId, text: 'Pay the invoice', elsewhere: true }),
    ]);
    expect(listed.sources).toEqual(['web']);
  });

  test('an agent cancels one of another conversation, in the rows of that one, once', async () => {
    const [here, there] = [await conversationOf('fay'), await conversationOf('fay')];
    const { timerId } = await timerIn(there, 'fay', hourly);
    const cancels = () => cancelTimerTool.execute({ timer_id: timerId }, context('fay', here));
    const [one, other] = [await cancels(), await cancels()];
    if (!isTableEffect(one) || !isTableEffect(other)) throw new Error('There are no rows.');
    expect(await write(table, here, one.rows!)).toBe(true);
    expect(await write(table, here, other.rows!)).toBe(false);
    expect(await idsOf('fay')).toEqual([]);
    await expect(cancels()).rejects.toThrow(`There is no timer ${timerId}: call list_timers.`);
    expect(await cancelTimer(table, there, timerId, { user: 'fay' })).toMatchObject({ status: 'cancelled' });
  });
});

describe('conversations and questions (R156)', () => {
  const begun: string[] = [];
  afterEach(async () => {
    for (const id of begun.splice(0)) await deleteConversation(table, deployment.tools, id, 'ada', now);
    const { Items = [] } = await table.client.send(new ScanCommand({ TableName: table.name, IndexName: 'byDecider' }));
    expect(Items.filter(({ openFor }) => /:ada$/.test(openFor as string))).toEqual([]);
  });
  const given = async (name = 'ask') => {
    const made = await askingIn(table, now)([name, name === 'pay' ? { cents: 1 } : {}]);
    begun.push(made.id);
    return made;
  };
  const listed = async (state: 'active' | 'failed', user = 'ada') =>
    (await listOpenConversations(table, user, state)).conversations;
  const ids = async (...given: Parameters<typeof listed>) => (await listed(...given)).map(({ id }) => id);

  test('a conversation is active until its run is over, and failed until it is retried', async () => {
    const { id, at } = await given();
    expect([await ids('active'), await ids('failed'), await ids('active', 'eve')]).toEqual([[id], [], []]);
    await failRun(table, deployment, at, 'The model does not answer.', now);
    expect(await ids('active')).toEqual([]);
    expect(await listed('failed')).toMatchObject([{ id, status: 'failed', reason: 'The model does not answer.' }]);
    await retryRun(table, id, 'ada', now);
    expect([await ids('active'), await ids('failed')]).toEqual([[id], []]);
    expect((await listed('active'))[0]).not.toHaveProperty('reason');
    await cancelRun(table, deployment.tools, { conversationId: id, user: 'ada' }, now);
    expect([await ids('active'), await ids('failed')]).toEqual([[], []]);
  });

  test('a question waits for its owner as an approval does, until it is answered', async () => {
    const [asked, paid] = [await given(), await given('pay')];
    const ada = { user: 'ada', groups: [], claims: {} };
    const waiting = async (caller = ada) => (await listApprovals(table, deployment, caller, now)).approvals;
    const kinds = (await waiting()).map(({ conversationId, callback }) => [conversationId, callback.kind]);
    expect(kinds.sort()).toEqual(
      [
        [asked.id, 'question'],
        [paid.id, 'approval'],
      ].sort(),
    );
    expect((await waiting()).find(({ conversationId }) => conversationId === asked.id)).toMatchObject({
      owner: 'ada',
      agent: 'tester',
      callback: { prompt: ask.prompt({}), status: 'pending' },
    });
    expect(await waiting({ ...ada, user: 'eve' })).toEqual([]);
    const said = { user: 'ada', text: 'Yes.', callbackId: asked.callId };
    await sendMessage(table, deployment.agents, asked.id, said, now);
    expect((await waiting()).map(({ conversationId }) => conversationId)).toEqual([paid.id]);
  });
});
