import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audit } from './audit';

// npm itself audits a small project, at a registry that answers as each test says.

let server: Server;
let answer: RequestListener;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-audit-'));
  const project = { name: 'small', version: '1.0.0', dependencies: { leaky: '1.0.0', odd: '1.0.0' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
  const packages = {
    '': project,
    'node_modules/leaky': { version: '1.0.0' },
    'node_modules/odd': { version: '1.0.0' },
  };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...project, lockfileVersion: 3, packages }));
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const run = (port = (server.address() as AddressInfo).port) =>
  audit(folder, [
    `--registry=http://127.0.0.1:${port}/`,
    `--cache=${mkdtempSync(join(folder, 'cache-'))}`,
    '--fetch-retries=0',
    '--noproxy=127.0.0.1',
  ]);
const advisory = (severity: string) => ({
  id: 1,
  title: 'Leaks',
  severity,
  vulnerable_versions: '<2',
  url: 'https://example.org/1',
  cwe: [],
  cvss: { score: 0, vectorString: null },
});
const registry =
  (advisories: object): RequestListener =>
  ({ method, url }, response) => {
    const name = url!.slice(1);
    const packument = { name, versions: { '1.0.0': { name, version: '1.0.0' } } };
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify(method === 'POST' ? advisories : packument));
  };

test('a known vulnerability is a failure that names the package, and one of low severity stops nothing', async () => {
  answer = registry({ leaky: [advisory('high')], odd: [advisory('low')] });
  expect(await run()).toEqual({ verdict: 'failed', words: expect.stringMatching(/^leaky .*\(high\): Leaks$/) });
  answer = registry({ odd: [advisory('low')] });
  expect(await run()).toEqual({ verdict: 'passed', words: 'no known vulnerability' });
});

test('a registry without audits is neither: the audit did not run, and says why', async () => {
  answer = (_request, response) => response.writeHead(405).end();
  expect(await run()).toEqual({ verdict: 'not run', words: expect.stringContaining('405') });
});
