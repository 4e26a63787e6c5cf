import type { ConverseStreamCommandInput } from '@aws-sdk/client-bedrock-runtime';
import type { Item } from '../../core/base/content/items';
import { defineProvider } from '../../core/base/models/provider';
import { defineAgent } from '../../core/conversations/agent/agent';
import type { Caching } from '../../core/conversations/agent/model';
import { requestOf } from '../../modules/bedrock/converse';
import { bedrockModel } from '../../modules/bedrock/model';
import { openaiModel, takesCacheFields } from '../../modules/openai/model';
import { startOwnBedrock } from '../../test/support/servers/bedrock-server';
import { type ModelServer, startModelServer } from '../../test/support/servers/model-server';
import { PromptCache } from '../../test/support/servers/prompt-cache';
import { look } from '../../test/support/tables/steps';

const bedrock = defineProvider({ name: 'bedrock', kind: 'bedrock' });
const long = (tokens: number, letter = 'x') => letter.repeat(tokens * 4);
const agentOf = (name: string, instructions = long(5_000)) =>
  defineAgent({ name: 'a', purpose: 'p', instructions, tools: [look], model: { provider: bedrock, name } });
const claude = 'eu.anthropic.claude-sonnet-5';
const minutes: Caching = { key: 'c1', lasts: 'minutes' };
const hi: Item = { kind: 'message', by: 'user', text: 'Hi' };
/** A step with as many calls, and their results. */
const step = (number: number, calls = 1, text = 'seen'): Item[] => [
  { kind: 'message', by: 'assistant', text: `Step ${number}.` },
  ...Array.from(
    { length: calls },
    (_, index): Item => ({
      kind: 'call',
      id: `c${number}-${index}`,
      tool: 'look',
      arguments: '{}',
    }),
  ),
  ...Array.from({ length: calls }, (_, index): Item => ({ kind: 'result', callId: `c${number}-${index}`, text })),
];

/** Where the points are: in the tools, the system text, and behind which block of which message. */
function pointsIn({
  toolConfig,
  system,
  messages,
}: Pick<ConverseStreamCommandInput, 'toolConfig' | 'system' | 'messages'>) {
  const isPoint = (one: object) => 'cachePoint' in one;
  const placed = (messages ?? []).flatMap(({ content }, message) =>
    content!.flatMap((one, index) => (isPoint(one) ? `${message}.${index}` : [])),
  );
  return [
    ...(toolConfig?.tools?.some(isPoint) ? ['tools'] : []),
    ...(system?.some(isPoint) ? ['system'] : []),
    ...placed,
  ];
}

describe('cache points of Converse (R200)', () => {
  const asked = (name: string, items: Item[], cache: Caching | undefined = minutes, instructions?: string) =>
    requestOf({ agent: agentOf(name, instructions), items, cache });

  test('they follow the system text, the request before and this one; the tools if they are long', () => {
    expect(pointsIn(asked(claude, [hi]))).toEqual(['system', '0.1']);
    expect(pointsIn(asked(claude, [hi, ...step(1)]))).toEqual(['system', '0.1', '2.1']);
    expect(pointsIn(asked(claude, [hi, ...step(1), ...step(2, 3)]))).toEqual(['system', '2.1', '4.3']);
    const described = { ...look, description: long(1_100) };
    const agent = { ...agentOf(claude), tools: [described] };
    const request = requestOf({ agent, items: [hi, ...step(1), ...step(2)], cache: minutes });
    expect(pointsIn(request)).toEqual(['tools', 'system', '2.1', '4.1']);
    expect(request.system![1]).toEqual({ cachePoint: { type: 'default' } });
  });

  test('none is below the model’s minimum', () => {
    expect(pointsIn(asked(claude, [hi, ...step(1)], minutes, 'Short.'))).toEqual([]);
    expect(pointsIn(asked(claude, [hi, ...step(1), ...step(2, 1, long(1_100))], minutes, 'Short.'))).toEqual(['4.1']);
    expect(pointsIn(asked('global.anthropic.claude-haiku-4-5', [hi], minutes, long(3_000)))).toEqual([]);
    expect(pointsIn(asked('global.anthropic.claude-opus-5', [hi], minutes, long(600)))).toEqual(['system', '0.1']);
  });

  test('an hour is asked for where models take it, and nothing without a wish', () => {
    const hour: Caching = { key: 'c1', lasts: 'hour' };
    expect(asked(claude, [hi], hour).system![1]).toEqual({ cachePoint: { type: 'default', ttl: '1h' } });
    const old = asked('us.anthropic.claude-3-7-sonnet-20250219-v1:0', [hi], hour);
    expect(old.system![1]).toEqual({ cachePoint: { type: 'default' } });
    for (const cache of [undefined, { key: 'c1', lasts: 'none' as const }])
      expect(pointsIn(requestOf({ agent: agentOf(claude), items: [hi], cache }))).toEqual([]);
  });

  test('models that would reject them get none, and Nova only those that it takes', () => {
    const items = [hi, ...step(1)];
    expect(pointsIn(asked('us.amazon.nova-pro-v1:0', items, { key: 'c1', lasts: 'hour' }))).toEqual(['system']);
    for (const name of [
      'us.meta.llama4-maverick-17b-instruct-v1:0',
      'anthropic.claude-3-haiku-20240307-v1:0',
      'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3d4e5f6',
    ])
      expect(pointsIn(asked(name, items))).toEqual([]);
  });
});

describe('Bedrock reads what the step before has written (R200)', () => {
  let time = 0;
  let server: Awaited<ReturnType<typeof startOwnBedrock>>;
  beforeEach(async () => {
    server = await startOwnBedrock({ cache: new PromptCache(() => time) });
  });
  afterEach(() => server.stop());
  async function usage(items: Item[], cache: Caching = minutes, name = claude) {
    server.script([{ blocks: [{ text: 'Well.' }] }]);
    const model = bedrockModel(bedrock, { [name]: { input: 3, output: 15 } });
    const signal = new AbortController().signal;
    return (await model.reply({ agent: agentOf(name), items, cache, signal, onText: () => undefined })).usage;
  }

  test('also after a step with many parallel calls, which the provider does not look behind', async () => {
    const first = await usage([hi]);
    expect(first).toMatchObject({ cachedInputTokens: 0, cacheWriteTokens: first.inputTokens });
    // What is not saved now is paid for later.
    expect(first.savedMicrodollars).toBe(Math.round(-0.75 * first.inputTokens));
    const second = await usage([hi, ...step(1, 30)]);
    expect(second.cachedInputTokens).toBe(first.inputTokens);
    const third = await usage([hi, ...step(1, 30), ...step(2)]);
    expect(third.cachedInputTokens).toBe(second.inputTokens);
    expect(third.savedMicrodollars).toBe(
      Math.round(third.cachedInputTokens! * (3 - 0.3) - third.cacheWriteTokens! * 0.75),
    );
  });

  test('a write for an hour costs twice the input, and is read 50 minutes later', async () => {
    const hour: Caching = { key: 'c1', lasts: 'hour' };
    const first = await usage([hi], hour);
    expect(first.savedMicrodollars).toBe(-3 * first.inputTokens);
    time += 50 * 60_000;
    expect((await usage([hi, ...step(1)], hour)).cachedInputTokens).toBe(first.inputTokens);
  });
});

describe('OpenAI’s two APIs (R200)', () => {
  let server: ModelServer;
  beforeEach(async () => {
    server = await startModelServer();
  });
  afterEach(() => server.stop());
  const key = { get: async () => 'sk-test', replaced: async () => false };
  const small = { name: 'a', purpose: 'p', instructions: long(2_000), tools: [look] };

  async function asked(
    model: string,
    cache: Caching | undefined,
    { items = [hi], ...more }: { items?: Item[]; api?: 'chat' | 'responses'; cacheFields?: boolean } = {},
  ) {
    server.append({ text: 'Well.' });
    const at = openaiModel(
      key,
      { baseURL: server.url, api: 'responses', cacheFields: true, ...more },
      { [model]: { input: 1, cached: 0.1, written: 1.25, output: 1 } },
    );
    const agent = defineAgent({ ...small, model });
    const signal = new AbortController().signal;
    const { usage } = await at.reply({ agent, items, cache, signal, onText: () => undefined });
    const sent = server.requests.at(-1) as unknown as Record<string, unknown>;
    return { usage, fields: Object.keys(sent).filter((field) => field.startsWith('prompt_cache')), sent };
  }

  test('the key is the conversation; a write is forbidden only where it costs', async () => {
    expect((await asked('gpt-6.1-terra', minutes)).sent.prompt_cache_key).toBe('c1');
    expect(
      (await asked('gpt-6.1-terra', { key: 'c'.repeat(100), lasts: 'minutes' })).sent.prompt_cache_key,
    ).toHaveLength(64);
    expect((await asked('gpt-6.1-terra', undefined)).fields).toEqual([]);
    expect((await asked('gpt-6.1-terra', { key: 'c1', lasts: 'none' })).sent.prompt_cache_options).toEqual({
      mode: 'explicit',
    });
    expect((await asked('gpt-5', { key: 'c1', lasts: 'none' })).fields).toEqual(['prompt_cache_key']);
    expect((await asked('gpt-6.1-terra', { key: 'c1', lasts: 'hour' })).fields).toEqual(['prompt_cache_key']);
  });

  test('models that find marked ends only have the end of the request before marked, and the texts have one form', async () => {
    const items = [hi, ...step(1, 2), ...step(2)];
    const part = (text: string, isEnd = false) => [
      { type: 'input_text', text, ...(isEnd && { prompt_cache_breakpoint: { mode: 'explicit' } }) },
    ];
    const { input } = (await asked('gpt-6.1-terra', minutes, { items })).sent as { input: Record<string, unknown>[] };
    expect(
      input.flatMap(({ role, content, output }) => (role === 'assistant' ? [] : (content ?? output ?? []))),
    ).toEqual([part('Hi'), part('seen'), part('seen', true), part('seen', true)].flat());
    for (const [model, cache] of [
      ['gpt-5', minutes],
      ['gpt-6.1-terra', { key: 'c1', lasts: 'none' }],
    ] as const)
      expect(JSON.stringify((await asked(model, cache, { items })).sent)).not.toMatch(/breakpoint|input_text/);
  });

  test('another server of the Responses API gets the key alone, unless its provider says otherwise', async () => {
    const of = (cacheFields: boolean | undefined, lasts: Caching['lasts'] = 'minutes') =>
      asked('gpt-6.1-terra', { key: 'c1', lasts }, { cacheFields, items: [hi, ...step(1)] });
    const { fields, sent } = await of(undefined);
    expect([fields, JSON.stringify(sent)]).toEqual([['prompt_cache_key'], expect.not.stringContaining('breakpoint')]);
    expect((await of(undefined, 'none')).fields).toEqual(['prompt_cache_key']);
    expect((await of(false)).fields).toEqual([]);
    expect((await of(true, 'none')).fields).toEqual(['prompt_cache_options']);
  });

  test('a server of chat completions gets the fields if it is known or declared to take them', async () => {
    server.begin({ style: { strict: true } });
    expect((await asked('other', minutes, { api: 'chat', cacheFields: undefined })).fields).toEqual([]);
    await expect(asked('other', minutes, { api: 'chat', cacheFields: true })).rejects.toThrow(/prompt_cache_key/);
    const azure = ['openai.azure.com', 'services.ai.azure.com'].map((host) => `https://mine.${host}/openai/v1`);
    for (const url of [undefined, 'https://eu.api.openai.com/v1', ...azure]) expect(takesCacheFields(url)).toBe(true);
    for (const url of ['https://api.deepseek.com', 'https://openai.com.example.org'])
      expect(takesCacheFields(url)).toBe(false);
    server.begin({});
    expect((await asked('other', minutes, { api: 'chat', cacheFields: true })).fields).toEqual(['prompt_cache_key']);
  });

  test.each(['responses', 'chat'] as const)(
    'by %s, a step reads what the one before has written, and a summary writes nothing',
    async (api) => {
      server.begin({ style: { cache: new PromptCache() } });
      const ask = (items: Item[], lasts: Caching['lasts'] = 'minutes') =>
        asked('gpt-6.1-terra', { key: 'c1', lasts }, { api, cacheFields: true, items }).then(({ usage }) => usage);
      const first = await ask([hi]);
      expect(first).toMatchObject({ cachedInputTokens: 0, cacheWriteTokens: first.inputTokens });
      const second = await ask([hi, ...step(1)]);
      expect(second.cachedInputTokens).toBe(first.inputTokens);
      expect(await ask([{ ...hi, text: 'Summarise.' } as Item], 'none')).toMatchObject({
        cachedInputTokens: 0,
        cacheWriteTokens: 0,
      });
    },
  );
});
