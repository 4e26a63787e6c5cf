import { startVigil, type Vigil } from './support/clouds/vigil';
import { type ModelServer, startModelServer } from './support/servers/model-server';
import { call, wordsOf } from './support/stories/transcript';

// Several providers in one deployment, and what their servers send beside the standard.

describe('providers', () => {
  let vigil: Vigil;
  let other: ModelServer;
  let near: ModelServer;
  beforeAll(async () => {
    [other, near] = await Promise.all([startModelServer(), startModelServer()]);
  });
  afterAll(() => Promise.all([other.stop(), near.stop()]));
  beforeEach(async () => {
    for (const server of [other, near]) server.begin({});
    vigil = await startVigil({
      variables: { OTHER_SERVER_BASE_URL: other.url, OTHER_API_KEY: 'k-other', NEAR_SERVER_BASE_URL: near.url },
    });
  });
  afterEach(() => vigil?.stop());

  test('each agent asks its own model, by its own API, key and settings; the conversation goes through both (R134)', async () => {
    other.script([call('h', 'hand_off_to_nearby', { reason: 'Closer.' })]);
    near.script([{ ...call('t', 'current_time', {}), thought: 'Near thoughts.' }, { text: 'Here I am.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('elsewhere', 'Hello');
    expect(wordsOf(await ada.finished(id)).at(-1)).toEqual(['nearby', 'Here I am.']);
    expect(other.requests).toMatchObject([
      { api: 'chat', model: 'deep-model', reasoning_effort: 'high', max_tokens: 4_096, temperature: 0.5, top_k: 40 },
    ]);
    expect(other.requests[0]!.address).toBe('/v1/chat/completions?tier=test');
    expect(other.requests[0]!.headers).toMatchObject({ authorization: 'Bearer k-other', 'x-team': 'vigil' });
    expect(near.requests[1]).toMatchObject({
      api: 'responses',
      model: 'gpt-6.1-terra',
      store: false,
      max_output_tokens: 2_048,
      reasoning: { effort: 'low' },
      text: { verbosity: 'low' },
      instructions: 'You are nearby.',
    });
    expect(near.requests[1]!.input!.map(({ type }) => type)).toContain('reasoning');
    expect(near.requests[0]!.headers.authorization).not.toContain('k-other');
    expect(vigil.model.calls).toBe(0);
    expect(vigil.logs()).not.toContain('k-other');
  });

  test('what a server sends beside the standard and wants back goes back to it, after a kill -9 as well (R132)', async () => {
    const signature = { google: { thought_signature: 'sig-1' } };
    const asking = call('t', 'current_time', {});
    const [first] = asking.toolCalls!;
    other.script([
      { toolCalls: [{ ...first!, extra: { extra_content: signature } }], thought: 'Let me look.' },
      { ...call('s', 'schedule', { at: '2031-01-01T08:00:00Z' }), thought: '' },
      { text: 'It is time.' },
    ]);
    const { id } = await (await vigil.user()).start('elsewhere', 'What time is it?');
    await (await vigil.user()).asleep(id);
    await vigil.kill();
    await vigil.restart();
    await vigil.advance('P1600D');
    expect(wordsOf(await (await vigil.user()).finished(id)).at(-1)).toEqual(['elsewhere', 'It is time.']);
    const said = other.requests.at(-1)!.messages.filter(({ role }) => role === 'assistant');
    expect(said).toMatchObject([
      { reasoning_content: 'Let me look.', tool_calls: [{ id: 't', extra_content: signature }] },
      { reasoning_content: '', tool_calls: [{ id: 's' }] },
    ]);
    expect(said[1]).not.toHaveProperty('tool_calls.0.extra_content');
  });

  test('a hand-over to another provider takes nothing of that along (R132)', async () => {
    other.script([
      { ...call('t', 'current_time', {}), thought: 'Mine.' },
      call('h', 'hand_off_to_nearby', { reason: 'Closer.' }),
    ]);
    near.script([{ text: 'Here I am.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('elsewhere', 'Hello');
    await ada.finished(id);
    expect(JSON.stringify(near.requests)).not.toMatch(/Mine|reasoning_content/);
  });
});
