import { startVigil, type Vigil } from './support/clouds/vigil';
import { type AnthropicBlock, startAnthropic } from './support/servers/anthropic-server';
import { type ModelServer, type Reply, startModelServer } from './support/servers/model-server';
import { booksOf, customerOf } from './support/stories/bank';
import { call, wordsOf } from './support/stories/transcript';

// The provider searches the web for its model. What it found goes back to it, and to no other; people see it, and decide what follows.

const url = 'https://kyoto.example/sights';
const found = { title: 'Sights of Kyoto', url };
const search = (thought: string, more: Reply): Reply => ({
  thought,
  ...more,
  hosted: [
    {
      type: 'web_search_call',
      action: { type: 'search', query: 'Kyoto', queries: ['Kyoto'], sources: [{ type: 'url', url }] },
    },
  ],
  ...(more.text && { annotations: [{ type: 'url_citation', ...found, start_index: 0, end_index: 3 }] }),
});
const payment = { to: 'City Power and Water', amount_cents: 100, purpose: 'As the page said' };

describe('a tool of the provider (R204)', () => {
  let vigil: Vigil;
  let near: ModelServer;
  let other: ModelServer;
  let anthropic: Awaited<ReturnType<typeof startAnthropic>>;
  beforeAll(async () => {
    [near, other, anthropic] = await Promise.all([startModelServer(), startModelServer(), startAnthropic()]);
    vigil = await startVigil({
      variables: {
        NEAR_SERVER_BASE_URL: near.url,
        OTHER_SERVER_BASE_URL: other.url,
        OTHER_API_KEY: 'k-other',
        ANTHROPIC_BASE_URL: anthropic.url,
        ANTHROPIC_API_KEY: 'k-anthropic',
      },
    });
  });
  afterAll(async () => {
    await vigil?.stop();
    await Promise.all([near.stop(), other.stop(), anthropic.stop()]);
  });
  beforeEach(() => {
    near.begin({});
    other.begin({});
    anthropic.script([]);
  });
  const typesIn = (at: number) => near.requests.at(at)!.input!.map(({ type }) => type);

  test('stands beside the agent’s own; its items outlive a kill -9, and a payment after it waits for a person', async () => {
    // The clock of a shared cloud may be days ahead.
    const tomorrow = new Date(+(await vigil.now()) + 86_400_000).toISOString();
    near.script([
      search('I look.', { text: 'It has temples.', ...call('s', 'schedule', { at: tomorrow }) }),
      { toolCalls: [{ id: 'p', name: 'transfer', arguments: payment }] },
      { text: 'Not paid.' },
    ]);
    const { id } = await (await vigil.user('ada')).start('online', 'What is there in Kyoto?');
    await (await vigil.user('ada')).asleep(id);
    await vigil.kill();
    await vigil.restart();
    await vigil.advance('P1D');
    const ada = await vigil.user('ada');
    const { callbacks, messages, calls } = await ada.waiting(id);
    const asked = callbacks.find(({ status }) => status === 'pending')!;
    expect(asked).toMatchObject({ kind: 'approval', tool: 'transfer', sources: ['web'] });
    expect(messages.find(({ hosted }) => hosted)).toMatchObject({
      text: 'It has temples.',
      citations: [found],
      hostedSources: ['web'],
      hosted: [{ tool: 'web_search', input: 'Kyoto', status: 'completed', sources: [{ title: 'kyoto.example', url }] }],
    });
    expect(calls.map(({ tool }) => tool)).toEqual(['schedule', 'transfer']);
    expect(typesIn(1)).toEqual([
      'message',
      'reasoning',
      'web_search_call',
      'message',
      'function_call',
      'function_call_output',
    ]);
    expect(near.requests[0]!.hostedTools).toMatchObject([
      { type: 'web_search' },
      { type: 'code_interpreter' },
      { type: 'image_generation' },
    ]);
    await ada.answer(id, asked.id, { approved: false });
    await ada.finished(id);
    const { moved } = await booksOf(vigil.table, await customerOf(vigil.table, id));
    expect(moved.filter((cents) => cents < 0)).toEqual([]);
    expect(vigil.logs()).not.toMatch(/web_search_call|kyoto\.example/);
  });

  test('goes to no other provider, and to no agent without it; both read what was found', async () => {
    near.script([
      search('I look.', { text: 'It has temples.' }),
      call('h', 'hand_off_to_elsewhere', { reason: 'Closer.' }),
      { text: 'Near.' },
    ]);
    other.script([call('b', 'hand_off_to_nearby', { reason: 'Yours.' })]);
    const ada = await vigil.user('ada');
    const { id } = await ada.start('online', 'What is there in Kyoto?');
    await ada.finished(id);
    await ada.say(id, 'And elsewhere?');
    const done = await ada.until(id, ({ status, messages }) => status === 'done' && messages.at(-1)!.text === 'Near.');
    expect(wordsOf(done).at(-1)).toEqual(['nearby', 'Near.']);
    const note = /A note from the system[^"]*tools of the model's provider/;
    for (const request of [other.requests[0]!, near.requests.at(-1)!]) {
      expect(JSON.stringify(request.input ?? request.messages)).not.toMatch(/web_search_call"|encrypted_content/);
      expect(JSON.stringify(request.messages)).toMatch(note);
      expect(JSON.stringify(request.messages)).toContain(url);
    }
    expect([typesIn(1).includes('web_search_call' as never), near.calls]).toEqual([true, 3]);
    expect(JSON.stringify(near.requests[1]!.messages)).not.toMatch(note);
  });

  test('is in a fork, with its items', async () => {
    near.script([search('I look.', { text: 'It has temples.' }), { text: 'First.' }, { text: 'Second.' }]);
    const ada = await vigil.user('ada');
    const { id } = await ada.start('online', 'What is there in Kyoto?');
    await ada.finished(id);
    await ada.say(id, 'And then?');
    const { run } = await ada.until(
      id,
      ({ status, messages }) => status === 'done' && messages.at(-1)!.text === 'First.',
    );
    const { body } = await ada.request('POST', `/conversations/${id}/fork`, { runId: run!.id, step: 1, id: 'again' });
    const fork = await ada.finished((body as { id: string }).id);
    expect(fork.messages.find(({ hosted }) => hosted)).toMatchObject({ citations: [found], hostedSources: ['web'] });
    expect(typesIn(2)).toEqual(['message', 'reasoning', 'web_search_call', 'message', 'message']);
  });

  test('of Anthropic: its blocks go back as they came, and an agent without the tool gets none', async () => {
    const use = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'Kyoto' } };
    const result = {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: [{ type: 'web_search_result', ...found, encrypted_content: 'Eqgf' }],
    };
    const citation = { type: 'web_search_result_location', ...found, cited_text: 'x', encrypted_index: 'Eo8B' };
    const look: AnthropicBlock = { id: 't', name: 'current_time', input: {} };
    anthropic.script([
      { blocks: [{ thought: 'I look.' }, use], stopReason: 'pause_turn' },
      { blocks: [result, { text: 'It has temples.', citations: [citation] }, { thought: 'The time.' }, look] },
      { blocks: [{ id: 'h', name: 'hand_off_to_at_anthropic', input: { reason: 'Yours.' } }] },
      { blocks: [{ text: 'Here.' }] },
    ]);
    const ada = await vigil.user('ada');
    const { id } = await ada.start('online-at-anthropic', 'What is there in Kyoto?');
    const done = await ada.finished(id);
    expect(wordsOf(done).at(-1)).toEqual(['at-anthropic', 'Here.']);
    expect(done.messages[1]).toMatchObject({ hosted: [{ tool: 'web_search', sources: [found] }], citations: [found] });
    const typesOf = (at: number) =>
      anthropic.requests[at]!.body.messages.flatMap(({ content }: { content: { type: string }[] }) =>
        content.map(({ type }) => type),
      );
    expect(anthropic.requests).toHaveLength(4);
    expect(typesOf(2)).toEqual([
      'text',
      'thinking',
      'server_tool_use',
      'web_search_tool_result',
      'text',
      'thinking',
      'tool_use',
      'tool_result',
    ]);
    expect(typesOf(3).filter((type: string) => type.includes('server') || type.includes('web_search'))).toEqual([]);
    expect(JSON.stringify(anthropic.requests[3]!.body.messages)).toContain(url);
  });
});
