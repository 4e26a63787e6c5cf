import { startVigil, type Vigil } from './support/clouds/vigil';
import type { ChatRequest, Reply } from './support/servers/model-server';
import { reminderStates, reminderStory, reminderWords, wish } from './support/stories/reminder-story';
import { call, wordsOf } from './support/stories/transcript';

// The same promises where the model is asked by OpenAI's Responses API, and thinks before it speaks.

const model = 'gpt-6.1-terra';
const variables = { VIGIL_MODEL_API: 'responses', VIGIL_MODEL: model };
const thoughtful = (reply: Reply, thought: string): Reply => ({ ...reply, thought });
/** What it thinks names the step: it is in nobody's words, and has to come back. */
const storyWithThoughts = (request: ChatRequest): Reply =>
  thoughtful(reminderStory(request), `A secret thought, after ${request.messages.length} messages.`);

const typesOf = ({ input = [] }: ChatRequest) => input.map(({ type }) => type);
const thoughtsIn = ({ input = [] }: ChatRequest) =>
  input.flatMap((item) =>
    item.type === 'reasoning' ? [JSON.parse(Buffer.from(item.encrypted_content!, 'base64').toString()).thought] : [],
  );

describe('by the Responses API', () => {
  let vigil: Vigil;
  afterEach(() => vigil?.stop());

  test('the reminder story is told, and each call goes back with what the model thought, across a kill -9 and a wait (R130, R131)', async () => {
    vigil = await startVigil({ script: storyWithThoughts, variables });
    const { id } = await (await vigil.user()).start('reminder', wish);
    const { until } = await (await vigil.user()).asleep(id);
    await vigil.kill();
    await vigil.restart();
    expect(await (await vigil.user()).read(id)).toMatchObject({ status: 'sleeping', until });
    await vigil.advance('P3W');

    const done = await (await vigil.user()).finished(id);
    expect(wordsOf(done)).toEqual(reminderWords);
    expect(await vigil.states(done.run!.id)).toEqual(reminderStates);
    expect(vigil.model.requests.map(({ api, model: asked }) => [api, asked])).toEqual(
      Array(4).fill(['responses', model]),
    );
    const last = vigil.model.requests.at(-1)!;
    expect(typesOf(last)).toEqual([
      'message',
      'reasoning',
      'function_call',
      'function_call_output',
      'reasoning',
      'message',
      'function_call',
      'function_call_output',
      'reasoning',
      'function_call',
      'function_call_output',
    ]);
    expect(thoughtsIn(last)).toEqual([2, 4, 6].map((n) => `A secret thought, after ${n} messages.`));

    // It lies with the step in the table, and nowhere else.
    const shown = [JSON.stringify(done), vigil.logs(), JSON.stringify(await vigil.history(done.run!.id))];
    for (const trace of shown) expect(trace).not.toMatch(/encrypted_content|reasoning"|secret thought/);
  });

  test('what one model thought is not sent to another (R131)', async () => {
    const thought = 'Only for me.';
    vigil = await startVigil({
      script: [thoughtful(call('a', 'current_time', {}), thought), { text: 'It is late.' }, { text: 'Early.' }],
      variables,
    });
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'What time is it?');
    const { run } = await ada.finished(id);
    expect(thoughtsIn(vigil.model.requests.at(-1)!)).toEqual([thought]);
    await vigil.kill();
    await vigil.restart(undefined, { VIGIL_MODEL: 'gpt-6-luna' });
    const again = await vigil.user();
    await again.say(id, 'And now?');
    await again.until(id, ({ run: next, status }) => next!.id !== run!.id && status === 'done');
    expect(vigil.model.requests.at(-1)).toMatchObject({ model: 'gpt-6-luna' });
    expect(thoughtsIn(vigil.model.requests.at(-1)!)).toEqual([]);
  });

  test('a run that failed goes on, and a fork begins again, each with what the model thought (R130, R131)', async () => {
    const failing: Reply = { status: 400 };
    vigil = await startVigil({
      script: [thoughtful(call('a', 'current_time', {}), 'Look first.'), failing, { text: 'It is late.' }],
      variables,
    });
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'What time is it?');
    expect((await ada.finished(id)).status).toBe('failed');
    await ada.request('POST', `/conversations/${id}/retry`);
    const done = await ada.until(id, ({ status }) => status === 'done');
    expect(wordsOf(done).at(-1)).toEqual(['tester', 'It is late.']);
    expect(thoughtsIn(vigil.model.requests.at(-1)!)).toEqual(['Look first.']);

    vigil.model.script([{ text: 'It is early.' }]);
    const { body } = await ada.request('POST', `/conversations/${id}/fork`, { step: 2 });
    expect(wordsOf(await ada.finished((body as { id: string }).id)).at(-1)).toEqual(['tester', 'It is early.']);
    expect(thoughtsIn(vigil.model.requests.at(-1)!)).toEqual(['Look first.']);
  });
});

describe('an answer that is cut off (R136)', () => {
  let vigil: Vigil;
  afterEach(() => vigil?.stop());
  const cut = (text: string): Reply => ({ text, finishReason: 'length' });

  test.each([
    ['responses', 'max_output_tokens'],
    ['chat', 'length'],
  ])('is gone on with, by the %s API; the message says so', async (api, reason) => {
    vigil = await startVigil({
      script: [cut('The first half'), { text: 'and the second.' }],
      variables: { ...variables, VIGIL_MODEL_API: api },
    });
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'A long one');
    const done = await ada.finished(id);
    expect(done.messages.filter(({ role }) => role === 'assistant')).toMatchObject([
      { text: 'The first half', status: 'complete', cutOff: reason },
      { text: 'and the second.', status: 'complete' },
    ]);
    expect(JSON.stringify(vigil.model.requests.at(-1)!.messages.slice(-2))).toMatch(/The first half.*Continue where/);
  });

  test('makes none of its calls; three in a row end the run, which can be retried', async () => {
    const paying: Reply = {
      ...cut('I pay'),
      toolCalls: [{ id: 'p', name: 'pay', arguments: { order: 'o-1', cents: 100 } }],
    };
    vigil = await startVigil({ script: [paying, cut('more'), cut('and more'), { text: 'Whole.' }], variables });
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Pay');
    const limited = await ada.finished(id);
    expect(limited).toMatchObject({
      status: 'limited',
      run: { reason: expect.stringContaining('three times in a row') },
    });
    expect(limited.calls).toMatchObject([{ tool: 'pay', status: 'failed', error: expect.stringContaining('cut off') }]);
    expect(limited.callbacks).toEqual([]);
    await ada.request('POST', `/conversations/${id}/retry`);
    expect(wordsOf(await ada.until(id, ({ status }) => status === 'done')).at(-1)).toEqual(['tester', 'Whole.']);
  });
});
