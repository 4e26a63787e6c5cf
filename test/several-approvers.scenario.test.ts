import type { WaitingApproval } from '../core/people/views/approvals';
import type { User } from './support/api-client';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { call } from './support/stories/transcript';

// Claims that two of finance and a controller approve. What is allowed for later, and given back: page-approvals.browser.test.ts.

describe('approvals as companies have them', () => {
  let vigil: Vigil;
  beforeEach(async () => {
    vigil = await startVigil();
  });
  afterEach(() => vigil?.stop());

  const waitingFor = async (user: User) => {
    const all: WaitingApproval[] = [];
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = (await user.request('GET', `/approvals${cursor ? `?cursor=${cursor}` : ''}`)).body as {
        approvals: WaitingApproval[];
        cursor?: string;
      };
      all.push(...page.approvals);
      cursor = page.cursor;
    }
    return all;
  };
  const decide = (by: User, { conversationId, callback }: WaitingApproval, body: object = { approved: true }) =>
    by.request('POST', `/conversations/${conversationId}/callbacks/${callback.id}`, body);

  test('claims at once: each is paid once, after two of finance, one of them by a stand-in, and a controller (R252)', async () => {
    const sam = await vigil.user('sam');
    vigil.model.script([{ text: 'Hello.' }]);
    const hello = await sam.start('cashier', 'Hello');
    const samId = hello.messages[0]!.author;
    await sam.finished(hello.id);
    vigil.model.script([1, 2, 3].map((cents) => call(`c${cents}`, 'pay_claim', { cents })));
    const owners = await Promise.all([1, 2, 3].map((nth) => vigil.user(`owner${nth}`)));
    const asked = await Promise.all(
      owners.map(async (owner) => {
        const { id } = await owner.start('cashier', 'My parcel was broken');
        await owner.waiting(id);
        return { owner, id };
      }),
    );
    const before = vigil.model.calls;
    vigil.model.script(asked.map(() => ({ text: 'Paid.' })));
    const [fay, fred] = await Promise.all(['fay', 'fred'].map((name) => vigil.user(name, ['finance'])));
    const cleo = await vigil.user('cleo', ['controllers']);
    expect([(await waitingFor(fay!)).length, (await waitingFor(cleo)).length]).toEqual([3, 0]);
    expect(await waitingFor(sam)).toEqual([]);
    expect((await sam.request('GET', '/absence')).body).toEqual({ standsInFor: [] });
    const until = new Date((await vigil.now()).getTime() + 2 * 86_400_000).toISOString();
    expect((await fred!.request('PUT', '/absence', { to: samId, until })).status).toBe(200);
    // Both approve all of them at once, and one of them twice.
    const of = await Promise.all([fay!, sam, fay!].map(async (by) => ({ by, all: await waitingFor(by) })));
    expect(of[1]!.all.map(({ inPlaceOf }) => typeof inPlaceOf)).toEqual(Array(3).fill('string'));
    await Promise.all(of.flatMap(({ by, all }) => all.map((one) => decide(by, one))));
    expect((await fred!.request('DELETE', '/absence')).status).toBe(204);
    expect(await waitingFor(fay!)).toEqual([]);
    const forCleo = await waitingFor(cleo);
    expect(forCleo).toHaveLength(3);
    expect(vigil.model.calls).toBe(before);
    await Promise.all(forCleo.map((one) => decide(cleo, one)));
    for (const { owner, id } of asked) {
      const { calls, callbacks } = await owner.finished(id);
      expect(calls).toMatchObject([{ status: 'completed', attempts: 1 }]);
      const { decisions = [] } = callbacks[0]!;
      expect(decisions.map(({ step }) => step)).toEqual([0, 0, 1]);
      expect(new Set(decisions.map(({ by }) => by)).size).toBe(3);
      expect(decisions.filter(({ inPlaceOf }) => inPlaceOf !== undefined)).toMatchObject([{ by: samId }]);
    }
  });

  test('a claim that no controller decides goes to the chiefs after a day, while nothing runs (R252)', async () => {
    vigil.model.script([call('c', 'pay_claim', { cents: 5 }), { text: 'Not paid.' }]);
    const ada = await vigil.user('ada');
    const { id } = await ada.start('cashier', 'My parcel was broken');
    await ada.waiting(id);
    const [fay, fred] = await Promise.all(['fay', 'fred'].map((name) => vigil.user(name, ['finance'])));
    const chief = await vigil.user('chia', ['chiefs']);
    for (const by of [fay!, fred!]) await decide(by, (await waitingFor(by))[0]!);
    expect(await waitingFor(chief)).toEqual([]);
    await vigil.advance('PT23H');
    expect(await waitingFor(chief)).toEqual([]);
    await vigil.advance('PT1H');
    const [forChief] = await waitingFor(chief);
    // Two reminders, and the escalation.
    const { callbacks } = await ada.until(id, (now) => now.callbacks[0]!.toldAt !== undefined);
    expect(callbacks).toMatchObject([{ dueStep: 1, steps: [{ count: 2 }, { escalatesTo: { group: 'chiefs' } }] }]);
    await decide(chief, forChief!, { approved: false });
    expect((await ada.finished(id)).calls.map(({ status }) => status)).toEqual(['failed']);
  });
});
