import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signIn } from './support/api-client';
import { wordsOf } from './support/transcript';

// What a newcomer does, in a folder that knows nothing of this repository: install the packed file, make an app, test it, run it,
// change it. The packages come from npm's cache or the registry.

const root = join(__dirname, '..');
jest.setTimeout(1_800_000);

let folder: string;
let app: string;
let running: ChildProcess | undefined;

/** Runs a command to its end, and returns what it prints. Without Jest's variables, which children would obey. */
function run(cwd: string, command: string, ...args: string[]): string {
  const { NODE_ENV: _, JEST_WORKER_ID: __, NODE_OPTIONS: ___, ...env } = process.env;
  return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1e8 });
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-package-'));
  // Builds first.
  run(root, 'npm', 'pack', '--pack-destination', folder);
  const [tarball] = readdirSync(folder);
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  run(folder, 'npm', 'exec', '--yes', ...quiet, `--package=./${tarball}`, '--', 'vigil', 'init', 'my-agents');
  app = join(folder, 'my-agents');
  run(app, 'npm', 'install', ...quiet);
});
afterAll(async () => {
  if (running?.exitCode === null) {
    running.kill('SIGKILL');
    await once(running, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

test('the package has no path of the machine that packed it, and its command is small enough to try (R165)', () => {
  const installed = join(app, 'node_modules/vigil');
  const files = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const contents = files.map((file) => readFileSync(join(file.parentPath, file.name)));
  expect(contents.filter((content) => content.includes(root))).toEqual([]);
  const bytes = contents.reduce((sum, { length }) => sum + length, 0);
  expect(bytes).toBeLessThan(8_000_000);
  expect(run(app, 'npx', 'vigil', '--version')).toBe(
    `${JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).version}\n`,
  );
});

test('what it exports can be imported, as code and as types (R165)', () => {
  const tools = readdirSync(join(app, 'node_modules/vigil/tools'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `vigil/tools/${file.slice(0, -'.ts'.length)}`);
  const entries = ['vigil', 'vigil/cdk', 'vigil/testing', ...tools];
  writeFileSync(
    join(app, 'all.ts'),
    entries.map((entry, index) => `export * as n${index} from '${entry}';\n`).join(''),
  );
  expect(run(app, 'npm', 'run', '-s', 'typecheck')).toBe('');
  const names = `${JSON.stringify(entries)}.map((entry) => Object.keys(require(entry)).length)`;
  const counts = JSON.parse(run(app, 'node', '-p', `JSON.stringify(${names})`)) as number[];
  expect(counts.every((count) => count > 0)).toBe(true);
  rmSync(join(app, 'all.ts'));
});

test('the new app’s own test passes, and its stack is synthesized with the security of a deployment and the page (R165)', () => {
  expect(run(app, 'npm', 'test')).toMatch(/# pass 1\n/);
  run(app, 'npm', 'run', '-s', 'synth');
  const { Resources } = JSON.parse(readFileSync(join(app, 'cdk.out/MyAgents.template.json'), 'utf8')) as {
    Resources: Record<string, { Type: string }>;
  };
  expect(Object.keys(Resources)).toEqual(expect.arrayContaining(['OpeningHours', 'CurrentTime', 'CallModel']));
  expect(Object.values(Resources).map(({ Type }) => Type)).toContain('AWS::CloudFront::Distribution');
});

test('it runs on this machine with its page, and a saved tool is live in the next call (R165)', async () => {
  const bin = join(app, 'node_modules/vigil/dist/package/cli/main.js');
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', AWS_PORT: '0' };
  const child = spawn(process.execPath, [bin, 'start'], { cwd: app, env });
  running = child;
  let screen = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      screen += chunk.toString();
    });
  const says = async (text: RegExp) => {
    for (let look = 0; look < 60_000 && child.exitCode === null && child.signalCode === null; look++) {
      if (text.test(screen)) return;
      await sleep(20);
    }
    throw new Error(`It does not say ${text}. It says: ${screen}`);
  };
  await says(/Ctrl-C/);
  expect(screen).toContain('`npx vigil start --reset` empties it');
  expect(screen).toContain('{"agent":"guide","text":"Hello"}');
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(screen) ?? [];
  expect(await (await fetch(url)).text()).toContain('<!doctype html>');

  const ada = await signIn(url, 'ada');
  const ask = async () => {
    const { id } = await ada.start('guide', '/call opening_hours {"day": "Sunday"}');
    return wordsOf(await ada.finished(id)).at(-1);
  };
  expect(await ask()).toEqual(['guide', 'opening_hours answered: {"open":"10:00 to 17:00"}']);

  const tool = join(app, 'tools/opening-hours.ts');
  const before = readFileSync(tool, 'utf8');
  writeFileSync(tool, before.replace('export const handler', 'const handler'));
  await says(/tool opening_hours \(tools\/opening-hours\.ts\) does not load: .*The old code stays\./);
  writeFileSync(tool, before.replace('10:00 to 17:00', '11:00 to 17:00'));
  await says(/Changed: tools\/opening-hours\.ts\. Live in /);
  expect(await ask()).toEqual(['guide', 'opening_hours answered: {"open":"11:00 to 17:00"}']);

  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
