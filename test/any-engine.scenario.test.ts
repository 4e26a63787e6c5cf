import { type SeparateEngine, startSeparateEngine } from './support/clouds/separate-engine';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { call, wordsOf } from './support/stories/transcript';

// The same definitions on an engine that is somebody else's: named by one variable, it calls the functions over HTTP and is told
// of answers over HTTP. Its clock is the machine's, so these sleep for real, and briefly.

describe('an engine in the place of the embedded one (R121)', () => {
  let engine: SeparateEngine;
  let vigil: Vigil;
  let party: ThirdParty;
  beforeEach(async () => {
    [engine, party] = await Promise.all([startSeparateEngine(), startThirdParty()]);
    vigil = await startVigil({ variables: engine.variables });
  });
  afterEach(async () => {
    await vigil?.stop();
    await Promise.all([engine?.stop(), party?.stop()]);
  });

  const soon = () => new Date(Date.now() + 3_000).toISOString();
  const later = () => new Date(Date.now() + 30 * 86_400_000).toISOString();
  const pay = (id: string, cents: number) => ({ id, name: 'pay', arguments: { url: party.url, cents } });

  test('calls functions, sleeps, and lets several calls run at once, of which one waits for its approval', async () => {
    vigil.model.script([
      call('a', 'schedule', { at: soon() }),
      { toolCalls: [pay('b', 100), pay('c', 20_000), pay('d', 300)] },
      { text: 'All paid.' },
    ]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Wait a moment, then pay them');
    const asked = await ada.until(id, ({ callbacks }) => callbacks.length === 1);
    await ada.answer(id, asked.callbacks[0]!.id, { approved: true });
    const done = await ada.finished(id);
    expect(done.run).toMatchObject({ status: 'done', step: 3 });
    expect(done.calls.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'completed']);
    expect(party.effects).toBe(3);
    const states = await vigil.states(done.run!.id);
    expect(states.slice(0, 6)).toEqual(['CallModel', 'Route', 'Sleep', 'CallModel', 'Route', 'RunTools']);
    expect(states.slice(-3)).toEqual(['CallModel', 'Route', 'Done']);
    expect((await vigil.ended(done.run!.id)).map(({ status }) => status)).toEqual(['SUCCEEDED']);
  });

  test('a message wakes its sleeper in the next segment, an answer goes to its question, and a cancel ends it', async () => {
    vigil.model.script([
      call('a', 'schedule', { at: later() }),
      call('b', 'ask_user', { question: 'What is it?' }),
      call('c', 'schedule', { at: later() }),
    ]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Sleep');
    await ada.asleep(id);
    await ada.say(id, 'Wake up');
    await ada.waiting(id);
    await ada.say(id, 'Nothing, sleep on');
    const { run } = await ada.asleep(id);
    expect(run!.segment).toBe(2);
    await ada.cancel(id);
    await ada.until(id, ({ status }) => status === 'cancelled');
    expect((await vigil.ended(run!.id)).map(({ status }) => status)).toEqual(['ABORTED', 'ABORTED']);
    expect(vigil.model.calls).toBe(3);
  });

  test('a kill -9 of all but the engine: it tries again until the functions are back', async () => {
    vigil.model.script([call('a', 'schedule', { at: soon() }), { text: 'Good morning.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Wake me');
    await ada.asleep(id);
    await vigil.kill();
    // The time comes while nobody is there.
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    await vigil.restart();
    const done = await (await vigil.user()).finished(id);
    expect(wordsOf(done).at(-1)).toEqual(['tester', 'Good morning.']);
    expect(vigil.model.calls).toBe(2);
  });
});
