/**
 * Records the rows that a version of the code stores, for `test/recorded-rows.test.ts`:
 *
 *     npx tsx test/support/record-rows.ts v1.2.0
 *
 * It runs that commit's local cloud with the stand-in model in a folder of its own, with the packages that are installed here, and plays the
 * examples of its agents by the public API. The users and the words are those of the examples. A release records its rows, and removes the
 * oldest of the files.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { kindOf } from '../../core/conversations/rows/kinds';
import { recordedRows, type WireRow, wireOf } from './recorded-rows';

const root = join(__dirname, '../..');
const patienceMs = 20_000;
const examplesOfAgent = 2;

type Json = Record<string, unknown>;
interface Seen extends Json {
  id: string;
  status: string;
  messages: Json[];
  callbacks: { id: string; kind: string; status: string }[];
}

async function record(commit: string): Promise<void> {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const [hash, date] = git('log', '-1', '--format=%h %cs', commit).split(' ') as [string, string];
  const folder = mkdtempSync(join(tmpdir(), 'vigil-record-'));
  try {
    execFileSync('sh', ['-c', `git archive ${hash} | tar -x -C '${folder}'`], { cwd: root });
    linkPackages(folder);
    const rows = await played(folder);
    const file = join(recordedRows, `${date}.json`);
    writeFileSync(
      file,
      `{"commit":${JSON.stringify(hash)},"rows":[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]}\n`,
    );
    console.log(`${file}: ${rows.length} rows`);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  }
}

/** Links what is installed here, with the packages of the folder's own workspaces. */
function linkPackages(folder: string): void {
  const from = join(root, 'node_modules');
  const to = join(folder, 'node_modules');
  mkdirSync(to);
  for (const name of readdirSync(from)) if (!/^vigil-/.test(name)) symlinkSync(join(from, name), join(to, name));
  const workspaces = join(folder, 'packages');
  for (const name of existsSync(workspaces) ? readdirSync(workspaces) : [])
    symlinkSync(join(workspaces, name), join(to, `vigil-${name}`));
}

async function played(folder: string): Promise<WireRow[]> {
  const [port, awsPort] = await Promise.all([freePort(), freePort()]);
  const url = `http://127.0.0.1:${port}`;
  const env = { PATH: process.env.PATH, HOME: folder, PORT: String(port), AWS_PORT: String(awsPort), TZ: 'UTC' };
  const cloud = spawn(process.execPath, ['--import', 'tsx', 'local/start.ts', '--no-watch'], {
    cwd: folder,
    env,
    stdio: 'inherit',
  });
  try {
    const health = await ready(url, () => cloud.exitCode);
    await play(url);
    return await rowsOf(health);
  } finally {
    cloud.kill('SIGINT');
    if (cloud.exitCode === null) await once(cloud, 'exit');
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

async function ready(url: string, ended: () => number | null): Promise<Json> {
  for (;;) {
    const answer = await fetch(`${url}/_local/health`).catch(() => undefined);
    if (answer?.ok) return (await answer.json()) as Json;
    if (ended() !== null) throw new Error('The local cloud of that commit does not start.');
    await sleep(500);
  }
}

/**
 * Begins each example, then answers, approves, denies, cancels, forks, shares and deletes one of the conversations that are there. What an
 * earlier version refuses is printed.
 */
async function play(url: string): Promise<void> {
  const answer = await fetch(`${url}/_local/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"user": "ada"}',
  });
  const { token } = (await answer.json()) as { token: string };
  async function request<Body = Json>(method: string, path: string, body?: object): Promise<Body> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) console.error(`${method} ${path}: ${response.status} ${text}`);
    return (text ? JSON.parse(text) : {}) as Body;
  }
  const atRest = async (id: string): Promise<Seen> => {
    for (const end = Date.now() + patienceMs; ; await sleep(250)) {
      const seen = await request<Seen>('GET', `/conversations/${id}`);
      if ((seen.status !== 'running' && seen.messages.length > 1) || Date.now() > end) return seen;
    }
  };
  await request('PUT', '/settings', { timeZone: 'Europe/Berlin', language: 'en' });
  const { agents } = await request<{ agents: { name: string; examples?: string[] }[] }>('GET', '/agents');
  const begun: Seen[] = [];
  for (const { name: agent, examples = [] } of agents)
    for (const text of examples.slice(0, examplesOfAgent)) {
      const { id } = await request<Seen>('POST', '/conversations', { agent, text });
      if (id) begun.push(await atRest(id));
    }
  const pending = (kind: string) =>
    begun.flatMap(({ id, callbacks }) =>
      callbacks
        .filter((one) => one.kind === kind && one.status === 'pending')
        .map((one) => `/conversations/${id}/callbacks/${one.id}`),
    );
  const [question] = pending('question');
  const [approved, denied] = pending('approval');
  if (question) await request('POST', question, { answer: 'The first one.' });
  if (approved) await request('POST', approved, { approved: true });
  if (denied) await request('POST', denied, { approved: false, reason: 'Not today.' });
  const ofStatus = (status: string) => begun.filter((one) => one.status === status).map(({ id }) => id);
  const [asleep] = ofStatus('sleeping').slice(-1);
  const [forked, deleted] = ofStatus('done');
  if (asleep) await atRest((await request<Seen>('POST', `/conversations/${asleep}/cancel`, {})).id ?? asleep);
  if (forked) {
    const messages = (await request<Seen>('GET', `/conversations/${forked}`)).messages as { step?: number }[];
    const fork = await request<Seen>('POST', `/conversations/${forked}/fork`, {
      step: messages.find(({ step }) => step)?.step ?? 1,
    });
    if (fork.id) await atRest(fork.id);
    await request('POST', `/conversations/${forked}/messages`, { text: 'Thank you!', clientMessageId: 'thanks' });
    const { messages: now = [] } = await atRest(forked);
    const of = `/conversations/${forked}`;
    await request('PUT', `${of}/members`, { member: 'group:auditors', role: 'watcher', name: 'Auditors' });
    await request('POST', `${of}/links`, { role: 'member' });
    await request('PUT', `${of}/read`, { seq: now.at(-1)?.seq });
  }
  if (deleted) await request('DELETE', `/conversations/${deleted}`);
  // What follows from it is made by relays.
  await sleep(3_000);
}

async function rowsOf({ awsUrl, region, outputs }: Json): Promise<WireRow[]> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint: String(awsUrl), region: String(region), credentials });
  const TableName = (outputs as Record<string, string>).TableName;
  const rows: WireRow[] = [];
  let ExclusiveStartKey: WireRow | undefined;
  do {
    const page = await client.send(new ScanCommand({ TableName, ExclusiveStartKey: ExclusiveStartKey as never }));
    rows.push(...(page.Items ?? []).filter(({ pk, sk }) => kindOf(pk!.S!, sk!.S!)).map(wireOf));
    ExclusiveStartKey = page.LastEvaluatedKey as WireRow | undefined;
  } while (ExclusiveStartKey);
  client.destroy();
  return rows;
}

record(process.argv[2] ?? 'HEAD').catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
