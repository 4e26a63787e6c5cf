import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import manifest from '../package.json';
import { signIn } from './support/api-client';
import { wordsOf } from './support/stories/transcript';

// What a newcomer does, in a folder that knows nothing of this repository: install the packed file, make an app, test it, run it,
// change it. The packages come from npm's cache or the registry.

const root = join(__dirname, '..');
jest.setTimeout(1_800_000);

// What asks for a newer Node than the one that runs this is refused.
const quiet = ['--engine-strict', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
/** The last major version that runs on each Node that Vigil supports. */
const vitest = 'vitest@4.1.12';

let folder: string;
let app: string;
let running: ChildProcess | undefined;

/** Runs a command to its end, and returns what it prints. Without Jest's variables, which children would obey. */
function run(cwd: string, command: string, ...args: string[]): string {
  const { NODE_ENV: _, JEST_WORKER_ID: __, NODE_OPTIONS: ___, ...env } = process.env;
  try {
    return execFileSync(command, args, {
      cwd,
      env,
      encoding: 'utf8',
      maxBuffer: 1e8,
      stdio: ['ignore', 'pipe', 'pipe'],
      // What does not end, such as a test runner with an open server, fails.
      timeout: 900_000,
      killSignal: 'SIGKILL',
    });
  } catch (error) {
    // Test runners say what is wrong where they say all else.
    (error as Error).message += `\n${(error as { stdout?: string }).stdout}`;
    throw error;
  }
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-package-'));
  // Builds first.
  run(root, 'npm', 'run', 'pack', '--', '--pack-destination', folder);
  const packages = readdirSync(folder).map((tarball) => `--package=./${tarball}`);
  expect(packages).toHaveLength(3);
  run(folder, 'npm', 'exec', '--yes', ...quiet, ...packages, '--', 'vigil', 'init', 'my-agents');
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

test('the new app names the files that it was made from (R165)', () => {
  const { dependencies, resolutions } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'));
  const own = {
    'vigil-client': `file:../vigil-client-${manifest.version}.tgz`,
    'vigil-stepfunctions': `file:../vigil-stepfunctions-${manifest.version}.tgz`,
  };
  expect(dependencies).toMatchObject({ vigil: `file:../vigil-${manifest.version}.tgz`, ...own });
  // pnpm and Yarn would ask a registry for what Vigil needs.
  expect(resolutions).toEqual(own);
});

test('the package has no path of the machine that packed it, and its command is small enough to try (R165)', () => {
  const installed = join(app, 'node_modules/vigil');
  const files = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const contents = files.map((file) => readFileSync(join(file.parentPath, file.name)));
  expect(contents.filter((content) => content.includes(root))).toEqual([]);
  const bytes = contents.reduce((sum, { length }) => sum + length, 0);
  expect(bytes).toBeLessThan(7_500_000);
  expect(run(app, 'npx', 'vigil', '--version')).toBe(
    `${JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).version}\n`,
  );
});

test('what it exports can be imported, as code and as types (R165)', () => {
  const tools = readdirSync(join(app, 'node_modules/vigil/tools'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `vigil/tools/${file.slice(0, -'.ts'.length)}`);
  const entries = ['vigil', 'vigil/cdk', 'vigil/client', 'vigil/eval', 'vigil/testing', ...tools];
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

test('the new app’s own eval holds with the stand-in model (R233)', () => {
  expect(run(app, 'npm', 'run', '-s', 'eval')).toMatch(/^3 of 3 hold\./m);
});

test('a mistake in the types ends the test, the synthesis and the deployment of the new app, in one line (R165)', () => {
  const tool = join(app, 'tools/opening-hours.ts');
  const before = readFileSync(tool, 'utf8');
  writeFileSync(tool, before.replace("effect: 'read'", "effect: 'onec'"));
  const line = `tools/opening-hours.ts:12:3: Type '"onec"' is not assignable to type`;
  for (const [command, ...args] of [
    ['npm', 'test'],
    ['npm', 'run', '-s', 'synth'],
    ['npx', 'cdk', 'deploy', '--require-approval=never'],
  ] as [string, ...string[]][])
    expect(() => run(app, command, ...args)).toThrow(
      expect.objectContaining({ stderr: expect.stringContaining(line) }),
    );
  writeFileSync(tool, before);
});

test('a mistake that the synthesis finds is one line, without a stack (R165)', () => {
  const tool = join(app, 'tools/opening-hours.ts');
  const before = readFileSync(tool, 'utf8');
  writeFileSync(tool, before.replace('export const handler', 'const handler'));
  const line =
    'ConfigurationError: tool opening_hours (tools/opening-hours.ts) does not load: it exports no function "handler"';
  expect(() => run(app, 'npm', 'run', '-s', 'synth')).toThrow(
    expect.objectContaining({
      stderr: expect.stringMatching(new RegExp(`^${line.replace(/[()]/g, '\\$&')}\n(?! +at )`)),
    }),
  );
  writeFileSync(tool, before);
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
  const [, suggested = ''] = /-d '(\{"agent":.*\})'$/m.exec(screen) ?? [];
  expect(JSON.parse(suggested)).toEqual({ agent: 'guide', text: 'When are you open on Monday?' });
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(screen) ?? [];
  expect(await (await fetch(url)).text()).toContain('<!doctype html>');

  const ada = await signIn(url, 'ada');
  // The line that is printed, and what is then said to type, without a key.
  const { agent, text } = JSON.parse(suggested) as { agent: string; text: string };
  const first = await ada.finished((await ada.start(agent, text)).id);
  expect(first.run).toMatchObject({ status: 'done', result: { answer: expect.any(String), day: null } });
  expect(wordsOf(first).at(-1)![1]).toContain('/call opening_hours {"day":"some day"}\n');
  const ask = async (more = '') => {
    const { id } = await ada.start('guide', `/call opening_hours {"day": "Sunday"}${more}`);
    return (await ada.finished(id)).run?.result;
  };
  expect(await ask()).toEqual({ answer: 'opening_hours answered: {"open":"10:00 to 17:00"}', day: null });
  const typed = { answer: 'Until five.', day: 'Sunday' };
  expect(await ask(`\n/result ${JSON.stringify(typed)}`)).toEqual(typed);

  // What another program does, which has nothing but the package.
  const other = `
    import { createClient } from 'vigil/client';
    import { WebSocket } from 'ws';
    const url = ${JSON.stringify(url)};
    const headers = { 'content-type': 'application/json' };
    const asked = await fetch(url + '/_local/token', { method: 'POST', headers, body: '{"user":"ada"}' });
    const { token } = await asked.json();
    const client = createClient({ url, token: () => token, WebSocket });
    const { id } = await client.start({ agent: 'guide', text: '/say Hello' });
    const chat = client.conversation(id);
    const leave = chat.subscribe(() => {
      const { conversation } = chat.getSnapshot();
      if (conversation?.status !== 'done') return;
      console.log(conversation.run.result.answer);
      leave();
    });`;
  expect(run(app, 'node', '--input-type=module', '--eval', other)).toMatch(/^Hello\s*$/);

  const tool = join(app, 'tools/opening-hours.ts');
  const before = readFileSync(tool, 'utf8');
  writeFileSync(tool, before.replace('export const handler', 'const handler'));
  await says(/tool opening_hours \(tools\/opening-hours\.ts\) does not load: .*The old code stays\./);
  writeFileSync(tool, before.replace('10:00 to 17:00', '11:00 to 17:00'));
  await says(/Changed: tools\/opening-hours\.ts\. Live in /);
  expect(await ask()).toMatchObject({ answer: 'opening_hours answered: {"open":"11:00 to 17:00"}' });

  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

/** The samples of a page that begin with the name of a file. */
const samplesOf = (page: string): [file: string, text: string][] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```/gms)].map(([, file, text]) => [
    file!,
    text!,
  ]);

test('what AGENTS.md says is there, its commands end well, and its samples are a tool, an agent and a story that passes (R241)', () => {
  const page = readFileSync(join(app, 'AGENTS.md'), 'utf8');
  const paths = [...page.matchAll(/`(node_modules\/[^`]+)`/g)].map(([, path]) => path!);
  expect(paths.length).toBeGreaterThan(3);
  expect(paths.filter((path) => !existsSync(join(app, path)))).toEqual([]);
  const samples = samplesOf('package/new-app/AGENTS.md');
  expect(samples.map(([file]) => file)).toEqual(['tools/book-tour.ts', 'agents/tours-agent.ts', 'test/tours.test.ts']);
  for (const [file, text] of samples) writeFileSync(join(app, file), text);
  // The first column of the table.
  const commands = [...page.matchAll(/^\| `(\S+) ([^`]+)` \|/gm)].map(
    ([, command, args]) => [command!, args!] as const,
  );
  const said = new Map(commands.map(([command, args]) => [args, run(app, command, ...args.split(' '))]));
  expect([...said.keys()]).toEqual(['install', 'run typecheck', 'test', 'vigil eval', 'run synth']);
  expect(said.get('test')).toMatch(/# pass 2\n/);
  const { Resources } = JSON.parse(readFileSync(join(app, 'cdk.out/MyAgents.template.json'), 'utf8'));
  expect(Object.keys(Resources)).toContain('BookTour');
});

describe('the app and the stories of docs/testing.md', () => {
  const swc = (type: 'commonjs' | 'es6') => ({
    jsc: { target: 'es2022', parser: { syntax: 'typescript', explicitResourceManagement: true } },
    module: { type },
  });
  const stories = ['test/crash.test.ts', 'test/refund.test.ts', 'test/reminder.test.ts', 'test/ticket.test.ts'];
  const inJest = (text: string) => text.replace("'vitest'", "'@jest/globals'");

  beforeAll(() => {
    const { jest, '@swc/jest': swcJest } = manifest.devDependencies;
    run(app, 'npm', 'install', '--save-dev', ...quiet, vitest, `jest@${jest}`, `@swc/jest@${swcJest}`);
    const samples = samplesOf('docs/testing.md');
    expect(samples.map(([file]) => file)).toEqual(expect.arrayContaining(stories));
    mkdirSync(join(app, 'jest'));
    for (const [file, text] of samples) {
      writeFileSync(join(app, file), text);
      if (stories.includes(file)) writeFileSync(join(app, file.replace('test/', 'jest/')), inJest(text));
    }
    for (const [name, type] of [
      ['commonjs', 'commonjs'],
      ['modules', 'es6'],
    ] as const) {
      const config = {
        rootDir: './jest',
        testTimeout: 300_000,
        transform: { '^.+\\.ts$': ['@swc/jest', swc(type)] },
        ...(name === 'modules' && { extensionsToTreatAsEsm: ['.ts'] }),
      };
      writeFileSync(join(app, `jest.${name}.json`), JSON.stringify(config));
    }
  });

  test('are well typed against the package (R180)', () => {
    expect(run(app, 'npm', 'run', '-s', 'typecheck')).toBe('');
  });

  /** Vitest writes the same fields as Jest. */
  const counted = (file: string) => JSON.parse(readFileSync(join(app, file), 'utf8')) as Record<string, unknown>;
  const passed = { numPassedTests: 4, numTotalTests: 4 };

  test.each(['threads', 'forks'])('pass in Vitest, side by side, in %s (R180)', (pool) => {
    const file = `vitest-${pool}.json`;
    run(app, 'npx', 'vitest', 'run', `--pool=${pool}`, '--reporter=json', `--outputFile=${file}`, ...stories);
    expect(counted(file)).toMatchObject(passed);
  });

  test.each([
    ['commonjs', []],
    ['modules', ['--experimental-vm-modules']],
  ])('pass in Jest, side by side, as %s (R180)', (name, flags) => {
    const file = `jest-${name}.json`;
    const jest = join(app, 'node_modules/jest/bin/jest.js');
    run(app, 'node', ...flags, jest, '--config', `jest.${name}.json`, '--json', `--outputFile=${file}`);
    expect(counted(file)).toMatchObject(passed);
  });
});
