import type { Page, WebSocketRoute } from 'playwright-core';
import type { ClientMessage } from '../core/people/live/live';
import { pending } from '../local/pending';
import { answered, field, goesTo, said, send, stands, visitedVigil } from './support/page/browser';

// What becomes of the page when its network, the live view or the API is not as it should be.

describe('the page and its network', () => {
  const { vigil, comes, comesAs, talk } = visitedVigil();
  beforeEach(() => vigil().model.script(() => ({ text: 'I am here.' })));

  /** A visitor whose line to the live view can be meddled with; the conversation has been answered. */
  async function visitor(name: string) {
    const user = await vigil().user(name);
    const { id } = await user.start('reminder', `Hello from ${name}`);
    await user.finished(id);
    let line: Line;
    const { page } = await comesAs(name, id, {}, async (page) => {
      line = await lineOf(page);
    });
    await live(page);
    await answered(page, 'I am here.');
    return { user, id, page, line: line! };
  }

  test('left and opened again at once, a conversation is subscribed to, in whatever order the requests are served', async () => {
    const { user, id, page, line } = await visitor('hasty');
    const other = await user.start('reminder');
    let late: ClientMessage | undefined;
    line.toServer = (message) => {
      if (message.action !== 'unsubscribe' || !('conversationId' in message) || message.conversationId !== id)
        return true;
      late = message;
      return false;
    };
    await goesTo(page, other.id);
    await stands(page, 'nothing said yet');
    const back = line.sees((message) => message.type === 'subscribed' && isAbout(message, id));
    await goesTo(page, id);
    await back;
    line.toServer = () => true;
    const again = line.sees((message) => message.type === 'subscribed' && isAbout(message, id));
    line.ask(late!);
    await again;
    await user.say(id, 'Pushed after that');
    await said(page).getByText('Pushed after that').waitFor();
  });

  test('what was deleted while nobody told the page leaves the list, and is not there', async () => {
    const { user, page, line } = await visitor('leaver');
    const { id } = await user.start('reminder', 'To be deleted');
    await user.finished(id);
    // The list's index may be late by seconds: what is so new is not missed.
    await vigil().advance('PT1M');
    await page.reload();
    const entry = page.getByRole('link', { name: /To be deleted/ });
    await entry.waitFor();
    line.cut();
    await page.getByText('Offline.').waitFor();
    expect((await user.request('DELETE', `/conversations/${id}`)).status).toBe(204);
    line.mend();
    await page.getByRole('button', { name: 'Connect now' }).click();
    await entry.waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: /Hello from leaver/ }).waitFor();
    await goesTo(page, id);
    await page.getByText('Conversation not found').waitFor();
  });

  test('a connection that says nothing any more is found out by a ping, and another one is made', async () => {
    const { user, id, page, line } = await visitor('deafened');
    await page.clock.install();
    await page.reload();
    await live(page);
    await answered(page, 'I am here.');
    line.deafen();
    await user.say(id, 'Not pushed');
    await user.finished(id);
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.clock.fastForward(10_000);
    await said(page).getByText('Not pushed').waitFor();
    await live(page);
    await user.say(id, 'Pushed again');
    await said(page).getByText('Pushed again').waitFor();
  });

  test('a browser that takes its network for gone while the server answers: the page is live', async () => {
    const { user, page } = await visitor('unplugged');
    const { id: other } = await user.start('reminder');
    await page.evaluate(() => dispatchEvent(new Event('offline')));
    await live(page);
    await goesTo(page, other);
    await stands(page, 'nothing said yet');
    await user.say(other, 'Pushed all the same');
    await said(page).getByText('Pushed all the same').waitFor();
    await page.getByText('Offline.').waitFor({ state: 'hidden' });
  });

  test('what is not taken says why and outlives a reload; it is stored once', async () => {
    const { user, id, page } = await visitor('reloader');
    const refusal = { type: 'Unavailable', title: 'Service Unavailable', detail: 'The table is busy.' };
    await page.route('**/messages', (route) => route.fulfill({ status: 503, json: refusal }));
    await send(page, 'Written before the reload');
    await send(page, 'And this after it');
    await page.getByText('Not sent yet: The table is busy.').waitFor();
    await page.reload();
    await page.getByText('Not sent yet: The table is busy.').waitFor();
    await page.unroute('**/messages');
    await page.getByText('not stored yet').first().waitFor({ state: 'detached' });
    const { messages } = await user.finished(id);
    const mine = ['Hello from reloader', 'Written before the reload', 'And this after it'];
    expect(messages.filter(({ role }) => role === 'user').map(({ text }) => text)).toEqual(mine);
    await page.reload();
    await said(page).getByText('And this after it').waitFor();
    expect(await said(page).count()).toBe(3);
  });

  test('a first message that is refused is taken back to where conversations begin, or thrown away', async () => {
    const { page } = await comes();
    const refusal = { type: 'BadRequest', title: 'Bad Request', detail: 'Not like this.' };
    await page.route('**/conversations', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 400, json: refusal }) : route.fallback(),
    );
    await page.getByRole('radio').first().waitFor({ state: 'attached' });
    await send(page, 'To be thrown away');
    await page.getByText('Not sent: Not like this.').waitFor();
    await page.getByRole('button', { name: 'discard' }).click();
    await page.getByText('Agents that wait').waitFor();
    expect(await field(page).inputValue()).toBe('');
    await send(page, 'To be said again');
    await page.getByText('Not sent: Not like this.').waitFor();
    await field(page).press('ArrowUp');
    await page.getByText('Agents that wait').waitFor();
    expect(await field(page).inputValue()).toBe('To be said again');
    await page.unroute('**/conversations');
    await field(page).press('Enter');
    await answered(page, 'I am here.');
    expect(await said(page).count()).toBe(1);
  });

  test('what waits for somebody is counted and found however many conversations are newer (R65)', async () => {
    const user = await vigil().user('hoarder');
    vigil().model.script([{ text: 'Which of the two do you mean?' }]);
    const { id } = await user.start('reminder');
    const asking = await user.start('travel', 'Plan a trip');
    await user.waiting(asking.id);
    for (let count = 0; count < 62; count++) await user.start('reminder');
    const { page } = await comesAs('hoarder', id);
    await page.waitForFunction(() => document.title.startsWith('(1) '));
    const entries = page.getByRole('navigation', { name: 'Conversations' }).getByRole('listitem');
    // The first page of the list, what waits, and the open one.
    await entries.nth(31).waitFor();
    expect(await entries.count()).toBe(32);
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(/^Find a conversation/).fill('waiting for you');
    const found = page.getByRole('option');
    await found.first().getByText('travel · waiting for you').waitFor();
    await page.keyboard.press('Enter');
    await stands(page, 'waiting for you');
    // Nor by the letters of ids, which nobody sees.
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(/^Find a conversation/).fill(asking.id);
    await page.getByText('Nothing found.').waitFor();
  });

  test('what is typed while the finder is still loaded is found, and not in the message (R65)', async () => {
    vigil().model.script(() => ({ text: 'Yes.' }));
    const id = await talk('hasty', 'reminder', 'The blue bicycle');
    const late = pending<void>();
    const { page } = await comesAs('hasty', id, {}, (page) =>
      page.route('**/finder-*.js', (route) => late.promise.then(() => route.continue())),
    );
    await field(page).focus();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('bicy');
    late.resolve();
    await page
      .getByRole('option', { name: /The blue bicycle/ })
      .first()
      .waitFor();
    await page.keyboard.type('cle');
    expect(await page.getByPlaceholder(/^Find a conversation/).inputValue()).toBe('bicycle');
    expect(await field(page).inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await page.waitForFunction((element) => element === document.activeElement, await field(page).elementHandle());
  });
});

const live = (page: Page) => page.locator('[data-connection=live]').waitFor();

type Heard = { type?: string; conversationId?: string; status?: number };
const isAbout = (message: Heard, id: string) => message.conversationId === id;

type Line = Awaited<ReturnType<typeof lineOf>>;

/** The page's line to the live view, from its next load on. */
async function lineOf(page: Page) {
  let open: { page: WebSocketRoute; server: WebSocketRoute }[] = [];
  let isCut = false;
  const watchers: ((message: Heard) => void)[] = [];
  const line = {
    /** What the page says; false keeps it from the server. */
    toServer: (_message: ClientMessage): boolean => true,
    /** How many tries to connect have found the line cut. */
    refused: 0,
    /** The page hears this. */
    answer: (message: object) => open.at(-1)!.page.send(JSON.stringify(message)),
    /** The server hears this. */
    ask: (message: ClientMessage) => open.at(-1)!.server.send(JSON.stringify(message)),
    /** Resolves once the page has heard such a message from the server. */
    sees: (holds: (message: Heard) => boolean) =>
      new Promise<void>((resolve) => {
        watchers.push((message) => holds(message) && resolve());
      }),
    cut() {
      isCut = true;
      for (const one of open) void one.page.close();
      open = [];
    },
    mend() {
      isCut = false;
    },
    /** What is open now stays open, and carries nothing any more. */
    deafen() {
      for (const { server } of open) server.onMessage(() => undefined);
    },
  };
  await page.routeWebSocket(/ticket=/, (route) => {
    if (isCut) {
      line.refused += 1;
      return route.close();
    }
    const server = route.connectToServer();
    open.push({ page: route, server });
    route.onMessage((message) => {
      if (line.toServer(JSON.parse(String(message)) as ClientMessage)) server.send(message);
    });
    server.onMessage((message) => {
      route.send(message);
      for (const watch of watchers) watch(JSON.parse(String(message)) as Heard);
    });
  });
  return line;
}
