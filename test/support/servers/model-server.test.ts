import OpenAI from 'openai';
import type {
  ChatCompletionChunk,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from 'openai/resources/chat/completions';
import { type ModelServer, type Reply, type Style, startModelServer } from './model-server';

let model: ModelServer | undefined;
afterEach(async () => {
  await model?.stop();
  model = undefined;
});

async function given(script: Reply[], style: Style = {}): Promise<OpenAI> {
  await model?.stop();
  model = await startModelServer({ script, style });
  return new OpenAI({ baseURL: model.url, apiKey: 'none', maxRetries: 0, timeout: 5_000, logLevel: 'off' });
}

const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'hello' }];
const asked = { model: 'any', messages };

async function streamed(client: OpenAI, more: object = {}): Promise<ChatCompletionChunk[]> {
  const chunks: ChatCompletionChunk[] = [];
  const stream = await client.chat.completions.create({ ...asked, ...more, stream: true });
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}
const textOf = (chunks: ChatCompletionChunk[]) => chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
const withUsage = { stream_options: { include_usage: true } };

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    if (tries > 5_000) throw new Error(`not so after ${tries} looks: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('the scripted model server', () => {
  test('answers a request that does not stream, with its usage', async () => {
    const client = await given([
      { text: 'Good morning.', usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 } },
    ]);
    const { choices, usage } = await client.chat.completions.create(asked);
    expect(choices[0]).toMatchObject({ message: { content: 'Good morning.' }, finish_reason: 'stop' });
    expect(usage?.total_tokens).toBe(12);
  });

  test('streams a sentence at a time, and the usage on request', async () => {
    const client = await given([{ text: 'One. Two! Three' }, { text: 'One.' }]);
    const chunks = await streamed(client, withUsage);
    expect(textOf(chunks)).toBe('One. Two! Three');
    expect(chunks.filter((chunk) => chunk.choices[0]?.delta.content)).toHaveLength(3);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    expect((await streamed(client)).some((chunk) => chunk.usage)).toBe(false);
  });

  test.each(['whole', 'fragments'] as const)(
    'tool calls arrive %s and are the same once put together',
    async (deltas) => {
      const toolCalls = [
        { id: 'a', name: 'schedule', arguments: { at: '2026-03-01T08:00:00Z' } },
        { name: 'reminder', arguments: '{"message": ' },
      ];
      const client = await given([{ text: 'A moment.', toolCalls }], { deltas });
      const final = await client.chat.completions.stream({ ...asked, stream: true }).finalChatCompletion();
      expect(final.choices[0]?.finish_reason).toBe('tool_calls');
      expect(final.choices[0]?.message.tool_calls).toMatchObject([
        { id: 'a', type: 'function', function: { name: 'schedule', arguments: '{"at":"2026-03-01T08:00:00Z"}' } },
        { id: 'call_1_2', function: { name: 'reminder', arguments: '{"message": ' } },
      ]);
    },
  );

  test('a server without usage sends none, one without parallel calls spreads them over replies', async () => {
    const toolCalls = [
      { name: 'first', arguments: {} },
      { name: 'second', arguments: {} },
    ];
    const client = await given([{ toolCalls }, { text: 'Done.' }], { usage: false, parallel: false });
    const calls = async () => (await client.chat.completions.create(asked)).choices[0]?.message.tool_calls ?? [];
    expect(await calls()).toMatchObject([{ function: { name: 'first' } }]);
    expect(await calls()).toMatchObject([{ function: { name: 'second' } }]);
    const last = await client.chat.completions.create(asked);
    expect(last.choices[0]?.message.content).toBe('Done.');
    expect(last.usage).toBeUndefined();
    expect((await streamed(await given([{ text: 'Hi.' }], { usage: false }), withUsage)).at(-1)?.choices).toHaveLength(
      1,
    );
  });

  test('an error has the status, the headers and the body of the script', async () => {
    const error = { error: { message: 'Slow down.', type: 'rate_limit', param: null, code: 'rate_limit_exceeded' } };
    const client = await given([{ status: 429, headers: { 'retry-after': '2' }, error }, { status: 401 }]);
    const failure = await client.chat.completions.create(asked).catch((cause: unknown) => cause);
    expect(failure).toMatchObject({ status: 429, code: 'rate_limit_exceeded', message: '429 Slow down.' });
    expect((failure as InstanceType<typeof OpenAI.APIError>).headers?.get('retry-after')).toBe('2');
    await expect(client.chat.completions.create(asked)).rejects.toMatchObject({ status: 401 });
  });

  test('cuts the connection after a number of characters', async () => {
    const client = await given([{ text: 'Half of this arrives.', closeAfter: 4 }]);
    const stream = await client.chat.completions.create({ ...asked, stream: true });
    const chunks: ChatCompletionChunk[] = [];
    const reading = (async () => {
      for await (const chunk of stream) chunks.push(chunk);
    })();
    await expect(reading).rejects.toThrow();
    expect(textOf(chunks)).toBe('Half');
  });

  test('sends malformed text unchanged', async () => {
    const client = await given([{ malformed: 'data: {"choices": [{\n\n' }]);
    await expect(streamed(client)).rejects.toThrow(/JSON/);
  });

  test('an empty reply has neither text nor calls', async () => {
    const chunks = await streamed(await given([{ empty: true }]));
    expect(textOf(chunks)).toBe('');
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop');
  });

  test('pauses in mid-sentence until it is released, and notices a client that hangs up', async () => {
    const reply = { text: 'Wait for it. Here it is.', holdAfter: 6 };
    const client = await given([reply, reply]);
    let text = '';
    const reading = (async () => {
      for await (const chunk of await client.chat.completions.create({ ...asked, stream: true }))
        text += textOf([chunk]);
    })();
    await model?.held();
    await until(() => text === 'Wait f');
    model?.release();
    await reading;
    expect(text).toBe(reply.text);

    const abort = new AbortController();
    const stream = await client.chat.completions.create({ ...asked, stream: true }, { signal: abort.signal });
    await model?.held();
    abort.abort();
    for await (const _chunk of stream);
    await until(() => model?.requests[1]?.closed === true);
    expect(model?.requests[0]?.closed).toBe(false);
  });

  test('keeps every request, and fails loudly when the script is exhausted', async () => {
    const client = await given([{ text: 'Only this.' }]);
    await client.chat.completions.create(asked);
    await expect(client.chat.completions.create(asked)).rejects.toThrow(/no reply for request 2: its script has 1/);
    model?.append({ text: 'More.' });
    expect((await client.chat.completions.create(asked)).choices[0]?.message.content).toBe('More.');
    expect(model?.calls).toBe(3);
    expect(model?.requests[0]).toMatchObject({ messages, headers: { authorization: 'Bearer none' } });
  });

  test('a script may be a function of the request', async () => {
    model = await startModelServer({ script: (request, index) => ({ text: `${index}: ${request.messages.length}` }) });
    const client = new OpenAI({ baseURL: model.url, apiKey: 'none', maxRetries: 0 });
    expect((await client.chat.completions.create(asked)).choices[0]?.message.content).toBe('0: 1');
    expect((await client.models.list()).data[0]?.id).toBe('scripted');
  });

  test('rejects what OpenAI rejects: a call without its result, a result without its call, an open schema', async () => {
    const client = await given([]);
    const call = { id: 'a', type: 'function' as const, function: { name: 'f', arguments: '{}' } };
    const asks: ChatCompletionMessageParam = { role: 'assistant', content: null, tool_calls: [call] };
    const result: ChatCompletionMessageParam = { role: 'tool', tool_call_id: 'a', content: '1' };
    const refuse = (transcript: ChatCompletionMessageParam[], tools?: ChatCompletionTool[]) =>
      expect(client.chat.completions.create({ model: 'any', messages: transcript, tools })).rejects;
    await refuse([...messages, asks, ...messages]).toThrow(/did not have response messages: a/);
    await refuse([...messages, asks, result, result]).toThrow(/must be a response to a preceding message/);
    await refuse([...messages, result]).toThrow(/must be a response to a preceding message/);
    const open = { type: 'function' as const, function: { name: 'f', strict: true, parameters: { type: 'object' } } };
    await refuse(messages, [open]).toThrow(/additionalProperties/);
  });

  test('refuses a strict schema in the words and fields of OpenAI, in tools and answers of both APIs (R190)', async () => {
    const client = await given([]);
    const closed = { type: 'object', additionalProperties: false };
    const parameters = {
      ...closed,
      required: ['f'],
      properties: { f: { ...closed, required: [], properties: { a: {} } } },
    };
    const message = (what: string) =>
      `400 Invalid schema for ${what}: In context=('properties', 'f'), 'required' is required to be supplied and to be an array ` +
      "including every key in properties. Missing 'a'.";
    const tool = { name: 'find', strict: true, parameters };
    await expect(
      client.chat.completions.create({ ...asked, tools: [{ type: 'function', function: tool }] }),
    ).rejects.toMatchObject({
      ...{
        message: message("function 'find'"),
        param: 'tools[0].function.parameters',
        code: 'invalid_function_parameters',
      },
    });
    const responses = { model: 'any', input: [{ role: 'user' as const, content: 'hello' }], store: false };
    await expect(
      client.responses.create({ ...responses, tools: [{ type: 'function', ...tool }] }),
    ).rejects.toMatchObject({ param: 'tools[0].parameters' });
    const format = { type: 'json_schema' as const, name: 'result', strict: true, schema: parameters };
    await expect(client.responses.create({ ...responses, text: { format } })).rejects.toMatchObject({
      ...{ message: message("response_format 'result'"), param: 'text.format.schema' },
    });
    await expect(
      client.chat.completions.create({ ...asked, response_format: { type: 'json_schema', json_schema: format } }),
    ).rejects.toMatchObject({ param: 'response_format' });
  });
});
