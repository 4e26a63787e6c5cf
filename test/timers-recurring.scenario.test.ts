import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { User } from './support/api-client';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { longTest } from './support/long';
import type { ChatRequest, Reply } from './support/servers/model-server';
import { timersOf } from './support/stories/timers';
import { call, wordsOf } from './support/stories/transcript';

// What comes back again and again, until it is cancelled.

const lastOf = ({ messages }: ChatRequest) => String(messages.at(-1)?.content);
const every = (rule: { cron?: string; time_zone?: string; every_seconds?: number }) =>
  call('again', 'repeat', { task: 'Water the plants', cron: null, time_zone: null, every_seconds: null, ...rule });

/** Arranges what it is told by the test, and does it whenever it is due. */
const recurring =
  (rule: Parameters<typeof every>[0]) =>
  (request: ChatRequest): Reply => {
    const last = lastOf(request);
    if (last.includes('🔁 Due at')) return { text: 'Water them.' };
    const timers = [...last.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id);
    if (last.includes('What is arranged')) return call('list', 'list_timers', {});
    if (last.includes('"timers"'))
      return timers.length ? call('stop', 'cancel_timer', { timer_id: timers[0] }) : { text: 'Nothing.' };
    if (last.includes('"cancelled"')) return { text: 'It is cancelled.' };
    return last.includes('"timer_id"') ? { text: 'I will.' } : every(rule);
  };

describe('a recurring job (R49)', () => {
  let vigil: Vigil;
  let ada: User;
  afterEach(() => vigil?.stop());

  async function given(rule: Parameters<typeof every>[0]) {
    vigil = await startVigil({ script: recurring(rule) });
    ada = await vigil.user();
    const { id } = await ada.start('tester', 'Again and again');
    const { timers } = await ada.finished(id);
    const timerId = timers[0]!.id;
    await timersOf(vigil).until(timerId, 'RUNNING');
    const timer = async () => (await (await vigil.user()).read(id)).timers[0]!;
    /** Until it has fired so often and all is said. */
    const firings = async (count: number) => {
      await nudgeless(async () => {
        const { messages } = await ada.read(id);
        const times = messages.filter(({ author }) => author === 'repeat').length;
        return times === count && messages.at(-1)?.text === 'Water them.' && messages.at(-1)?.status === 'complete';
      });
      return ada.read(id);
    };
    return { id, timerId, timer, firings };
  }

  /** Moves the clock to a little after the timer's next time. */
  async function toNext(timer: () => Promise<{ nextAt: string }>, more = 10): Promise<void> {
    const ms = Date.parse((await timer()).nextAt) - (await vigil.now()).getTime();
    await vigil.advance(`PT${Math.ceil(ms / 1_000) + more}S`);
  }

  test('by a cron expression in a time zone: each occurrence is a run of its own, at eight by the clock on the wall', async () => {
    const { id, timerId, timer, firings } = await given({ cron: '0 8 * * *', time_zone: 'Europe/Berlin' });
    expect(await timer()).toMatchObject({ kind: 'repeat', rule: '0 8 * * *', timeZone: 'Europe/Berlin' });
    const runs = new Set<string>();
    for (let day = 1; day <= 3; day++) {
      const { nextAt } = await timer();
      const hour = new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: 'Europe/Berlin' });
      expect(hour.format(new Date(nextAt))).toBe('08');
      await toNext(timer);
      const { run, messages } = await firings(day);
      runs.add(run!.id);
      expect(messages.slice(-2)).toMatchObject([
        {
          role: 'system',
          author: 'repeat',
          about: timerId,
          text: `🔁 Due at ${nextAt} (0 8 * * * Europe/Berlin): Water the plants`,
        },
        { role: 'assistant', text: 'Water them.' },
      ]);
    }
    expect(runs.size).toBe(3);
    expect((await timersOf(vigil).states(timerId)).flat().filter((state) => state === 'FireTimer')).toHaveLength(3);
    expect((await ada.read(id)).status).toBe('done');
  });

  longTest(
    'by an interval does not drift, and what it misses while everything is down collapses into one, which says so',
    async () => {
      const { timer, firings } = await given({ every_seconds: 3_600 });
      const first = Date.parse((await timer()).nextAt);
      await toNext(timer);
      await firings(1);
      await vigil.kill();
      await vigil.restart();
      ada = await vigil.user();
      // It is due at once by the moved clock, as after so many hours of being down.
      await vigil.advance('PT5H30M', { jump: true });
      const { messages, timers } = await firings(2);
      expect(messages.at(-2)!.text).toMatch(
        /: Water the plants \(4 more of its times have passed meanwhile; this one stands for all of them\. It is .*Z\.\)$/,
      );
      expect(Date.parse(timers[0]!.nextAt) - first).toBe(6 * 3_600_000);
      await toNext(timer);
      expect((await firings(3)).messages.at(-2)!.text).toMatch(/: Water the plants$/);
    },
  );

  longTest('is listed and cancelled by the agent', async () => {
    const { id, timerId } = await given({ every_seconds: 3_600 });
    await ada.say(id, 'What is arranged? Cancel it.');
    const done = await ada.finished(id);
    expect(wordsOf(done).at(-1)).toEqual(['tester', 'It is cancelled.']);
    expect(done.calls.slice(1)).toMatchObject([
      {
        tool: 'list_timers',
        result: { timers: [{ id: timerId, rule: 'every 3600 seconds', text: 'Water the plants', status: 'active' }] },
      },
      { tool: 'cancel_timer', result: { cancelled: timerId } },
    ]);
    expect(done.timers).toMatchObject([{ status: 'cancelled' }]);
    await timersOf(vigil).until(timerId, 'ABORTED');
    const { calls } = vigil.model;
    await vigil.advance('P1D');
    expect((await ada.read(id)).messages.filter(({ author }) => author === 'repeat')).toEqual([]);
    await ada.say(id, 'What is arranged?');
    expect(wordsOf(await ada.finished(id)).at(-1)).toEqual(['tester', 'Nothing.']);
    expect(vigil.model.calls).toBe(calls + 2);
  });

  test('is cancelled over the API; twice answers the same; to anybody else it is not there', async () => {
    const { id, timerId, timer, firings } = await given({ every_seconds: 3_600 });
    await toNext(timer);
    await firings(1);
    const path = `/conversations/${id}/timers/${timerId}`;
    const bob = await vigil.user('bob');
    expect(await bob.request('DELETE', path)).toMatchObject({ status: 404, type: 'application/problem+json' });
    expect((await timer()).status).toBe('active');

    const first = await ada.request('DELETE', path);
    expect(first).toMatchObject({ status: 200, body: { id: timerId, status: 'cancelled', fired: 1 } });
    expect(JSON.stringify(first.body)).not.toMatch(/outbox|segment|user/);
    // Relay has written the row meanwhile: the execution is stopped.
    const again = await ada.request('DELETE', path);
    expect(again).toEqual({ ...first, body: { ...(first.body as object), version: expect.any(Number) } });
    expect(await ada.request('DELETE', `${path}x`)).toMatchObject({ status: 404 });
    await timersOf(vigil).until(timerId, 'ABORTED');
    await vigil.advance('P2D');
    expect(await timer()).toMatchObject({ status: 'cancelled', fired: 1 });
  });

  longTest('whose execution is stopped in the console shows that it is cancelled', async () => {
    const { timerId, timer } = await given({ every_seconds: 3_600 });
    await timersOf(vigil).abort(timerId);
    await vigil.advanceUntil(async () => (await timer()).status === 'cancelled');
    await vigil.advance('P1D');
    expect(await timer()).toMatchObject({ status: 'cancelled', fired: 0 });
  });

  longTest('hands over to another execution before its history grows long, and nobody notices (R107)', async () => {
    const { id, timerId, timer, firings } = await given({ every_seconds: 3_600 });
    const { client, name } = vigil.table;
    const Key = { pk: `C#${id}`, sk: `TIMER#${timerId}` };
    const ninetyNine = { UpdateExpression: 'SET segmentFired = :n', ExpressionAttributeValues: { ':n': 99 } };
    await client.send(new UpdateCommand({ TableName: name, Key, ...ninetyNine }));
    await toNext(timer);
    await firings(1);
    await timersOf(vigil).until(timerId, 'SUCCEEDED', 'RUNNING');
    await toNext(timer);
    expect((await firings(2)).messages.filter(({ author }) => author === 'repeat')).toHaveLength(2);
    expect(await timersOf(vigil).states(timerId)).toEqual([
      ['WaitUntilDue', 'FireTimer', 'RouteTimer', 'ContinueAsNew', 'Done'],
      ['WaitUntilDue', 'FireTimer', 'RouteTimer', 'WaitUntilDue'],
    ]);
    expect((await ada.request('DELETE', `/conversations/${id}/timers/${timerId}`)).status).toBe(200);
    await timersOf(vigil).until(timerId, 'SUCCEEDED', 'ABORTED');
  });
});

longTest('a reminder in three years, longer than an execution lives, comes once (R30, R44)', async () => {
  const vigil = await startVigil({
    script: [
      call('later', 'remind_later', { message: 'Renew the passport', at: null, delay_seconds: 3 * 365 * 86_400 }),
      { text: 'I will.' },
      { text: 'Renew your passport.' },
    ],
  });
  try {
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'In three years');
    const timerId = (await ada.finished(id)).timers[0]!.id;
    for (const ended of [[], ['SUCCEEDED'], ['SUCCEEDED', 'SUCCEEDED'], ['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED']]) {
      await timersOf(vigil).until(timerId, ...ended, 'RUNNING');
      expect((await ada.read(id)).timers).toMatchObject([{ status: 'active', fired: 0 }]);
      await vigil.advance('P300D');
    }
    const done = await ada.until(id, ({ messages }) => messages.at(-1)?.text === 'Renew your passport.');
    expect(wordsOf(done).slice(2)).toEqual([
      ['remind_later', expect.stringContaining('Renew the passport')],
      ['tester', 'Renew your passport.'],
    ]);
    await timersOf(vigil).until(timerId, ...Array<string>(4).fill('SUCCEEDED'));
  } finally {
    await vigil.stop();
  }
});

/** Reads until it is so; the clock is left alone, since what is counted is by the clock. */
async function nudgeless(holds: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('It did not come to that.');
}
