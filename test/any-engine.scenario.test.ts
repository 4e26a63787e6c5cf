import { startSeparateEngine } from './support/clouds/separate-engine';
import { startVigil } from './support/clouds/vigil';
import { startThirdParty } from './support/servers/third-party';
import { stopAfterEach } from './support/stop-after-each';
import { call, wordsOf } from './support/stories/transcript';

// The same definitions on an engine that is somebody else's: named by one variable, it calls the functions over HTTP and is told
// of answers over HTTP. Its clock is the machine's, so these sleep for real, and briefly.

const stopped = stopAfterEach();

test('an engine in the place of the embedded one sleeps over a kill -9 of all but itself, lets several calls run at once, tells a question its answer, wakes for a message and is cancelled (R121)', async () => {
  const engine = stopped(await startSeparateEngine());
  const party = stopped(await startThirdParty());
  const vigil = stopped(await startVigil({ variables: engine.variables }));
  const at = (ms: number) => ({ at: new Date(Date.now() + ms).toISOString() });
  const pay = (id: string, cents: number) => ({ id, name: 'pay', arguments: { url: party.url, cents } });
  const payments = { toolCalls: [pay('b', 100), pay('c', 20_000), pay('d', 300)] };
  // From the reply on, because on a busy machine it comes late.
  vigil.model.script((_request, nth) => [call('a', 'schedule', at(6_000)), payments, { text: 'All paid.' }][nth]!);
  const { id } = await (await vigil.user()).start('tester', 'Wait a moment, then pay them');
  const { until } = await (await vigil.user()).asleep(id);
  await vigil.kill();
  // The time comes while nobody is there: the engine tries again until the functions are back.
  await new Promise((resolve) => setTimeout(resolve, Date.parse(until!) - Date.now() + 500));
  await vigil.restart();
  const ada = await vigil.user();
  const asked = await ada.until(id, ({ callbacks }) => callbacks.length === 1);
  await ada.answer(id, asked.callbacks[0]!.id, { approved: true });
  const done = await ada.finished(id);
  expect(wordsOf(done).at(-1)).toEqual(['tester', 'All paid.']);
  expect(done.run).toMatchObject({ status: 'done', step: 3 });
  expect(done.calls.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'completed']);
  expect([party.effects, vigil.model.calls]).toEqual([3, 3]);
  const states = await vigil.states(done.run!.id);
  expect(states.slice(0, 6)).toEqual(['CallModel', 'Route', 'Sleep', 'CallModel', 'Route', 'RunTools']);
  expect(states.slice(-3)).toEqual(['CallModel', 'Route', 'Done']);
  expect((await vigil.ended(done.run!.id)).map(({ status }) => status)).toEqual(['SUCCEEDED']);

  vigil.model.script([
    call('e', 'schedule', at(30 * 86_400_000)),
    call('f', 'ask_user', { question: 'What is it?' }),
    call('g', 'schedule', at(30 * 86_400_000)),
  ]);
  await ada.say(id, 'Sleep');
  await ada.asleep(id);
  await ada.say(id, 'Wake up');
  await ada.waiting(id);
  await ada.say(id, 'Nothing, sleep on');
  const { run } = await ada.asleep(id);
  expect(run!.segment).toBe(2);
  await ada.cancel(id);
  await ada.until(id, ({ status }) => status === 'cancelled');
  expect((await vigil.ended(run!.id)).map(({ status }) => status)).toEqual(['ABORTED', 'ABORTED']);
});
