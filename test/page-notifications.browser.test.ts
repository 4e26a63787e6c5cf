import type { Page } from 'playwright-core';
import type { Notification } from '../modules/notices/notification';
import { answered, barriers, visitedVigil } from './support/page/browser';
import { type Browser, type PushService, startPushService } from './support/servers/push-service';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { call } from './support/stories/transcript';

// Notifications on the page: a browser that subscribes, what its service worker shows and does, and what the page shows itself. Only the
// browser maker's push service is replaced, by one of our own.

let service: PushService;
let party: ThirdParty;

/** Lets the page subscribe at our push service. */
const subscribesTo = (subscribed: (browser: Browser) => void) => async (page: Page) => {
  let browser: Browser | undefined;
  await page.context().grantPermissions(['notifications']);
  await page.exposeFunction('subscribeWith', (publicKey: string) => {
    browser ??= service.subscribe(publicKey);
    subscribed(browser);
    return browser.subscription;
  });
  await page.addInitScript(() => {
    type Made = { endpoint: string; keys: object };
    const { subscribeWith } = globalThis as unknown as { subscribeWith(key: unknown): Promise<Made> };
    let current: object | null = null;
    const unsubscribe = async () => {
      current = null;
    };
    Object.assign(PushManager.prototype, {
      getSubscription: async () => current,
      async subscribe({ applicationServerKey }: { applicationServerKey: string }) {
        const made = await subscribeWith(applicationServerKey);
        current = { ...made, toJSON: () => made, unsubscribe };
        return current;
      },
    });
  });
};

/** The service worker of a page: a push to it, and what it shows. */
async function workerOf(page: Page) {
  const [worker] = page.context().serviceWorkers();
  const session = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const to = { origin: new URL(page.url()).origin, registrationId: await registered };
  return {
    worker: worker!,
    push: (notification: Notification) =>
      session.send('ServiceWorker.deliverPushMessage', { ...to, data: JSON.stringify(notification) }),
    shown: () =>
      worker!.evaluate(async () => {
        const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
        const all = (await registration.getNotifications()) as (globalThis.Notification & {
          actions: { title: string }[];
        })[];
        return all.map(({ title, body, actions }) => [title, body, ...actions.map((one) => one.title)].join(' | '));
      }),
  };
}

describe('notifications', () => {
  const { vigil, comesAs } = visitedVigil({
    isWhole: true,
    async variables() {
      [service, party] = await Promise.all([startPushService(), startThirdParty()]);
      return { VIGIL_PUSH_ORIGINS: service.url };
    },
  });
  afterAll(() => Promise.all([service?.stop(), party?.stop()]));

  async function opensSettings(page: Page): Promise<void> {
    await page.getByRole('button', { name: /Signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'Settings…' }).click();
    await page.getByLabel('Reminders that are due').waitFor();
  }

  test('are turned on in the settings, shown by the service worker in their language, and an approval is given by their button (R154, R155, R256)', async () => {
    let browser: Browser | undefined;
    const user = await vigil().user('nora');
    const { page } = await comesAs(
      'nora',
      '',
      { viewport: { width: 1_440, height: 900 } },
      subscribesTo((one) => {
        browser = one;
      }),
    );
    await opensSettings(page);
    const added = page.waitForRequest((request) => request.method() !== 'GET' && /\/devices$/.test(request.url()));
    await page.getByRole('button', { name: 'Turn on' }).click();
    expect((await added).postDataJSON()).toMatchObject({ language: 'en-GB' });
    await page.getByText('This browser shows them.').waitFor();
    await page.getByLabel(/Quote the conversation/).check();
    await page.getByLabel(/Do not disturb me/).check();
    await page.getByRole('textbox', { name: 'From' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByLabel(/Do not disturb me/).uncheck();
    await page.getByLabel(/Also by e-mail/).click();
    await page.getByText(/^Not stored: .*VIGIL_MAIL_FROM/).waitFor();
    await page.keyboard.press('Escape');
    // The next token has confirmed what the first one granted.
    await opensSettings(page);
    await page
      .getByRole('region', { name: 'Devices' })
      .getByText(/, until /)
      .waitFor();
    await page.keyboard.press('Escape');
    const stored = async () => (await user.request('GET', '/notifications')).body as { words: boolean; mail: boolean };
    expect(await stored()).toMatchObject({ words: true, mail: false });
    expect(await stored()).not.toHaveProperty('quietHours');

    // Elsewhere, a conversation begins to wait.
    vigil().model.script([call('p', 'pay', { url: party.url, cents: 40_000 }), { text: 'Paid.' }]);
    const { id } = await user.start('tester', 'Pay the rent');
    const toast = page.getByText('Your approval is needed: Pay the rent').first();
    await toast.waitFor();
    const entry = page.getByRole('navigation').getByRole('link', { name: /Pay the rent/ });
    await entry.getByText('Unread').waitFor();
    await page.waitForFunction(() => document.title.startsWith('(1) '));
    expect(await barriers(page)).toEqual([]);

    const [told, notification] = (await browser!.until(2)) as [Notification, Notification];
    expect(told).toMatchObject({ kind: 'grant', title: 'Notifications quote conversations' });
    expect(notification).toMatchObject({ kind: 'approval', shown: expect.any(String), title: 'Approval needed' });
    const { worker, push, shown } = await workerOf(page);
    // The page in front shows a toast. Without one, the browser shows the notification, once.
    await page.goto('about:blank');
    for (const _ of [1, 2]) await push(notification);
    // In the device's language; what does not show all of the call is not approved from it.
    const { shown: _, ...less } = notification;
    const buttons = { approve: 'Genehmigen', deny: 'Ablehnen' };
    await push({ ...less, id: 'less', title: 'Genehmigung nötig', body: 'Zahlen?', language: 'de', buttons });
    while ((await shown()).length < 2) await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await shown()).sort()).toEqual([
      `Approval needed | Pay? · cents: 40000 · url: "${party.url}" · Asked by tester for pay. | Approve | Deny`,
      'Genehmigung nötig | Zahlen? | Ablehnen',
    ]);

    await page.goto(`${vigil().url}/`);
    await entry.waitFor();
    await worker.evaluate(async () => {
      const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
      const notification = (await registration.getNotifications()).find(({ title }) => title === 'Approval needed');
      const Clicked = (globalThis as unknown as { NotificationEvent: new (type: string, init: object) => Event })
        .NotificationEvent;
      globalThis.dispatchEvent(new Clicked('notificationclick', { notification, action: 'approve' }));
    });
    await user.finished(id);
    expect(party.effects).toBe(1);
    await entry.click();
    await answered(page, 'Paid.');
    await entry.getByText('Unread').waitFor({ state: 'hidden' });
    await page.waitForFunction(() => !document.title.startsWith('('));
  });
});
