import type { WaitingApproval } from '../core/people/views/approvals';
import type { Timeline } from '../core/people/views/timeline';
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

  test('waits for them: they are told, see the call, and read nothing else of the conversation (R147, R124)', async () => {
    const fay = await member('fay');
    const live = await liveClient(fay);
    const subscribed = live.next(({ type }) => type === 'subscribed');
    live.send({ action: 'subscribe', approvals: true });
    expect(await subscribed).toEqual({ type: 'subscribed', approvals: true });
    expect(await waitingFor(fay)).toEqual([]);
    const told = live.next(({ type }) => type === 'changed');
    const { ada, id, waiting } = await asked(5_000);
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

  test('of two members at once one decides, with other arguments; the owner, strangers and former members do not (R147, R53, R114)', async () => {
    const { ada, id, path } = await asked(5_000);
    const yes = { approved: true };
    const detail =
      'You cannot decide about this: the members of the group "finance" can, but not the owner of the conversation.';
    for (const owner of [ada, await member('ada')]) {
      expect(await owner.request('POST', path, yes)).toMatchObject({
        status: 403,
        body: { title: 'Not allowed', detail },
      });
      expect(await waitingFor(owner)).toEqual([]);
    }
    for (const stranger of [await vigil.user('eve', ['staff']), await vigil.user('fay')]) {
      const [there, nowhere] = await Promise.all(
        [path, path.replace(id, 'nowhere')].map((one) => stranger.request('POST', one, yes)),
      );
      expect([there!.status, JSON.stringify(there!.body)]).toEqual([
        404,
        JSON.stringify(nowhere!.body).replace('nowhere', id),
      ]);
    }

    const members = await Promise.all([member('fay'), member('fred')]);
    const decisions = await Promise.all(
      members.map((one, index) => one.request('POST', path, { ...yes, arguments: { cents: 4_000 + index } })),
    );
    expect(decisions.map(({ status }) => status).sort()).toEqual([202, 409]);
    const done = await ada.finished(id);
    const cents = decisions[0]!.status === 202 ? 4_000 : 4_001;
    const { outcome } = done.callbacks[0] as { outcome: { by: string } };
    expect(outcome).toEqual({ ...yes, arguments: { cents }, by: expect.any(String) });
    expect(outcome.by).not.toBe(done.messages[0]!.author);
    for (const { body } of decisions) expect(body).toMatchObject({ outcome });
    expect(done.calls).toMatchObject([
      { status: 'completed', edited: true, arguments: { cents }, result: { refunded: cents }, decidedBy: outcome.by },
    ]);
    // What another person wrote, the model reads as such.
    const read = vigil.model.requests.at(-1)!.messages.at(-1)!;
    expect(read.content).toMatch(/^\[The approver changed the arguments\..* comes from another person\./);

    for (const one of members) expect(await waitingFor(one)).toEqual([]);
    expect(await members[0]!.request('POST', path, yes)).toMatchObject({ status: 409, body: { outcome } });
    expect((await ada.request('POST', path, yes)).status).toBe(403);
    const { runs } = (await ada.request('GET', `/conversations/${id}/timeline`)).body as Timeline;
    expect(runs[0]!.entries).toContainEqual(expect.objectContaining({ name: 'refund', decidedBy: outcome.by }));
    const settled = () =>
      vigil.events().find(({ detail }) => 'callId' in detail && detail.callId === done.calls[0]!.id);
    for (let look = 0; look < 1_000 && !settled(); look++) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(settled()).toMatchObject({ detail: { status: 'completed', decidedBy: outcome.by } });
  });
});
