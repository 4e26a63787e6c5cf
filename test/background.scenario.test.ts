import { Webhook } from 'standardwebhooks';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { startBackgroundServer } from './support/servers/background-server';

const secret = `whsec_${Buffer.from('a secret of the thinker').toString('base64')}`;

describe('a model that thinks for an hour (R201)', () => {
  let vigil: Vigil;
  let server: Awaited<ReturnType<typeof startBackgroundServer>>;
  beforeEach(async () => {
    server = await startBackgroundServer();
    vigil = await startVigil({ variables: { THINKER_BASE_URL: server.url, THINKER_WEBHOOK_SECRET: secret } });
  });
  afterEach(async () => {
    await vigil?.stop();
    await server.stop();
  });

  const thinking = async () => {
    const ada = await vigil.user();
    const { id } = await ada.start('thoughtful', 'Think hard.');
    const { callbacks, run } = await ada.until(id, ({ callbacks }) => callbacks.some(({ kind }) => kind === 'model'));
    return { ada, id, runId: run!.id, callback: callbacks.find(({ kind }) => kind === 'model')! };
  };
  async function deliver(replyId: string): Promise<number> {
    const body = JSON.stringify({ type: 'response.completed', data: { id: replyId } });
    const now = await vigil.now();
    const headers = {
      'content-type': 'application/json',
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign('evt_1', now, body),
    };
    return (await fetch(`${vigil.url}/webhooks/models/thinker`, { method: 'POST', headers, body })).status;
  }

  test('is waited for without a function, across a crash and a deployment, and paid once', async () => {
    const { id, runId } = await thinking();
    await vigil.advance('PT20M');
    await vigil.kill();
    await vigil.restart(undefined, {
      THINKER_BASE_URL: server.url,
      THINKER_WEBHOOK_SECRET: secret,
      VIGIL_MAX_STEPS: '9',
    });
    await vigil.advance('PT40M');
    const fetched = server.replies[0]!.fetched;
    // The pauses grow to four minutes.
    expect(fetched).toBeLessThan(40);
    server.complete('The answer.');
    await vigil.advance('PT5M');
    const { messages, usage, run } = await (await vigil.user()).finished(id);
    expect([run!.status, run!.reason]).toEqual(['done', undefined]);
    expect(messages.at(-1)).toMatchObject({ text: 'The answer.', background: true, status: 'complete' });
    expect(usage).toMatchObject({ modelCalls: 1, inputTokens: 100, outputTokens: 20 });
    expect(server.replies).toHaveLength(1);
    expect(await vigil.states(runId)).toContain('AwaitCallback');
  });

  test('is told to stop when it is interrupted, and what it used counts; the next one resumes at once by the provider’s webhook, which nobody else can send', async () => {
    const { ada, id } = await thinking();
    await ada.say(id, 'No, think of this.');
    await ada.until(id, ({ callbacks }) => {
      const open = callbacks.filter(({ status }) => status === 'pending');
      return callbacks.length === 2 && open.length === 1 && server.replies[0]!.status === 'cancelled';
    });
    const forged = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    expect((await fetch(`${vigil.url}/webhooks/models/thinker`, forged)).status).toBe(400);
    server.complete('The answer.');
    expect(await deliver('resp_2')).toBe(202);
    const { messages, usage } = await ada.finished(id);
    expect(messages.at(-1)).toMatchObject({ text: 'The answer.' });
    expect(server.replies.map(({ status }) => status)).toEqual(['cancelled', 'completed']);
    expect(usage).toMatchObject({ modelCalls: 2, inputTokens: 190, outputTokens: 27 });
  });
});
