import { setTimeout as sleepFor } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { reconcileAll } from '../local/reconcile';
import type { Conversation } from './support/api-types';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { runningExecutions } from './support/history';
import type { ChatRequest, Reply } from './support/servers/model-server';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { isRinging, linesIn } from './support/stories/alarms';
import { call } from './support/stories/transcript';
import { putBack, rowsOf } from './support/tables/table-rows';

// Runs, timers and rollbacks go on after Step Functions has lost its state, after the table was restored from a backup, and after both.

interface Reconciled {
  checked: number;
  actions: { does: string; conversationId: string; id: string; because: string }[];
  failed: object[];
}

describe('restoring (R169, R171)', () => {
  let vigil: Vigil;
  /** `held` answers late: it has the call that is under way, the one that is made once, and the undo. */
  let party: ThirdParty;
  let held: Record<'hit' | 'once' | 'refund', ThirdParty>;
  let until: string;
  beforeAll(async () => {
    vigil = await startVigil({ isAlone: true });
    party = await startThirdParty();
    held = { hit: await startThirdParty(), once: await startThirdParty(), refund: await startThirdParty() };
    until = new Date((await vigil.now()).getTime() + 2 * 86_400_000).toISOString();
    vigil.model.script(play);
  });
  afterAll(async () => {
    await vigil?.stop();
    for (const one of [party, ...Object.values(held)]) await one.stop();
  });

  const sleep = () => call('s', 'schedule', { at: until });
  const pay = (cents: number, to = party) => call('p', 'pay', { url: to.url, cents });
  /** What the model does after each number of results, by the first message. At the end it says so. */
  const plays: Record<string, () => Reply[]> = {
    Sleep: () => [sleep()],
    Approve: () => [pay(20_000)],
    Ask: () => [call('q', 'ask_user', { question: 'Which one?' })],
    Remind: () => [call('r', 'remind_later', { message: 'Tea', delay_seconds: null, at: until })],
    Repeat: () => [call('r', 'repeat', { task: 'Water', cron: null, time_zone: null, every_seconds: 86_400 })],
    Delegate: () => [call('d', 'delegate', { agent: 'worker', task: 'Sleep' })],
    Undo: () => [pay(300, held.refund), call('s', 'schedule', { at: '2031-01-01T08:00:00Z' })],
    Fail: () => [pay(400), { status: 401 }],
    Hit: () => [call('h', 'hit', { url: `${held.hit.url}/hit` })],
    Once: () => [call('o', 'hit_once', { url: `${held.once.url}/once` })],
  };
  const play = ({ messages }: ChatRequest): Reply => {
    const said = String(messages.find(({ role }) => role === 'user')!.content);
    const results = messages.filter(({ role }) => role === 'tool');
    if (String(results.at(-1)?.content).startsWith('Interrupted')) return sleep();
    const done = results.length;
    return plays[said]?.()[done] ?? { text: `${said}: done.` };
  };

  const ada = () => vigil.user();
  const begin = async (said: string, agent = 'tester') => (await (await ada()).start(agent, said)).id;
  const read = async (id: string) => (await ada()).read(id);
  const is = async (id: string, holds: (conversation: Conversation) => boolean) => (await ada()).until(id, holds);
  const reconcile = async (request: object = {}) =>
    (await vigil.invoke('ReconcileFunctionName', request)) as Reconciled;
  /** A function's output reaches its log a moment later than its answer. */
  async function written(isThere: () => boolean): Promise<void> {
    for (let look = 0; !isThere(); look++) {
      if (look === 3_000) throw new Error('The log does not have it.');
      await sleepFor(10);
    }
  }
  /** Moves the clock past the time that is left to Relay. */
  const wait = () => vigil.advance('PT11M');

  /** Begins one of each: all sleep, wait or have failed. */
  async function beginResting() {
    const ids = {
      sleep: await begin('Sleep'),
      approve: await begin('Approve'),
      ask: await begin('Ask'),
      remind: await begin('Remind'),
      repeat: await begin('Repeat'),
      delegate: await begin('Delegate', 'boss'),
      undo: await begin('Undo'),
      fail: await begin('Fail'),
    };
    const { sleep, approve, ask, remind, repeat, delegate, undo, fail } = ids;
    for (const id of [sleep, undo]) await is(id, ({ status }) => status === 'sleeping');
    for (const id of [approve, ask])
      await is(id, ({ status, callbacks }) => status === 'waiting' && callbacks.length > 0);
    for (const id of [remind, repeat]) await is(id, ({ status }) => status === 'done');
    const { callbacks } = await is(delegate, ({ status }) => status === 'waiting');
    const child = callbacks[0]!.conversationId!;
    await is(child, ({ status }) => status === 'sleeping');
    await is(fail, ({ status }) => status === 'failed');
    return { ...ids, child };
  }

  /** Begins what is under way when the state is lost: two calls whose effect is made, and an undo. */
  async function beginHeld(undo: string) {
    const effects = Object.values(held).map((one) => one.holdNext());
    const ids = { hit: await begin('Hit'), once: await begin('Once') };
    await (await ada()).cancel(undo);
    await Promise.all(effects);
    return ids;
  }

  /** Answers what waits, lets all time pass, and expects that all ends and that nothing is done twice. */
  async function expectAllToEnd(
    ids: Awaited<ReturnType<typeof beginResting>> & Awaited<ReturnType<typeof beginHeld>>,
  ): Promise<void> {
    const { sleep, approve, ask, remind, repeat, delegate, undo, fail, child, hit, once } = ids;
    const waits = await is(approve, ({ status, callbacks }) => status === 'waiting' && callbacks.length > 0);
    await (await ada()).answer(approve, waits.callbacks[0]!.id, { approved: false });
    const asks = await is(ask, ({ status }) => status === 'waiting');
    await (await ada()).answer(ask, asks.callbacks[0]!.id, { answer: 'The red one' });
    for (const id of [approve, ask, hit, once])
      await vigil.advanceUntil(async () => (await read(id)).status === 'done');
    await vigil.advanceUntil(async () => (await read(undo)).status === 'cancelled');
    for (const id of [sleep, delegate, child]) expect((await read(id)).status).not.toBe('done');

    await vigil.advance('P2D');
    for (const id of [sleep, delegate, child]) await is(id, ({ status }) => status === 'done');
    for (const id of [remind, repeat])
      await is(id, ({ messages, status }) => status === 'done' && messages.some(({ text }) => /^[⏰🔁]/u.test(text)));
    await vigil.advance('P8D');
    await is(fail, ({ status }) => status === 'cancelled');

    expect((await read(ask)).calls[0]).toMatchObject({ status: 'completed', result: 'The red one' });
    expect((await read(hit)).calls[0]).toMatchObject({ status: 'completed', result: { hits: 1 } });
    expect((await read(once)).calls[0]).toMatchObject({ status: 'unknown' });
    expect(held.hit.effects).toBe(1);
    expect(held.once.requests).toHaveLength(1);
    expect(held.refund.effectPaths).toEqual(['/pay/300', '/refund/300']);
    expect(party.effectPaths.filter((path) => path.includes('400'))).toEqual(['/pay/400', '/refund/400']);
    expect((await read(remind)).messages.filter(({ text }) => text.startsWith('⏰'))).toHaveLength(1);
    expect((await reconcile()).actions).toEqual([]);
  }

  /** Returns the rows when Relay has noted what it has done: it does so afterwards. */
  async function restingRows() {
    for (let before = await rowsOf(vigil.table); ; ) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      const rows = await rowsOf(vigil.table);
      if (isDeepStrictEqual(rows, before)) return rows;
      before = rows;
    }
  }

  const running = async () => {
    const executions = await runningExecutions(vigil.stepFunctions);
    return executions.map(({ name }) => name);
  };

  test('all that slept, waited or was under way goes on after Step Functions has lost its state, and again after the table was restored to the time before: what has run ahead is stopped, and a person is told why they are asked again; before, nothing is changed', async () => {
    const resting = await beginResting();
    await wait();
    const underWay = await beginHeld(resting.undo);
    const healthy = await restingRows();
    expect(await reconcile()).toMatchObject({ actions: [], failed: [] });
    expect(await rowsOf(vigil.table)).toEqual(healthy);
    await written(() => linesIn(vigil.logs()).some(({ Repairs }) => Repairs === 0));
    expect(isRinging('Repairs', vigil.logs())).toBe(false);

    await vigil.loseExecutions();
    await wait();
    const lost = await rowsOf(vigil.table);
    const lines: string[] = [];
    const invoke = (request: object) => vigil.invoke('ReconcileFunctionName', request);
    expect(await reconcileAll(invoke, { dryRun: true }, (line) => lines.push(line))).toBe(true);
    expect(await rowsOf(vigil.table)).toEqual(lost);
    const ids = Object.values({ ...resting, ...underWay });
    expect(lines.pop()).toBe(`Checked ${ids.length} runs and timers, would change ${ids.length}, could not check 0.`);
    const ofLine = /^would start again r_\S+ of (\S+): \S+ is MISSING/;
    expect(lines.map((line) => ofLine.exec(line)?.[1]).sort()).toEqual(ids.sort());
    // Two sweeps at once renew each only once.
    const [one, other] = await Promise.all([reconcile(), reconcile()]);
    expect([one.failed, other.failed]).toEqual([[], []]);
    const names = await running();
    expect(names).toHaveLength(new Set(names).size);
    // R171
    await written(() => isRinging('Repairs', vigil.logs()));

    // What was under way ends. And an hour passes of which the rows before know nothing.
    const waits = await is(resting.approve, ({ status, callbacks }) => status === 'waiting' && callbacks.length > 0);
    await (await ada()).answer(resting.approve, waits.callbacks[0]!.id, { approved: true });
    for (const id of [resting.approve, underWay.hit, underWay.once])
      await vigil.advanceUntil(async () => (await read(id)).status === 'done');
    await vigil.advanceUntil(async () => (await read(resting.undo)).status === 'cancelled');
    const { segment } = (await read(resting.sleep)).run!;
    await (await ada()).say(resting.sleep, 'Are you asleep?');
    await is(resting.sleep, ({ status, run }) => status === 'sleeping' && run!.segment === segment + 1);
    const later = await begin('Sleep');
    await is(later, ({ status }) => status === 'sleeping');
    await vigil.advance('PT1H');

    await putBack(vigil.table, healthy);
    const restoredAt = (await vigil.now()).toISOString();
    const { actions, failed } = await reconcile({ restoredAt });
    expect(failed).toEqual([]);
    expect(new Set(actions.map(({ because }) => because))).toEqual(new Set(['the table was restored']));
    const asked = await is(resting.approve, ({ status }) => status === 'waiting');
    expect(asked.callbacks[0]!.prompt).toMatch(/^Pay\? \(The data was restored from a backup\./);
    const slept = await is(resting.sleep, ({ status }) => status === 'sleeping');
    expect(slept.run!.segment).toBe(segment + 2);
    await vigil.advanceUntil(async () => !(await running()).includes(`${slept.run!.id}-${segment + 1}`));

    await expectAllToEnd({ ...resting, ...underWay });
    expect(party.effectPaths.filter((path) => path === '/pay/20000')).toHaveLength(1);
  }, 900_000);
});
