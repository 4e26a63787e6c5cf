import { tableOfTests } from '../../../test/support/tables/table';
import type { TimerInput, TimerOutput } from '../../base/state/timer-state';
import { newRunId } from '../../base/text/ids';
import type { NewTimer } from '../../base/time/rule';
import { defineAgent } from '../../conversations/agent/agent';
import { putTimer, readTimer } from '../../conversations/calls/timer';
import { key } from '../../conversations/rows/keys';
import type { StoredCall } from '../../conversations/rows/rows';
import { createConversation } from '../../conversations/runs/conversation';
import { readLog } from '../../conversations/runs/log';
import { changeConversation } from '../../conversations/store/change-conversation';
import { readMeta, write } from '../../conversations/store/table';
import { cancelTimer } from '../../conversations/timers/change-timer';
import { fireTimer, firingsPerExecution } from './fire-timer';

// What fires, how often, and when the timer fires next, on a real table.

const hour = 3_600_000;
const day = 24 * hour;
const madeAt = new Date('2027-01-01T08:00:00.000Z');
const later = (ms: number) => new Date(madeAt.getTime() + ms);
const agent = (onMessage: 'merge' | 'queue') =>
  defineAgent({ name: 'tester', purpose: 'T', instructions: 'T.', model: 'm', tools: [], onMessage });
const agents = new Map([['tester', agent('merge')]]);

const table = tableOfTests();

const once: NewTimer = { kind: 'once', at: later(hour), text: 'Drink water' };
const hourly: NewTimer = { kind: 'repeat', at: later(hour), rule: { everySeconds: 3_600 }, text: 'Stretch' };

const makers = { once: 'remind_later', repeat: 'repeat', tool: 'run_later' };

let serial = 0;
/** A conversation at rest with one timer in it. */
async function given(timer: NewTimer) {
  const id = `t${++serial}`;
  const timerId = `${newRunId(1)}.00001.00`;
  await createConversation(table, { id, user: 'ada', agent: 'tester' }, madeAt);
  const call = { id: timerId, user: 'ada', tool: makers[timer.kind] } as StoredCall;
  await write(table, id, [putTimer(id, call, timer, madeAt)]);
  const input: TimerInput = { conversationId: id, timerId, segment: 1, at: timer.at.toISOString() };
  const fire = (ms: number, from: TimerInput = input) => fireTimer(table, agents, from, later(ms));
  const row = async () => (await readTimer(table, id, timerId))!;
  const told = async () => (await readLog(table, id)).messages.map(({ author, text }) => `${author}: ${text}`);
  const pretend = async (set: Record<string, unknown>) =>
    write(table, id, [{ sk: key.timer(timerId), set, onlyIf: { version: (await row()).version } }]);
  const read = () =>
    changeConversation(table, id, (meta) => ({ meta: { ...meta, pending: [], queued: undefined }, answer: undefined }));
  return { id, timerId, input, fire, row, told, pretend, read, meta: async () => (await readMeta(table, id))! };
}

describe('a timer that is due', () => {
  test('puts its message into the conversation, where it starts a run, and is done', async () => {
    const { fire, row, told, meta, timerId, id } = await given(once);
    expect(await fire(hour)).toMatchObject({ next: 'done' });
    expect(await row()).toMatchObject({ status: 'done', fired: 1 });
    expect(await row()).not.toHaveProperty('outbox');
    expect(await told()).toEqual([
      'remind_later: ⏰ Due at 2027-01-01T09:00:00.000Z, as arranged at 2027-01-01T08:00:00.000Z: Drink water',
    ]);
    expect(await meta()).toMatchObject({ status: 'running', outbox: 'start', pending: [1] });
    const [message] = (await readLog(table, id)).messages;
    expect(message).toMatchObject({ role: 'system', about: timerId, status: 'pending' });
  });

  test('fires once when the response is lost and the invocation repeated', async () => {
    const { fire, told } = await given(once);
    expect([await fire(hour), await fire(hour)]).toMatchObject([{ next: 'done' }, { next: 'done' }]);
    expect(await told()).toHaveLength(1);
  });

  test('fires once when ten invocations run at the same time, and all of them return the same next time', async () => {
    const { fire, told, row } = await given(hourly);
    const answers = await Promise.all(Array.from({ length: 10 }, () => fire(hour)));
    expect(new Set(answers.map(({ next, at }) => `${next} ${at}`))).toEqual(
      new Set([`wait ${later(2 * hour).toISOString()}`]),
    );
    expect(await told()).toHaveLength(1);
    expect(await row()).toMatchObject({ fired: 1, segmentFired: 1, nextAt: later(2 * hour).toISOString() });
  });

  test('fires a few seconds early: clocks differ; earlier than that it waits on', async () => {
    const { fire, told } = await given(once);
    expect(await fire(hour - 60_000)).toMatchObject({ next: 'wait', at: later(hour).toISOString() });
    expect(await told()).toEqual([]);
    expect(await fire(hour - 2_000)).toMatchObject({ next: 'done' });
  });

  test('says so when it comes late', async () => {
    const { fire, told } = await given(once);
    await fire(3 * hour);
    expect((await told())[0]).toMatch(/: Drink water \(This comes late: it is 2027-01-01T11:00:00.000Z\.\)$/);
  });

  test('carries its call with it, if it is one', async () => {
    const { fire, id, meta } = await given({
      kind: 'tool',
      at: later(hour),
      tool: 'pay',
      arguments: { cents: 1, to: null },
    });
    await fire(hour);
    const [message] = (await readLog(table, id)).messages;
    expect(message).toMatchObject({
      author: 'run_later',
      scheduled: { tool: 'pay', arguments: '{"cents":1,"to":null}' },
    });
    expect((await meta()).scheduled).toEqual([1]);
  });

  test('with an agent whose policy is `queue` waits for the end of the run', async () => {
    const { id, timerId, input, meta } = await given(once);
    await changeConversation(table, id, (current) => ({ meta: busy(current), answer: undefined }));
    await fireTimer(table, new Map([['tester', agent('queue')]]), input, later(hour));
    expect(await meta()).toMatchObject({ pending: [], queued: [1], run: { id: 'run_x' } });
    expect((await readTimer(table, id, timerId))?.status).toBe('done');
  });
});

describe('a recurring timer', () => {
  test('whose times were missed fires once for all of them, and goes on with the next one', async () => {
    const { fire, told } = await given(hourly);
    expect(await fire(5.5 * hour)).toMatchObject({ next: 'wait', at: later(6 * hour).toISOString() });
    expect(await told()).toEqual([
      'repeat: 🔁 Due at 2027-01-01T09:00:00.000Z (every 3600 seconds): Stretch (4 more of its times have passed meanwhile; ' +
        'this one stands for all of them. It is 2027-01-01T13:30:00.000Z.)',
    ]);
  });

  test.each(['merge', 'queue'] as const)('does not fill up a conversation with unread messages (%s)', async (way) => {
    const { id, input, row, told, meta, read } = await given(hourly);
    await changeConversation(table, id, (current) => ({ meta: busy(current), answer: undefined }));
    const fire = (hours: number) => fireTimer(table, new Map([['tester', agent(way)]]), input, later(hours * hour));
    for (let firing = 1; firing <= 4; firing++) await fire(firing);
    expect([(await told()).length, (await row()).fired]).toEqual([1, 1]);
    const limited = { ...(await meta()).run!, status: 'limited' as const };
    await changeConversation(table, id, (current) => ({ meta: { ...current, run: limited }, answer: undefined }));
    await fire(5);
    expect([(await told()).length, (await meta()).status]).toEqual([1, 'running']);
    await read();
    await fire(6);
    expect([(await told()).length, (await row()).fired]).toEqual([2, 2]);
  });

  test('says how it counts when it stops counting', async () => {
    const { fire, told } = await given({ ...hourly, rule: { everySeconds: 60 } });
    await fire(30 * day);
    expect((await told())[0]).toContain('(At least 1000 more of its times');
  });

  test('goes on in another execution after so many firings, and the old one fires no more', async () => {
    const { fire, input, row, told, timerId, read } = await given(hourly);
    let answer: TimerOutput = { ...input, next: 'wait' };
    for (let firing = 1; firing <= firingsPerExecution; firing++) answer = await read().then(() => fire(firing * hour));
    await read();
    const next = firingsPerExecution + 1;
    const at = later(next * hour).toISOString();
    expect(answer).toMatchObject({ next: 'continue', segment: 2, execution: `${timerId}-2`, at });
    expect(await row()).toMatchObject({
      segment: 2,
      segmentFired: 0,
      fired: firingsPerExecution,
      outbox: 'start',
      status: 'active',
    });

    expect(await fire(firingsPerExecution * hour)).toEqual(answer);
    const second = { ...input, segment: 2, at: answer.at };
    expect(await fire(next * hour, second)).toMatchObject({ next: 'wait', segment: 2 });
    expect(await fire((next + 1) * hour)).toMatchObject({ next: 'done' });
    expect(await told()).toHaveLength(next);
  });
});

describe('a timer that is further away than an execution lives', () => {
  const far: NewTimer = { ...once, at: later(3 * 365 * day) };

  test('waits in stretches, each in an execution of its own, and fires once at the end', async () => {
    const { fire, input, row, told } = await given(far);
    let at: TimerInput = { ...input, at: later(300 * day).toISOString() };
    let answer = await fire(300 * day, at);
    for (const segment of [2, 3, 4]) {
      const end = Math.min(segment * 300 * day, 3 * 365 * day);
      expect(answer).toMatchObject({ next: 'continue', segment, at: later(end).toISOString() });
      expect(await fire((segment - 1) * 300 * day, at)).toEqual(answer);
      at = { ...at, segment, at: answer.at };
      answer = await fire(end, at);
    }
    expect(answer).toMatchObject({ next: 'done', segment: 4 });
    expect(await row()).toMatchObject({ status: 'done', fired: 1 });
    expect(await told()).toHaveLength(1);
  });
});

describe('a timer that was cancelled', () => {
  test('fires no more', async () => {
    const { id, timerId, fire, told } = await given(hourly);
    await fire(hour);
    expect(await cancelTimer(table, id, timerId)).toMatchObject({ status: 'cancelled', outbox: 'stop' });
    expect(await fire(2 * hour)).toMatchObject({ next: 'done' });
    expect(await told()).toHaveLength(1);
  });

  test('at the moment of its firing has either fired or not', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { id, timerId, fire, told, row } = await given(once);
        await Promise.all([fire(hour), cancelTimer(table, id, timerId)]);
        return `${(await row()).status} ${(await told()).length}`;
      }),
    );
    expect(outcomes.filter((outcome) => outcome !== 'done 1' && outcome !== 'cancelled 0')).toEqual([]);
  });

  test('twice answers the same, and one that has fired stays done', async () => {
    const { id, timerId, fire } = await given(once);
    const first = await cancelTimer(table, id, timerId, { user: 'ada' });
    expect(await cancelTimer(table, id, timerId, { user: 'ada' })).toEqual(first);
    await expect(cancelTimer(table, id, timerId, { user: 'bob' })).rejects.toMatchObject({ name: 'NotFound' });
    await expect(cancelTimer(table, id, 'x')).rejects.toMatchObject({ name: 'NotFound' });
    expect(await fire(hour)).toMatchObject({ next: 'done' });
    const fired = await given(once);
    await fired.fire(hour);
    expect(await cancelTimer(table, fired.id, fired.timerId)).toMatchObject({ status: 'done' });
  });

  test('by the end of an execution that has handed over stays active', async () => {
    const { id, timerId, fire, pretend, row } = await given(hourly);
    await pretend({ segmentFired: firingsPerExecution });
    await fire(hour);
    await cancelTimer(table, id, timerId, { segment: 1 });
    expect(await row()).toMatchObject({ status: 'active', segment: 2 });
    await cancelTimer(table, id, timerId, { segment: 2 });
    expect(await row()).toMatchObject({ status: 'cancelled' });
  });
});

test('in a conversation that was deleted meanwhile, nothing fires', async () => {
  const { id, fire, row, told, meta } = await given(once);
  await changeConversation(table, id, (current) => ({ meta: { ...current, owner: '' }, answer: undefined }));
  expect(await fire(hour)).toMatchObject({ next: 'done' });
  expect(await told()).toEqual([]);
  expect([(await row()).status, (await meta()).run]).toEqual(['cancelled', undefined]);
});

test('of a conversation that is gone, nothing fires', async () => {
  const input = { conversationId: 'gone', timerId: 'x', segment: 1, at: madeAt.toISOString() };
  expect(await fireTimer(table, agents, input, madeAt)).toEqual({ ...input, next: 'done' });
});

function busy(meta: NonNullable<Awaited<ReturnType<typeof readMeta>>>) {
  const startedAt = madeAt.toISOString();
  const usage = { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, costMicrodollars: 0 };
  const run = { id: 'run_x', status: 'running' as const, agent: 'tester', segment: 1, step: 1, usage, startedAt };
  const kept = { segmentStartedAt: startedAt, segmentEvents: 0, lastRead: { seq: 0, step: 0 } };
  return { ...meta, status: 'running' as const, run: { ...run, ...kept } };
}
