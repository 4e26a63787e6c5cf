import fc from 'fast-check';
import type { Item } from '../../core/base/content/items';
import { Usage } from '../../core/base/state/schemas';
import { isWellFormed } from '../../core/base/text/clip';
import { defineAgent, instructed } from '../../core/conversations/agent/agent';
import { anthropicModel } from '../../modules/anthropic/model';
import { AnthropicReply } from '../../modules/anthropic/reply';
import { ConverseReply } from '../../modules/bedrock/converse-reply';
import { ChatReply } from '../../modules/openai/chat-reply';
import { openaiModel } from '../../modules/openai/model';
import { ResponseReply, responseFailure } from '../../modules/openai/responses-reply';
import { fifthOf } from '../../test/support/long';
import { everyChange, mutated } from '../../test/support/mutated';
import { wrongReadings } from '../../test/support/odd-answers';
import { currentTime } from '../../tools/current-time';
import { schedule } from '../../tools/timers/schedule';
import type { Collector } from './api';
import { failureOf } from './model-errors';
import { noKey } from './model-key';
import { replied } from './replied';

const price = { input: 1, output: 4, cached: 0.1, written: 2 };
const ours = ['ModelRejected', 'ModelUnavailable', 'ModelUnreadable', 'ModelThrottled'];
const tools = [currentTime, schedule];
const agent = defineAgent({ name: 'a', purpose: 'p', instructions: 'i', model: 'm', tools });
const instructedAgent = instructed(agent, { user: 'ada', now: new Date(), claims: {}, metadata: {} } as never);
const items: Item[] = [{ kind: 'message', by: 'user', text: 'Hi' }];

const chunk = (delta: object, more: object = {}) => ({ choices: [{ index: 0, delta, finish_reason: null }], ...more });
const item = (type: string, more: object) => ({ type, id: `${type}_1`, ...more });
const args = '{"at":"2026-03-01T08:00:00Z"}';
const servers: [string, (onText: (piece: string) => void) => Collector, (event: unknown) => unknown, object[][]][] = [
  [
    'chat completions',
    (onText) => new ChatReply(onText),
    failureOf,
    [
      [
        chunk({ role: 'assistant', content: '<think>Hm.</think>I ' }),
        chunk({ content: [{ type: 'text', text: 'look. 😀' }], reasoning_content: 'Well' }),
        chunk({
          tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'schedule', arguments: '' } }],
        }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: args } }] }),
        chunk({ tool_calls: [{ index: 1, id: 'c2', function: { name: 'current_time', arguments: {} } }] }),
        { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
        {
          choices: [],
          usage: {
            prompt_tokens: 10,
            completion_tokens: 5,
            total_tokens: 15,
            prompt_tokens_details: { cached_tokens: 4 },
            completion_tokens_details: { reasoning_tokens: 2 },
          },
        },
      ],
      [{ choices: [{ message: { content: 'Whole.' }, finish_reason: 'stop' }], usage: { prompt_tokens: 3 } }],
    ],
  ],
  [
    'responses',
    (onText) => new ResponseReply(onText),
    responseFailure,
    [
      [
        { type: 'response.output_item.added', output_index: 0, item: item('reasoning', { summary: [] }) },
        { type: 'response.output_text.delta', output_index: 1, item_id: 'message_1', delta: 'I look. 😀' },
        {
          type: 'response.output_item.done',
          output_index: 0,
          item: item('reasoning', { summary: [{ type: 'summary_text', text: 'x' }], encrypted_content: 'abc' }),
        },
        {
          type: 'response.completed',
          response: {
            status: 'completed',
            output: [
              item('message', { content: [{ type: 'output_text', text: 'I look. 😀' }], phase: 'commentary' }),
              item('function_call', { call_id: 'c1', name: 'schedule', arguments: args }),
            ],
            usage: { input_tokens: 10, output_tokens: 5, input_tokens_details: { cached_tokens: 4 } },
          },
        },
      ],
      [{ object: 'response', status: 'completed', output: [item('message', { content: 'Whole.' })], usage: null }],
    ],
  ],
  [
    'Converse',
    (onText) => new ConverseReply(onText),
    () => undefined,
    [
      [
        { messageStart: { role: 'assistant' } },
        { contentBlockDelta: { contentBlockIndex: 0, delta: { reasoningContent: { text: 'Hm', signature: 's' } } } },
        { contentBlockDelta: { contentBlockIndex: 1, delta: { text: 'I look. 😀' } } },
        { contentBlockStart: { contentBlockIndex: 2, start: { toolUse: { toolUseId: 'c1', name: 'schedule' } } } },
        { contentBlockDelta: { contentBlockIndex: 2, delta: { toolUse: { input: args } } } },
        { messageStop: { stopReason: 'tool_use' } },
        { metadata: { usage: { inputTokens: 10, outputTokens: 5, cacheReadInputTokens: 4 } } },
      ],
    ],
  ],
  [
    'messages',
    (onText) => new AnthropicReply(onText),
    failureOf,
    [
      [
        { type: 'message_start', message: { content: [], usage: { input_tokens: 6, cache_read_input_tokens: 4 } } },
        { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 's' } },
        { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'I look. 😀' } },
        {
          type: 'content_block_start',
          index: 2,
          content_block: { type: 'tool_use', id: 'c1', name: 'schedule', input: {} },
        },
        { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: args } },
        { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } },
        { type: 'message_stop' },
      ],
      [
        {
          type: 'message',
          stop_reason: 'end_turn',
          usage: { input_tokens: 3, output_tokens: 1 },
          content: [{ type: 'text', text: 'Whole.' }],
        },
      ],
    ],
  ],
];

describe.each(servers)('whatever a server of %s says', (_api, collectorFor, failureIn, replies) => {
  const events = fc.constantFrom(...replies).chain((reply) => mutated(reply));

  /** @returns undefined for an error of ours. */
  async function heard(said: unknown): Promise<Awaited<ReturnType<typeof replied>> | undefined> {
    const pieces: string[] = [];
    const ask = async () => {
      const collector = collectorFor((piece) => pieces.push(piece));
      for (const event of [said].flat()) if (!failureIn(event)) collector.add(event);
      return collector.finish(true);
    };
    const reply = await replied({ agent: instructedAgent, items, onText: () => {} }, price, ask).catch(
      (error: Error) => {
        expect(ours).toContain(error.name);
      },
    );
    expect(pieces.every(isWellFormed)).toBe(true);
    return reply ?? undefined;
  }

  /** Returns what is wrong with the reply; undefined if nothing is. */
  async function wrongIn(said: unknown): Promise<string | undefined> {
    const reply = await heard(said);
    if (!reply) return undefined;
    const { usage, text, toolCalls } = reply;
    const { inputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
    const counts = Object.values(usage);
    if (!Usage.safeParse(usage).success || counts.some((count) => !(count >= 0 && count < 1e9)))
      return `the usage ${JSON.stringify(usage)}`;
    if (cachedInputTokens + cacheWriteTokens > inputTokens) return 'more cached tokens than tokens';
    const texts: unknown[] = [text, ...toolCalls.flatMap(({ id, name, arguments: given }) => [id, name, given])];
    return texts.every((one) => typeof one === 'string' && isWellFormed(one)) ? undefined : `a text of ${texts}`;
  }

  test('the reply has texts that are well-formed, and counts that make sense (R189)', async () => {
    const wrong: string[] = [];
    for (const said of replies.flatMap((reply) => [...everyChange(reply)])) {
      const why = await wrongIn(said).catch((error: Error) => error.message);
      if (why) wrong.push(`${why}: ${JSON.stringify(said)}`);
    }
    expect(wrong).toEqual([]);
    await fc.assert(
      fc.asyncProperty(events, async (said) => expect(await wrongIn(said)).toBeUndefined()),
      { numRuns: fifthOf(100) },
    );
  });
});

describe.each(['chat', 'responses', 'messages'] as const)(
  'whatever a server of the API %s says beside a status',
  (api) => {
    afterEach(() => void jest.restoreAllMocks());

    test.each([
      [400, 'ModelRejected'],
      [401, 'ModelRejected'],
      [429, 'ModelThrottled'],
      [503, 'ModelUnavailable'],
    ])('%i is an error of ours, in words (R189)', async (status, expected) => {
      const error = {
        message: 'No.',
        type: 'invalid_request_error',
        param: null,
        code: 'x',
        details: [{ retryDelay: '5s' }],
      };
      const read = (body?: string) => {
        const headers = { 'content-type': 'application/json' };
        jest.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(body, { status, headers }));
        const { signal } = new AbortController();
        const model = api === 'messages' ? anthropicModel(noKey, {}) : openaiModel(noKey, { api });
        return model.reply({ agent: instructedAgent, items, signal, onText: () => undefined });
      };
      expect(await wrongReadings({ error }, { read, errors: [expected] })).toEqual([]);
    });
  },
);
