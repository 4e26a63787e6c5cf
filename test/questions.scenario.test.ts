import { startVigil, type Vigil } from './support/clouds/vigil';
import { stepsTo } from './support/history';
import { call, wordsOf } from './support/stories/transcript';

// An agent with a completion phrase: done, call tools, or ask the user.

describe('an agent that ends by its phrase', () => {
  let vigil: Vigil;
  beforeEach(async () => {
    vigil = await startVigil();
  });
  afterEach(() => vigil?.stop());
  const waiting = async (id: string) => (await vigil.user()).until(id, ({ status }) => status === 'waiting');

  test('asks, waits in a task-token state, takes the answer as a message, and ends at the phrase only (R7, R8, R51)', async () => {
    vigil.model.script([
      { text: 'Where would you like to go?' },
      call('c1', 'current_time', {}),
      { text: 'And when?' },
      { text: 'Kyoto in May. PLAN COMPLETE' },
    ]);
    const ada = await vigil.user();
    const { id } = await ada.start('planner', 'Plan a trip for me');
    const asked = await waiting(id);
    expect(asked.callbacks).toMatchObject([
      { kind: 'question', status: 'pending', prompt: 'Where would you like to go?' },
    ]);
    expect(JSON.stringify(asked)).not.toContain('taskToken');

    await ada.say(id, 'Kyoto');
    await ada.until(id, ({ callbacks }) => callbacks.length === 2);
    await waiting(id);
    await ada.say(id, 'In May');
    const done = await ada.finished(id);
    expect(done.run).toMatchObject({ status: 'done', step: 4 });
    expect(wordsOf(done).map(([, text]) => text)).toEqual([
      'Plan a trip for me',
      'Where would you like to go?',
      'Kyoto',
      'And when?',
      'In May',
      'Kyoto in May. PLAN COMPLETE',
    ]);
    expect(done.callbacks.map(({ status, outcome }) => [status, outcome])).toEqual([
      ['answered', { answer: 'Kyoto' }],
      ['answered', { answer: 'In May' }],
    ]);
    expect(await vigil.states(done.run!.id)).toEqual(stepsTo('AwaitCallback', 'current_time', 'AwaitCallback', 'Done'));
  });

  test('a question is answered by its id: a second answer is refused with the first, a wrong id changes nothing (R53)', async () => {
    vigil.model.script([{ text: 'Where to?' }, { text: 'PLAN COMPLETE' }]);
    const [ada, eve] = await Promise.all([vigil.user(), vigil.user('eve')]);
    const { id } = await ada.start('planner', 'Plan a trip for me');
    const [{ id: callbackId } = { id: '' }] = (await waiting(id)).callbacks;
    const path = `/conversations/${id}/callbacks/${callbackId}`;

    expect((await eve.request('POST', path, { answer: 'Mars' })).status).toBe(404);
    expect((await ada.request('POST', `${path}x`, { answer: 'Mars' })).status).toBe(404);
    const wrong = await ada.request('POST', path, { reply: 'Mars' });
    expect(wrong).toMatchObject({ status: 400, body: { detail: expect.stringContaining('answer') } });
    expect((await ada.read(id)).messages).toHaveLength(2);

    const answers = await Promise.all(['Kyoto', 'Nara'].map((answer) => ada.request('POST', path, { answer })));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    const done = await ada.finished(id);
    expect(answers.find(({ status }) => status === 409)).toMatchObject({
      type: 'application/problem+json',
      body: {
        title: 'Conflict',
        detail: 'This has already been answered; the first answer holds.',
        outcome: done.callbacks[0]!.outcome,
      },
    });
    expect(done.messages.filter(({ role }) => role === 'user')).toHaveLength(2);
    expect((await ada.request('POST', path, { answer: 'Late' })).status).toBe(409);
  });
});
