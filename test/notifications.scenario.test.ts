import { ListExecutionsCommand, ListStateMachinesCommand } from '@aws-sdk/client-sfn';
import type { User } from './support/api-client';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { liveClient } from './support/live-client';
import { type Browser, type PushService, startPushService } from './support/servers/push-service';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { call } from './support/stories/transcript';

// What reaches a user who does not look: over a push service of our own, which checks and decrypts like a browser.

const all = { reminders: true, approvals: true, questions: true, failures: true, answers: true };
const quiet = { ...all, words: false, mail: false };

describe('a user who does not look', () => {
  let service: PushService;
  let party: ThirdParty;
  let vigil: Vigil;
  beforeAll(async () => {
    service = await startPushService();
    party = await startThirdParty();
    vigil = await startVigil({ variables: { VIGIL_PUSH_ORIGINS: service.url } });
  });
  afterAll(async () => {
    await vigil?.stop();
    await Promise.all([service?.stop(), party?.stop()]);
  });

  async function withBrowser(name: string, settings: object = quiet): Promise<{ user: User; browser: Browser }> {
    const user = await vigil.user(name);
    const { publicKey } = (await user.request('GET', '/devices')).body as { publicKey: string };
    const browser = service.subscribe(publicKey);
    // As a page does: a second token of the sign-in confirms what the first one has granted.
    for (const token of [user, await vigil.user(name)]) {
      await register(token, browser);
      expect(await token.request('PUT', '/notifications', settings)).toMatchObject({ status: 200, body: settings });
    }
    return { user, browser };
  }
  const register = (user: User, { subscription }: Browser) =>
    user.request('PUT', '/devices', { ...subscription, name: 'Laptop' });

  /** Until so many notices have begun, and none is under way, or all that are wait. */
  async function noticesAtRest(count: number): Promise<void> {
    const { stateMachines = [] } = await vigil.stepFunctions.send(new ListStateMachinesCommand({}));
    const { stateMachineArn } = stateMachines.find(({ name }) => name?.includes('Notice'))!;
    for (let look = 0; look < 4_000; look++) {
      const { executions = [] } = await vigil.stepFunctions.send(new ListExecutionsCommand({ stateMachineArn }));
      if (executions.length >= count && executions.every(({ status }) => status !== 'RUNNING')) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`Not ${count} notices.`);
  }

  test('hears of a reminder that fires, an approval and a question that wait, an answer, and after quiet hours of a failure, without a word of them (R154)', async () => {
    const { user, browser } = await withBrowser('ada');
    vigil.model.script([
      call('later', 'remind_later', { message: 'Feed the cat', delay_seconds: 60, at: null }),
      { text: 'I will.' },
      { text: 'Feed it now.' },
    ]);
    const { id } = await user.start('tester', 'Remind me');
    expect(await browser.until(1)).toMatchObject([
      {
        kind: 'answer',
        conversationId: id,
        path: `/#/c/${id}`,
        title: 'Answer',
        body: 'The tester agent has answered.',
      },
    ]);
    await vigil.advance('PT2M');
    expect((await browser.until(2))[1]).toMatchObject({ kind: 'reminder', conversationId: id, title: 'Reminder' });
    // The reminder's answer is not said again.
    await user.until(id, ({ messages }) => messages.at(-1)?.text === 'Feed it now.');
    await noticesAtRest(3);

    // The services fail, and what tells them dies: each is told once all the same, later.
    service.failNext(503);
    await vigil.fault({ function: 'Notify', kind: 'crash', at: 'after', times: 1 });
    vigil.model.script([call('q', 'ask_user', { question: 'How much, really?' }), { text: 'Thanks.' }]);
    const asked = await user.start('tester', 'Ask me');
    await vigil.advanceUntil(() => browser.received.length === 3);
    expect(browser.received[2]!.notification).toMatchObject({ kind: 'question', conversationId: asked.id });
    vigil.model.script([call('p', 'pay', { url: party.url, cents: 20_000 })]);
    const paying = await user.start('tester', 'Pay');
    const { callbacks } = await user.waiting(paying.id);
    const [, , , approval] = await browser.until(4);
    expect(approval).toMatchObject({ kind: 'approval', conversationId: paying.id, callbackId: callbacks[0]!.id });
    expect(approval!.shown).toBeUndefined();

    const clock = (at: Date) => at.toISOString().slice(11, 16);
    const now = await vigil.now();
    const quietHours = { from: clock(now), to: clock(new Date(now.getTime() + 3 * 3_600_000)) };
    expect((await user.request('PUT', '/notifications', { ...quiet, quietHours })).status).toBe(200);
    vigil.model.script([{ status: 400 }]);
    const failing = await user.start('tester', 'Fail');
    expect((await user.finished(failing.id)).status).toBe('failed');
    await vigil.advance('PT2H');
    expect(browser.received).toHaveLength(4);
    await vigil.advance('PT1H');
    expect((await browser.until(5))[4]).toMatchObject({ kind: 'failure', conversationId: failing.id, title: 'Failed' });

    const shown = browser.received.map(({ notification: { title, body, path } }) => `${title} ${body} ${path}`);
    expect(shown.join()).not.toMatch(/cat|really|20.?000|Thanks/i);
    expect(vigil.logs()).not.toContain(browser.subscription.endpoint);
  });

  test('hears nothing of a conversation while a page shows it, and their pages are told (R154, R155)', async () => {
    const { user, browser } = await withBrowser('cleo');
    vigil.model.script(() => ({ text: 'Hello.' }));
    const { id } = await user.start('tester');
    const live = await liveClient(user);
    await live.follow(id);
    await live.followList();
    const watched = live.next(({ type }) => type === 'watched');
    live.send({ action: 'watch', conversationId: id, visible: true, turn: 1 });
    expect(await watched).toEqual({ type: 'watched', conversationId: id, visible: true, turn: 1 });
    const told = live.next(({ type }) => type === 'notice');
    await user.say(id, 'Hi');
    await user.finished(id);
    expect(await told).toMatchObject({ type: 'notice', kind: 'answer', conversationId: id });
    await noticesAtRest(1);
    expect(browser.received).toEqual([]);

    const elsewhere = live.next(({ type }) => type === 'error');
    live.send({ action: 'watch', conversationId: 'another', visible: true, turn: 2 });
    expect(await elsewhere).toMatchObject({ status: 409 });
    const hidden = live.next(({ type }) => type === 'watched');
    live.send({ action: 'watch', conversationId: id, visible: false, turn: 3 });
    await hidden;
    await user.say(id, 'Again');
    expect(await browser.until(1)).toMatchObject([{ kind: 'answer', conversationId: id }]);
    await live.close();
  });

  test('registers only what can be a push service and a browser, and no e-mail where there is none (R154, R123)', async () => {
    const user = await vigil.user('eve');
    const { subscription } = service.subscribe('key');
    const refused = async (path: string, body: object) => {
      const { status, body: problem } = await user.request('PUT', path, body);
      return [status, (problem as { errors?: { path: string; message: string }[] }).errors?.[0]];
    };
    const outside = 'must be the address of a push service on the public internet';
    for (const [endpoint, message] of [
      ['http://push.example.com/1', 'must be an https address'],
      ['https://127.0.0.1/1', outside],
      ['https://169.254.169.254/latest', outside],
      ['https://intranet/1', outside],
    ] as const)
      expect(await refused('/devices', { ...subscription, endpoint })).toEqual([400, { path: 'endpoint', message }]);
    const { endpoint, keys } = subscription;
    expect(await refused('/devices', { endpoint, keys: { ...keys, p256dh: 'AAAA' } })).toEqual([
      400,
      { path: 'keys.p256dh', message: 'must be an uncompressed P-256 key' },
    ]);
    expect(await refused('/notifications', { ...quiet, mail: true })).toEqual([
      400,
      { path: 'mail', message: 'this deployment sends none: set VIGIL_MAIL_FROM' },
    ]);
    expect((await fetch(`${vigil.url}/devices`)).status).toBe(401);
  });

  test('what one token has granted ends with it, and ending all grants ends the rest (R195)', async () => {
    const { user, browser } = await withBrowser('finn');
    const { publicKey } = (await user.request('GET', '/devices')).body as { publicKey: string };
    const thief = service.subscribe(publicKey);
    await register(user, thief);
    expect(await browser.until(1)).toMatchObject([{ kind: 'grant', title: 'New device' }]);
    const devices = async () =>
      ((await user.request('GET', '/devices')).body as { devices: { isConfirmed: boolean }[] }).devices;
    expect((await devices()).map(({ isConfirmed }) => isConfirmed)).toEqual([true, false]);
    await vigil.advance('PT16M');
    expect(await devices()).toMatchObject([{ isConfirmed: true }]);
    vigil.model.script(() => ({ text: 'Hello.' }));
    await user.finished((await user.start('tester', 'Hi')).id);
    expect(await browser.until(2)).toMatchObject([{}, { kind: 'answer' }]);
    expect(thief.received).toEqual([]);
    expect((await user.request('DELETE', '/devices')).status).toBe(204);
    expect(await devices()).toEqual([]);
    expect(await browser.until(3)).toMatchObject([{}, {}, { kind: 'grant', title: 'Notifications turned off' }]);
    expect(await register(user, thief)).toMatchObject({ status: 409 });
  });
});
