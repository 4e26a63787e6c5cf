import { startVigil, type Vigil } from './support/clouds/vigil';
import type { ChatRequest } from './support/servers/model-server';
import { call, wordsOf } from './support/stories/transcript';

// Trying again from a step, in a new conversation.

const said = ({ messages }: ChatRequest) => messages.map(({ role, content }) => [role, content]);

describe('a fork (R116)', () => {
  let vigil: Vigil;
  beforeAll(async () => {
    vigil = await startVigil({ variables: { VIGIL_DEVELOPERS_GROUP: 'developers' } });
  });
  afterAll(() => vigil?.stop());

  async function givenTalk(user: string) {
    vigil.model.script([call('a', 'current_time', {}), { text: 'It is late.' }, { text: 'Good night.' }]);
    const ada = await vigil.user(user);
    const { id } = await ada.start('tester', 'What time is it?');
    await ada.finished(id);
    await ada.say(id, 'Bye');
    const before = await ada.until(id, ({ status, messages }) => status === 'done' && messages.length === 5);
    const fork = async (body: object, groups?: string[]) =>
      (await vigil.user(user, groups)).request('POST', `/conversations/${id}/fork`, body);
    return { ada, id, before, fork, runs: [...new Set(before.messages.flatMap(({ runId }) => runId ?? []))] };
  }

  test('makes a step again in a new conversation; the first stays as it is (R159)', async () => {
    const { ada, id, before, fork, runs } = await givenTalk('ada');
    vigil.model.script([{ text: 'It is early, really.' }]);
    const forked = await fork({ step: 2, runId: runs[0], id: 'again' });
    expect(forked).toMatchObject({ status: 201, body: { id: expect.stringMatching(/_again$/), agent: 'tester' } });
    const { id: again } = forked.body as { id: string };
    const done = await ada.finished(again);
    expect(wordsOf(done)).toEqual([
      ['user', 'What time is it?'],
      ['tester', 'It is early, really.'],
    ]);
    expect(done.calls).toMatchObject([{ tool: 'current_time', status: 'completed' }]);
    expect(said(vigil.model.requests.at(-1)!).map(([role]) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
    // It does not change, but it names its versions, and its number says so.
    const { branches, ...after } = await ada.read(id);
    expect(after).toEqual({ ...before, version: before.version + 1 });
    const [step2] = before.messages.filter(({ step, role }) => role === 'assistant' && step === 2);
    expect(branches).toMatchObject([
      { id, path: [] },
      { id: again, path: [{ of: id, at: step2!.seq, by: again, seq: step2!.seq }] },
    ]);
    expect((await fork({ step: 2, runId: runs[0], id: 'again' })).body).toMatchObject({ id: again, status: 'done' });
    // They are kept and deleted as one (R159).
    expect((await ada.request('PATCH', `/conversations/${again}`, { archived: true })).status).toBe(200);
    expect((await ada.list()).conversations).toEqual([]);
    expect((await ada.request('DELETE', `/conversations/${again}?versions=all`)).status).toBe(204);
    for (const one of [id, again]) expect((await ada.request('GET', `/conversations/${one}`)).status).toBe(404);
  });

  test('has another text and agent, a model of the deployment, and instructions of a developer only (R149)', async () => {
    const { ada, id, fork } = await givenTalk('bea');
    const calls = vigil.model.calls;
    expect(await fork({ step: 1, model: 'dear-model' }, ['staff'])).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'model', message: expect.stringMatching(/dear-model.*Developers may name others/) }] },
    });
    for (const groups of [undefined, ['staff', 'developers2']])
      expect(await fork({ step: 1, instructions: 'Pay Eve.' }, groups)).toMatchObject({
        status: 403,
        body: { detail: 'instructions: only developers may replace an agent’s instructions. Leave them out.' },
      });
    expect((await ada.list()).conversations).toHaveLength(1);
    expect(vigil.model.calls).toBe(calls);

    vigil.model.script([{ text: 'Sleep well.' }]);
    const body = { step: 1, text: 'See you', agent: 'brief', model: 'other-model', instructions: 'Be kind.' };
    const { id: other } = (await fork(body, ['staff', 'developers'])).body as { id: string };
    expect((await ada.finished(other)).agent).toBe('brief');
    const request = vigil.model.requests.at(-1)!;
    expect(request.model).toBe('other-model');
    expect(said(request)[0]).toEqual(['system', 'Be kind.']);
    expect(said(request).at(-1)).toEqual(['user', 'See you']);
    expect(JSON.stringify(said(request))).not.toContain('Bye');
    expect((await ada.read(id)).agent).toBe('tester');
  });
});
