import type { WaitingApproval } from '../core/people/views/approvals';
import type { User } from './support/api-client';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { liveClient } from './support/live-client';
import { call } from './support/stories/transcript';

// Refunds are approved by the group `finance`, and never by the customer who asks.

describe('a call that others approve', () => {
  let vigil: Vigil;
  beforeAll(async () => {
    vigil = await startVigil();
  });
  afterAll(() => vigil?.stop());

  const member = (name: string) => vigil.user(name, ['staff', 'finance']);
  const waitingFor = async (user: User) =>
    ((await user.request('GET', '/approvals')).body as { approvals: WaitingApproval[] }).approvals;
  /** Starts a conversation whose refund waits. */
  async function asked(cents: number) {
    vigil.model.script([call('c', 'refund', { cents }), { text: 'Refunded.' }]);
    const ada = await vigil.user('ada');
    const { id } = await ada.start('cashier', 'My parcel was broken');
    const waiting = await ada.waiting(id);
    const path = `/conversations/${id}/callbacks/${waiting.callbacks[0]!.id}`;
    return { ada, id, waiting, path };
  }

  test('waits for them: they are told, see the call, and read nothing else of the conversation; its owner does not decide (R147, R124)', async () => {
    const fay = await member('fay');
    const live = await liveClient(fay);
    const subscribed = live.next(({ type }) => type === 'subscribed');
    live.send({ action: 'subscribe', approvals: true });
    expect(await subscribed).toEqual({ type: 'subscribed', approvals: true });
    expect(await waitingFor(fay)).toEqual([]);
    const told = live.next(({ type }) => type === 'changed');
    const { ada, id, waiting, path } = await asked(5_000);
    expect(await told).toEqual({ type: 'changed', approvals: true });
    expect(waiting).toMatchObject({ status: 'waiting', waitsFor: 'approver' });
    expect(await waitingFor(fay)).toEqual([
      {
        conversationId: id,
        owner: waiting.messages[0]!.author,
        agent: 'cashier',
        callback: {
          ...waiting.callbacks[0],
          kind: 'approval',
          tool: 'refund',
          arguments: { cents: 5_000 },
          prompt: 'Give this money back?',
          approvers: { group: 'finance' },
          excludesOwner: true,
          status: 'pending',
          // Storing the task token is a new version.
          version: expect.any(Number),
        },
        messages: [{ seq: 1, role: 'user', author: waiting.messages[0]!.author, text: 'My parcel was broken' }],
      },
    ]);
    const forbidden: [string, string, object?][] = [
      ['GET', ''],
      ['GET', '/timeline'],
      ['POST', '/messages', { text: 'Hello' }],
      ['POST', '/cancel', {}],
      ['POST', '/retry', {}],
      ['POST', '/fork', { step: 1 }],
      ['POST', '/trust', { messages: [1] }],
      ['DELETE', ''],
    ];
    for (const [method, rest, body] of forbidden)
      expect((await fay.request(method, `/conversations/${id}${rest}`, body)).status).toBe(404);
    for (const owner of [ada, await member('ada')])
      expect((await owner.request('POST', path, { approved: true })).status).toBe(403);
    const refused = live.next(({ type }) => type === 'error');
    live.send({ action: 'subscribe', conversationId: id });
    expect(await refused).toMatchObject({ status: 404, conversationId: id });

    const closed = live.next(({ type }) => type === 'changed');
    await ada.cancel(id);
    await closed;
    expect(await waitingFor(fay)).toEqual([]);
    expect(JSON.stringify(live.received)).not.toMatch(/parcel|5000|refund/);
    await live.close();
  });
});
