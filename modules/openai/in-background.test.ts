import { defineProvider } from '../../core/base/models/provider';
import { noUsage } from '../../core/base/state/schemas';
import { defineAgent } from '../../core/conversations/agent/agent';
import type { Background } from '../../core/conversations/agent/model';
import { secondsListening } from '../../core/conversations/replies/pending-reply';
import { isInBackground } from '../../lambdas/models/in-background';
import { startBackgroundServer } from '../../test/support/servers/background-server';
import { currentTime } from '../../tools/current-time';
import { openaiModel } from './model';

beforeEach(() => {
  jest.replaceProperty(secondsListening, 'begun', 0.1);
  jest.replaceProperty(secondsListening, 'fetched', 0.1);
});

const provider = defineProvider({ name: 'thinker', kind: 'openai', baseUrl: 'http://127.0.0.1:1/v1' });
const model = { provider, name: 'gpt-6.1-sol', background: true };
const agent = defineAgent({ name: 'a', purpose: 'p', instructions: 'Be good.', tools: [currentTime], model });

describe('a reply in the background (R201)', () => {
  let server: Awaited<ReturnType<typeof startBackgroundServer>>;
  let begun: string[];
  let said: string;
  beforeEach(async () => {
    server = await startBackgroundServer();
    begun = [];
    said = '';
  });
  afterEach(() => server.stop());

  const key = { get: async () => 'sk-1', replaced: async () => false };
  const opened = () => openaiModel(key, { name: 'thinker', baseURL: server.url, api: 'responses' });
  const ask = (background: Partial<Background> = {}, signal = new AbortController().signal) =>
    opened().reply({
      agent,
      items: [{ kind: 'message', by: 'user', text: 'Hi' }],
      signal,
      onText: (piece) => {
        said += piece;
      },
      background: { begun: async ({ id }) => void begun.push(id), ...background },
    });
  const pending = async () => {
    const asked = ask().catch(() => undefined);
    await until(() => begun.length > 0);
    await asked;
  };
  const until = async (holds: () => boolean) => {
    while (!holds()) await new Promise(setImmediate);
  };

  test('is begun, stored with its id, and pending after some seconds of silence', async () => {
    const asked = expect(ask()).rejects.toMatchObject({ name: 'ReplyPending' });
    await until(() => begun.length > 0);
    await asked;
    expect(begun).toEqual(['resp_1']);
    expect(server.replies[0]).toMatchObject({ status: 'in_progress', request: { background: true, store: true } });
  });

  test('is fetched by its id, with its usage, and not begun again', async () => {
    await pending();
    server.complete('The answer.', [{ id: 'c1', name: 'current_time', arguments: {} }]);
    const reply = await ask({ id: 'resp_1' });
    expect(reply).toMatchObject({ text: 'The answer.', toolCalls: [{ id: 'c1', name: 'current_time' }] });
    expect(reply.usage).toMatchObject({ modelCalls: 1, inputTokens: 100, outputTokens: 20 });
    expect([begun, server.replies.length, said]).toEqual([['resp_1'], 1, 'The answer.']);
  });

  test('of a server that takes its time is fetched all the same', async () => {
    await pending();
    server.complete('', [{ id: 'c1', name: 'current_time', arguments: {} }]);
    // Longer in all, and before the first event, than a reply may be silent.
    jest.replaceProperty(secondsListening, 'fetched', 0.6);
    server.slow({ beforeMs: 800, betweenMs: 120 });
    expect(await ask({ id: 'resp_1' })).toMatchObject({ text: '', toolCalls: [{ name: 'current_time' }] });
  });

  test('that has begun to speak is followed to its end, from its beginning', async () => {
    await pending();
    server.say('First. ');
    const asked = ask({ id: 'resp_1' });
    await until(() => said !== '');
    await new Promise((passed) => setTimeout(passed, 300));
    server.complete('Second.');
    expect((await asked).text).toBe('First. Second.');
  });

  test.each([200, 500, 503, 429, 401])(
    'stays pending when the provider answers %i to the request for it',
    async (status) => {
      await pending();
      if (status > 200) server.refuse(status);
      await expect(ask({ id: 'resp_1' })).rejects.toMatchObject({ name: 'ReplyPending' });
    },
  );

  test('that the provider no longer has, or has failed with, makes the model be asked again', async () => {
    await expect(ask({ id: 'resp_9' })).rejects.toMatchObject({ name: 'ModelUnavailable' });
    await pending();
    server.fail();
    await expect(ask({ id: 'resp_1' })).rejects.toMatchObject({ name: 'ModelUnavailable' });
  });

  test('stays pending when the function runs out of time', async () => {
    const deadline = new AbortController();
    const asked = ask({}, deadline.signal);
    const failed = expect(asked).rejects.toMatchObject({ name: 'ReplyPending' });
    await until(() => begun.length > 0);
    deadline.abort();
    await failed;
  });

  test('that was cancelled at the provider, whose stream does not say so, makes the model be asked again', async () => {
    const refused = ask({ begun: async () => Promise.reject(new Error('the table is busy')) });
    await expect(refused).rejects.toThrow('the table is busy');
    expect(server.replies[0]!.status).toBe('cancelled');
    await expect(ask({ id: 'resp_1' })).rejects.toMatchObject({ name: 'ModelUnavailable' });
  });

  test('is cancelled by its id, and what it has used is what the provider says', async () => {
    await pending();
    const expected = { ...noUsage, inputTokens: 1 };
    const usage = await opened().cancel!({ provider: 'thinker', id: 'resp_1', model: 'gpt-6.1-sol', expected });
    expect(usage).toMatchObject({ modelCalls: 1, inputTokens: 90, outputTokens: 7 });
    expect(server.replies[0]!.status).toBe('cancelled');
  });

  test('is the default of OpenAI’s models that think for minutes only, and a choice of all others', () => {
    expect(isInBackground({ name: 'gpt-5.5-pro' }, true)).toBe(true);
    expect(isInBackground({ name: 'o3-deep-research' }, true)).toBe(true);
    expect(isInBackground({ name: 'gpt-5.5-pro' }, false)).toBe(false);
    expect(isInBackground({ name: 'gpt-5.5-pro', background: false }, true)).toBe(false);
    expect(isInBackground({ name: 'gpt-6.1-sol' }, true)).toBe(false);
    expect(isInBackground({ name: 'any', background: true }, false)).toBe(true);
  });
});
