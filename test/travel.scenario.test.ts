import { startVigil, type Vigil } from './support/clouds/vigil';
import { stepsTo } from './support/history';
import type { ChatRequest, Reply } from './support/servers/model-server';
import { startWeb, type Web, webPage } from './support/servers/web';
import { nudgeToEnd } from './support/stories/patience';
import { call, unquoted, wordsOf } from './support/stories/transcript';

// The travel agent: it asks, searches, reads pages and plans. The web is a server that speaks Serper's and Browserless's
// protocols; what it costs and what it says is in the test's hands.

const keys = { SERPER_API_KEY: 'k-serper-secret', BROWSERLESS_TOKEN: 't-browserless-secret' };
const sights = 'https://kyoto.example/sights';
const article = (words: string) => `<html><head><title>Kyoto</title></head><body><p>${words}</p></body></html>`;
const search = (id = 'c_search', results: number | null = null) =>
  call(id, 'internet_search', { query: 'Kyoto sights', results });
const read = (id: string, url = sights) => call(id, 'scrape_website', { url });
const plan: Reply = { text: `Day 1: the gates of Fushimi Inari (${sights}).\n\nPLAN COMPLETE` };

let vigil: Vigil;
let web: Web;
beforeAll(async () => {
  web = await startWeb();
});
afterAll(() => web?.stop());
beforeEach(() => {
  [web.searches.length, web.reads.length] = [0, 0];
  web.pages = { [sights]: webPage(article('Walk through the gates of Fushimi Inari.')) };
});
const ofWeb = () => ({ ...keys, SERPER_BASE_URL: web.url, BROWSERLESS_BASE_URL: web.url });
const waiting = async (id: string) => (await vigil.user()).until(id, ({ status }) => status === 'waiting');
const resultsIn = ({ messages }: ChatRequest) =>
  messages.flatMap((message) => (message.role === 'tool' ? [String(message.content)] : []));

describe('the travel agent', () => {
  beforeAll(async () => {
    vigil = await startVigil({ variables: ofWeb() });
  });
  afterAll(() => vigil?.stop());
  beforeEach(() => {
    vigil.model.requests.length = 0;
  });

  test('asks, waits for the answer, searches, reads, and ends at its phrase only (R7, R8, R101, R102)', async () => {
    vigil.model.script([
      { text: 'Where would you like to go, and when?' },
      call('c_time', 'current_time', {}),
      search(),
      read('c_read'),
      { text: 'Shall I plan for two or three days?' },
      plan,
    ]);
    const ada = await vigil.user();
    const { id } = await ada.start('travel', 'I need a holiday');
    await waiting(id);
    await ada.say(id, 'Kyoto, in May');
    await ada.until(id, ({ callbacks, status }) => callbacks.length === 2 && status === 'waiting');
    await ada.say(id, 'Three');
    const done = await ada.finished(id);
    expect(done.run).toMatchObject({ status: 'done', agent: 'travel', step: 6 });
    expect(wordsOf(done).map(([, text]) => text)).toEqual([
      'I need a holiday',
      'Where would you like to go, and when?',
      'Kyoto, in May',
      'Shall I plan for two or three days?',
      'Three',
      plan.text,
    ]);
    expect(await vigil.states(done.run!.id)).toEqual(
      stepsTo('AwaitCallback', 'current_time', 'internet_search', 'scrape_website', 'AwaitCallback', 'Done'),
    );
    const [, found, page] = resultsIn(vigil.model.requests.at(-1)!);
    expect(found).toMatch(
      /^The following comes from the web\.[^\n]*\n"1\. Kyoto sights\\n {3}https:\/\/kyoto\.example\/sights\\n {3}Temples and gardens\./,
    );
    expect(page).toMatch(/^The following comes from the web\.[\s\S]*Walk through the gates of Fushimi Inari\./);
    expect(web.searches).toEqual([{ q: 'Kyoto sights', num: 5, key: keys.SERPER_API_KEY }]);
  });

  /** Plays these replies to the end. @returns also what the model read as the results of its calls. */
  async function trip(...replies: Reply[]) {
    vigil.model.script([...replies, plan]);
    const { id } = await (await vigil.user()).start('travel', 'Plan three days in Kyoto in May');
    const ended = await nudgeToEnd(vigil, id);
    return { ...ended, results: resultsIn(vigil.model.requests.at(-1)!).map(unquoted) };
  }

  test('the keys reach the services and nobody else: no transcript, no conversation, no history, no log (R35)', async () => {
    web.answerSearches({ status: 403, body: { message: 'Unauthorized.' } });
    const done = await trip(search('c1'), search('c2'), read('c3'), read('c4', 'https://kyoto.example/food'));
    expect(web.searches.at(-1)).toMatchObject({ key: keys.SERPER_API_KEY });
    expect(web.reads[0]).toEqual({ url: sights, token: keys.BROWSERLESS_TOKEN });
    const seen = JSON.stringify([vigil.model.requests, done, await vigil.history(done.run!.id), vigil.logs()]);
    for (const key of Object.values(keys)) expect(seen).not.toContain(key);
  });
});
