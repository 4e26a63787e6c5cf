import { setTimeout as sleep } from 'node:timers/promises';
import type { User } from './support/api-client';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { longTest } from './support/long';
import type { ChatRequest, Reply } from './support/servers/model-server';
import { timersOf } from './support/stories/timers';
import { call } from './support/stories/transcript';

// One move of the clock, over everything that becomes due on the way.

const minute = 60_000;
const day = 86_400_000;
const weekly = { task: 'Send invoices', cron: '0 9 * * 1', time_zone: 'Europe/Berlin', every_seconds: null };

const lastOf = ({ messages }: ChatRequest) => String(messages.at(-1)?.content);
const invoices = (request: ChatRequest): Reply => {
  if (lastOf(request).includes('🔁 Due at')) return { text: 'They are sent.' };
  return lastOf(request).includes('"timer_id"') ? { text: 'I will.' } : call('weekly', 'repeat', weekly);
};

/** The moment in Berlin, to the minute. */
const inBerlin = (time: number | string) =>
  new Date(time).toLocaleString('sv', { timeZone: 'Europe/Berlin', dateStyle: 'short', timeStyle: 'short' });

describe('a move of the clock (R249)', () => {
  let vigil: Vigil;
  let ada: User;
  afterEach(() => vigil?.stop());

  async function given(script: (request: ChatRequest) => Reply) {
    vigil = await startVigil({ script });
    ada = await vigil.user();
    const { id } = await ada.start('tester', 'Every Monday at nine: send the invoices.');
    const { timers } = await ada.finished(id);
    await timersOf(vigil).until(timers[0]!.id, 'RUNNING');
    const first = Date.parse(timers[0]!.nextAt);
    // A week may have an hour more or less.
    const mondays = [0, 1, 2, 3].map(
      (week) => `${inBerlin(first + week * 7 * day + 4 * 60 * minute).slice(0, 10)} 09:00`,
    );
    return { id, first, mondays };
  }

  async function firings(id: string) {
    const { messages } = await (await vigil.user()).read(id);
    return messages.filter(({ author }) => author === 'repeat');
  }
  const clock = async (method = 'GET', body?: object) => {
    const answer = await fetch(`${vigil.url}/_local/clock`, { method, body: body && JSON.stringify(body) });
    return { status: answer.status, ...((await answer.json()) as { now: string; movingTo?: string; detail?: string }) };
  };

  test('of four weeks has four Mondays: each at nine in Berlin, when all of the one before is done', async () => {
    const { id, mondays } = await given(invoices);
    await vigil.advance('P28D');
    const fired = await firings(id);
    expect(fired.map(({ text }) => text)).toEqual(Array(4).fill(expect.stringMatching(/: Send invoices$/)));
    expect(fired.map(({ createdAt }) => inBerlin(createdAt))).toEqual(mondays);
    const { messages, timers } = await (await vigil.user()).read(id);
    const sent = messages.filter(({ text }) => text === 'They are sent.');
    expect(sent.map(({ createdAt }) => inBerlin(createdAt))).toEqual(mondays);
    expect(timers).toMatchObject([{ fired: 4, status: 'active' }]);
  });

  test('that jumps is an outage: the four Mondays are one message, which says so', async () => {
    const { id, first } = await given(invoices);
    await vigil.advance('P28D', { jump: true });
    await (await vigil.user()).until(id, ({ messages }) => messages.at(-1)?.text === 'They are sent.');
    const fired = await firings(id);
    expect(fired.map(({ text }) => text)).toEqual([
      expect.stringContaining('3 more of its times have passed meanwhile'),
    ]);
    expect(Date.parse(fired[0]!.createdAt)).toBeGreaterThan(first + 20 * day);
  });

  test('of forty days wakes a wait of three days on the third', async () => {
    vigil = await startVigil();
    const start = +(await vigil.now());
    const at = new Date(start + 3 * day).toISOString();
    vigil.model.script([call('c', 'schedule', { at }), { text: 'Three days have passed.' }]);
    ada = await vigil.user();
    const { id } = await ada.start('tester', 'Wake me in three days');
    await ada.asleep(id);
    await vigil.advance('P40D');
    const { messages, status } = await (await vigil.user()).read(id);
    expect([status, messages.at(-1)?.text]).toEqual(['done', 'Three days have passed.']);
    const woken = Date.parse(messages.at(-1)!.createdAt) - start;
    expect(woken).toBeGreaterThanOrEqual(3 * day);
    expect(woken).toBeLessThan(3 * day + minute);
    expect(+(await vigil.now())).toBeGreaterThanOrEqual(start + 40 * day);
  });

  longTest('plays what begins on the way: a reminder that an agent sets when another one comes', async () => {
    const remind = (message: string, delay_seconds: number) =>
      call(message, 'remind_later', { message, delay_seconds, at: null });
    vigil = await startVigil({
      script: (request) => {
        const last = lastOf(request);
        if (last.includes('"timer_id"')) return { text: 'I will.' };
        if (last.includes('Second')) return { text: 'Both have come.' };
        return last.includes('First') ? remind('Second', 3_600) : remind('First', 2 * 86_400);
      },
    });
    ada = await vigil.user();
    const began = +(await vigil.now());
    const { id } = await ada.start('tester', 'Remind me, and remind me again');
    await timersOf(vigil).until((await ada.finished(id)).timers[0]!.id, 'RUNNING');
    await vigil.advance('P9D');
    const { messages } = await (await vigil.user()).read(id);
    expect(messages.at(-1)?.text).toBe('Both have come.');
    const woken = Date.parse(messages.at(-1)!.createdAt) - began;
    expect(Math.round(woken / (60 * minute))).toBe(49);
  });

  test('says where it goes, is the only one, and can be stopped in the middle', async () => {
    let mondays = 0;
    const { id } = await given((request) => {
      if (lastOf(request).includes('🔁 Due at')) mondays += 1;
      return mondays < 2 ? invoices(request) : { ...invoices(request), holdAfter: 5 };
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
    const user = await vigil.user();
    await user.until(id, ({ messages }) => messages.filter(({ text }) => text === 'They are sent.').length === 2);
    const fired = await firings(id);
    expect(fired).toHaveLength(2);
    expect(inBerlin(stopped.now)).toBe(inBerlin(fired[1]!.createdAt));
    // It is stopped, and can be moved again.
    await vigil.advance('PT1M');
    expect(await clock('POST', { stop: true })).toMatchObject({ status: 200 });
  });

  longTest('goes on after the cloud has died between two Mondays, from where it was', async () => {
    const { id, first, mondays } = await given(invoices);
    const end = new Date(+(await vigil.now()) + 28 * day);
    const died = new Date(first + 10 * day);
    await vigil.fault({ kind: 'kill', from: died });
    // This one hits the third Monday, whatever ran before.
    const from = new Date(first + 13 * day).toISOString();
    await expect(vigil.advanceTo(end)).rejects.toThrow();
    await vigil.killed();
    await vigil.restart();
    await sleep(300);
    const restarted = +(await vigil.now());
    expect(restarted).toBeGreaterThanOrEqual(+died);
    expect(restarted).toBeLessThan(+died + 30 * minute);
    expect(await firings(id)).toHaveLength(2);

    await vigil.fault({ function: 'FireTimer', kind: 'kill', at: 'after', from });
    await expect(vigil.advanceTo(end)).rejects.toThrow();
    await vigil.killed();
    await vigil.restart();
    await vigil.advanceTo(end);
    const fired = await firings(id);
    expect(fired.map(({ createdAt }) => inBerlin(createdAt))).toEqual(mondays);
  });
});
