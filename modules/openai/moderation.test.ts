import { defineProvider } from '../../core/base/models/provider';
import { checkedBy } from '../../core/conversations/guards/check';
import { listen, readJson } from '../../local/model-server/listen';
import { guardEquipment } from '../../runtime/tool-needs';
import { type ModerationOptions, moderation } from './moderation';

/** A server of moderations: it refuses what OpenAI's refuses, and flags what its script says. */
let server: Awaited<ReturnType<typeof listen>>;
let requests: { authorization?: string; url?: string; body: { model?: string; input?: string } }[];
let answers: { status?: number; body: unknown }[];
const before = { ...process.env };
beforeAll(async () => {
  server = await listen(async (request, response) => {
    const body = (await readJson(request)) as { model?: string; input?: string };
    requests.push({ authorization: request.headers.authorization, url: request.url, body });
    const isWhole = request.method === 'POST' && body.model && typeof body.input === 'string';
    const { status = 200, body: answer } = isWhole ? (answers.shift() ?? result({})) : { status: 400, body: {} };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
});
afterAll(async () => {
  process.env = before;
  await server.stop();
});
beforeEach(() => {
  [requests, answers] = [[], []];
  Object.assign(process.env, { MODERATOR_BASE_URL: `${server.url}/v1` });
});

const categories = { harassment: false, 'self-harm': false, violence: false };
const result = (flagged: Record<string, number>): { status?: number; body: unknown } => ({
  body: {
    id: 'modr-1',
    model: 'omni-moderation-latest',
    results: [
      {
        flagged: Object.values(flagged).some((score) => score > 0.5),
        categories: {
          ...categories,
          ...Object.fromEntries(Object.entries(flagged).map(([name, score]) => [name, score > 0.5])),
        },
        category_scores: { harassment: 0.01, 'self-harm': 0.001, violence: 0.02, ...flagged },
      },
    ],
  },
});
const provider = defineProvider({ name: 'moderator', kind: 'openai' });
const about = { at: 'input' as const, agent: 'a', user: 'ada', conversationId: 'c' };
const check = (words: string, more: Partial<ModerationOptions> = {}) =>
  checkedBy([moderation({ provider, at: ['input'], ...more })], words, about, {
    equip: guardEquipment(),
    deadline: new AbortController().signal,
  });

test('what the server flags is refused, with its categories (R206)', async () => {
  answers = [result({ violence: 0.9 }), result({ violence: 0.4 })];
  expect(await check('One')).toMatchObject({
    words: '',
    refused: { guard: 'moderation', reason: 'A moderation service has found: violence.' },
  });
  expect(await check('Two')).toMatchObject({ words: 'Two', verdicts: [{ verdict: 'passed' }] });
  expect(requests.map(({ url, body }) => ({ url, body }))).toEqual(
    ['One', 'Two'].map((input) => ({ url: '/v1/moderations', body: { model: 'omni-moderation-latest', input } })),
  );
});

test('thresholds of a deployment replace the server’s, and its words the categories (R206)', async () => {
  answers = [result({ violence: 0.4 }), result({ harassment: 0.99 })];
  const strict = { categories: { violence: 0.3 }, reason: 'Please be kind.' };
  expect((await check('One', strict)).refused?.reason).toBe('Please be kind.');
  expect((await check('Two', strict)).refused).toBeUndefined();
});

test('a server that only flags, without scores, counts as certain (R206)', async () => {
  answers = [{ body: { results: [{ flagged: true, categories: { violence: true } }] } }];
  expect((await check('One', { categories: { violence: 0.9 } })).refused).toBeDefined();
});

test('a failure of the server is tried again, and then nothing passes (R206)', async () => {
  answers = [{ status: 503, body: {} }, result({})];
  expect(await check('One')).toMatchObject({ verdicts: [{ verdict: 'passed' }] });
  answers = Array(3).fill({ status: 500, body: { error: 'One' } });
  await expect(check('One')).rejects.toThrow('The guard "moderation" failed: The moderation service answered 500.');
  answers = Array(3).fill({ body: { results: [] } });
  await expect(check('One')).rejects.toThrow('answered something else than a moderation');
  process.env.MODERATOR_BASE_URL = 'http://127.0.0.1:1';
  await expect(check('One')).rejects.toThrow('The moderation service could not be reached.');
});

test('a key that is not set is named, before anything is sent (R206)', async () => {
  const keyed = defineProvider({ name: 'moderator', kind: 'openai', key: 'MODERATOR_API_KEY' });
  await expect(check('One', { provider: keyed })).rejects.toThrow('MODERATOR_API_KEY');
  expect(requests).toEqual([]);
});

test.each<[object, string]>([
  [{ provider: undefined }, 'guard moderation: provider: must be what defineProvider returns'],
  [
    { provider: defineProvider({ name: 'aws', kind: 'bedrock' }) },
    'guard moderation: provider: only one of the kind "openai" or "chat" can have the endpoint /moderations',
  ],
  [{ categories: {} }, 'guard moderation: categories: name at least one, or leave it out'],
  [{ categories: { violence: 2 } }, 'guard moderation: categories.violence: must be a score from 0 to 1'],
])('%j stops the build (R206)', (more, message) => {
  expect(() => moderation({ provider, at: ['input'], ...more } as never)).toThrow(message);
});
