import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { openBrowser } from './support/page/browser';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { call } from './support/stories/transcript';

// The small apps of examples/, as their readers run them.

const root = join(__dirname, '..');

describe('the examples', () => {
  let vigil: Vigil;
  let party: ThirdParty;
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vigil-example-'));
    const vite = join(root, 'node_modules/vite/bin/vite.js');
    const build = [vite, 'build', 'examples/use-chat', '--logLevel', 'error', '--outDir', folder];
    execFileSync(process.execPath, build, { cwd: root, env: { ...process.env, NODE_ENV: 'production' } });
    const variables = { VIGIL_PAGE: folder };
    [vigil, party, browser] = await Promise.all([startVigil({ variables }), startThirdParty(), openBrowser([], false)]);
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), vigil?.stop(), party?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });
  const story = () =>
    vigil.model.script([
      { text: 'I pay now. Wait. ', ...call('c', 'pay', { url: party.url, cents: 10_001 }), holdAfter: 12 },
      call('q', 'ask_user', { question: 'Window or aisle?' }),
      { text: 'Done.' },
    ]);

  test('useChat in Chromium: the page is loaded again while the agent writes, and before a decision (R178)', async () => {
    story();
    const page = await browser.newPage();
    page.setDefaultTimeout(90_000);
    await page.goto(`${vigil.url}/?agent=tester`);
    await page.getByLabel('Message').fill('Pay');
    await page.getByRole('button', { name: 'Send' }).click();
    await vigil.model.held();
    await page.getByText('I pay now.').waitFor();
    await page.reload();
    await page.getByText('I pay now.').waitFor();
    vigil.model.release();
    await page.getByText('Pay?').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByLabel('Window or aisle?').fill('Window');
    await page.getByRole('button', { name: 'Send' }).first().click();
    await page.getByText('Done.').waitFor();
    await page.getByRole('status').getByText('done').waitFor();
    expect(await page.getByRole('article').count()).toBe(2);
    expect(await page.getByText('I pay now. Wait.').count()).toBe(1);
    expect(party.effects).toBe(1);
    await page.close();
  });

  test('AG-UI in a terminal: text, a tool, an approval and a question (R178)', async () => {
    story();
    const env = { ...process.env, VIGIL_URL: vigil.url, AGENT: 'tester', VIGIL_USER: vigil.idOf('ada') };
    const script = spawn(
      process.execPath,
      ['--import', 'tsx', '--conditions=vigil-source', 'examples/ag-ui/main.ts', 'Pay'],
      { cwd: root, env },
    );
    let said = '';
    const answers: [RegExp, string][] = [
      [/\(yes or no\) $/, 'yes\n'],
      [/Window or aisle\? $/, 'Aisle\n'],
    ];
    script.stderr.on('data', (data) => {
      said += data;
    });
    script.stdout.on('data', (data) => {
      said += data;
      if (answers[0]?.[0].test(said)) script.stdin.write(answers.shift()![1]);
    });
    await vigil.model.held();
    vigil.model.release();
    await once(script, 'exit');
    expect(said).toMatch(
      /I pay now\. Wait\.[\s\S]*\[pay \{[\s\S]*\[\{"paid":10001\}\][\s\S]*\[Aisle\]\nDone\.\nThe run is done\./,
    );
  });
});
