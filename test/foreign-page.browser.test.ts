import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { freePort } from 'vigil-stepfunctions/shared';
import { blockedPorts } from '../local/dynamodb/blocked-address';
import { commandLine } from '../local/dynamodb/command-line';
import { openStandIns } from '../local/npm-start/stand-ins';
import { signIn, type User } from './support/api-client';
import { assembly } from './support/clouds/assembly';
import { type SeparateEngine, startSeparateEngine } from './support/clouds/separate-engine';
import { leaveProcess, takeProcess, type VigilProcess } from './support/clouds/vigil-process';
import { openBrowser, pageFolder } from './support/page/browser';
import { attack, type Find } from './support/page/foreign-page';
import { listeningAddresses } from './support/servers/listening';

// A page of another site attacks every port that a laptop with Vigil has open. It knows them all, and every name in them.

const secret = 'My secret is heliotrope';
const options = { assembly, variables: { VIGIL_PAGE: pageFolder } };

describe('a page of another site', () => {
  jest.setTimeout(300_000);
  let vigil: VigilProcess;
  let standIns: Awaited<ReturnType<typeof openStandIns>>;
  let engine: SeparateEngine;
  let vite: { url: string; child: ChildProcess };
  let site: Server;
  let browser: Browser;
  let ada: User;
  let conversation: string;
  /** Each server's address, by what it is. */
  let targets: Record<string, string>;

  beforeAll(async () => {
    site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<p>Hello</p>'));
    await once(site.listen(0, '127.0.0.1'), 'listening');
    [vigil, standIns, engine] = await Promise.all([
      takeProcess(options, true),
      openStandIns({}),
      startSeparateEngine(),
    ]);
    vigil.model.begin({ script: () => ({ text: 'I keep it.' }) });
    const { url, awsUrl } = vigil.cloud;
    vite = await startVite(url);
    const { OPENAI_BASE_URL: model = '', SERPER_BASE_URL: search = '' } = standIns.variables;
    const others = { model: new URL(model).origin, search, stepFunctions: engine.variables.SFN_ENDPOINT };
    targets = { app: url, aws: awsUrl, dynamodb: await dynamodbAt(vigil.cloud.state), ...others, vite: vite.url };
    // The attacker's names lead to this machine: to the page of the site, and to each server.
    const names = Object.entries(targets).map(([what, at]) => `MAP ${what}.rebound.test ${new URL(at).hostname}`);
    browser = await openBrowser([`--host-resolver-rules=MAP evil.test 127.0.0.1,${names.join()}`], false);
    ada = await signIn(url, 'ada');
    conversation = (await ada.start('reminder', secret)).id;
    await ada.finished(conversation);
  });
  afterAll(async () => {
    await browser?.close();
    vite?.child.kill();
    site?.close();
    await Promise.all([standIns?.stop(), engine?.stop(), vigil && leaveProcess(vigil)]);
  });

  const local = async (path: string) => (await fetch(`${vigil.cloud.url}/_local/${path}`)).json();
  /** What the attacks would change. */
  const state = async () => [
    ((await local('clock')) as { offset: number }).offset,
    await local('faults'),
    ((await ada.read(conversation)).messages ?? []).map(({ text }) => text),
  ];
  const newPage = async () => (await browser.newContext()).newPage();
  const open = async (address: string): Promise<Page> => {
    const page = await newPage();
    await page.goto(address, { timeout: 90_000 });
    return page;
  };
  /** A page that was served before the name was rebound. */
  const openRebound = async (address: string): Promise<Page> => {
    const page = await newPage();
    await page.route(`${address}/start`, (route) => route.fulfill({ contentType: 'text/html', body: '<p>Hello</p>' }));
    await page.goto(`${address}/start`, { timeout: 90_000 });
    return page;
  };
  const attackFrom = async (page: Page, addresses: string[]): Promise<Find[]> => {
    const found = await page.evaluate(attack, { addresses, table: vigil.cloud.tableName, conversation });
    await page.context().close();
    return found;
  };
  const untouched = [0, { faults: [] }, [secret, 'I keep it.']];

  (process.platform === 'linux' ? test : test.skip)('the ports that it attacks are all that there are (R151)', () => {
    const addresses = ['app', 'aws', 'dynamodb'].map((what) => new URL(targets[what]!).host);
    expect(listeningAddresses(vigil.cloud.pid)).toEqual(addresses.sort());
  });

  test('Chromium calls none of the ports that the DynamoDB engine may have (R151)', async () => {
    const { port: own } = site.address() as AddressInfo;
    const host = '127.77.3.9';
    const servers = blockedPorts.map((port) =>
      createServer((_request, response) => response.setHeader('access-control-allow-origin', '*').end()).listen(
        port,
        host,
      ),
    );
    await Promise.all(servers.map((server) => once(server, 'listening')));
    const page = await open(`http://evil.test:${own}/`);
    const called = await page.evaluate(
      async (addresses) => {
        const answers = await Promise.allSettled(addresses.map((one) => fetch(one)));
        return addresses.filter((_, index) => answers[index]!.status === 'fulfilled');
      },
      blockedPorts.map((port) => `http://${host}:${port}/`),
    );
    await page.context().close();
    for (const server of servers) server.close();
    expect(called).toEqual([]);
  });

  test.each(['evil.test', 'localhost'])(
    'at %s, it reads nothing, opens nothing and changes nothing (R151)',
    async (name) => {
      const { port } = site.address() as AddressInfo;
      const page = await open(`http://${name}:${port}/`);
      const found = await attackFrom(page, Object.values(targets));
      expect({ found, state: await state() }).toEqual({ found: [], state: untouched });
    },
  );

  test('under a name that it has rebound to a server, it gets nothing, or no page at all (R151, R195)', async () => {
    for (const [what, address] of Object.entries(targets)) {
      const rebound = `http://${what}.rebound.test:${new URL(address).port}`;
      if (what === 'dynamodb') {
        await expect(open(rebound)).rejects.toThrow('net::ERR_UNSAFE_PORT');
        continue;
      }
      const found = await attackFrom(await openRebound(rebound), [rebound]);
      // It did reach the server.
      expect([what, found.length > 0]).toEqual([what, true]);
      const served = found
        .filter(({ status }) => status < 400)
        .map(({ request }) => request)
        .sort();
      // Vite refuses such names itself.
      expect([what, served]).toEqual([what, []]);
      expect(JSON.stringify(found)).not.toMatch(/heliotrope|"token"/);
    }
    expect(await state()).toEqual(untouched);
  });

  test('the page itself, by either name or from Vite, does all of this (R151)', async () => {
    const { app = '', vite: development = '' } = targets;
    for (const address of [app, app.replace('127.0.0.1', 'localhost'), development]) {
      const page = await open(`${address}/config.json`);
      const did = await page.evaluate(visit, conversation);
      await page.context().close();
      expect([address, did]).toEqual([
        address,
        { moved: 200, ordered: 200, cleared: 200, read: expect.stringContaining(secret), live: 'open' },
      ]);
    }
    // The clock has been read at two moments.
    expect(Math.round(Number((await state())[0]) / 1_000)).toBe(3 * 60);
  });
});

/** Runs in the page: what its buttons do. */
async function visit(conversation: string) {
  const send = (method: string, path: string, body?: object, token?: string) =>
    fetch(path, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: body && JSON.stringify(body),
    });
  const status = async (answer: Promise<Response>) => (await answer).status;
  const { token } = (await (await send('POST', '/_local/token', { user: 'ada' })).json()) as { token: string };
  const answer = await send('POST', '/live/tickets', undefined, token);
  const { url, ticket } = (await answer.json()) as { url: string; ticket: string };
  const socket = new WebSocket(`${url}?ticket=${ticket}`);
  const live = new Promise((resolve) => {
    socket.onopen = () => resolve('open');
    socket.onerror = () => resolve('refused');
  });
  return {
    // First: a ticket is valid for a minute.
    live: await live,
    moved: await status(send('POST', '/_local/clock', { advance: 'PT1M' })),
    ordered: await status(send('POST', '/_local/faults', { function: 'CallModel', kind: 'crash' })),
    cleared: await status(send('DELETE', '/_local/faults')),
    read: await (await send('GET', `/conversations/${conversation}`, undefined, token)).text(),
  };
}

/** The engine's address, from its command line. Before it had one of its own, it listened on 127.0.0.1. */
async function dynamodbAt(state: string): Promise<string> {
  const command = await commandLine(Number(readFileSync(join(state, 'dynamodb.pid'), 'utf8')));
  const [, host = '127.0.0.1'] = /--host (\S+)/.exec(command) ?? [];
  return `http://${host}:${/--port (\d+)/.exec(command)?.[1]}`;
}

/** `npx vite web`, for a cloud on another port than the usual one. */
async function startVite(cloud: string): Promise<{ url: string; child: ChildProcess }> {
  const port = await freePort();
  const root = join(__dirname, '..');
  const command = [join(root, 'node_modules/vite/bin/vite.js'), 'web', '--host', '127.0.0.1', '--port', String(port)];
  const env = { ...process.env, PORT: new URL(cloud).port };
  const child = spawn(process.execPath, [...command, '--strictPort'], { cwd: root, env, stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  for (let look = 0; look < 3_000; look++) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return { url, child };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  child.kill();
  throw new Error('Vite does not start.');
}
