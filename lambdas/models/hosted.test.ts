import type { Item } from '../../core/base/content/items';
import { hosted } from '../../core/base/models/hosted';
import { defineProvider } from '../../core/base/models/provider';
import { defineAgent } from '../../core/conversations/agent/agent';
import { anthropicModel } from '../../modules/anthropic/model';
import { openaiModel } from '../../modules/openai/model';
import { type AnthropicBlock, type AnthropicReply, startAnthropic } from '../../test/support/servers/anthropic-server';
import { type ModelServer, type Reply, startModelServer } from '../../test/support/servers/model-server';
import { currentTime } from '../../tools/current-time';
import { type ToldUse, usesIn } from './hosted-uses';

// What each provider's own tools alone have. `adapters.test.ts` has what holds for all.

const key = { get: async () => 'sk-secret', replaced: async () => false };
const spec = { name: 'a', purpose: 'p', instructions: 'Be good.' };
const hi: Item = { kind: 'message', by: 'user', text: 'Hi' };
const signal = new AbortController().signal;
const url = 'https://kyoto.example/sights';

interface Made {
  text: string;
  opaque?: unknown;
  toolCalls: { id: string; name: string; arguments: string; opaque?: unknown }[];
}
/** As rows keep it. */
const itemsOf = ({ text, opaque, toolCalls }: Made): Item[] =>
  JSON.parse(
    JSON.stringify([
      ...(text.trim() ? [{ kind: 'message', by: 'assistant', text, opaque }] : []),
      ...toolCalls.map((one) => ({
        kind: 'call',
        id: one.id,
        tool: one.name,
        arguments: one.arguments,
        opaque: one.opaque,
      })),
      ...toolCalls.map(({ id }) => ({ kind: 'result', callId: id, text: 'Noon' })),
    ]),
  );

describe('Anthropic’s own tools (R204)', () => {
  const provider = defineProvider({ name: 'anthropic', kind: 'anthropic' });
  const tools = [
    currentTime,
    hosted.webSearch({ location: { city: 'Kyoto', timeZone: 'Asia/Tokyo' } }),
    hosted.webFetch(),
    hosted.codeInterpreter(),
  ];
  let server: Awaited<ReturnType<typeof startAnthropic>>;
  beforeAll(async () => {
    server = await startAnthropic();
  });
  afterAll(() => server.stop());
  async function ask(replies: AnthropicReply[], items: Item[] = [hi]) {
    server.script(replies);
    const agent = defineAgent({ ...spec, tools, model: { provider, name: 'claude-sonnet-5-5' } });
    return anthropicModel(key, { baseURL: server.url }).reply({ agent, items, signal, onText: () => undefined });
  }
  const lastTurn = () =>
    server.requests.at(-1)!.body.messages.findLast(({ role }: { role: string }) => role === 'assistant');
  const use = (id: string, name = 'web_search', input: object = { query: 'Kyoto' }): AnthropicBlock => ({
    type: 'server_tool_use',
    id,
    name,
    input,
  });
  const found = (id: string): AnthropicBlock => ({
    type: 'web_search_tool_result',
    tool_use_id: id,
    content: [{ type: 'web_search_result', url, title: 'Sights', encrypted_content: 'Eqgf' }],
  });
  const call: AnthropicBlock = { id: 't', name: 'current_time', input: {} };

  test('a search beside a call of the agent’s own tool is made when that has its result, and each goes back in its place', async () => {
    const first = await ask([{ blocks: [{ thought: 'Both.' }, call, use('srvtoolu_m1')], stopReason: 'tool_use' }]);
    expect(first.hosted).toEqual([{ tool: 'web_search', input: 'Kyoto', status: 'incomplete', sources: [] }]);
    const items = [hi, ...itemsOf(first)];
    const second = await ask([{ blocks: [found('srvtoolu_m1'), { thought: 'So.' }, { text: 'Temples.' }] }], items);
    expect(lastTurn().content.map(({ type }: AnthropicBlock & { type: string }) => type)).toEqual([
      'thinking',
      'tool_use',
      'server_tool_use',
    ]);
    expect(second.hosted).toEqual([
      { tool: 'web_search', input: '', status: 'completed', sources: [{ title: 'Sights', url }] },
    ]);
    items.push(...itemsOf(second), { ...hi, text: 'And?' });
    expect((await ask([{ blocks: [{ text: 'Gardens.' }] }], items)).text).toBe('Gardens.');
    expect(server.requests).toHaveLength(1);
  });

  test('its blocks outlive pauses, and texts go back in their passages with what they cite', async () => {
    const citation = {
      type: 'web_search_result_location',
      url,
      title: 'Sights',
      cited_text: 'x',
      encrypted_index: 'Eo8B',
    };
    const paused = [{ thought: 'I look.' }, { text: 'Let me see. ' }, use('srvtoolu_p1')];
    const rest: AnthropicBlock[] = [
      found('srvtoolu_p1'),
      { text: 'It has ' },
      { text: 'temples', citations: [citation, citation] },
      { thought: 'And the time.' },
      { text: '\n\n' },
      { text: 'and gardens.' },
      call,
    ];
    const first = await ask([{ blocks: paused, stopReason: 'pause_turn' }, { blocks: rest }]);
    expect(first).toMatchObject({
      text: 'Let me see. It has temples\n\nand gardens.',
      citations: [{ title: 'Sights', url }],
    });
    expect(first.hosted).toEqual([
      { tool: 'web_search', input: 'Kyoto', status: 'completed', sources: [{ title: 'Sights', url }] },
    ]);
    await ask([{ blocks: [{ text: 'Noon.' }] }], [hi, ...itemsOf(first)]);
    const { content } = lastTurn();
    expect(content.map(({ type }: { type: string }) => type)).toEqual([
      'thinking',
      'text',
      'server_tool_use',
      'web_search_tool_result',
      'text',
      'text',
      'thinking',
      'text',
      'tool_use',
    ]);
    expect(content[5]).toEqual({ type: 'text', text: 'temples', citations: [citation, citation] });
    expect(server.requests[0]!.body.tools.slice(1)).toEqual([
      {
        type: 'web_search_20250305',
        name: 'web_search',
        user_location: { type: 'approximate', city: 'Kyoto', timezone: 'Asia/Tokyo' },
      },
      { type: 'web_fetch_20250910', name: 'web_fetch' },
      expect.objectContaining({ type: 'code_execution_20250825', name: 'code_execution' }),
    ]);
  });

  test('pages, programs and failures are told, whatever form they have', async () => {
    const blocks: AnthropicBlock[] = [
      use('srvtoolu_f1', 'web_fetch', { url }),
      {
        type: 'web_fetch_tool_result',
        tool_use_id: 'srvtoolu_f1',
        content: { type: 'web_fetch_result', url, content: { type: 'document', title: 'Sights' } },
      },
      use('srvtoolu_f2', 'bash_code_execution', { command: 'ls' }),
      {
        type: 'bash_code_execution_tool_result',
        tool_use_id: 'srvtoolu_f2',
        content: { type: 'bash_code_execution_result', stdout: '', return_code: 0 },
      },
      use('srvtoolu_f3', 'web_search', { query: 7 }),
      {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_f3',
        content: { type: 'web_search_tool_result_error', error_code: 'unavailable' },
      },
      use('srvtoolu_f4', 'brew_tea', {}),
      { type: 'brew_tea_tool_result', tool_use_id: 'srvtoolu_f4', content: null },
      { text: 'There.' },
    ];
    expect((await ask([{ blocks }])).hosted).toEqual([
      { tool: 'web_fetch', input: url, status: 'completed', sources: [{ title: 'Sights', url }] },
      { tool: 'code_interpreter', input: 'ls', status: 'completed', sources: [] },
      { tool: 'web_search', input: '', status: 'failed', sources: [] },
    ]);
  });
});

describe('OpenAI’s own tools (R204)', () => {
  const tools = [
    hosted.fileSearch({ vectorStores: ['vs_1'], maxResults: 3 }),
    hosted.codeInterpreter({ files: ['file_1'], memory: '4g' }),
  ];
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.stop());
  async function ask(script: Reply[], items: Item[] = [hi], name = 'gpt-6.1-terra') {
    server.begin({ script });
    const agent = defineAgent({ ...spec, tools, model: name });
    return openaiModel(key, { baseURL: server.url, api: 'responses' }).reply({
      agent,
      items,
      signal,
      onText: () => undefined,
    });
  }

  test.each(['gpt-6.1-terra', 'gpt-4.1'])(
    'files and programs of %s are told, and go back with their results',
    async (name) => {
      const file = { type: 'file_citation', file_id: 'file_2', filename: 'rules.pdf', index: 3 };
      const calls = [
        {
          type: 'file_search_call',
          queries: ['opening', 'hours'],
          results: [{ file_id: 'file_2', filename: 'rules.pdf', text: 'At 9.' }],
        },
        {
          type: 'code_interpreter_call',
          code: 'print(1)',
          container_id: 'cntr_1',
          outputs: [{ type: 'logs', logs: '1' }],
        },
      ];
      const first = await ask([{ thought: 'Files.', hosted: calls, text: 'At 9.', annotations: [file] }], [hi], name);
      expect(first).toMatchObject({
        citations: [{ title: 'rules.pdf' }],
        hosted: [
          { tool: 'file_search', input: 'opening\nhours', status: 'completed', sources: [{ title: 'rules.pdf' }] },
          { tool: 'code_interpreter', input: 'print(1)', status: 'completed', sources: [] },
        ],
      });
      await ask([{ text: 'Bye.' }], [hi, ...itemsOf(first), { ...hi, text: 'Thanks' }], name);
      const [{ input, hostedTools }] = server.requests as [(typeof server.requests)[0]];
      expect(input!.filter(({ type }) => type?.endsWith('_search_call') || type === 'code_interpreter_call')).toEqual(
        calls.map((one) => expect.objectContaining({ ...one, id: expect.any(String), status: 'completed' })),
      );
      expect(hostedTools).toEqual([
        { type: 'file_search', vector_store_ids: ['vs_1'], max_num_results: 3 },
        { type: 'code_interpreter', container: { type: 'auto', file_ids: ['file_1'], memory_limit: '4g' } },
      ]);
    },
  );

  test('a call that is not over is told, and does not go back', async () => {
    const open = { type: 'code_interpreter_call', code: 'while True: pass', status: 'interpreting' };
    const done = {
      type: 'response.completed',
      response: {
        status: 'incomplete',
        output: [{ ...open, id: 'ci_1' }],
        incomplete_details: { reason: 'max_output_tokens' },
      },
    };
    const reply = await ask([{ malformed: `data: ${JSON.stringify(done)}\n\n` }]);
    expect(reply).toMatchObject({
      hosted: [{ tool: 'code_interpreter', status: 'incomplete' }],
      cutOff: 'max_output_tokens',
    });
    expect(reply.opaque).toBeUndefined();
  });
});

describe('what a provider tells of its tools (R189, R204)', () => {
  const told = (more: Partial<ToldUse> = {}): ToldUse => ({
    tool: 'web_search',
    input: 'x',
    status: 'completed',
    sources: [],
    ...more,
  });

  test('only web addresses are kept, once each, with a title', () => {
    const sources = [
      { url },
      { url, title: 'Again' },
      { url: 'javascript:alert(1)', title: 'Click' },
      { url: 'https://a@b.example/' },

      { url: 'data:text/html,x' },
      { url: 7, title: 8 },
      { url: 'https://a b.example' },
      { title: 'a\u202eb\u0000c' },
      {},
    ];
    expect(usesIn([told({ sources })], []).hosted![0]!.sources).toEqual([
      { title: 'kyoto.example', url },
      { title: 'Click' },
      { title: 'a b c' },
    ]);
  });

  test('all of it fits a row, and every tool that was used is named', () => {
    const sources = Array.from({ length: 500 }, (_, index) => ({
      url: `${url}/${index}/${'é'.repeat(400)}`,
      title: '😀'.repeat(400),
    }));
    const uses = Array.from({ length: 500 }, () => told({ input: '\u{1f600}"\\\n'.repeat(2_000), sources }));
    const { hosted: kept, citations } = usesIn([...uses, told({ tool: 'web_fetch' })], sources);
    expect(Buffer.byteLength(JSON.stringify([kept, citations]))).toBeLessThan(31_000);
    expect([kept!.length, kept!.at(-1)!.tool]).toEqual([41, 'web_fetch']);
    expect(usesIn([], [])).toEqual({});
  });
});
