import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import manifest from '../package.json';
import { signIn } from './support/api-client';
import { wordsOf } from './support/stories/transcript';

// What a newcomer does, in a folder that knows nothing of this repository: install the packed files, make an app, test it, run it,
// change it; and run the engine's package alone. The packages come from npm's cache or the registry.

const root = join(__dirname, '..');
jest.setTimeout(1_800_000);

// What asks for a newer Node than the one that runs this is refused.
const quiet = ['--engine-strict', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
/** The last major version that runs on each Node that Vigil supports. */
const vitest = 'vitest@4.1.12';

let folder: string;
let app: string;
const running: ChildProcess[] = [];

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
  for (const child of running.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    child.kill('SIGKILL');
    await once(child, 'exit');
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

test.each([
  ['vigil', 'vigil', 7_650_000],
  ['vigil-stepfunctions', 'vigil-stepfunctions', 1_500_000],
])(
  'the package %s has no path of the machine that packed it nor tests, its command runs, and it is small enough to try (R165, R187)',
  (name, command, most) => {
    const installed = join(app, 'node_modules', name);
    const files = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const names = files.map((file) => file.name);
    expect(names).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    expect(names.filter((file) => /\.test\.|killed-host|conformance/.test(file) && name !== 'vigil')).toEqual([]);
    const contents = files.map((file) => readFileSync(join(file.parentPath, file.name)));
    expect(contents.filter((content) => content.includes(root))).toEqual([]);
    expect(contents.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(most);
    const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { version: string };
    expect(run(app, 'npx', command, '--version')).toBe(`${version}\n`);
  },
);

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

test('it runs on this machine with its page, and a saved tool is live in the next call (R165)', async () => {
  const bin = join(app, 'node_modules/vigil/dist/package/cli/main.js');
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', AWS_PORT: '0' };
  const child = spawn(process.execPath, [bin, 'start'], { cwd: app, env });
  running.push(child);
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

test('what AGENTS.md says is there, its commands end well, its samples are a tool, an agent and a story that passes; the stack has the page (R165, R233, R241)', () => {
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
  expect(said.get('vigil eval')).toMatch(/^3 of 3 hold\./m);
  const { Resources } = JSON.parse(readFileSync(join(app, 'cdk.out/MyAgents.template.json'), 'utf8')) as {
    Resources: Record<string, { Type: string }>;
  };
  expect(Object.keys(Resources)).toEqual(
    expect.arrayContaining(['OpeningHours', 'CurrentTime', 'CallModel', 'BookTour']),
  );
  expect(Object.values(Resources).map(({ Type }) => Type)).toContain('AWS::CloudFront::Distribution');
});

test('the engine alone runs as a command, and a plain script embeds it on the same folder, where the sleeper wakes at its time (R187)', async () => {
  const bin = join(app, 'node_modules/.bin/vigil-stepfunctions');
  const { NODE_ENV: _, JEST_WORKER_ID: __, NODE_OPTIONS: ___, ...env } = process.env;
  const args = ['--port', '0', '--directory', 'state', '--wait-time-scale', '0.1'];
  const child = spawn(bin, args, { cwd: app, env, stdio: ['ignore', 'pipe', 'inherit'] });
  running.push(child);
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  const [endpoint = ''] = /http:\/\/\S+/.exec(String(line)) ?? [];
  expect(String(line)).toBe(
    `Step Functions on ${endpoint} · state in state · functions at nowhere (LAMBDA_ENDPOINT)\n`,
  );
  const credentials = { accessKeyId: 'any', secretAccessKey: 'any' };
  const client = new SFNClient({ endpoint, region: 'us-east-1', credentials });
  const begin = async (name: string, states: object) => {
    const definition = JSON.stringify({ StartAt: Object.keys(states)[0], States: states });
    const roleArn = 'arn:aws:iam::123456789012:role/any';
    const { stateMachineArn } = await client.send(new CreateStateMachineCommand({ name, definition, roleArn }));
    return (await client.send(new StartExecutionCommand({ stateMachineArn, name: 'one' }))).executionArn;
  };
  const executionArn = await begin('short', {
    Sleep: { Type: 'Wait', Seconds: 1, Next: 'Greet' },
    Greet: { Type: 'Pass', Result: 'Hi', End: true },
  });
  // With the scale of the engine that started it, it sleeps for 30 days.
  await begin('long', {
    Sleep: { Type: 'Wait', Seconds: 300 * 86_400, Next: 'Bill' },
    Bill: { Type: 'Task', Resource: 'arn:aws:lambda:us-east-1:123456789012:function:bill', End: true },
  });
  let short = await client.send(new DescribeExecutionCommand({ executionArn }));
  while (short.status === 'RUNNING') short = await client.send(new DescribeExecutionCommand({ executionArn }));
  expect([short.status, short.output]).toEqual(['SUCCEEDED', '"Hi"']);
  client.destroy();
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);

  const script = `
    const { movedClock, startStepFunctions } = require('vigil-stepfunctions');
    const day = 86_400_000;
    const clock = movedClock();
    const calls = [];
    const invokeLambda = async ({ payload }) => { calls.push(payload); return { payload: '{"paid":true}' }; };
    let tell; const end = new Promise((resolve) => { tell = resolve; });
    const onStatusChange = async ({ detail }) => { if (detail.name === 'one' && detail.output) tell(detail.output); };
    (async () => {
      const engine = await startStepFunctions({ directory: 'state', clock, services: { invokeLambda }, onStatusChange });
      const statusOf = async (name) => {
        const executionArn = 'arn:aws:states:us-east-1:123456789012:execution:' + name + ':one';
        return (await engine.call('DescribeExecution', { executionArn })).body;
      };
      clock.advance(29 * day);
      console.log((await statusOf('short')).output, (await statusOf('long')).status, calls.length);
      clock.advance(day);
      for (;;) {
        const { status, output } = await statusOf('long');
        if (status === 'RUNNING') { await new Promise(setImmediate); continue; }
        console.log(status, output, calls.length);
        break;
      }
      await end;
      await engine.stop();
      console.log(typeof (await import('vigil-stepfunctions')).startStepFunctions);
    })();`;
  expect(run(app, 'node', '--eval', script)).toBe('"Hi" RUNNING 0\nSUCCEEDED {"paid":true} 1\nfunction\n');
});

describe('the app and the stories of docs/testing.md, and the sample of the engine’s page', () => {
  const stories = ['test/crash.test.ts', 'test/refund.test.ts', 'test/reminder.test.ts', 'test/ticket.test.ts'];
  const [[engineFile, engineSample] = ['', '']] = samplesOf('packages/stepfunctions/README.md');

  beforeAll(() => {
    const { jest, '@swc/jest': swcJest, '@types/jest': jestTypes } = manifest.devDependencies;
    const runners = [vitest, `jest@${jest}`, `@swc/jest@${swcJest}`, `@types/jest@${jestTypes}`];
    run(app, 'npm', 'install', '--save-dev', ...quiet, ...runners);
    const samples = samplesOf('docs/testing.md');
    expect(samples.map(([file]) => file)).toEqual(expect.arrayContaining(stories));
    mkdirSync(join(app, 'jest'));
    for (const [file, text] of samples) {
      writeFileSync(join(app, file), text);
      if (stories.includes(file))
        writeFileSync(join(app, file.replace('test/', 'jest/')), text.replace("'vitest'", "'@jest/globals'"));
    }
    mkdirSync(join(app, 'jest/engine'));
    writeFileSync(join(app, 'jest/engine', engineFile), engineSample);
    const parser = { syntax: 'typescript', explicitResourceManagement: true };
    const config = {
      rootDir: './jest',
      testTimeout: 300_000,
      transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser }, module: { type: 'commonjs' } }] },
    };
    writeFileSync(join(app, 'jest.json'), JSON.stringify(config));
  });

  test('are well typed against the packages, whose own types are, too (R180, R187)', () => {
    expect(run(app, 'npm', 'run', '-s', 'typecheck')).toBe('');
    const wrong =
      "import { movedClock } from 'vigil-stepfunctions';\n// @ts-expect-error There is no such method.\nmovedClock().halt();\n";
    writeFileSync(join(app, 'jest/engine/wrong.ts'), wrong);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      module: 'node16',
      moduleResolution: 'node16',
      types: ['jest', 'node'],
    };
    writeFileSync(join(app, 'tsconfig.engine.json'), JSON.stringify({ compilerOptions, include: ['jest/engine'] }));
    expect(run(app, 'npx', 'tsc', '-p', 'tsconfig.engine.json')).toBe('');
  });

  // Vitest imports the packages as modules, and Jest requires them. It writes the same fields as Jest.
  test.each([
    ['Vitest', 4, ['vitest', 'run', '--pool=threads', '--reporter=json', ...stories]],
    ['Jest', 5, ['jest', '--config', 'jest.json', '--json']],
  ])('pass in %s, side by side (R180, R187)', (runner, count, args) => {
    run(app, 'npx', ...args, `--outputFile=${runner}.json`);
    const counted = JSON.parse(readFileSync(join(app, `${runner}.json`), 'utf8')) as Record<string, unknown>;
    expect(counted).toMatchObject({ numPassedTests: count, numTotalTests: count });
  });
});
