import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { longTest } from '../test/support/long';
import { assertNodeVersion } from './npm-start/node-version';
import { openStandIns } from './npm-start/stand-ins';
import { readSettings } from './npm-start/start-settings';
import { openStateDirectory, resetStateDirectory } from './npm-start/state-directory';

/** Runs `npm start` until it fails. */
function refusal(
  env: NodeJS.ProcessEnv,
  ...args: string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(__dirname, 'start.ts'), ...args], {
    env: { PATH: process.env.PATH, VIGIL_STATE_DIR: folder, PORT: '0', AWS_PORT: '0', ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the files and folders of `folder` that other users may read, write or enter. Windows has no such modes. */
function openToOthers(): string[] {
  if (process.platform === 'win32') return [];
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return entries.filter((entry) => (statSync(join(folder, entry)).mode & 0o077) !== 0);
}

longTest(
  'shows on one screen what runs where and what to type, keeps its files private, and stops at once on Ctrl-C (R97, R98, R151)',
  async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', join(__dirname, 'start.ts')], {
      env: { PATH: process.env.PATH, VIGIL_STATE_DIR: folder, PORT: '0', AWS_PORT: '0' },
    });
    let [screen, errors] = ['', ''];
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    for await (const chunk of child.stdout) {
      screen += chunk;
      if (screen.includes('Ctrl-C')) break;
    }
    expect(errors).toBe('');
    expect(screen.split('\n').length).toBeLessThan(30);
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(screen) ?? [];
    for (const part of [
      'stand-in model: no OPENAI_API_KEY',
      'stand-in search: no SERPER_API_KEY',
      'AWS endpoint',
      folder,
      `curl -s ${url}/conversations`,
    ])
      expect(screen).toContain(part);
    expect(await (await fetch(`${url}/_local/health`)).json()).toMatchObject({
      model: 'stand-in model: no OPENAI_API_KEY',
    });
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['assembly', 'dynamodb.sqlite', 'stepfunctions']));
    expect(openToOthers()).toEqual([]);
    child.kill('SIGINT');
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
    // In a fresh clone it first synthesizes the app and builds the page.
  },
  240_000,
);

test('a port in use is one line on stderr and exit status 1', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const refused = await refusal({ PORT: String(port) });
  server.close();
  const stderr = `Vigil does not start: Port ${port} is taken: stop what uses it, or set PORT to another.\n`;
  expect(refused).toEqual({ code: 1, stdout: '', stderr });
});

test('a state directory in use is one line on stderr', async () => {
  const { release } = await openStateDirectory(folder);
  const { code, stderr } = await refusal({});
  await release();
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^Vigil does not start: .* is in use by another local cloud \(process \d+\)[^\n]*\n$/),
  ]);
});

test('--reset leaves a folder alone that is not a state directory', async () => {
  writeFileSync(join(folder, 'thesis.txt'), 'years of work');
  const { code, stderr } = await refusal({}, '--reset');
  expect([code, stderr]).toEqual([1, expect.stringContaining('is not a state directory of Vigil')]);
});

test('--reset removes what a local cloud wrote and nothing else', async () => {
  await (await openStateDirectory(folder)).release();
  const written = ['clock.json', 'dynamodb.sqlite', 'events.jsonl', 'undelivered.jsonl'];
  for (const name of [...written, 'thesis.txt']) writeFileSync(join(folder, name), '');
  // The key of webhook addresses. If it were kept, the next start would accept addresses of conversations that no
  // longer exist.
  mkdirSync(join(folder, 'generated-secrets'));
  writeFileSync(join(folder, 'generated-secrets', 'key'), '');
  await resetStateDirectory(folder);
  expect(readdirSync(folder)).toEqual(['thesis.txt']);
});

test.each([
  [{ OPENAI_BASE_URL: 'http://x' }, [], 'OPENAI_BASE_URL is set but OPENAI_API_KEY is not'],
  [{ SERPER_BASE_URL: 'http://x' }, [], 'SERPER_BASE_URL is set but SERPER_API_KEY is not'],
  [{ BROWSERLESS_BASE_URL: 'http://x' }, [], 'BROWSERLESS_BASE_URL is set but BROWSERLESS_TOKEN is not'],
  [{ PORT: 'eighty' }, [], 'PORT must be a port'],
  [{}, ['--rest'], 'Unknown arguments: --rest. Use --reset to empty the state, --no-watch'],
])('%j %j is refused with what to do', (env, args, message) => {
  expect(() => readSettings(args, env)).toThrow(message);
});

test('with a key the label names the model, otherwise the stand-in', () => {
  expect(readSettings([], {}).model).toBe('stand-in model: no OPENAI_API_KEY');
  const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://user:pass@models.test/v1', VIGIL_MODEL: 'small' };
  expect(readSettings([], env)).toMatchObject({ model: 'small, at models.test' });
});

test.each([
  [{}, 'stand-in search: no SERPER_API_KEY'],
  [{ SERPER_API_KEY: 'k' }, 'Serper; pages fetched directly: no BROWSERLESS_TOKEN'],
  [{ SERPER_API_KEY: 'k', BROWSERLESS_TOKEN: 't' }, 'Serper; pages by Browserless'],
  [
    { SERPER_API_KEY: 'k', SERPER_BASE_URL: 'http://a:b@search.test/x' },
    'search.test; pages fetched directly: no BROWSERLESS_TOKEN',
  ],
])('with %j the screen says who searches: %s', (env, search) => {
  expect(readSettings([], env)).toMatchObject({ search });
});

const keys = { OPENAI_API_KEY: 'k', SERPER_API_KEY: 'k', BROWSERLESS_TOKEN: 'k' };
const ofModel = ['OPENAI_BASE_URL', 'VIGIL_MODEL', 'VIGIL_PRICES'];
test.each([
  [{}, [...Object.keys(keys), 'BROWSERLESS_BASE_URL', ...ofModel, 'SERPER_BASE_URL']],
  [{ BROWSERLESS_TOKEN: 'k' }, ['OPENAI_API_KEY', ...ofModel, 'SERPER_API_KEY', 'SERPER_BASE_URL']],
  [{ SERPER_API_KEY: 'k' }, ['OPENAI_API_KEY', ...ofModel]],
  [keys, []],
])('with the keys %j stand-ins set %j and nothing else (R98)', async (env, names) => {
  const standIns = await openStandIns(env);
  await standIns.stop();
  expect(Object.keys(standIns.variables).sort()).toEqual(names.sort());
});

test.each(['18.20.0', '20.18.3'])('Node %s is too old', (version) => {
  expect(() => assertNodeVersion(version)).toThrow(`Node ${version} is too old: Vigil needs 20.19 or newer.`);
});

test.each([
  ['characters', 'd'.repeat(120)],
  ['bytes', 'ü'.repeat(60)],
])('a state directory whose path has too many %s for a socket is locked all the same', async (_unit, name) => {
  const deep = join(folder, name);
  mkdirSync(deep, { recursive: true });
  const { release } = await openStateDirectory(deep);
  await expect(openStateDirectory(deep)).rejects.toThrow('in use');
  await release();
  await (await openStateDirectory(deep)).release();
});

test('without the engine’s package, prints the commands before it builds anything', async () => {
  const preload = join(folder, 'without-engine.cjs');
  const resolver = `const { Module } = require('node:module');
    const resolve = Module._resolveFilename;
    Module._resolveFilename = (name, ...rest) => resolve(name.replace('@dynoxide/', '@not-installed/'), ...rest);`;
  writeFileSync(preload, resolver);
  const { code, stdout, stderr } = await refusal({ NODE_OPTIONS: `--require ${preload}` });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /^Vigil does not start: There is no DynamoDB engine for \w+-\w+\. Install it:\n\n {2}npm install /,
  );
  expect(stderr).toContain('\n  DYNAMODB_ENDPOINT=http://127.0.0.1:8000 npm start\n');
  expect(readdirSync(folder)).toEqual(['without-engine.cjs']);
});
