import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { DescribeExecutionCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { compileCloud, compiledCloud, identityKey } from '../test/support/compile-cloud';
import { type Handwritten, handwritten, lambdaResources, tableResource } from './template/handwritten-assembly';
import { machineResources } from './template/handwritten-machine';

interface Served {
  url: string;
  awsUrl: string;
  pid: number;
}

const running = new Set<number>();
let made: Handwritten;
afterEach(() => {
  for (const pid of running) kill(pid);
  made.remove();
});

function kill(pid: number): void {
  running.delete(pid);
  try {
    process.kill(pid, 'SIGKILL');
  } catch {}
}

// `serve.ts` compiled once, and one key to sign with: each test starts it once or twice.
beforeAll(compileCloud, 120_000);

/** Starts the process; rejects with its words on stderr if it ends instead. */
async function serve(command = [compiledCloud]): Promise<Served> {
  const key = join(made.stateDirectory, 'identity.pem');
  if (!existsSync(key)) copyFileSync(identityKey, key);
  const script = [...command, '--assembly', made.assembly, '--state', made.stateDirectory];
  const child = spawn(process.execPath, script, { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const served = JSON.parse(line.replace(/^ready /, '')) as Served;
    running.add(served.pid);
    return served;
  }
  throw new Error(errors);
}

const sfn = ({ awsUrl }: Served) =>
  new SFNClient({ region: 'us-east-1', endpoint: awsUrl, credentials: { accessKeyId: 'test', secretAccessKey: 'x' } });
const describeExecution = (served: Served, executionArn: string) =>
  sfn(served).send(new DescribeExecutionCommand({ executionArn }));
const start = (served: Served, name: string) =>
  sfn(served).send(
    new StartExecutionCommand({
      name,
      stateMachineArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:Small-Machine',
    }),
  );
async function advance({ url }: Served, duration: string): Promise<void> {
  const response = await fetch(`${url}/_local/clock`, { method: 'POST', body: JSON.stringify({ advance: duration }) });
  expect(response.status).toBe(200);
}

async function outputOf(served: Served, executionArn: string): Promise<unknown> {
  for (let attempt = 0; attempt < 3_000; attempt++) {
    const { status, output } = await describeExecution(served, executionArn);
    if (status !== 'RUNNING') return JSON.parse(output ?? '""');
    await sleep(20);
  }
  throw new Error('The execution does not end.');
}

/** Sleeps an hour, then says `word` by its definition and by its function. */
function sleeper(word: string): Record<string, object> {
  const invoke = { Type: 'Task', Resource: '${Function}', Parameters: { word }, End: true };
  const definition = {
    StartAt: 'Sleep',
    States: { Sleep: { Type: 'Wait', Seconds: 3_600, Next: 'Say' }, Say: invoke },
  };
  return {
    ...lambdaResources('Say', { environment: { WORD: word } }),
    ...machineResources('Machine', definition, 'Say'),
    Table: tableResource(),
  };
}
const say = 'exports.handler = async ({ word }) => [word, process.env.WORD, Date.now()];';

test('after a kill -9 sleepers sleep on, the clock stands where it was, and nothing is left of the old process', async () => {
  made = handwritten(sleeper('old'), { Say: say });
  const first = await serve();
  const { executionArn } = await start(first, 'one');
  await advance(first, 'PT30M');
  const engine = Number(readFileSync(join(made.stateDirectory, 'dynamodb.pid'), 'utf8'));
  kill(first.pid);

  const second = await serve();
  expect(runs(engine)).toBe(false);
  expect((await describeExecution(second, executionArn ?? '')).status).toBe('RUNNING');
  await advance(second, 'PT31M');
  const [, , time] = (await outputOf(second, executionArn ?? '')) as [string, string, number];
  expect(time - Date.now()).toBeGreaterThan(3_600_000);
});

test('a kill that was ordered for a transition happens there, and not again after the restart', async () => {
  made = handwritten(sleeper('old'), { Say: say });
  const first = await serve();
  // The start, the word of it to the rules, the alarm.
  const order = { transition: 3, kind: 'kill', at: 'after' };
  expect((await fetch(`${first.url}/_local/faults`, { method: 'POST', body: JSON.stringify(order) })).status).toBe(200);
  const { executionArn } = await start(first, 'one');
  await advance(first, 'PT2H').catch(() => undefined);
  for (let look = 0; look < 6_000 && runs(first.pid); look++) await sleep(10);
  expect(runs(first.pid)).toBe(false);

  // The alarm was on disk: the clock need not be moved again.
  expect(await outputOf(await serve(), executionArn ?? '')).toEqual(['old', 'old', expect.any(Number)]);
});

test('a changed template updates functions and machines; what runs keeps its definition', async () => {
  made = handwritten(sleeper('old'), { Say: say });
  const first = await serve();
  const old = await start(first, 'old');
  kill(first.pid);

  made.rewrite(sleeper('new'));
  const second = await serve();
  const fresh = await start(second, 'new');
  await advance(second, 'PT1H1M');
  expect(await outputOf(second, old.executionArn ?? '')).toEqual(['old', 'new', expect.any(Number)]);
  expect(await outputOf(second, fresh.executionArn ?? '')).toEqual(['new', 'new', expect.any(Number)]);
});

test('SIGTERM ends everything within a second', async () => {
  made = handwritten(sleeper('old'), { Say: say });
  const pidFile = join(made.stateDirectory, 'dynamodb.pid');
  // Nothing keeps it: it ends in order, and its engine's file is gone, before the limit cuts it short (`signals.test.ts`). A machine that
  // is too busy for that once may try again.
  for (let tries = 0; tries === 0 || (existsSync(pidFile) && tries < 10); tries++) {
    const { pid } = await serve();
    const engine = Number(readFileSync(pidFile, 'utf8'));
    process.kill(pid, 'SIGTERM');
    const alive = () => [pid, engine].some(runs);
    for (let look = 0; look < 6_000 && alive(); look++) await sleep(10);
    expect(alive()).toBe(false);
  }
  expect(existsSync(pidFile)).toBe(false);
});

test('a template that is not supported is one line, and the exit status 1', async () => {
  made = handwritten({ Bucket: { Type: 'AWS::S3::Bucket', Properties: {} } });
  // As it lies there, too.
  await expect(serve(['--import', 'tsx', join(__dirname, 'serve.ts')])).rejects.toThrow(
    /^The local cloud does not support AWS::S3::Bucket \(Bucket\)\.\n$/,
  );
});

/** Whether a process runs. Where nobody reaps orphans they stay in the table, with an empty command line. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}
