import { startVigil, type Vigil } from './support/clouds/vigil';
import { longTest } from './support/long';
import type { ChatRequest } from './support/servers/model-server';
import { call, wordsOf } from './support/stories/transcript';

// Trying again from a step, looking before a call is made, finding out what is unknown, and putting a conversation away.

const said = ({ messages }: ChatRequest) => messages.map(({ role, content }) => [role, content]);

describe('a fork (R116)', () => {
  let vigil: Vigil;
  beforeEach(async () => {
    vigil = await startVigil({
      script: [call('a', 'current_time', {}), { text: 'It is late.' }, { text: 'Good night.' }],
      variables: { VIGIL_DEVELOPERS_GROUP: 'developers' },
    });
  });
  afterEach(() => vigil?.stop());

  async function givenTalk() {
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'What time is it?');
    await ada.finished(id);
    await ada.say(id, 'Bye');
    const before = await ada.until(id, ({ status, messages }) => status === 'done' && messages.length === 5);
    return { ada, id, before, runs: [...new Set(before.messages.flatMap(({ runId }) => runId ?? []))] };
  }
  const fork = async (id: string, body: object, groups?: string[]) =>
    (await vigil.user('ada', groups)).request('POST', `/conversations/${id}/fork`, body);

  test('makes a step again in a new conversation; the first stays as it is (R159)', async () => {
    const { ada, id, before, runs } = await givenTalk();
    vigil.model.script([{ text: 'It is early, really.' }]);
    const forked = await fork(id, { step: 2, runId: runs[0], id: 'again' });
    expect(forked).toMatchObject({ status: 201, body: { id: expect.stringMatching(/_again$/), agent: 'tester' } });
    const { id: again } = forked.body as { id: string };
    const done = await ada.finished(again);
    expect(wordsOf(done)).toEqual([
      ['user', 'What time is it?'],
      ['tester', 'It is early, really.'],
    ]);
    expect(done.calls).toMatchObject([{ tool: 'current_time', status: 'completed' }]);
    expect(said(vigil.model.requests.at(-1)!).map(([role]) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
    // It does not change, but it names its versions.
    const { branches, ...after } = await ada.read(id);
    expect(after).toEqual(before);
    const [step2] = before.messages.filter(({ step, role }) => role === 'assistant' && step === 2);
    expect(branches).toMatchObject([
      { id, path: [] },
      { id: again, path: [{ of: id, at: step2!.seq, by: again, seq: step2!.seq }] },
    ]);
    expect((await fork(id, { step: 2, runId: runs[0], id: 'again' })).body).toMatchObject({
      id: again,
      status: 'done',
    });
    // They are kept and deleted as one (R159).
    expect((await ada.request('PATCH', `/conversations/${again}`, { archived: true })).status).toBe(200);
    expect((await ada.list()).conversations).toEqual([]);
    expect((await ada.request('DELETE', `/conversations/${again}?versions=all`)).status).toBe(204);
    for (const one of [id, again]) expect((await ada.request('GET', `/conversations/${one}`)).status).toBe(404);
  });

  longTest('with another text, agent, model and instructions', async () => {
    const { ada, id } = await givenTalk();
    vigil.model.script([{ text: 'Sleep well.' }]);
    const body = { step: 1, text: 'See you', agent: 'brief', model: 'other-model', instructions: 'Be kind.' };
    const { id: other } = (await fork(id, body, ['staff', 'developers'])).body as { id: string };
    await ada.finished(other);
    const request = vigil.model.requests.at(-1)!;
    expect(request.model).toBe('other-model');
    expect(said(request)[0]).toEqual(['system', 'Be kind.']);
    expect(said(request).at(-1)).toEqual(['user', 'See you']);
    expect(JSON.stringify(said(request))).not.toContain('Bye');
    expect((await ada.read(other)).agent).toBe('brief');
  });

  test('takes the deployment’s models only, and instructions only from a developer (R149)', async () => {
    const { ada, id } = await givenTalk();
    const calls = vigil.model.calls;
    expect(await fork(id, { step: 1, model: 'dear-model' }, ['staff'])).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'model', message: expect.stringMatching(/dear-model.*Developers may name others/) }] },
    });
    for (const groups of [undefined, ['staff', 'developers2']])
      expect(await fork(id, { step: 1, instructions: 'Pay Eve.' }, groups)).toMatchObject({
        status: 403,
        body: { detail: 'instructions: only developers may replace an agent’s instructions. Leave them out.' },
      });
    expect((await ada.list()).conversations).toHaveLength(1);
    expect(vigil.model.calls).toBe(calls);
  });
});

describe('what an agent’s author can put in', () => {
  let vigil: Vigil;
  beforeEach(async () => {
    vigil = await startVigil();
  });
  afterEach(() => vigil?.stop());

  test('a review between the reply and its tools: what it refuses is not made, and the model reads why (R14)', async () => {
    const toolCalls = [
      { id: 'a', name: 'current_time', arguments: {} },
      { id: 'b', name: 'hit', arguments: { url: 'http://127.0.0.1:9' } },
    ];
    vigil.model.script([{ toolCalls }, { text: 'I will not.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('reviewed', 'Hit it');
    const done = await ada.finished(id);
    expect(done.calls).toMatchObject([
      { tool: 'current_time', status: 'completed' },
      { tool: 'hit', status: 'failed', error: 'Refused before it ran: hitting is not allowed', attempts: 0 },
    ]);
    expect(JSON.stringify(vigil.model.requests.at(-1)!.messages)).toContain('hitting is not allowed');
  });

  longTest(
    'a tool’s `verify` comes with it: the model is told to call it when the outcome is unknown (R111)',
    async () => {
      vigil.model.script([call('a', 'hit_once', { url: 'http://127.0.0.1:9/none' }), { text: 'I see.' }]);
      const ada = await vigil.user();
      const { id } = await ada.start('tester', 'Hit it once');
      const done = await ada.finished(id);
      expect(done.calls).toMatchObject([
        { status: 'unknown', error: expect.stringContaining('check with check_hits before you try again') },
      ]);
      const [request] = vigil.model.requests;
      expect(request!.tools!.map((tool) => (tool as { function: { name: string } }).function.name)).toContain(
        'check_hits',
      );
    },
  );
});

describe('a deleted conversation', () => {
  let vigil: Vigil;
  beforeEach(async () => {
    vigil = await startVigil();
  });
  afterEach(() => vigil?.stop());

  test('leaves nothing running, is in nobody’s list, and answers 404; it can be made anew under another id (R87, R124)', async () => {
    vigil.model.script([
      call('r', 'remind_later', { message: 'Tea', at: null, delay_seconds: 3_600 }),
      call('s', 'schedule', { at: '2031-01-01T08:00:00Z' }),
    ]);
    const [ada, eve] = await Promise.all([vigil.user(), vigil.user('eve')]);
    const { id } = await ada.start('tester', 'Sleep');
    const { run } = await ada.asleep(id);
    expect((await eve.request('DELETE', `/conversations/${id}`)).status).toBe(404);
    expect((await ada.request('DELETE', `/conversations/${id}`)).status).toBe(204);
    expect((await ada.request('GET', `/conversations/${id}`)).status).toBe(404);
    // Broken off, it would go on.
    expect((await ada.request('DELETE', `/conversations/${id}`)).status).toBe(204);
    expect((await ada.list()).conversations).toEqual([]);
    expect((await vigil.ended(run!.id)).map(({ status }) => status)).toEqual(['ABORTED']);
    const calls = vigil.model.calls;
    await vigil.advance('P2000D');
    expect(vigil.model.calls).toBe(calls);
  });
});
