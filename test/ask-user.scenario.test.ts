import type { Conversation } from './support/api-types';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { stepsTo } from './support/history';
import { longTest } from './support/long';
import { call, resultsIn, wordsOf } from './support/stories/transcript';

// The model asks by a tool: the answer is the call's result.

describe('ask_user', () => {
  let vigil: Vigil;
  beforeAll(async () => {
    vigil = await startVigil();
  });
  afterAll(() => vigil?.stop());

  const ask = (question: string) => call('q', 'ask_user', { question });
  const pending = ({ callbacks }: Conversation) => callbacks.filter(({ status }) => status === 'pending');
  const toldAsUser = () =>
    vigil.model.requests.at(-1)!.messages.flatMap((message) => (message.role === 'user' ? [message.content] : []));

  async function asked(...script: Parameters<Vigil['model']['append']>) {
    vigil.model.script(script);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Book it');
    const waiting = await ada.waiting(id);
    return { ada, id, waiting };
  }

  test('a message answers it: it is in the log, and the model reads it once, as the result (R51, R57, R108)', async () => {
    const { ada, id, waiting } = await asked(ask('Window or aisle?'), { text: 'Booked.' });
    expect(waiting.callbacks).toMatchObject([
      { kind: 'question', prompt: 'Window or aisle?', callId: waiting.calls[0]!.id, status: 'pending' },
    ]);
    expect(waiting.callbacks[0]).not.toHaveProperty('tool');
    expect((await ada.list()).conversations.find((one) => one.id === id)).toMatchObject({ status: 'waiting' });
    const message = await ada.say(id, 'Window');
    expect(message).toMatchObject({ role: 'user', status: 'complete', callId: waiting.calls[0]!.id });
    const done = await ada.finished(id);
    expect(done.calls).toMatchObject([{ status: 'completed', result: 'Window' }]);
    expect(done.callbacks).toMatchObject([{ status: 'answered', outcome: { answer: 'Window' } }]);
    expect(wordsOf(done)).toEqual([
      ['user', 'Book it'],
      ['user', 'Window'],
      ['tester', 'Booked.'],
    ]);
    expect(resultsIn(vigil)).toEqual(['Window']);
    expect(toldAsUser()).toEqual(['Book it']);
    expect(await vigil.states(done.run!.id)).toEqual(stepsTo('AwaitCallback', 'Done'));
  });

  test('two questions of one reply: messages answer them in their order (R28, R108)', async () => {
    const toolCalls = ['Where to?', 'And when?'].map((question, index) => ({
      id: `q${index}`,
      name: 'ask_user',
      arguments: { question },
    }));
    const { ada, id } = await asked({ toolCalls }, { text: 'Booked.' });
    await ada.say(id, 'Kyoto');
    const half = await ada.until(id, ({ calls }) => calls[0]!.status === 'completed');
    expect(half.status).toBe('waiting');
    expect(pending(half)).toMatchObject([{ prompt: 'And when?' }]);
    await ada.say(id, 'In May');
    const done = await ada.finished(id);
    expect(resultsIn(vigil)).toEqual(['Kyoto', 'In May']);
    expect(toldAsUser()).toEqual(['Book it']);
    expect((await vigil.states(done.run!.id)).length).toEqual(3 + 2 * 2 + 3);
  });

  test('nobody answers in a month: the model reads what to do then, and a message starts something new (R53)', async () => {
    const { ada, id, waiting } = await asked(ask('Window or aisle?'), { text: 'Then aisle.' }, { text: 'Too late.' });
    await vigil.advance('P31D');
    const done = await ada.finished(id);
    expect(resultsIn(vigil)[0]).toMatch(/^Error: The user did not answer in time\./);
    expect(done).toMatchObject({ callbacks: [{ status: 'expired' }], calls: [{ status: 'failed' }] });
    const path = `/conversations/${id}/callbacks/${waiting.callbacks[0]!.id}`;
    expect((await ada.request('POST', path, { answer: 'Window' })).status).toBe(409);
    await ada.say(id, 'Window');
    const next = await ada.until(id, ({ run, status }) => run!.id !== done.run!.id && status === 'done');
    expect(wordsOf(next).at(-1)).toEqual(['tester', 'Too late.']);
  });

  longTest(
    'asked late in an execution that lives a year: the next one asks again, and nobody notices (R30, R51)',
    async () => {
      const at = new Date((await vigil.now()).getTime() + 299 * 86_400_000).toISOString();
      const questions = ['Window or aisle?', 'Which row?'].map((question, index) => ({
        id: `q${index}`,
        name: 'ask_user',
        arguments: { question },
      }));
      vigil.model.script([call('s', 'schedule', { at }), { toolCalls: questions }, { text: 'Booked.' }]);
      const ada = await vigil.user();
      const { id } = await ada.start('tester', 'Book it next year');
      await ada.asleep(id);
      await vigil.advance('P299D');
      await ada.waiting(id);
      await ada.say(id, 'Window');
      await vigil.advance('P3D');
      const again = await ada.until(id, ({ run, status }) => run!.segment === 2 && status === 'waiting');
      expect(pending(again)).toMatchObject([{ prompt: 'Which row?' }]);
      await vigil.advance('P20D');
      await ada.say(id, 'Twelve');
      const done = await ada.finished(id);
      expect(resultsIn(vigil).slice(-2)).toEqual(['Window', 'Twelve']);
      expect(done.run!.segment).toBe(2);
      expect((await vigil.ended(done.run!.id)).map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    },
  );

  longTest('an approval beside a question: the message answers the question, and decides nothing (R56)', async () => {
    const toolCalls = [
      { id: 'p', name: 'pay', arguments: { url: 'http://127.0.0.1:9', cents: 20_000 } },
      { id: 'q', name: 'ask_user', arguments: { question: 'Window or aisle?' } },
    ];
    const { ada, id } = await asked({ toolCalls }, { text: 'Booked.' });
    await ada.say(id, 'Yes');
    const half = await ada.until(id, ({ calls }) => calls[1]!.status === 'completed');
    expect(pending(half)).toMatchObject([{ kind: 'approval' }]);
    await ada.say(id, 'And something else');
    await ada.answer(id, pending(half)[0]!.id, { approved: false });
    await ada.finished(id);
    expect(resultsIn(vigil)).toEqual([expect.stringMatching(/^Error: Not approved/), 'Yes']);
    expect(toldAsUser()).toEqual(['Book it', 'And something else']);
  });
});
