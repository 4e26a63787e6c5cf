import { tableOfTests } from '../../../test/support/tables/table';
import { todosIn } from '../../../test/support/tables/todos';
import type { TimerInput } from '../../base/state/timer-state';
import { conversationOfTimer } from '../../base/text/ids';
import type { NewTimer, Policies } from '../../base/time/rule';
import { nextSlot } from '../../base/time/schedule';
import { defineAgent } from '../../conversations/agent/agent';
import { readTimers } from '../../conversations/calls/timer';
import { key } from '../../conversations/rows/keys';
import type { StoredTimer } from '../../conversations/rows/rows';
import { createConversation } from '../../conversations/runs/conversation';
import { readLog } from '../../conversations/runs/log';
import { changeConversation } from '../../conversations/store/change-conversation';
import { readCounts } from '../../conversations/store/counts';
import { readMeta, readRow, write } from '../../conversations/store/table';
import { cancelTimer, changeTimer, type TimerChange } from '../../conversations/timers/change-timer';
import { settleExecution } from '../rollback/settle-execution';
import { fireTimer, firingsPerExecution, runTimer } from './fire-timer';

// What fires, how often, and when the timer fires next; what the policies of a recurring timer do, and its user.

const minute = 60_000;
const hour = 60 * minute;
const madeAt = new Date('2027-01-01T08:00:00.000Z');
const later = (ms: number) => new Date(madeAt.getTime() + ms);
const agentsWith = (onMessage: 'merge' | 'queue') =>
  new Map([
    ['tester', defineAgent({ name: 'tester', purpose: 'T', instructions: 'T.', model: 'm', tools: [], onMessage })],
  ]);
const table = tableOfTests();
let serial = 0;

const once: NewTimer = { kind: 'once', at: later(hour), text: 'Drink water' };
const hourly = (policies: Policies = {}): NewTimer => ({
  kind: 'repeat',
  at: later(hour),
  rule: { everySeconds: 3_600 },
  text: 'Stretch',
  ...policies,
});

/** A conversation at rest with one timer in it. */
async function given(timer: NewTimer, more: { schedule?: string } = {}, onMessage: 'merge' | 'queue' = 'merge') {
  const agents = agentsWith(onMessage);
  const user = `ada-${++serial}`;
  const id = `p${serial}`;
  await createConversation(table, { id, user, agent: 'tester', arranged: { timer, ...more } }, madeAt, { timers: 1 });
  const row = async (): Promise<StoredTimer> => (await readTimers(table, id))[0]!;
  const timerId = (await row()).id;
  const input: TimerInput = { conversationId: id, timerId, segment: 1, at: timer.at.toISOString() };
  return {
    id,
    user,
    timerId,
    row,
    fire: (ms: number, segment = 1) => fireTimer(table, agents, { ...input, segment }, later(ms)),
    change: (change: TimerChange, ms = 0) => changeTimer(table, id, timerId, change, { user, now: later(ms) }),
    run: (ms: number, clientMessageId?: string) =>
      runTimer(table, agents, { conversationId: id, timerId, user, clientMessageId }, later(ms)),
    told: async () => (await readLog(table, id)).messages.map(({ text }) => text),
    meta: async () => (await readMeta(table, id))!,
    /** The run reads all messages, and goes on. */
    read: () =>
      changeConversation(table, id, (meta) => ({
        meta: { ...meta, pending: [], queued: undefined },
        answer: undefined,
      })),
    end: () =>
      changeConversation(table, id, (meta) => ({
        meta: { ...meta, status: 'done', pending: [], run: { ...meta.run!, status: 'done' } },
        answer: undefined,
      })),
  };
}

describe('a timer that is due', () => {
  test('fires once when the response is lost and the invocation repeated', async () => {
    const { fire, told } = await given(once);
    expect([await fire(hour), await fire(hour)]).toMatchObject([{ next: 'done' }, { next: 'done' }]);
    expect(await told()).toHaveLength(1);
  });

  test('fires once when ten invocations run at the same time, and all of them return the same next time', async () => {
    const { fire, told, row } = await given(hourly());
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
});

describe('a recurring timer', () => {
  test('goes on in another execution after so many firings, and the old one fires no more', async () => {
    const { fire, row, told, id, timerId, read } = await given(hourly());
    let answer: object = {};
    for (let firing = 1; firing <= firingsPerExecution; firing++) answer = await read().then(() => fire(firing * hour));
    await read();
    const next = firingsPerExecution + 1;
    const at = later(next * hour).toISOString();
    expect(answer).toMatchObject({ next: 'continue', segment: 2, execution: `${timerId}-2`, at });
    expect(await row()).toMatchObject({
      segment: 2,
      segmentFired: 0,
      fired: firingsPerExecution,
      status: 'active',
    });
    expect(await todosIn(table, id)).toContainEqual({ does: 'wait', timerId, segment: 2 });

    expect(await fire(firingsPerExecution * hour)).toEqual(answer);
    expect(await fire(next * hour, 2)).toMatchObject({ next: 'wait', segment: 2 });
    expect(await fire((next + 1) * hour)).toMatchObject({ next: 'continue', segment: 2 });
    expect(await told()).toHaveLength(next);
  });
});

describe('a timer that was cancelled', () => {
  test('fires no more', async () => {
    const { id, timerId, fire, told } = await given(hourly());
    await fire(hour);
    expect(await cancelTimer(table, id, timerId)).toMatchObject({ status: 'cancelled' });
    expect(await todosIn(table, id)).toContainEqual(expect.objectContaining({ execution: `${timerId}-1` }));
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

  test('by the end of an execution that has handed over stays active', async () => {
    const { id, timerId, fire, row } = await given(hourly());
    const { version } = await row();
    const set = { segmentFired: firingsPerExecution };
    await write(table, id, [{ sk: key.timer(timerId), set, onlyIf: { version } }]);
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
  expect(await fireTimer(table, agentsWith('merge'), input, madeAt)).toEqual({ ...input, next: 'done' });
});

describe('when a run is active', () => {
  test('"skip" leaves the time out and counts it, and fires again when the run is over (R250)', async () => {
    const { fire, row, told, read, end } = await given(hourly({ overlap: 'skip' }));
    await fire(hour);
    await read();
    expect(await fire(2 * hour)).toMatchObject({ next: 'wait', at: later(3 * hour).toISOString() });
    expect(await row()).toMatchObject({ fired: 1, skipped: 1 });
    await end();
    await fire(3 * hour);
    expect(await row()).toMatchObject({ fired: 2, skipped: 1 });
    expect(await told()).toHaveLength(2);
  });

  test('"queue" gives each time a run of its own, in order, until 300 are unread (R250)', async () => {
    const { fire, row, told, meta } = await given(hourly({ overlap: 'queue' }));
    for (const time of [1, 2, 3]) await fire(time * hour);
    expect(await told()).toHaveLength(3);
    expect(await meta()).toMatchObject({ pending: [1], queued: [2, 3] });
    expect(await row()).toMatchObject({ fired: 3 });
  });

  test.each(['merge', 'queue'] as const)(
    '"one", the default, lets an unread message stand for further times (%s) (R250)',
    async (way) => {
      const { id, fire, row, told, meta, read } = await given(hourly({ overlap: 'one' }), {}, way);
      const counts = async () => [(await told()).length, (await row()).fired];
      await fire(hour);
      await read();
      for (const time of [2, 3, 4]) await fire(time * hour);
      expect(await counts()).toEqual([2, 2]);
      const limited = { ...(await meta()).run!, status: 'limited' as const };
      await changeConversation(table, id, (current) => ({ meta: { ...current, run: limited }, answer: undefined }));
      await fire(5 * hour);
      expect([await counts(), (await meta()).status]).toEqual([[2, 2], 'running']);
      await read();
      await fire(6 * hour);
      expect(await counts()).toEqual([3, 3]);
    },
  );
});

describe('when times have passed', () => {
  test('"all" fires for each of them, at its own time (R250)', async () => {
    const { fire, told } = await given(hourly({ catchUp: 'all', overlap: 'queue' }));
    for (let more = await fire(3.5 * hour); Date.parse(more.at) <= later(3.5 * hour).getTime(); )
      more = await fire(3.5 * hour);
    expect((await told()).map((text) => /Due at (\S+)/.exec(text)![1])).toEqual(
      [1, 2, 3].map((time) => later(time * hour).toISOString()),
    );
    expect((await told()).join()).not.toContain('stands for all');
  });

  test('"all" fires once for more than a hundred of them (R250)', async () => {
    const { fire, told } = await given(hourly({ catchUp: 'all' }));
    expect(await fire(103 * hour)).toMatchObject({ at: later(104 * hour).toISOString() });
    expect(await told()).toEqual([expect.stringContaining('102 more of its times have passed')]);
  });

  test('"skip" leaves out what is more than a minute late, and counts all of them (R250)', async () => {
    const { fire, told, row } = await given(hourly({ catchUp: 'skip' }));
    await fire(3 * hour + 2 * minute);
    expect(await told()).toEqual([]);
    expect(await row()).toMatchObject({ fired: 0, skipped: 3, nextAt: later(4 * hour).toISOString() });
    await fire(4 * hour + minute / 2);
    expect(await row()).toMatchObject({ fired: 1, skipped: 3 });
  });
});

test('a jitter delays each firing by another part of it, which a repeated attempt repeats, and an interval does not drift (R250)', async () => {
  const { fire, row } = await given(hourly({ jitterSeconds: 1_800 }));
  const delays: number[] = [];
  let at = later(hour);
  for (let time = 2; time < 8; time++) {
    await fire(at.getTime() - madeAt.getTime());
    const { nextAt, slotAt } = await row();
    expect(slotAt).toBe(later(time * hour).toISOString());
    at = new Date(nextAt);
    delays.push(at.getTime() - Date.parse(slotAt!));
  }
  expect(new Set(delays).size).toBe(6);
  for (const delay of delays) expect(delay >= 0 && delay <= 1_800_000).toBe(true);
});

describe('its user', () => {
  test('pauses it: its execution is stopped, it stays in the list and in the counts, and fires nothing (R250)', async () => {
    const { change, fire, told, user, id, timerId } = await given(hourly());
    expect(await change({ paused: true })).toMatchObject({ status: 'paused' });
    expect(await todosIn(table, id)).toContainEqual(expect.objectContaining({ execution: `${timerId}-1` }));
    expect(await fire(hour)).toMatchObject({ next: 'done' });
    const at = { conversationId: id, timerId, segment: 1, at: '' };
    await settleExecution(table, {} as never, at, { by: 'ABORTED', reason: 'stopped' }, later(hour));
    expect(await readRow(table, id, key.timer(timerId))).toMatchObject({
      status: 'paused',
      openFor: `timers:${user}`,
    });
    expect((await readCounts(table, user)).timers).toBe(1);
    expect(await told()).toEqual([]);
  });

  test('resumes it: another execution waits for the next time, which keeps the rhythm (R250)', async () => {
    const { change, fire, row, told } = await given(hourly());
    await change({ paused: true });
    const resumed = await change({ paused: false }, 5.5 * hour);
    const next = { status: 'active', segment: 2, nextAt: later(6 * hour).toISOString() };
    expect(resumed).toMatchObject(next);
    expect(await row()).toMatchObject(next);
    expect(await fire(6 * hour)).toMatchObject({ next: 'continue', segment: 2 });
    expect(await fire(6 * hour, 2)).toMatchObject({ next: 'wait' });
    expect(await told()).toHaveLength(1);
  });

  test('changes its times, and a stale execution fires nothing; other fields need no other execution (R250)', async () => {
    const { change, fire, row } = await given(hourly());
    const text = await change({ text: 'Drink water', overlap: 'skip' });
    expect(text).toMatchObject({ segment: 1, text: 'Drink water', nextAt: later(hour).toISOString() });
    await change({ times: { cron: '0 9 * * 1', timeZone: 'Europe/Berlin' } });
    const monday = nextSlot({ cron: '0 9 * * 1', timeZone: 'Europe/Berlin' }, madeAt, madeAt)!.toISOString();
    expect(await row()).toMatchObject({ rule: '0 9 * * 1', timeZone: 'Europe/Berlin', nextAt: monday, segment: 2 });
    expect(await row()).not.toHaveProperty('everySeconds');
    // A repeated request changes nothing.
    const before = await row();
    await change({ times: { cron: '0 9 * * 1', timeZone: 'Europe/Berlin' } });
    expect(await row()).toEqual(before);
    expect(await fire(hour)).toMatchObject({ next: 'continue', segment: 2 });
    expect(await row()).toEqual(before);
  });

  test('runs it now, once for each id, and its next time stays (R250)', async () => {
    const { run, told, row, meta } = await given(hourly());
    await run(minute, 'now-1');
    await run(2 * minute, 'now-1');
    expect(await told()).toEqual(['🔁 Run by hand at 2027-01-01T08:01:00.000Z (every 3600 seconds): Stretch']);
    expect(await row()).toMatchObject({ fired: 1, nextAt: later(hour).toISOString(), segment: 1 });
    expect(await meta()).toMatchObject({ status: 'running' });
  });

  test('cancels it when it is paused, and it counts no longer (R250)', async () => {
    const { change, id, timerId, user } = await given(hourly());
    await change({ paused: true });
    expect(await cancelTimer(table, id, timerId, { user })).toMatchObject({ status: 'cancelled' });
    expect((await readCounts(table, user)).timers).toBe(0);
    await expect(change({ paused: false })).rejects.toThrow('The timer is over');
  });

  test.each<[TimerChange, string]>([
    [{ times: { every: 'PT5S' } }, 'must be from 60'],
    [{ jitterSeconds: 3_600 }, 'less than the interval'],
    [{ at: '2027-01-01T09:00:00Z' }, 'the timer is recurring'],
  ])('is told what is wrong with %j, and nothing changes (R250)', async (change, words) => {
    const { change: attempt, row } = await given(hourly());
    const before = await row();
    await expect(attempt(change)).rejects.toThrow(words);
    expect(await row()).toEqual(before);
  });

  test('changes nothing that the code declares, and may pause it (R250)', async () => {
    const { change } = await given(hourly(), { schedule: 'tester/hourly' });
    await expect(change({ text: 'Other' })).rejects.toThrow('The code declares the schedule tester/hourly');
    expect(await change({ paused: true })).toMatchObject({ status: 'paused' });
  });

  test('reaches no timer of another user, and no more timers than are allowed (R250)', async () => {
    const { id, timerId, user } = await given(hourly());
    await expect(changeTimer(table, id, timerId, { paused: true }, { user: 'eve', now: madeAt })).rejects.toThrow(
      'no conversation',
    );
    const another = { id: `more-${id}`, user, agent: 'tester', arranged: { timer: hourly() } };
    await expect(createConversation(table, another, madeAt, { timers: 1 })).rejects.toThrow('1 of 1');
    expect(await readMeta(table, another.id)).toBeUndefined();
  });
});

test('the id of a timer that no call has made names its conversation (R250)', async () => {
  const { id, timerId } = await given(hourly());
  expect(conversationOfTimer(timerId)).toBe(id);
});
