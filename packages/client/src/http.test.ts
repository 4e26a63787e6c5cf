import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { untilAnswered } from './again';
import { openApi } from './api';
import { openHttp } from './http';
import { RequestFailed } from './problem';

type Answering = (request: {
  method: string;
  url: string;
  token: string;
  body: string;
}) => [number, object?, Record<string, string>?] | 'cut';

let server: Server;
let url: string;
let answering: Answering;
beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', url = '', headers } = request;
    const answer = answering({ method, url, token: headers.authorization ?? '', body });
    if (answer === 'cut') return void response.destroy();
    response.writeHead(answer[0], answer[2]).end(answer[1] ? JSON.stringify(answer[1]) : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

test('requests that are refused at the same time share one renewal (R177)', async () => {
  let token = 'old';
  let renewals = 0;
  answering = (request) => (request.token === 'Bearer new' ? [200, { agents: [] }] : [401, {}]);
  const api = openApi(
    openHttp({
      url: `${url}/`,
      async token({ expired }) {
        if (expired) {
          renewals += 1;
          token = await new Promise((resolve) => setImmediate(() => resolve('new')));
        }
        return token;
      },
    }),
  );
  expect(await Promise.all([api.agents(), api.agents(), api.agents()])).toHaveLength(3);
  expect(renewals).toBe(1);
});

test('a problem keeps its fields, and names what is wrong (R177)', async () => {
  const api = openApi(openHttp({ url, token: () => 't' }));
  const problem = { type: 'about:blank', title: 'Bad request', status: 400, detail: 'Wrong.' };
  answering = () => [400, { ...problem, errors: [{ path: 'text', message: 'is missing' }] }];
  const failed = (await api.say('c', { text: '' }).catch((error: unknown) => error)) as RequestFailed;
  expect(failed).toBeInstanceOf(RequestFailed);
  expect(failed).toMatchObject({ status: 400, message: 'text: is missing', detail: 'Wrong.', passing: false });
  expect(failed.errors).toEqual([{ path: 'text', message: 'is missing' }]);
  const limit = { name: 'steps', used: 5, most: 5, variable: 'V' };
  answering = () => [429, { ...problem, status: 429, limit }];
  await expect(api.home()).rejects.toMatchObject({ status: 429, limit, passing: false });
  answering = () => [502];
  await expect(api.home()).rejects.toMatchObject({ status: 502, passing: true });
});

test('a request whose answer is lost is sent again; one that is rejected or aborted is not (R177)', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  const bodies: string[] = [];
  const answers: ReturnType<Answering>[] = ['cut', [503], [201, { seq: 1 }]];
  answering = ({ body }) => {
    bodies.push(body);
    return answers.shift()!;
  };
  const api = openApi(openHttp({ url, token: () => 't' }));
  const say = () => api.say('c', { text: 'Hi', clientMessageId: 'm' });
  const sent = untilAnswered(say);
  let answer: unknown;
  void sent.then((row) => {
    answer = row;
  });
  while (!answer) {
    await new Promise((resolve) => setImmediate(resolve));
    await jest.advanceTimersByTimeAsync(100);
  }
  expect([answer, bodies]).toEqual([{ seq: 1 }, Array(3).fill('{"text":"Hi","clientMessageId":"m"}')]);
  jest.useRealTimers();

  answers.push([400, {}]);
  await expect(untilAnswered(say)).rejects.toMatchObject({ status: 400 });
  const stop = new AbortController();
  answers.push([503]);
  const aborted = untilAnswered(say, stop.signal);
  while (answers.length > 0) await new Promise((resolve) => setImmediate(resolve));
  stop.abort(new Error('Enough.'));
  await expect(aborted).rejects.toThrow('Enough.');
  expect(bodies).toHaveLength(5);
});

test('clients that are refused at the same moment come back apart, and not sooner than they are asked to (R177)', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  const comeBack = async (refusal: RequestFailed) => {
    const began = Date.now();
    const client = async () => {
      let refused = false;
      return untilAnswered(async () => {
        if (refused) return Date.now() - began;
        refused = true;
        throw refusal;
      });
    };
    const all = Promise.all(Array.from({ length: 100 }, client));
    await jest.advanceTimersByTimeAsync(10_000);
    return (await all).sort((a, b) => a - b);
  };
  const free = await comeBack(new RequestFailed(429, 'Too Many Requests'));
  expect(free[0]).toBeGreaterThanOrEqual(500);
  expect(free.at(-1)).toBeLessThanOrEqual(1_500);
  // A hundred of them do not share a tenth of the time.
  expect(free.at(-1)! - free[0]!).toBeGreaterThan(100);
  const asked = await comeBack(new RequestFailed(503, 'Busy', undefined, 5));
  expect(asked[0]).toBeGreaterThanOrEqual(5_500);
  expect(asked.at(-1)! - asked[0]!).toBeGreaterThan(100);
  jest.useRealTimers();
});

test('a server says when to repeat a request, in seconds or by a date of its own clock (R198)', async () => {
  const api = openApi(openHttp({ url, token: () => 't' }));
  answering = () => [503, {}, { 'retry-after': '7' }];
  await expect(api.home()).rejects.toMatchObject({ status: 503, retryAfterSeconds: 7 });
  const date = 'Wed, 21 Oct 2026 07:28:00 GMT';
  answering = () => [503, {}, { date, 'retry-after': 'Wed, 21 Oct 2026 07:30:00 GMT' }];
  await expect(api.home()).rejects.toMatchObject({ status: 503, retryAfterSeconds: 120 });
  answering = () => [503, {}, { date, 'retry-after': date }];
  const failed = await api.home().catch((error: unknown) => error);
  expect((failed as RequestFailed).retryAfterSeconds).toBeUndefined();
});

test('a request without an answer fails in time, and an aborted one at once (R177)', async () => {
  await expect(openHttp({ url: 'http://127.0.0.1:1', token: () => 't' })('GET', '/')).rejects.toMatchObject({
    status: 0,
    passing: true,
  });
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const to = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  await expect(openHttp({ url: to, token: () => 't', timeoutMs: 50 })('GET', '/')).rejects.toMatchObject({ status: 0 });
  const stop = new AbortController();
  const asked = openHttp({ url: to, token: () => 't' })('GET', '/', undefined, stop.signal);
  stop.abort(new Error('Enough.'));
  await expect(asked).rejects.toThrow('Enough.');
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
});
