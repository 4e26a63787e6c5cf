import type { Item } from '../../core/base/content/items';
import { defineAgent } from '../../core/conversations/agent/agent';
import { type ModelServer, type Reply, type Style, startModelServer } from '../../test/support/servers/model-server';
import { currentTime } from '../../tools/current-time';
import { schedule } from '../../tools/timers/schedule';
import { openaiModel } from './model';

const spec = { name: 'a', purpose: 'p', instructions: 'Be good.', tools: [currentTime, schedule] };
const agent = defineAgent({ ...spec, model: 'gpt-6.1-terra' });
const plain = defineAgent({ ...spec, model: 'gpt-4.1', tools: [] });
const key = { get: async () => 'sk-secret-1234567890', replaced: async () => false };
const hi: Item = { kind: 'message', by: 'user', text: 'Hi' };
const event = (type: string, fields: object = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

describe('the Responses API (R130)', () => {
  let server: ModelServer;
  beforeEach(async () => {
    server = await startModelServer();
  });
  afterEach(() => server.stop());

  async function ask(reply: Reply, items: Item[] = [hi], asked = agent, style: Style = {}) {
    server.begin({ script: [reply], style });
    const pieces: string[] = [];
    const model = openaiModel(key, { baseURL: server.url, api: 'responses' });
    const signal = new AbortController().signal;
    const result = await model.reply({ agent: asked, items, signal, onText: (piece) => pieces.push(piece) });
    return { ...result, pieces };
  }
  const sent = () => server.requests[0] as unknown as Record<string, unknown>;

  test('a tool is sent with a strict schema; a model that does not reason is not asked for what it thought', async () => {
    const result = await ask({ text: 'Hello.' }, [hi], plain);
    expect(result).toMatchObject({ text: 'Hello.', toolCalls: [] });
    expect(sent()).not.toHaveProperty('include');
    expect(sent()).not.toHaveProperty('tools');
    await ask({ text: 'Hello.' });
    expect(JSON.stringify(server.requests[0])).toContain('"strict":true');
  });

  test('of two messages of a reply, and of one that comes without pieces, all is heard', async () => {
    const message = (id: string, text: string, more: object = {}) => ({
      type: 'message',
      id,
      role: 'assistant',
      content: [{ type: 'output_text', text, annotations: [] }],
      ...more,
    });
    const got = await ask({
      malformed: [
        event('response.output_text.delta', { output_index: 0, item_id: 'm1', content_index: 0, delta: 'I look.' }),
        event('response.output_item.done', {
          output_index: 0,
          item: message('m1', 'I look.', { phase: 'commentary' }),
        }),
        event('response.output_item.done', {
          output_index: 1,
          item: message('m2', 'Done.', { phase: 'final_answer' }),
        }),
        event('response.completed', {
          response: { usage: { input_tokens: 9, output_tokens: 3, output_tokens_details: { reasoning_tokens: 2 } } },
        }),
      ].join(''),
    });
    expect(got).toMatchObject({ text: 'I look.\n\nDone.', opaque: { phase: 'final_answer' } });
    expect(got.usage).toMatchObject({ inputTokens: 9, outputTokens: 3, cachedInputTokens: 0, reasoningTokens: 2 });
  });

  test.each<[string, object[]]>([
    ['at its end', []],
    [
      'twice',
      [
        { type: 'response.output_text.delta', output_index: 1, delta: 'I look.' },
        { type: 'response.output_item.done', output_index: 1, item: { type: 'message', content: 'I look.' } },
        {
          type: 'response.output_item.done',
          item: { type: 'function_call', call_id: 'c1', name: 'current_time', arguments: '{}' },
        },
      ],
    ],
    ['in part, without places', [{ type: 'response.output_text.delta', delta: 'I look.' }]],
    [
      'without the end of the call',
      [
        { type: 'response.output_text.delta', output_index: 1, delta: 'I look.' },
        {
          type: 'response.output_item.added',
          output_index: 2,
          item: { type: 'function_call', id: 'f1', call_id: 'c1', name: 'current_time', arguments: '' },
        },
        { type: 'response.function_call_arguments.done', item_id: 'f1', arguments: '{}' },
      ],
    ],
  ])('a reply whose items are told %s is heard once (R189)', async (_when, events) => {
    const output = [
      { type: 'reasoning', id: 'r1', summary: [], encrypted_content: 'abc' },
      { type: 'message', id: 'm1', content: [{ type: 'output_text', text: 'I look.' }] },
      { type: 'function_call', id: 'f1', call_id: 'c1', name: 'current_time', arguments: '{}' },
    ];
    const all = [...events, { type: 'response.completed', response: { output } }];
    const got = await ask({ malformed: all.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('') });
    expect([got.text, got.pieces.join('')]).toEqual(['I look.', 'I look.']);
    expect(got.toolCalls).toMatchObject([{ id: 'c1', name: 'current_time', arguments: '{}' }]);
  });

  test('a server that ignores `stream` sends its whole reply (R189)', async () => {
    const output = [{ type: 'message', content: [{ type: 'output_text', text: 'Hi.' }] }];
    const whole = { object: 'response', status: 'completed', output, usage: { input_tokens: 3, output_tokens: null } };
    expect(await ask({ malformed: JSON.stringify(whole) })).toMatchObject({ text: 'Hi.', usage: { inputTokens: 3 } });
    const failed = { object: 'response', status: 'failed', error: { code: 'rate_limit_exceeded', message: 'x' } };
    await expect(ask({ malformed: JSON.stringify(failed) })).rejects.toMatchObject({ name: 'ModelThrottled' });
    await expect(ask({ malformed: '<html>' })).rejects.toMatchObject({ name: 'ModelUnreadable' });
  });

  test.each<[string, Reply, string, RegExp]>([
    [
      'an error event',
      { malformed: event('error', { code: 'server_error', message: 'x' }) },
      'ModelUnavailable',
      /\(500\)/,
    ],
    [
      'no credit, in an error event without a name',
      { malformed: `data: ${JSON.stringify({ type: 'error', code: 'insufficient_quota', message: 'x' })}\n\n` },
      'ModelThrottled',
      /no credit/,
    ],
    [
      'a stream that just stops',
      { malformed: event('response.created', { response: {} }) },
      'ModelUnavailable',
      /broke off/,
    ],
  ])('%s is an error with a name that the state machine knows', async (_name, scripted, name, message) => {
    await expect(ask(scripted)).rejects.toMatchObject({ name, message: expect.stringMatching(message) });
  });
});
