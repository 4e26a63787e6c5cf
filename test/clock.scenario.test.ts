import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { User } from './support/api-client';
import { startVigil, type Vigil } from './support/clouds/vigil';
import type { ChatRequest, Reply } from './support/servers/model-server';
import { timersOf } from './support/stories/timers';
import { call, wordsOf } from './support/stories/transcript';

// One move of the clock, over everything that becomes due on the way, and what comes back again and again, until it is cancelled.

const minute = 60_000;
const day = 86_400_000;
const weekly = { task: 'Send invoices', cron: '0 9 * * 1', time_zone: 'Europe/Berlin', every_seconds: null };
const hourly = { task: 'Water the plants', cron: null, time_zone: null, every_seconds: 3_600 };

const lastOf = ({ messages }: ChatRequest) => String(messages.at(-1)?.content);
const remind = (message: string, delay_seconds: number) =>
  call(message, 'remind_later', { message, delay_seconds, at: null });
/** Sets a recurring timer, and does what it is for whenever it is due. */
const recurring =
  (rule: object) =>
  (request: ChatRequest): Reply => {
    if (lastOf(request).includes('🔁 Due at')) return { text: 'It is done.' };
    return lastOf(request).includes('"timer_id"') ? { text: 'I will.' } : call('again', 'repeat', rule);
  };

/** The moment in Berlin, to the minute. */
const inBerlin = (time: number | string) =>
  new Date(time).toLocaleString('sv', { timeZone: 'Europe/Berlin', dateStyle: 'short', timeStyle: 'short' });

let vigil: Vigil;
let ada: User;
beforeEach(async () => {
  vigil = await startVigil();
  ada = await vigil.user();
});
afterEach(() => vigil?.stop());

/** A conversation with a recurring timer that waits. */
async function given(rule: object, script = recurring(rule)) {
  vigil.model.script(script);
  const { id } = await ada.start('tester', 'Again and again');
  const { timers } = await ada.finished(id);
  const timer = timers[0]!;
  await timersOf(vigil).until(timer.id, 'RUNNING');
  return { id, timerId: timer.id, timer, first: Date.parse(timer.nextAt) };
}
const readTimer = async (id: string) => (await (await vigil.user()).read(id)).timers[0]!;
/** Until it has fired so often, and all is said. */
const fired = async (id: string, count: number) => {
  const firings = ({ messages }: Awaited<ReturnType<User['read']>>) =>
    messages.filter(({ author }) => author === 'repeat');
  const read = await (await vigil.user()).until(
    id,
    (now) => firings(now).length === count && now.status === 'done' && now.messages.at(-1)?.text === 'It is done.',
  );
  return firings(read);
};

describe('a move of the clock (R249)', () => {
  /** Mondays at nine. A week may have an hour more or less. */
  const mondays = (first: number, from: number, count: number) =>
    Array.from(
      { length: count },
      (_, week) => `${inBerlin(first + (from + week) * 7 * day + 4 * 60 * minute).slice(0, 10)} 09:00`,
    );
  const clock = async (method = 'GET', body?: object) => {
    const answer = await fetch(`${vigil.url}/_local/clock`, { method, body: body && JSON.stringify(body) });
    return { status: answer.status, ...((await answer.json()) as { now: string; movingTo?: string; detail?: string }) };
  };

  test('has each thing on the way at its time, when all of the one before is done: four Mondays, a wait, and what begins meanwhile (R49)', async () => {
    const start = +(await vigil.now());
    const at = new Date(start + 3 * day).toISOString();
    vigil.model.script([call('c', 'schedule', { at })]);
    const waiting = await ada.start('tester', 'Wake me in three days');
    await ada.asleep(waiting.id);
    vigil.model.script([remind('First', 2 * 86_400), { text: 'I will.' }]);
    const reminded = await ada.start('tester', 'Remind me, and remind me again');
    await timersOf(vigil).until((await ada.finished(reminded.id)).timers[0]!.id, 'RUNNING');
    const { id, timer, first } = await given(weekly);
    expect(timer).toMatchObject({ kind: 'repeat', rule: '0 9 * * 1', timeZone: 'Europe/Berlin' });
    vigil.model.script((request) => {
      const last = lastOf(request);
      if (last.includes('The time has come')) return { text: 'Three days have passed.' };
      if (last.includes('"timer_id"') || last.includes('🔁')) return recurring(weekly)(request);
      return last.includes('Second') ? { text: 'Both have come.' } : remind('Second', 3_600);
    });

    await vigil.advance('P28D');
    ada = await vigil.user();
    const { messages, timers } = await ada.read(id);
    const firings = messages.filter(({ author }) => author === 'repeat');
    expect(firings[0]).toMatchObject({ role: 'system', about: timer.id });
    expect(firings[0]!.text).toBe(`🔁 Due at ${timer.nextAt} (0 9 * * 1 Europe/Berlin): Send invoices`);
    const done = messages.filter(({ text }) => text === 'It is done.');
    for (const each of [firings, done])
      expect(each.map(({ createdAt }) => inBerlin(createdAt))).toEqual(mondays(first, 0, 4));
    expect(new Set(done.map(({ runId }) => runId)).size).toBe(4);
    expect(timers).toMatchObject([{ fired: 4, status: 'active' }]);
    expect((await timersOf(vigil).states(timer.id)).flat().filter((state) => state === 'FireTimer')).toHaveLength(4);

    const after = async (conversation: string) => {
      const last = (await ada.read(conversation)).messages.at(-1)!;
      return [last.text, Math.floor((Date.parse(last.createdAt) - start) / (60 * minute))];
    };
    expect(await after(waiting.id)).toEqual(['Three days have passed.', 72]);
    expect(await after(reminded.id)).toEqual(['Both have come.', 49]);
    expect(+(await vigil.now())).toBeGreaterThanOrEqual(start + 28 * day);
  });

  test('says where it goes, is the only one, and can be stopped in the middle; one that jumps is an outage', async () => {
    let due = 0;
    const { id } = await given(weekly, (request) => {
      if (lastOf(request).includes('🔁 Due at')) due += 1;
      return due === 2 ? { ...recurring(weekly)(request), holdAfter: 5 } : recurring(weekly)(request);
    });
    const target = new Date(+(await vigil.now()) + 28 * day).toISOString();
    // Whoever has asked may leave.
    const asked = new AbortController();
    const body = JSON.stringify({ to: target });
    const left = fetch(`${vigil.url}/_local/clock`, { method: 'POST', body, signal: asked.signal }).catch(
      () => undefined,
    );
    await vigil.model.held();
    asked.abort();
    await left;
    expect(await clock()).toMatchObject({ movingTo: target });
    const second = await clock('POST', { advance: 'P1D' });
    expect(second).toMatchObject({ status: 409, detail: expect.stringContaining(`The clock is moving to ${target}`) });
    const stopped = await clock('POST', { stop: true });
    expect(stopped).toMatchObject({ status: 200 });
    expect(stopped.movingTo).toBeUndefined();
    vigil.model.release();
    const firings = await fired(id, 2);
    expect(inBerlin(stopped.now)).toBe(inBerlin(firings[1]!.createdAt));

    // It is stopped, and can be moved again. The next four are one message, which says so.
    const next = Date.parse((await readTimer(id)).nextAt);
    await vigil.advance('P28D', { jump: true });
    const [, , late] = await fired(id, 3);
    expect(late!.text).toContain('3 more of its times have passed meanwhile');
    expect(Date.parse(late!.createdAt)).toBeGreaterThan(next + 20 * day);
    expect(await clock('POST', { stop: true })).toMatchObject({ status: 200 });
  });

  test('goes on after the cloud has died between two Mondays, from where it was', async () => {
    const { id, first } = await given(weekly);
    const end = new Date(+(await vigil.now()) + 28 * day);
    const died = +first + 10 * day;
    await vigil.fault({ kind: 'kill', from: new Date(died) });
    await expect(vigil.advanceTo(end)).rejects.toThrow();
    await vigil.killed();
    await vigil.restart();
    const restarted = await clock();
    expect(restarted.movingTo).toBeUndefined();
    expect(Date.parse(restarted.now)).toBeGreaterThanOrEqual(died);
    expect(Date.parse(restarted.now)).toBeLessThan(died + 30 * minute);
    await fired(id, 2);
    await vigil.advanceTo(end);
    expect((await fired(id, 4)).map(({ createdAt }) => inBerlin(createdAt))).toEqual(mondays(first, 0, 4));
  });
});

describe('a recurring job (R49)', () => {
  const toNext = async (id: string) => {
    const ms = Date.parse((await readTimer(id)).nextAt) - +(await vigil.now());
    await vigil.advance(`PT${Math.ceil(ms / 1_000) + 10}S`);
  };

  test('hands over to another execution before its history grows long; its owner alone cancels it, and it fires no more (R107)', async () => {
    const { id, timerId } = await given(hourly);
    const { client, name } = vigil.table;
    const Key = { pk: `C#${id}`, sk: `TIMER#${timerId}` };
    const ninetyNine = { UpdateExpression: 'SET segmentFired = :n', ExpressionAttributeValues: { ':n': 99 } };
    await client.send(new UpdateCommand({ TableName: name, Key, ...ninetyNine }));
    await toNext(id);
    await fired(id, 1);
    await timersOf(vigil).until(timerId, 'SUCCEEDED', 'RUNNING');
    await toNext(id);
    await fired(id, 2);
    expect(await timersOf(vigil).states(timerId)).toEqual([
      ['WaitUntilDue', 'FireTimer', 'RouteTimer', 'ContinueAsNew', 'Done'],
      ['WaitUntilDue', 'FireTimer', 'RouteTimer', 'WaitUntilDue'],
    ]);

    const path = `/conversations/${id}/timers/${timerId}`;
    const bob = await vigil.user('bob');
    expect(await bob.request('DELETE', path)).toMatchObject({ status: 404, type: 'application/problem+json' });
    expect((await readTimer(id)).status).toBe('active');
    const first = await ada.request('DELETE', path);
    expect(first).toMatchObject({ status: 200, body: { id: timerId, status: 'cancelled', fired: 2 } });
    expect(JSON.stringify(first.body)).not.toMatch(/outbox|segment|user/);
    // Relay has written the row meanwhile: the execution is stopped.
    const again = await ada.request('DELETE', path);
    expect(again).toEqual({ ...first, body: { ...(first.body as object), version: expect.any(Number) } });
    expect(await ada.request('DELETE', `${path}x`)).toMatchObject({ status: 404 });
    await timersOf(vigil).until(timerId, 'SUCCEEDED', 'ABORTED');
    await vigil.advance('P2D');
    expect(await readTimer(id)).toMatchObject({ status: 'cancelled', fired: 2 });
  });

  test('whose execution is stopped in the console shows that it is cancelled', async () => {
    const { id, timerId } = await given(hourly);
    await timersOf(vigil).abort(timerId);
    await vigil.advanceUntil(async () => (await readTimer(id)).status === 'cancelled');
    await vigil.advance('P1D');
    expect(await readTimer(id)).toMatchObject({ status: 'cancelled', fired: 0 });
  });
});

test('a reminder in three years, longer than an execution lives, comes once (R30, R44)', async () => {
  vigil.model.script([remind('Renew the passport', 3 * 365 * 86_400), { text: 'I will.' }, { text: 'Renew it.' }]);
  const { id } = await ada.start('tester', 'In three years');
  const timerId = (await ada.finished(id)).timers[0]!.id;
  for (let ended = 0; ended < 4; ended++) {
    await timersOf(vigil).until(timerId, ...Array<string>(ended).fill('SUCCEEDED'), 'RUNNING');
    expect((await ada.read(id)).timers).toMatchObject([{ status: 'active', fired: 0 }]);
    await vigil.advance('P300D');
  }
  const done = await ada.until(id, ({ messages }) => messages.at(-1)?.text === 'Renew it.');
  expect(wordsOf(done).slice(2)).toEqual([
    ['remind_later', expect.stringContaining('Renew the passport')],
    ['tester', 'Renew it.'],
  ]);
  await timersOf(vigil).until(timerId, ...Array<string>(4).fill('SUCCEEDED'));
});
