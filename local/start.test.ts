import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { assertNodeVersion } from './npm-start/node-version';
import { openStandIns } from './npm-start/stand-ins';
import { readSettings } from './npm-start/start-settings';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `npm start`. */
const start = (env: NodeJS.ProcessEnv = {}, ...args: string[]) =>
  spawn(process.execPath, ['--import', 'tsx', join(__dirname, 'start.ts'), ...args], {
    env: { PATH: process.env.PATH, VIGIL_STATE_DIR: folder, PORT: '0', AWS_PORT: '0', ...env },
  });

/** Runs it until it fails. */
async function refusal(env?: NodeJS.ProcessEnv): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = start(env);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, stdout, stderr };
}

/** Returns the files and folders of `folder` that other users may read, write or enter. Windows has no such modes. */
function openToOthers(): string[] {
  if (process.platform === 'win32') return [];
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return entries.filter((entry) => (statSync(join(folder, entry)).mode & 0o077) !== 0);
}

test('empties its folder where asked, shows on one screen what runs where and what to type, keeps its files private, and stops at once on Ctrl-C (R97, R98, R151)', async () => {
  // What an earlier start has left.
  for (const file of ['vigil-state', 'undelivered.jsonl']) writeFileSync(join(folder, file), 'old', { mode: 0o600 });
  const child = start({}, '--reset');
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
  expect(readdirSync(folder)).not.toContain('undelivered.jsonl');
  expect(openToOthers()).toEqual([]);
  expect(await refusal()).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^Vigil does not start: .* is in use by another local cloud \(process \d+\)[^\n]*\n$/,
    ),
  });
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('without the engine’s package, prints the commands before it builds anything', async () => {
  const preload = join(folder, 'without-engine.cjs');
  const resolver = `const { Module } = require('node:module');
    const resolve = Module._resolveFilename;
    Module._resolveFilename = (name, ...rest) => resolve(name.replace('@dynoxide/', '@not-installed/'), ...rest);`;
  writeFileSync(preload, resolver);
  expect(await refusal({ NODE_OPTIONS: `--require ${preload}` })).toEqual({
    code: 1,
    stdout: '',
    // All lines of it: the first alone would not help.
    stderr: expect.stringMatching(
      /^Vigil does not start: There is no DynamoDB engine for \w+-\w+\. Install it:\n\n {2}npm install .*\n {2}DYNAMODB_ENDPOINT=/s,
    ),
  });
  expect(readdirSync(folder)).toEqual(['without-engine.cjs']);
});

test.each([
  [{ OPENAI_BASE_URL: 'http://x' }, [], 'OPENAI_BASE_URL is set but OPENAI_API_KEY is not'],
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
