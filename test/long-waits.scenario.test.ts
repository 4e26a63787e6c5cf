import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { call } from './support/stories/transcript';

// Waits that are long, and what comes in between.

describe('a long wait', () => {
  let vigil: Vigil;
  const folder = mkdtempSync(join(tmpdir(), 'vigil-assembly-'));
  const inDays = async (days: number) => new Date((await vigil.now()).getTime() + days * 86_400_000).toISOString();
  afterEach(() => vigil?.stop());
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('thirty days asleep: no function runs until the time has come (R30, R31)', async () => {
    vigil = await startVigil();
    const at = await inDays(30);
    vigil.model.script([call('c', 'schedule', { at }), { text: 'A month has passed.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Wake me in a month');
    const { run } = await ada.asleep(id);
    const before = (await vigil.history(run!.id)).length;
    for (let week = 0; week < 4; week++) await vigil.advance('P7D');
    expect((await vigil.history(run!.id)).length).toBe(before);
    expect((await ada.read(id)).status).toBe('sleeping');
    await vigil.advance('P3D');
    expect((await ada.finished(id)).messages.at(-1)).toMatchObject({ text: 'A month has passed.' });
  });

  test('three years asleep: an execution lives one, so the wait is slept in stretches (R30)', async () => {
    vigil = await startVigil();
    const at = await inDays(3 * 365);
    vigil.model.script([call('c', 'schedule', { at }), { text: 'How the time flies.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Wake me in three years');
    await ada.asleep(id);
    for (let month = 0; month < 40 && (await ada.read(id)).status !== 'done'; month++) {
      await vigil.advance('P30D');
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    const done = await ada.finished(id);
    expect(done.run!.segment).toBe(4);
    expect(vigil.model.calls).toBe(2);
    const executions = await vigil.ended(done.run!.id);
    expect(executions).toHaveLength(4);
    for (const { startDate, stopDate } of executions) {
      expect(stopDate!.getTime() - startDate!.getTime()).toBeLessThan(365 * 86_400_000);
    }
  });

  test('a time that has passed returns at once (R38)', async () => {
    vigil = await startVigil({ script: [call('c', 'schedule', { at: '2020-01-01T00:00:00Z' }), { text: 'Late.' }] });
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Wake me yesterday');
    const done = await ada.finished(id);
    expect(done.calls[0]!.result).toMatch(/^2020-01-01T00:00:00.000Z had passed already; it is now /);
  });
});
