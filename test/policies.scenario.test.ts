import { startVigil, type Vigil } from './support/clouds/vigil';
import { call, wordsOf } from './support/stories/transcript';

// What a message does that arrives while the run is active: the agent's author decides.

const farAway = '2031-01-01T08:00:00Z';

describe('a message in mid-run (R110)', () => {
  let vigil: Vigil;
  beforeEach(async () => {
    vigil = await startVigil();
  });
  afterEach(() => vigil?.stop());

  test('merge: is taken up by the next model call; the one in flight is not cut off', async () => {
    vigil.model.script([{ text: 'One. Two. Three.', holdAfter: 5 }, { text: 'And four.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Count');
    await vigil.model.held();
    await ada.say(id, 'Go on');
    vigil.model.release();
    expect(wordsOf(await ada.finished(id))).toEqual([
      ['user', 'Count'],
      ['tester', 'One. Two. Three.'],
      ['user', 'Go on'],
      ['tester', 'And four.'],
    ]);
  });

  test('interrupt: cuts the model off in mid-sentence and goes on with it; what was said stays', async () => {
    vigil.model.script([{ text: 'One. Two. Three.', holdAfter: 9 }, { text: 'Very well.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('interrupted', 'Count');
    await vigil.model.held();
    await ada.until(id, ({ messages }) => messages.some(({ text }) => text.startsWith('One. ')));
    await ada.say(id, 'Stop counting');
    const done = await ada.finished(id);
    vigil.model.release();
    expect(done.messages.map(({ status, text }) => [status, text])).toEqual([
      ['complete', 'Count'],
      ['cancelled', expect.stringMatching(/^One\. (Two\. ?)?$/)],
      ['complete', 'Stop counting'],
      ['complete', 'Very well.'],
    ]);
    expect(done.run).toMatchObject({ status: 'done', segment: 2, step: 1 });
    expect(vigil.model.requests.at(-1)!.messages.at(-2)).toMatchObject({
      role: 'assistant',
      content: expect.stringMatching(/\[cut off here\]$/),
    });
  });

  test('interrupt: a tool at work is let finish; an approval that is open is given up, and the model knows', async () => {
    const toolCalls = [
      { id: 'c1', name: 'misbehave', arguments: { way: 'slow' } },
      { id: 'c2', name: 'pay', arguments: { url: 'http://127.0.0.1:9', cents: 20_000 } },
    ];
    vigil.model.script([{ toolCalls }, { text: 'I see.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('interrupted', 'Do both');
    await ada.waiting(id);
    await ada.say(id, 'Rather not');
    const done = await ada.finished(id);
    expect(done.calls).toMatchObject([
      { tool: 'misbehave', status: 'completed' },
      { tool: 'pay', status: 'cancelled', error: expect.stringContaining('instead of deciding') },
    ]);
    expect(done.callbacks).toMatchObject([{ status: 'cancelled' }]);
    expect(wordsOf(done).at(-1)).toEqual(['interrupted', 'I see.']);
  });

  test('queue: waits for the end of the run, and then begins the next one; a sleeper is not woken', async () => {
    vigil.model.script([call('c', 'schedule', { at: farAway }), { text: 'Slept well.' }, { text: 'Second.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('queueing', 'Sleep');
    const { run } = await ada.asleep(id);
    await ada.say(id, 'Then this');
    await ada.say(id, 'And this');
    expect((await ada.read(id)).status).toBe('sleeping');
    await vigil.advance('P2000D');
    const done = await ada.until(id, ({ status, run: now }) => status === 'done' && now?.id !== run!.id);
    expect(wordsOf(done)).toEqual([
      ['user', 'Sleep'],
      ['user', 'Then this'],
      ['user', 'And this'],
      ['queueing', 'Slept well.'],
      ['queueing', 'Second.'],
    ]);
    expect(done.messages.every(({ status }) => status === 'complete')).toBe(true);
    expect(vigil.model.requests[1]!.messages.filter(({ role }) => role === 'user')).toHaveLength(1);
  });

  test('reject: is refused with a reason and leaves no trace; an answer is no message in mid-run', async () => {
    vigil.model.script([
      call('c', 'ask_user', { question: 'Which?' }),
      call('s', 'schedule', { at: farAway }),
      { text: 'Hi.' },
    ]);
    const ada = await vigil.user();
    const { id } = await ada.start('busy', 'Work');
    await ada.waiting(id);
    await ada.say(id, 'That one');
    await ada.asleep(id);
    const refused = await ada.request('POST', `/conversations/${id}/messages`, { text: 'Hello?' });
    expect(refused).toMatchObject({
      status: 409,
      body: { title: 'Conflict', detail: expect.stringContaining('takes no messages until it is done') },
    });
    expect(wordsOf(await ada.read(id))).toEqual([
      ['user', 'Work'],
      ['user', 'That one'],
    ]);
  });
});
