import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { DescribeExecutionCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { s3FileStore } from '../runtime/file-store';
import { compileCloud, compiledCloud, identityKey } from '../test/support/clouds/compile-cloud';
import { type Handwritten, handwritten, lambdaResources, tableResource } from '../test/support/handwritten/assembly';
import { bucketFunctions, bucketName, bucketResources, keysOf } from '../test/support/handwritten/bucket';
import { machineResources } from '../test/support/handwritten/machine';

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

// `serve.ts` compiled once, and one signing key: each test starts it once or twice.
beforeAll(compileCloud, 120_000);

/** Starts the process. Rejects with its stderr if it ends instead. */
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

/** Sleeps an hour, then says `word` in its definition and its function. */
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

test('after a kill -9, sleeping executions continue, the clock keeps its offset, and nothing is left of the old process', async () => {
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
  // It woke on time: an hour after its start, by both moves.
  expect(time - Date.now()).toBeGreaterThan(3_000_000);
});

test('a kill -9 in the middle of an upload leaves nothing, and what was stored is there after the restart (R217)', async () => {
  made = handwritten(bucketResources(), bucketFunctions);
  const bytes = Buffer.alloc(100_000, 'of a file ');
  const sha256 = createHash('sha256').update(bytes).digest('base64');
  const file = (key: string) => ({ key: `files/${key}`, mediaType: 'text/plain', size: bytes.length, sha256 });
  const storeOf = ({ awsUrl }: Served) =>
    s3FileStore({
      bucket: bucketName,
      region: 'us-east-1',
      endpoint: awsUrl,
      credentials: () => keysOf('Keeper', made.stateDirectory),
    });
  const first = await serve();
  const store = storeOf(first);
  await store.write(file('whole'), bytes);
  const { url, headers } = await store.uploadAddress(file('half'), 300);
  const incoming = join(made.stateDirectory, 's3/incoming');
  const upload = request(url, { method: 'PUT', headers: { ...headers, 'content-length': bytes.length } });
  const ended = new Promise((resolve) => upload.once('error', resolve));
  upload.write(bytes.subarray(0, 50_000));
  await until(() => readdirSync(incoming).some((name) => statSync(join(incoming, name)).size === 50_000));
  kill(first.pid);
  await ended;

  const second = await serve([compiledCloud, '--aws-port', new URL(first.awsUrl).port]);
  expect(readdirSync(incoming)).toEqual([]);
  const after = storeOf(second);
  expect(await after.find('files/half')).toBeUndefined();
  expect(Buffer.from(await after.read('files/whole'))).toEqual(bytes);
  // The functions' keys are the same after the restart, so the upload is made again with its address.
  expect((await fetch(url, { method: 'PUT', headers, body: bytes })).status).toBe(200);
  expect(await after.find('files/half')).toEqual({ size: bytes.length, sha256 });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5);
}

test('a kill at a transition happens there, and not again after the restart', async () => {
  made = handwritten(sleeper('old'), { Say: say });
  const first = await serve();
  // The start, its event for the rules, and the alarm.
  const order = { transition: 3, kind: 'kill', at: 'after' };
  expect((await fetch(`${first.url}/_local/faults`, { method: 'POST', body: JSON.stringify(order) })).status).toBe(200);
  const { executionArn } = await start(first, 'one');
  await advance(first, 'PT2H').catch(() => undefined);
  for (let look = 0; look < 6_000 && runs(first.pid); look++) await sleep(10);
  expect(runs(first.pid)).toBe(false);

  // The alarm was on disk, so the clock does not have to be moved again.
  expect(await outputOf(await serve(), executionArn ?? '')).toEqual(['old', 'old', expect.any(Number)]);
});

test('SIGTERM ends everything within a second', async () => {
  made = handwritten(sleeper('old'), { Say: say });
  const pidFile = join(made.stateDirectory, 'dynamodb.pid');
  // Nothing delays it: the process and the engine end in order, and the pid file is gone, before the time limit
  // (`signals.test.ts`). A busy machine may try again.
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

test('an unsupported template is an error in one line, and exit status 1', async () => {
  made = handwritten({ Bucket: { Type: 'AWS::Kinesis::Stream', Properties: {} } });
  // Also when run from TypeScript, without compilation.
  await expect(serve(['--import', 'tsx', join(__dirname, 'serve.ts')])).rejects.toThrow(
    /^The local cloud does not support AWS::Kinesis::Stream \(Bucket\)\.\n$/,
  );
});

/** Whether a process runs. Without a reaper, orphans stay in the process table with an empty command line. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}
