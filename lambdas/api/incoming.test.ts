import * as fc from 'fast-check';
import { readMeta, type Table } from '../../core/conversations/store/table';
import { apiDeployment } from '../../test/support/api-deployment';
import { loggedLines } from '../../test/support/logged';
import { deployment } from '../../test/support/stories/asking';
import { startTable } from '../../test/support/tables/table';
import { api } from './app';
import { withByteHeaders } from './incoming';

loggedLines();

let table: Table & { stop(): Promise<void> };
let ask: (method: string, path: string, body?: string) => Promise<[status: number, errors: unknown, body: object]>;

beforeAll(async () => {
  table = await startTable();
  const app = api(apiDeployment(table, deployment));
  const claims = { sub: 'ada', token_use: 'access', client_id: 'page', exp: '9999999999' };
  ask = async (method, path, body) => {
    const init = { method, body, headers: { 'content-type': 'application/json' } };
    const answer = await app.request(path, init, { event: { requestContext: { authorizer: { jwt: { claims } } } } });
    const answered = (await answer.json()) as { errors?: unknown };
    return [answer.status, answered.errors, answered];
  };
});
afterAll(() => table.stop());

const malformed = 'has half of a character (an unpaired surrogate) or U+0000: send well-formed Unicode without it';
const start = (more: string) => `{"agent":"tester"${more}}`;
const half = '\\ud83d';

test.each([
  ['a text', start(`,"text":"hi ${half}"`), 'text', malformed],
  ['a raw half', start(`,"text":"hi \\uDE00 there"`), 'text', malformed],
  ['NUL', start(',"text":"a\\u0000"'), 'text', malformed],
  ['metadata', start(`,"text":"hi","metadata":{"a":["${half}"]}`), 'metadata.a.0', malformed],
  ['a name in metadata', start(`,"text":"hi","metadata":{"${half}":1}`), 'metadata.\ufffd', `its name ${malformed}`],
  ['an id', start(`,"text":"hi","id":"${half}"`), 'id', malformed],
  ['the agent', `{"agent":"${half}","text":"hi"}`, 'agent', malformed],
  ['a field that is not read', start(`,"text":"hi","more":"${half}"`), 'more', malformed],
  [
    'a long number',
    start(',"text":"hi","metadata":{"id":9007199254740993}'),
    'metadata.id',
    '9007199254740993 has more digits than a number keeps: send it as text',
  ],
  [
    'an endless number',
    start(',"text":"hi","metadata":{"id":1e400}'),
    'metadata.id',
    '1e400 has more digits than a number keeps: send it as text',
  ],
  [
    'deep metadata',
    start(`,"text":"hi","metadata":{"a":${'['.repeat(150_000)}${']'.repeat(150_000)}}`),
    'metadata.a.0.0.0.…',
    'may not be nested deeper than 100 levels',
  ],
])('%s that would not survive is a 400 naming the field (R191, R192)', async (_, body, path, message) => {
  expect(await ask('POST', '/conversations', body)).toEqual([400, [{ path, message }], expect.anything()]);
});

test.each([
  ['/search?q=%ED%A0%BD', 'q'],
  ['/search?q=a&cursor=%00', 'cursor'],
  ['/conversations/%ED%A0%BD', 'path'],
])('%s is a 400 naming the parameter (R191)', async (path, name) => {
  expect(await ask('GET', path)).toEqual([400, [{ path: name, message: malformed }], expect.anything()]);
});

test('a percent sign that begins no escape, and whole emoji, are taken (R191)', async () => {
  for (const path of ['/search?q=100%', '/search?q=%F0%9F%98%80', '/search?q=%zz'])
    expect((await ask('GET', path))[0]).toBe(200);
});

test('whatever text and metadata are sent: they are refused by name, or stored as they were (R191, R192)', async () => {
  const units = fc.string({
    unit: fc.constantFrom('a', ' ', '😀', '\ud83d', '\ude00', '\0', '\u0301', '\n', '"'),
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(units, fc.jsonValue({ maxDepth: 2 }), async (words, value) => {
      const body = JSON.stringify({ agent: 'tester', text: `x${words}x`, metadata: { value } });
      const [status, errors, { id }] = (await ask('POST', '/conversations', body)) as [number, unknown, { id: string }];
      if (status === 400)
        return expect(errors).toEqual([expect.objectContaining({ path: expect.stringMatching(/^(text|metadata)/) })]);
      expect(status).toBe(201);
      expect((await readMeta(table, id))!.metadata).toEqual(JSON.parse(JSON.stringify({ value })));
    }),
    { numRuns: 30 },
  );
});

test('a header with any character reaches the routes (R191)', () => {
  const { headers } = withByteHeaders({ headers: { a: 'plain', b: '😀\0', c: undefined } });
  expect(headers).toEqual({ a: 'plain', b: 'ð\x9f\x98\x80 ', c: undefined });
  expect(() => new Headers(Object.entries(headers as object as Record<string, string>).slice(0, 2))).not.toThrow();
});
