import type { RunAttempts } from '../core/machines/reconcile/attempts';
import { startVigil, type Vigil } from './support/clouds/vigil';
import type { Reply } from './support/servers/model-server';
import { nudgeToEnd } from './support/stories/patience';
import { call } from './support/stories/transcript';

// What a model's server, and a function, can do wrong in the real machines. Each failure has its test in lambdas/models or the module of its provider, and
// what becomes of the run in core/machines/loop/outage.test.ts.

describe('a model server that fails', () => {
  let vigil: Vigil;
  beforeAll(async () => {
    vigil = await startVigil();
  });
  afterAll(() => vigil?.stop());
  const fine: Reply = { text: 'All is well.' };

  test('asks for a pause, answers 429, and closes the connection midway: the execution waits each time, not too short, and the step succeeds (R198, R202)', async () => {
    const script = [
      { status: 503, headers: { 'retry-after': '120' } },
      { status: 429 },
      { text: 'All is not we', closeAfter: 6 },
      fine,
    ];
    vigil.model.script(script);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Hello');
    // Before the clock is moved, because the pause begins with the answer.
    await ada.until(id, ({ run: now }) => now?.modelWait !== undefined);
    const { run, messages } = await nudgeToEnd(vigil, id);
    // What has begun to reply is billed, whether it comes to an end or not.
    expect(run).toMatchObject({ status: 'done', step: 1, usage: { modelCalls: 2 } });
    expect(messages.map(({ text, status }) => [text, status])).toEqual([
      ['Hello', 'complete'],
      ['All is well.', 'complete'],
    ]);
    expect(vigil.model.calls).toBe(script.length);
    const waits = (await vigil.states(run!.id)).filter((state) => state === 'Sleep');
    expect(waits).toHaveLength(script.length - 1);
    const { failedAttempts, completedAt } = messages.at(-1)!;
    expect(failedAttempts![0]).toMatchObject({ attempt: 1, error: "The model's server failed (503)." });
    const { endedAt = '', retryBy = '' } = failedAttempts![0]!;
    expect(Date.parse(retryBy) - Date.parse(endedAt)).toBeGreaterThan(115_000);
    expect(completedAt! >= retryBy).toBe(true);
  });

  test('functions that throw, of steps and timers: Step Functions says whose attempt failed, why, and when the next is (R197)', async () => {
    const ada = await vigil.user();
    const mallory = await vigil.user('mallory');
    const later = { tool: 'list_timers', arguments: '{}', delay_seconds: 86_400 };
    vigil.model.script([call('later', 'run_later', later), fine, { text: 'No timers.' }]);
    const fails = (name: string) => vigil.fault({ function: name, kind: 'error', at: 'before', times: 10_000 });
    await fails('CallModel');
    const { id } = await ada.start('tester', 'Hello');
    const path = `/conversations/${id}/attempts`;
    const known = async () => (await ada.request('GET', path)).body as RunAttempts;
    /** Reads what Step Functions knows until an attempt has failed and waits for its time. */
    async function failing() {
      for (let look = 0; look < 1_000; look++) {
        const { attempts } = await known();
        const waiting = attempts.filter(({ failed, startedAt }) => failed?.retryBy && !startedAt);
        if (waiting.length === 1) return attempts;
      }
      throw new Error(`None has failed: ${JSON.stringify(await known())}`);
    }

    const [step] = await failing();
    expect(step).toMatchObject({
      state: 'CallModel',
      failed: { attempt: step!.attempt - 1, error: expect.stringMatching(/failed before it could say why/) },
    });
    expect((await mallory.request('GET', path)).status).toBe(404);
    await vigil.clearFaults();
    const ended = await nudgeToEnd(vigil, id);
    expect(ended).toMatchObject({ run: { status: 'done' } });
    expect(await known()).toEqual({ execution: 'ended', attempts: [] });
    await fails('Settle');
    await vigil.advance('P1D');
    const [timer] = ended.timers;
    expect(await failing()).toMatchObject([
      { state: 'FireTimer', timerId: timer!.id, failed: { error: expect.stringMatching(/failed before it could/) } },
    ]);
    expect((await ada.read(id)).timers).toMatchObject([{ status: 'active' }]);
    await vigil.clearFaults();
    await vigil.advanceUntil(async () => (await ada.read(id)).messages.at(-1)!.text === 'No timers.');
    expect((await nudgeToEnd(vigil, id)).run).toMatchObject({ status: 'done' });
    expect((await known()).attempts).toEqual([]);
  });
});
