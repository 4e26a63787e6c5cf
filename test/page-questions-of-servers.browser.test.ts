import { everyImpact, fitsEverywhere, visitedVigil } from './support/page/browser';
import { startMcpServers } from './support/servers/guard';
import { call } from './support/stories/transcript';

let servers: Awaited<ReturnType<typeof startMcpServers>>;

describe('a question of an MCP server on the page', () => {
  const { vigil, comesTo } = visitedVigil({
    async variables() {
      servers = await startMcpServers();
      return servers.variables;
    },
  });
  afterAll(() => servers?.stop());

  const asking = async () => {
    vigil().model.script([call('a', 'guarded__trigger_elicitation_request', {}), { text: 'Thank you.' }]);
    const ada = await vigil().user();
    const { id } = await ada.start('connected', 'Go');
    await ada.waiting(id);
    return { ada, id };
  };

  test('is a form in the server’s words, without a barrier, which is filled in and sent (R85, R175)', async () => {
    const { ada, id } = await asking();
    const { page, show } = await comesTo(id);
    const form = page.getByRole('form', { name: /The MCP server guarded asks in the middle of this call/ });
    await form.getByRole('button', { name: 'Send' }).waitFor();
    await fitsEverywhere({ page, show }, 'server-question', everyImpact);
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
