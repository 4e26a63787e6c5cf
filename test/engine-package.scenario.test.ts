import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import manifest from '../package.json';

// What a stranger does with the engine's package, in a folder that knows nothing of this repository: install the packed file, run it
// by npx, restart it, embed it. The packages come from npm's cache or the registry.

const root = join(__dirname, '..');
const page = readFileSync(join(root, 'packages/stepfunctions/README.md'), 'utf8');
jest.setTimeout(1_200_000);

let folder: string;
const processes: ChildProcess[] = [];

/** Without Jest's variables, which children would obey, and without addresses of other engines. */
const { NODE_ENV: _, JEST_WORKER_ID: __, NODE_OPTIONS: ___, ...env } = process.env;
const run = (cwd: string, command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1e8 });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-engine-package-'));
  run(root, 'npm', 'run', 'build', '--workspace', 'vigil-stepfunctions');
  run(root, 'npm', 'pack', './packages/stepfunctions/dist', '--pack-destination', folder);
  const [tarball] = readdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const { '@aws-sdk/client-sfn': client } = manifest.dependencies;
  const { '@types/jest': jestTypes, '@types/node': nodeTypes } = manifest.devDependencies;
  const beside = [`@aws-sdk/client-sfn@${client}`, `@types/jest@${jestTypes}`, `@types/node@${nodeTypes}`];
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  run(folder, 'npm', 'install', ...quiet, `./${tarball}`, ...beside);
});
afterAll(async () => {
  for (const child of processes.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    process.kill(-child.pid!, 'SIGKILL');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

interface Server {
  url: string;
  line: string;
  /** Sends the signal to the process and its children, as a terminal does. Resolves to its exit code, or the signal. */
  end(signal: NodeJS.Signals): Promise<number | string>;
}

/** Starts a command of the package, and waits for its one line. */
async function start(command: string, ...args: string[]): Promise<Server> {
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
  const child = spawn(command, args, { cwd: folder, env, detached: true, stdio });
  processes.push(child);
  for await (const line of createInterface({ input: child.stdout! })) {
    const [url] = /http:\/\/\S+/.exec(line) ?? [''];
    const end = async (signal: NodeJS.Signals) => {
      process.kill(-child.pid!, signal);
      const [code, killed] = (await once(child, 'exit')) as [number | null, string];
      return code ?? killed;
    };
    return { url, line, end };
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  throw new Error(`${command} ${args.join(' ')} ended before it was ready.`);
}

const engine = () => join(folder, 'node_modules/.bin/vigil-stepfunctions');

function clientOf({ url }: Server): SFNClient {
  const credentials = { accessKeyId: 'any', secretAccessKey: 'any' };
  return new SFNClient({ endpoint: url, region: 'us-east-1', credentials });
}

test('what is packed is small, and has the licence, the types and no path of the machine that packed it (R187)', () => {
  const installed = join(folder, 'node_modules/vigil-stepfunctions');
  const files = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'index.js', 'index.d.ts', 'main.js']));
  const contents = files.map((file) => readFileSync(join(file.parentPath, file.name)));
  expect(contents.filter((content) => content.includes(root))).toEqual([]);
  expect(contents.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(1_500_000);
  expect(names.filter((name) => /\.test\.|fixture|killed-host|conformance/.test(name))).toEqual([]);
  expect(run(folder, engine(), '--version')).toBe(`${manifest.version}\n`);
  expect(run(folder, engine(), '--help')).toContain('Usage: vigil-stepfunctions [options]');
});

const roleArn = 'arn:aws:iam::123456789012:role/any';
const slept = ['ExecutionStarted', 'WaitStateEntered', 'WaitStateExited', 'PassStateEntered', 'PassStateExited'];

async function typesOf(client: SFNClient, executionArn?: string) {
  return (await client.send(new GetExecutionHistoryCommand({ executionArn }))).events!.map(({ type }) => type);
}

test('npx runs it: executions are created, started, wait, end and are read (R187)', async () => {
  const args = ['--port', '0', '--directory', 'state'];
  const first = await start('npx', 'vigil-stepfunctions', ...args, '--wait-time-scale', '0.1');
  expect(first.line).toBe(`Step Functions on ${first.url} · state in state · functions at nowhere (LAMBDA_ENDPOINT)`);
  const client = clientOf(first);
  const begin = async (name: string, states: object) => {
    const definition = JSON.stringify({ StartAt: Object.keys(states)[0], States: states });
    const { stateMachineArn } = await client.send(new CreateStateMachineCommand({ name, definition, roleArn }));
    return (await client.send(new StartExecutionCommand({ stateMachineArn, name: 'one' }))).executionArn;
  };
  const executionArn = await begin('short', {
    Sleep: { Type: 'Wait', Seconds: 1, Next: 'Greet' },
    Greet: { Type: 'Pass', Result: 'Hi', End: true },
  });
  for (;;) {
    const { status, output } = await client.send(new DescribeExecutionCommand({ executionArn }));
    if (status === 'RUNNING') continue;
    expect([status, output]).toEqual(['SUCCEEDED', '"Hi"']);
    break;
  }
  expect(await typesOf(client, executionArn)).toEqual([...slept, 'ExecutionSucceeded']);
  // With the scale of the engine that started it, it sleeps for 30 days.
  await begin('long', {
    Sleep: { Type: 'Wait', Seconds: 300 * 86_400, Next: 'Bill' },
    Bill: { Type: 'Task', Resource: 'arn:aws:lambda:us-east-1:123456789012:function:bill', End: true },
  });
  await expect(start(engine(), ...args)).rejects.toThrow('ended before it was ready');
  client.destroy();
  await first.end('SIGKILL');
});

test('after a kill it has all of it, the sleeper sleeps on, and both signals end it cleanly (R187)', async () => {
  const arn = 'arn:aws:states:us-east-1:123456789012:execution';
  const second = await start(engine(), '--port', '0', '--directory', 'state');
  const client = clientOf(second);
  expect(await typesOf(client, `${arn}:short:one`)).toEqual([...slept, 'ExecutionSucceeded']);
  expect(await typesOf(client, `${arn}:long:one`)).toEqual(['ExecutionStarted', 'WaitStateEntered']);
  client.destroy();
  expect(await second.end('SIGTERM')).toBe(0);
  const third = await start(engine(), '--port=0', '--directory=state');
  expect(await third.end('SIGINT')).toBe(0);
});

test('a plain script embeds it on the same folder, moves its clock, and the sleeper wakes at its time (R187)', () => {
  const script = `
    const { movedClock, startStepFunctions } = require('vigil-stepfunctions');
    const day = 86_400_000;
    const clock = movedClock();
    const calls = [];
    const invokeLambda = async ({ payload }) => { calls.push(payload); return { payload: '{"paid":true}' }; };
    let tell; const end = new Promise((resolve) => { tell = resolve; });
    const onStatusChange = async ({ detail }) => { if (detail.name === 'one' && detail.output) tell(detail.output); };
    (async () => {
      const executionArn = 'arn:aws:states:us-east-1:123456789012:execution:long:one';
      const engine = await startStepFunctions({ directory: 'state', clock, services: { invokeLambda } });
      clock.advance(29 * day);
      const { body } = await engine.call('DescribeExecution', { executionArn });
      await engine.stop();
      console.log(body.status, calls.length);
      const again = { directory: 'state', clock, services: { invokeLambda }, onStatusChange };
      const next = await startStepFunctions(again);
      clock.advance(day);
      for (;;) {
        const { body } = await next.call('DescribeExecution', { executionArn });
        if (body.status === 'RUNNING') { await new Promise(setImmediate); continue; }
        console.log(body.status, body.output, calls.length);
        break;
      }
      await end;
      await next.stop();
    })();`;
  expect(run(folder, process.execPath, '--eval', script)).toBe('RUNNING 0\nSUCCEEDED {"paid":true} 1\n');
  const names = "import('vigil-stepfunctions').then((all) => console.log(typeof all.startStepFunctions))";
  expect(run(folder, process.execPath, '--input-type=module', '--eval', names)).toBe('function\n');
});

describe('the sample of its page', () => {
  const [, file = '', text = ''] = /^```ts\n\/\/ (\S+)\n(.*?)^```/ms.exec(page) ?? [];
  beforeAll(() => {
    mkdirSync(join(folder, 'sample'), { recursive: true });
    writeFileSync(join(folder, 'sample', file), text);
  });

  test('is well typed against the package, and so are the package’s own types (R187)', () => {
    const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
    for (const [module, moduleResolution] of [
      ['node16', 'node16'],
      ['preserve', 'bundler'],
    ]) {
      const compilerOptions = {
        strict: true,
        noEmit: true,
        target: 'es2022',
        module,
        moduleResolution,
        types: ['jest', 'node'],
      };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['sample'] }));
      expect(run(folder, process.execPath, tsc, '-p', '.')).toBe('');
    }
    const wrong = text.replace('engine.stop()', 'engine.halt()');
    writeFileSync(join(folder, 'sample', file), wrong);
    expect(() => run(folder, process.execPath, tsc, '-p', '.')).toThrow();
    writeFileSync(join(folder, 'sample', file), text);
  });

  test('passes in Jest (R187)', () => {
    const config = { rootDir: join(folder, 'sample'), transform: { '^.+\\.ts$': require.resolve('@swc/jest') } };
    writeFileSync(join(folder, 'jest.json'), JSON.stringify(config));
    const report = join(folder, 'report.json');
    const jestBin = join(dirname(require.resolve('jest/package.json')), 'bin/jest.js');
    run(folder, process.execPath, jestBin, '--config', 'jest.json', '--json', `--outputFile=${report}`);
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ numPassedTests: 1, numTotalTests: 1 });
  });
});
