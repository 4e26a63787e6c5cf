import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defineProvider } from '../../core/base/models/provider';
import { defineAgent } from '../../core/conversations/agent/agent';
import type { Model } from '../../core/conversations/agent/model';
import { bedrockModel } from './bedrock-model';
import { openaiModel } from './openai-model';

// A server that asks for a pause, in each form, through each adapter and the SDK that it uses.

let server: Server;
let url: string;
let asks: { status: number; headers: Record<string, string>; body: object };
const before = { ...process.env };
beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    response
      .writeHead(asks.status, { 'content-type': 'application/json', ...asks.headers })
      .end(JSON.stringify(asks.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(process.env, {
    ...{ AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url, AWS_REGION: 'us-east-1' },
    ...{ AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' },
  });
});
afterAll(() => {
  process.env = before;
  server.close();
});

const key = { get: async () => 'k', replaced: async () => false };
const bedrock = defineProvider({ name: 'bedrock', kind: 'bedrock' });
const agent = defineAgent({ name: 'a', purpose: 'p', instructions: 'i', model: 'small', tools: [] });
const ofBedrock: Record<number, string> = {
  429: 'ThrottlingException',
  500: 'InternalServerException',
  503: 'ServiceUnavailableException',
};

const adapters: [string, () => Model][] = [
  ['chat completions', () => openaiModel(key, { baseURL: url, api: 'chat' })],
  ['Responses', () => openaiModel(key, { baseURL: url, api: 'responses' })],
  ['Converse', () => bedrockModel(bedrock)],
];
const later = (seconds: number) => new Date(Date.now() + seconds * 1_000).toUTCString();
const retryInfo = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '120s' };
const forms: [string, () => { headers?: Record<string, string>; body?: object }][] = [
  ['in seconds', () => ({ headers: { 'retry-after': '120' } })],
  ['as a date', () => ({ headers: { 'retry-after': later(120) } })],
  ['in milliseconds', () => ({ headers: { 'retry-after-ms': '120000' } })],
];
const inBody: (typeof forms)[0] = [
  'in Google’s body',
  () => ({ body: { error: { code: 429, message: 'x', details: [retryInfo] } } }),
];

const cases = adapters.flatMap(([api, model]) =>
  // Google's servers have the first API only; the second one reads the same errors.
  [...forms, ...(api === 'Converse' ? [] : [inBody])].flatMap(([form, made]) =>
    [429, 500, 503].map((status) => ({ api, form, status, model, made })),
  ),
);

test.each(cases)('$api: a pause $form with the status $status is heard (R208)', async ({ status, model, made }) => {
  const { headers = {}, body = { message: 'x' } } = made();
  asks = { status, headers: { ...headers, 'x-amzn-errortype': ofBedrock[status]! }, body };
  const request = {
    agent,
    items: [{ kind: 'message' as const, by: 'user' as const, text: 'Hi' }],
    onText: () => undefined,
  };
  const error = await model()
    .reply({ ...request, signal: new AbortController().signal })
    .catch((thrown: Error & { notBefore?: Date }) => thrown);
  const { name, notBefore } = error as Error & { notBefore?: Date };
  expect(name).toBe(status === 429 ? 'ModelThrottled' : 'ModelUnavailable');
  // A date has whole seconds.
  const seconds = (notBefore!.getTime() - Date.now()) / 1_000;
  expect([seconds > 110, seconds <= 120.5]).toEqual([true, true]);
});
