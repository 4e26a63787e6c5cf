import { modelTool } from '../../core/base/schemas/model-tool';
import { IsolatedAnswer, ServerQuestion } from '../../core/base/state/isolated-call';
import { formProblem } from '../../core/conversations/mcp/form';
import { type Pin, type PinnedTool, pinText } from '../../core/conversations/mcp/pin';
import { type McpToolSettings, mcp } from '../../core/conversations/mcp/server';
import { isWhole, wrongReadings } from '../../test/support/odd-answers';
import { output } from '../log';
import { pull } from './pull';
import { serveMcp } from './serve-mcp';

// Each part of what an MCP server says is changed, in a session over HTTP whose other parts are good.

const weigh: PinnedTool = {
  name: 'weigh',
  inputSchema: { type: 'object', properties: { thing: { type: 'string' } } },
  outputSchema: { type: 'object', required: ['grams'] },
};
const described: PinnedTool = {
  ...{ name: 'count', title: 'Counter', description: 'Counts things.', annotations: { readOnlyHint: true } },
  inputSchema: {
    type: 'object',
    properties: {
      thing: { type: 'string', description: 'What', maxLength: 9 },
      unit: { type: ['string', 'null'], enum: ['g', null], default: 'g' },
      all: { anyOf: [{ type: 'array', items: { type: 'integer', minimum: 1 } }] },
    },
    required: ['thing'],
    additionalProperties: false,
  },
};

const good: Record<string, object> = {
  // It speaks an older revision.
  'server/discover': { error: { code: -32_601, message: 'Method not found' } },
  initialize: {
    result: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'stranger', version: '1' },
    },
  },
  'tools/list': { result: { tools: [weigh], nextCursor: undefined } },
  'tools/call': {
    result: { content: [{ type: 'text', text: '{"grams":1}' }], structuredContent: { grams: 1 }, isError: false },
  },
};
const url = 'https://scales.example/mcp';
const json = { 'content-type': 'application/json' };

/**
 * Answers with the good messages, except for one method.
 *
 * @param said the JSON of its message, without `jsonrpc` and `id`.
 * @param asks the JSON of what it asks before it answers.
 */
function serverThat(method: string, said?: string, asks?: string) {
  const message = (id: unknown, rest: string) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${rest.replace('{', '')}`;
  let answered = (_line: string): unknown => undefined;
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (_url, { method: verb, body } = {}) => {
    if (verb !== 'POST') return new Response(null, { status: 405 });
    const asked = JSON.parse(String(body)) as { id?: unknown; method?: string };
    if (asked.id === 'q') answered('the answer');
    if (asked.id === undefined || !asked.method) return new Response(null, { status: 202 });
    const rest = (asked.method === method && said) || JSON.stringify(good[asked.method]);
    if (asked.method !== method || asks === undefined) return new Response(message(asked.id, rest), { headers: json });
    const events = new TransformStream<string, string>();
    const writer = events.writable.getWriter();
    void writer.write(`data: ${message('q', `{"method":"elicitation/create","params":${asks}}`)}\n\n`);
    answered = () => writer.write(`data: ${message(asked.id, rest)}\n\n`).then(() => writer.close());
    return new Response(events.readable.pipeThrough(new TextEncoderStream()), {
      headers: { 'content-type': 'text/event-stream' },
    });
  });
}

const declared = (settings: McpToolSettings = {}) =>
  mcp('scales', { url, pin: { tools: [weigh] }, allow: { weigh: settings } });

/** @returns the answer of the server's function. @throws the failure that it answers. */
async function weighed(settings?: McpToolSettings): Promise<IsolatedAnswer> {
  const input = { thing: 'feather' };
  const event = { tool: 'scales__weigh', input, callId: 'c1', attempt: 1, now: '2026-03-01T08:00:00Z' };
  const answer = await serveMcp(declared(settings), undefined)(event);
  if ('failure' in answer) throw Object.assign(new Error(answer.failure.message), { name: answer.failure.name });
  return answer;
}

beforeEach(() => void jest.spyOn(output, 'write').mockReturnValue(undefined as never));
afterEach(() => jest.restoreAllMocks());

const errorOf =
  (method: string) =>
  (text = 'null') => {
    serverThat(method, `{"error":${text}}`);
    return weighed();
  };
const call = (method: string) => (text?: string) => {
  serverThat(method, text && `{"result":${text}}`);
  return weighed();
};
const resultOf = (method: string) => (good[method] as { result: object }).result;

test.each([
  ['initialize', ['ToolFailed', 'ConfigurationError']],
  // It may have run the tool.
  ['tools/call', ['TellModel', 'Error']],
])('whatever changes in the result of %s, the call has a result or fails in words (R189)', async (method, errors) => {
  const isFit = (answer: IsolatedAnswer) => IsolatedAnswer.parse(answer) && 'output' in answer;
  expect(await wrongReadings(resultOf(method), { read: call(method), errors, isFit })).toEqual([]);
});

test.each([
  ['initialize', ['ToolFailed']],
  ['tools/list', ['ToolFailed']],
  // By its code the server has refused the arguments, or failed.
  ['tools/call', ['TellModel', 'Error']],
])('whatever an error of %s says, it is told in words (R189)', async (method, errors) => {
  const error = { code: -32602, message: 'Too light.', data: { least: 1 } };
  expect(await wrongReadings(error, { read: errorOf(method), errors })).toEqual([]);
});

test('whatever changes in a tool that is listed, it is pinned as a tool that models can have, or not in words (R189)', async () => {
  const read = async (text?: string) => {
    serverThat('tools/list', text && `{"result":${text}}`);
    return pull(mcp('scales', { url, pin: { tools: [] }, allow: { '*': {} } }));
  };
  const isFit = (pin: Pin) => {
    const kept = JSON.parse(pinText(pin)) as Pin;
    const [tool] = mcp('scales', { url, pin: kept, allow: { '*': {} } }).tools();
    expect(isWhole([tool!.description, modelTool(tool!)])).toBe(true);
  };
  expect(
    await wrongReadings({ tools: [described] }, { read, errors: ['ToolFailed', 'ConfigurationError'], isFit }),
  ).toEqual([]);
});

test('whatever changes in what it asks in the middle of a call, the user is asked, or the call ends in words (R189)', async () => {
  const asked = {
    mode: 'form',
    message: 'Which scales?',
    requestedSchema: {
      type: 'object',
      properties: {
        scales: { type: 'string', title: 'Scales', enum: ['old', 'new'], default: 'old' },
      },
    },
  };
  const read = async (text = '') => {
    // Anything else is no message of JSON-RPC, which nobody reads.
    if (!text.startsWith('{')) return { output: undefined };
    serverThat('tools/call', undefined, text);
    return weighed({ elicitation: 'ask' });
  };
  const isFit = (answer: IsolatedAnswer) => {
    if ('asks' in answer) formProblem(ServerQuestion.parse(answer.asks));
    return 'asks' in answer || 'output' in answer;
  };
  expect(await wrongReadings(asked, { read, errors: ['TellModel', 'Error'], isFit })).toEqual([]);
});
