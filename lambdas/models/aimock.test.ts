import { LLMock } from '@copilotkit/aimock';
import type { Item } from '../../core/base/content/items';
import { defineAgent } from '../../core/conversations/agent/agent';
import type { Model, ModelRequest } from '../../core/conversations/agent/model';
import { anthropicModel } from '../../modules/anthropic/model';
import { bedrockModel } from '../../modules/bedrock/model';
import { openaiModel } from '../../modules/openai/model';
import { png, storedFiles } from '../../test/support/sample-files';
import { type Litellm, startLitellm } from '../../test/support/servers/litellm';
import { currentTime } from '../../tools/current-time';

const model = 'gpt-6.1-terra';
const agent = defineAgent({
  name: 'a',
  purpose: 'p',
  instructions: 'Be good.',
  model,
  tools: [currentTime],
});

/** With LITELLM, the path of a LiteLLM proxy, all requests pass through it: `test/litellm.sh`. */
const litellm = process.env.LITELLM;
const route = litellm ? 'LiteLLM and aimock' : 'aimock';

type Api = 'responses' | 'chat' | 'messages' | 'converse';
const apis: Api[] = ['responses', 'chat', 'messages', ...(litellm ? [] : (['converse'] as const))];

describe(`a server that nobody here wrote, ${route} (R130, R133, R205)`, () => {
  let server: LLMock;
  let proxy: Litellm | undefined;
  let url: string;
  let apiKey = 'sk-test';
  beforeAll(async () => {
    server = new LLMock({ port: 0 });
    url = `${await server.start()}/v1`;
    if (!litellm) return;
    proxy = await startLitellm(litellm, url, model);
    url = proxy.url;
    apiKey = proxy.key;
  });
  beforeEach(() => {
    server.clearFixtures();
    server.clearRequests();
  });
  const before = { ...process.env };
  afterAll(async () => {
    process.env = before;
    await proxy?.stop();
    await server.stop();
  });

  function modelBy(api: Api): Model {
    const key = { get: async () => apiKey, replaced: async () => false };
    const root = url.replace(/\/v1$/, '');
    if (api === 'messages') return anthropicModel(key, { baseURL: root });
    if (api !== 'converse') return openaiModel(key, { baseURL: url, api });
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: root,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    });
    return bedrockModel({ name: 'bedrock' });
  }
  async function reply(api: Api, items: Item[], readFile?: ModelRequest['readFile']) {
    const pieces: string[] = [];
    const signal = new AbortController().signal;
    return {
      ...(await modelBy(api).reply({ agent, items, readFile, signal, onText: (piece) => pieces.push(piece) })),
      pieces,
    };
  }
  const question: Item = { kind: 'message', by: 'user', text: 'What time is it?' };
  const look = { name: 'current_time', arguments: '{}' };

  describe.each(apis)('by its %s API', (api) => {
    test('calls in parallel, their results and the answer make the round', async () => {
      server.on({ hasToolResult: true }, { content: 'It is noon, by that clock.' });
      server.on({ userMessage: 'time' }, { content: 'I look.', toolCalls: [look, look] });
      const asked = await reply(api, [question]);
      expect(asked).toMatchObject({ text: 'I look.', toolCalls: [look, look] });
      expect(new Set(asked.toolCalls.map(({ id }) => id)).size).toBe(2);
      const answered = await reply(api, [
        question,
        { kind: 'message', by: 'assistant', text: asked.text, opaque: asked.opaque },
        ...asked.toolCalls.map(
          ({ id, opaque }): Item => ({ kind: 'call', id, opaque, tool: look.name, arguments: '{}' }),
        ),
        ...asked.toolCalls.map(({ id }): Item => ({ kind: 'result', callId: id, text: 'Noon' })),
      ]);
      expect([answered.text, answered.pieces.join('')]).toEqual(Array(2).fill('It is noon, by that clock.'));
      expect(answered.pieces.length).toBeGreaterThan(1);
      const results = JSON.stringify(server.getLastRequest()!.body);
      for (const { id } of asked.toolCalls) expect(results.split(id).length - 1).toBe(2);
    });

    // LiteLLM turns the Messages API's result with a picture into a request in which aimock finds no result.
    const testOfPictures = litellm && api === 'messages' ? test.skip : test;
    testOfPictures('a picture goes with its message and with a result (R212)', async () => {
      const files = storedFiles();
      const [photo, chart] = [files.put('image/png', png()), files.put('image/png', png(2, 2, 9))];
      // By chat completions, and by Converse for a model like this one, the files follow the results.
      const last =
        api === 'chat' || api === 'converse' ? { userMessage: 'files of the results' } : { hasToolResult: true };
      server.on(last, { content: 'I see both.' });
      server.on({ userMessage: 'time' }, { content: 'I look.', toolCalls: [look] });
      const looking: Item = { ...question, files: [photo] } as Item;
      const asked = await reply(api, [looking], files.readFile);
      const [{ id, opaque }] = asked.toolCalls as [(typeof asked.toolCalls)[0]];
      const answered = await reply(
        api,
        [
          looking,
          { kind: 'message', by: 'assistant', text: asked.text, opaque: asked.opaque },
          { kind: 'call', id, opaque, tool: look.name, arguments: '{}' },
          { kind: 'result', callId: id, text: 'Noon', files: [chart] },
        ],
        files.readFile,
      );
      expect([asked.toolCalls.length, answered.text]).toEqual([1, 'I see both.']);
    });
  });
});
