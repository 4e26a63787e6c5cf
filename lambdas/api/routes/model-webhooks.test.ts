import { Webhook } from 'standardwebhooks';
import { noUsage } from '../../../core/base/state/schemas';
import { defineAgent } from '../../../core/conversations/agent/agent';
import { registry } from '../../../core/conversations/agent/registry';
import { readCallback, storeToken } from '../../../core/conversations/calls/callback';
import { keepPending } from '../../../core/conversations/replies/pending-reply';
import { beginStep } from '../../../core/conversations/runs/begin-step';
import { createConversation } from '../../../core/conversations/runs/conversation';
import { apiDeployment } from '../../../test/support/api-deployment';
import { loggedLines } from '../../../test/support/logged';
import { segmentOf } from '../../../test/support/segment-of';
import { tableOfTests } from '../../../test/support/tables/table';
import { todosIn } from '../../../test/support/tables/todos';
import { api } from '../app';

loggedLines();

const secret = `whsec_${Buffer.from('a secret of the provider').toString('base64')}`;
const agent = defineAgent({ name: 'thinker', purpose: 'p', instructions: 'i', tools: [], model: 'm' });
const table = tableOfTests();
let serial = 0;

async function pending(): Promise<{ id: string; replyId: string; callbackId: string }> {
  const id = `h${++serial}`;
  const now = new Date();
  const { meta } = await createConversation(table, { id, user: 'ada', agent: 'thinker', text: 'Hi' }, now);
  const { input } = segmentOf(meta)!;
  const at = { ...input, step: 1 };
  const begun = await beginStep(table, at, { agent, writer: 'w', now });
  if (begun.kind !== 'begun') throw new Error('not begun');
  const replyId = `resp_${id}`;
  const of = { maker: 'openai responses m', model: 'm', seq: begun.draft.seq, expected: noUsage };
  await keepPending(table, at, begun.draft, { provider: 'openai', id: replyId, ...of }, now);
  const callbackId = `${input.runId}.00001.reply2-1`;
  await storeToken(table, id, callbackId, 'a token', now);
  return { id, replyId, callbackId };
}

const app = () => {
  const providerWebhooks = new Map([['openai', async () => secret]]);
  return api(apiDeployment(table, registry([agent]), { providerWebhooks }));
};

interface Sent {
  provider?: string;
  signedAt?: Date;
  key?: string;
  body?: string;
}
async function send(event: object, { provider = 'openai', signedAt = new Date(), key = secret, body }: Sent = {}) {
  const text = JSON.stringify(event);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(signedAt.getTime() / 1_000)),
    'webhook-signature': new Webhook(key).sign('evt_1', signedAt, text),
  };
  const answer = await app().request(`/webhooks/models/${provider}`, { method: 'POST', headers, body: body ?? text });
  return { status: answer.status, body: (await answer.json()) as { taken?: boolean } };
}
const completed = (id: string) => ({ type: 'response.completed', data: { id } });

describe('the webhook of a model’s provider (R201)', () => {
  test('answers the callback of its reply and resumes the run, once', async () => {
    const { id, replyId, callbackId } = await pending();
    expect(await send(completed(replyId))).toEqual({ status: 202, body: { taken: true } });
    expect((await readCallback(table, id, callbackId))!.status).toBe('answered');
    const resumed = { does: 'resume', callbackId, taskTokens: ['a token'], route: 'served' };
    expect(await todosIn(table, id)).toContainEqual(resumed);
    expect(await send(completed(replyId))).toEqual({ status: 202, body: { taken: false } });
    expect((await todosIn(table, id)).filter(({ does }) => does === 'resume')).toHaveLength(1);
  });

  test('is refused if the signature is another secret’s, old, or of another text', async () => {
    const { replyId } = await pending();
    const other = `whsec_${Buffer.from('another secret').toString('base64')}`;
    expect((await send(completed(replyId), { key: other })).status).toBe(400);
    expect((await send(completed(replyId), { signedAt: new Date(Date.now() - 600_000) })).status).toBe(400);
    expect((await send(completed('resp_x'), { body: JSON.stringify(completed(replyId)) })).status).toBe(400);
  });

  test('is told to come again for a reply that is not stored yet, and for a provider without a webhook', async () => {
    expect((await send(completed('resp_unknown'))).status).toBe(404);
    expect((await send(completed('resp_unknown'), { provider: 'other' })).status).toBe(404);
  });

  test('of another event changes nothing', async () => {
    const { id, replyId, callbackId } = await pending();
    const event = { type: 'response.created', data: { id: replyId } };
    expect(await send(event)).toEqual({ status: 202, body: { taken: false } });
    expect((await readCallback(table, id, callbackId))!.status).toBe('pending');
  });
});
