import OpenAI from 'openai';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
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

describe('the scripted model server', () => {
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
      message: message("function 'find'"),
      param: 'tools[0].function.parameters',
      code: 'invalid_function_parameters',
    });
    const responses = { model: 'any', input: [{ role: 'user' as const, content: 'hello' }], store: false };
    await expect(
      client.responses.create({ ...responses, tools: [{ type: 'function', ...tool }] }),
    ).rejects.toMatchObject({ param: 'tools[0].parameters' });
    const format = { type: 'json_schema' as const, name: 'result', strict: true, schema: parameters };
    await expect(client.responses.create({ ...responses, text: { format } })).rejects.toMatchObject({
      message: message("response_format 'result'"),
      param: 'text.format.schema',
    });
    await expect(
      client.chat.completions.create({ ...asked, response_format: { type: 'json_schema', json_schema: format } }),
    ).rejects.toMatchObject({ param: 'response_format' });
  });
});
