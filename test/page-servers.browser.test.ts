import { answered, barriers, everyImpact, fitsEverywhere, visitedVigil } from './support/page/browser';
import { startMcpServers } from './support/servers/guard';
import { type ModelServer, startModelServer } from './support/servers/model-server';
import { call } from './support/stories/transcript';

// What the servers of others say on the page: the tools of a model's provider, with what a text cites, and an MCP server that asks. It is
// lines with links and a form; nothing of it is markup.

const page = 'https://kyoto.example/sights';
const evil = '<img src=x onerror=alert(1)> bank.example';
let near: ModelServer;
let servers: Awaited<ReturnType<typeof startMcpServers>>;

describe('on the page', () => {
  const { vigil, comesTo } = visitedVigil({
    async variables() {
      [near, servers] = await Promise.all([startModelServer(), startMcpServers()]);
      return { ...servers.variables, NEAR_SERVER_BASE_URL: near.url };
    },
  });
  afterAll(() => Promise.all([near?.stop(), servers?.stop()]));

  test('hosted tools are lines that open to their sources, and citations are links that say where they lead (R204)', async () => {
    const sources = [
      { type: 'url', url: page },
      { type: 'url', url: 'javascript:alert(1)' },
      { type: 'url', url: 'https://museum.example/' },
    ];
    near.script([
      {
        thought: 'I look.',
        hosted: [
          {
            type: 'web_search_call',
            action: { type: 'search', query: `Temples of Kyoto, ${'with their gardens, '.repeat(9)}`, sources },
          },
          { type: 'web_search_call', action: { type: 'open_page', url: page }, status: 'failed' },
          { type: 'code_interpreter_call', code: 'temples = 1_600\nprint(temples)', container_id: 'c', outputs: null },
        ],
        text: 'Kyoto has about **1,600** temples. Many of them have gardens.',
        annotations: [
          { type: 'url_citation', url: page, title: 'Sights of Kyoto' },
          { type: 'url_citation', url: 'https://mallory.example/', title: evil },
        ],
      },
    ]);
    const user = await vigil().user();
    const { id } = await user.start('online', 'How many temples are there in Kyoto?');
    await user.finished(id);
    const { page: shown, show } = await comesTo(id, { viewport: { width: 1_280, height: 800 } });
    await answered(shown, 'Kyoto has about 1,600 temples.');
    expect(await shown.locator('[data-hosted]').allTextContents()).toEqual([
      expect.stringMatching(/^Searched the web: Temples of Kyoto.*2 sources$/),
      expect.stringMatching(/^Read a page: https:\/\/kyoto\.example\/sightsfailed/),
      expect.stringMatching(/^Ran a program: temples = 1_600$/),
    ]);
    await shown.getByText('Searched the web: Temples').click();
    await shown.getByText('Ran a program').click();
    await shown.getByText('print(temples)').waitFor();
    const links = shown.locator('main a[target=_blank]');
    const facts = await links.evaluateAll((all) =>
      all.map((one) => [one.getAttribute('href'), one.getAttribute('rel')]),
    );
    const rel = 'noopener noreferrer nofollow';
    expect(facts).toEqual(
      [page, 'https://museum.example/', page, 'https://mallory.example/'].map((href) => [href, rel]),
    );
    await shown.getByText(/leads to mallory\.example/).waitFor();
    expect(await shown.locator('main img').count()).toBe(0);
    await fitsEverywhere({ page: shown, show }, 'hosted');
  });

  test('a question of an MCP server is a form in its words, without a barrier, which is filled in and sent (R85, R175)', async () => {
    vigil().model.script([call('a', 'guarded__trigger_elicitation_request', {}), { text: 'Thank you.' }]);
    const ada = await vigil().user();
    const { id } = await ada.start('connected', 'Go');
    await ada.waiting(id);
    const { page } = await comesTo(id);
    const form = page.getByRole('form', { name: /The MCP server guarded asks in the middle of this call/ });
    await form.getByRole('button', { name: 'Send' }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    expect(await barriers(page, everyImpact)).toEqual([]);
    // Nothing is filled in yet.
    expect(await form.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    // The schema names it “String”.
    await form.getByLabel(/^String(?! with)/).fill('Ada');
    await form.getByRole('button', { name: 'Send' }).click();
    await page.locator('article').getByText('Thank you.').waitFor();
    expect((await ada.finished(id)).calls).toMatchObject([
      { status: 'completed', result: expect.stringContaining('Name: Ada') },
    ]);
  });
});
