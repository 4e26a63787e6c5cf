import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { initApp } from '../package/cli/init';

// The app of the tutorial, as its reader makes it: `vigil init`, and the files of examples/invoices. It runs from this repository's
// sources; test/package.scenario.test.ts shows the same with the installed package.

const root = join(__dirname, '..');
const fromSources = '--conditions=vigil-source';
jest.setTimeout(600_000);

let folder: string;
let app: string;

/** Runs Node to its end, and returns what it prints. Without Jest's variables, which children would obey. */
function node(...args: string[]): string {
  const { NODE_ENV: _, JEST_WORKER_ID: __, ...env } = process.env;
  return execFileSync(process.execPath, args, {
    cwd: app,
    env: { ...env, NODE_OPTIONS: fromSources },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-invoices-'));
  app = join(folder, 'invoices');
  await initApp(app);
  for (const replaced of ['agents', 'tools', 'test']) rmSync(join(app, replaced), { recursive: true });
  cpSync(join(root, 'examples/invoices'), app, { recursive: true });
  mkdirSync(join(app, 'node_modules'));
  symlinkSync(root, join(app, 'node_modules/vigil'));
  for (const name of ['aws-cdk-lib', 'constructs', 'tsx', 'typescript', 'zod', '@types'])
    symlinkSync(join(root, 'node_modules', name), join(app, 'node_modules', name));
  // The command of a new app is that of the built package. `npm run lint` checks the types.
  writeFileSync(join(app, 'cdk.json'), JSON.stringify({ app: `node ${fromSources} --import tsx app.ts` }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('its stories pass: an approval by a group, three days, a crash, a denial, a missing key, four Mondays (R165, R250)', () => {
  const stories = ['chaser', 'mondays'].map((name) => `test/${name}.test.ts`);
  const said = node('--import', 'tsx', '--test', '--test-reporter=tap', ...stories);
  expect(said).toMatch(/^# pass 6$/m);
  expect(said).toMatch(/^# fail 0$/m);
});
