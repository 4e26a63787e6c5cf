import { startVigil } from './support/clouds/vigil';
import { stopAfterEach } from './support/stop-after-each';
import { call } from './support/stories/transcript';

const stopped = stopAfterEach();

test('three years asleep: no function runs meanwhile, and because an execution lives one, the wait is slept in stretches; a time that has passed returns at once (R30, R31, R38)', async () => {
  const vigil = stopped(await startVigil());
  const at = new Date((await vigil.now()).getTime() + 3 * 365 * 86_400_000).toISOString();
  vigil.model.script([
    call('a', 'schedule', { at: '2020-01-01T00:00:00Z' }),
    call('b', 'schedule', { at }),
    { text: 'How the time flies.' },
  ]);
  const ada = await vigil.user();
  const { id } = await ada.start('tester', 'Wake me yesterday, and in three years');
  const { run, calls } = await ada.asleep(id);
  expect(calls[0]!.result).toMatch(/^2020-01-01T00:00:00.000Z had passed already; it is now /);
  const before = (await vigil.history(run!.id)).length;
  for (const weeks of [1, 40]) await vigil.advance(`P${weeks}W`);
  expect((await vigil.history(run!.id)).length).toBe(before);
  expect((await ada.read(id)).status).toBe('sleeping');

  await vigil.advanceUntil(async () => (await ada.read(id)).status === 'done', 'P60D');
  const done = await ada.finished(id);
  expect(done.messages.at(-1)).toMatchObject({ text: 'How the time flies.' });
  expect(done.run!.segment).toBe(4);
  expect(vigil.model.calls).toBe(3);
  const executions = await vigil.ended(run!.id);
  expect(executions).toHaveLength(4);
  for (const { startDate, stopDate } of executions)
    expect(stopDate!.getTime() - startDate!.getTime()).toBeLessThan(365 * 86_400_000);
});
