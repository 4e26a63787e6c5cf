import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { key } from '../../../core/conversations/rows/keys';
import { metaRow } from '../../../core/conversations/rows/meta';
import { emptyMeta } from '../../../core/conversations/runs/conversation';
import { nextRun } from '../../../core/conversations/runs/run';
import { loaderFor } from '../../../infra/bundling/compiled';
import { root } from '../../../infra/bundling/entries';
import { dynamodbClient } from '../../../local/dynamodb/client';
import { tableOfTests } from '../../../test/support/tables/table';
import { runCommand } from '../command';
import { refusalOf } from './stage';

// The command against tables and apps that are not as they should be.

const table = tableOfTests();
const folder = mkdtempSync(join(tmpdir(), 'vigil-check-test-'));
const [assembly, two] = [join(folder, 'cdk.out'), join(folder, 'two.out')];
const { env } = process;
const before = { ...env };
const now = new Date('2027-03-01T08:00:00.000Z');

/** As `cdk synth` writes it. */
function write(outdir: string, stacks: string[], agents = 'new Map()'): void {
  const artifacts = stacks.map((stackName) => [
    stackName,
    {
      type: 'aws:cloudformation:stack',
      environment: 'aws://unknown-account/unknown-region',
      properties: { templateFile: `${stackName}.template.json`, stackName },
    },
  ]);
  mkdirSync(join(outdir, 'agents'), { recursive: true });
  writeFileSync(
    join(outdir, 'manifest.json'),
    JSON.stringify({ version: '36.0.0', artifacts: Object.fromEntries(artifacts) }),
  );
  const template = { Metadata: { Definitions: 'agents/index.js' }, Resources: {} };
  for (const name of stacks) writeFileSync(join(outdir, `${name}.template.json`), JSON.stringify(template));
  writeFileSync(
    join(outdir, 'agents/index.js'),
    `exports.shipped = { agents: ${agents}, tools: new Map(), providers: new Map() };`,
  );
}

beforeAll(async () => {
  write(assembly, ['Shop']);
  write(two, ['Test', 'Production']);
  Object.assign(env, { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' });
  const put = (Item: object) => table.client.send(new PutCommand({ TableName: table.name, Item }));
  for (let number = 0; number < 60; number++) {
    const meta = emptyMeta({ id: `c${number}`, user: 'ada', agent: 'gone', now });
    await put({ pk: key.conversation(`c${number}`), sk: key.meta, ...metaRow(number < 2 ? nextRun(meta, now) : meta) });
  }
  // The app's own, with a number that JavaScript does not have.
  await dynamodbClient(table.endpoint).call('PutItem', {
    TableName: table.name,
    Item: { pk: { S: 'ACCOUNT#1' }, sk: { S: 'M#1' }, cents: { N: '12345678901234567890123' } },
  });
});
beforeEach(() => {
  env.AWS_ENDPOINT_URL = table.endpoint;
});
afterAll(() => {
  for (const name of Object.keys(env)) if (!Object.hasOwn(before, name)) delete env[name];
  Object.assign(env, before);
  process.exitCode = undefined;
  rmSync(folder, { recursive: true });
});

/** Runs the command. @returns its lines, with the error's last, and the exit code. */
async function said(...args: string[]): Promise<{ lines: string[]; code: unknown }> {
  process.exitCode = undefined;
  const lines: string[] = [];
  const failed = await runCommand(['check', ...args], (line) => lines.push(line)).catch((error: Error) => error);
  if (failed) lines.push(failed.message);
  const code = failed ? (failed as { exitCode?: number }).exitCode : process.exitCode;
  process.exitCode = undefined;
  return { lines, code };
}
const ofTable = (...args: string[]) => said('--table', table.name, '--assembly', assembly, ...args);

test('the whole table is read once, and findings of a family are counted after the first ones (R231)', async () => {
  const { lines, code } = await ofTable('--all');
  expect(code).toBe(1);
  expect(lines.filter((line) => line.startsWith('BREAKS  meta of c'))).toHaveLength(20);
  expect(lines).toContain('BREAKS  38 more of meta: agent: each message fails: there is no agent "gone".');
  expect(lines.at(-1)).toBe(
    "Checked 61 rows, all rows. Not checked: tools' own rows, 1. With this code, 60 would break, 0 would change.",
  );
});

test('a sample has all conversations in which something is open (R231)', async () => {
  const { lines } = await ofTable('--sample', '16', '--units', '100000');
  expect(
    lines
      .filter((line) => line.includes('run.agent'))
      .map((line) => / of (\w+)/.exec(line)![1])
      .sort(),
  ).toEqual(['c0', 'c1']);
  expect(lines.at(-1)).toMatch(
    /^Checked \d+ rows, a sample: all conversations in which something is open \(2\), and others/,
  );
  const { lines: one } = await ofTable('--sample', '1');
  expect(one.at(-1)).toContain('not all conversations in which something is open (1)');
});

test('reads wait for the units that are allowed (R231)', async () => {
  const from = performance.now();
  const { lines } = await ofTable('--sample', '16', '--units', '5');
  // The list of what is open and two conversations cost at least half a unit each, before the other rows are read.
  expect(performance.now() - from).toBeGreaterThan(290);
  expect(lines.at(-1)).toContain('in which something is open (2)');
});

test('the deployment of docs/deploy.md deploys what the check has passed, and nothing else (R231)', async () => {
  const documented = readFileSync(join(root, 'docs/deploy.md'), 'utf8');
  const line = documented.split('\n').find((one) => one.includes('npx vigil check --assembly'))!;
  const script = join(root, 'package/cli/main.ts');
  const vigil = [process.execPath, ...loaderFor(script), script].map((word) => `'${word}'`).join(' ');
  const npx = `#!/bin/sh\nname=$1; shift\ncase $name in vigil) exec ${vigil} "$@";; *) echo "$name $*";; esac\n`;
  writeFileSync(join(folder, 'npx'), npx, { mode: 0o755 });
  const deploy = () => {
    const { stdout, stderr } = spawnSync('sh', ['-c', line], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...env, PATH: `${folder}:${env.PATH}`, TABLE: table.name },
    });
    return (stdout + stderr).trim().split('\n');
  };
  expect(deploy().at(-1)).toContain('60 would break');
  write(assembly, ['Shop'], "new Map([['gone', { limits: { steps: 5 } }]])");
  const lines = deploy();
  write(assembly, ['Shop']);
  expect(lines).toEqual([
    'cdk synth --quiet',
    expect.stringContaining('0 would break, 0 would change.'),
    'cdk deploy --app cdk.out',
  ]);
});

describe('what cannot be looked at is one line, and exit code 2', () => {
  test.each<[string, string[], string]>([
    [
      'no local cloud',
      ['--assembly', 'x'],
      'No local cloud answers on port 1: start Vigil, or name the table of a stage on AWS with --table.',
    ],
    [
      'no table',
      ['--table', 'none', '--assembly', 'cdk'],
      'There is no table none in this account and region: check --table and AWS_REGION.',
    ],
    [
      'no assembly',
      ['--table', 'conversations', '--assembly', '/none'],
      '/none is no assembly: it has no manifest.json. Run `npx cdk synth` first.',
    ],
    [
      'an app that fails',
      ['--table', 'conversations', '--app', 'node -e "throw new Error(\'agents/a.ts: a mistake\')"'],
      'Error: agents/a.ts: a mistake',
    ],
    [
      'several stacks',
      ['--table', 'conversations', '--assembly', 'two'],
      'The app has several stacks with a Vigil: choose one with --stack. They are Production, Test.',
    ],
    [
      'another stack',
      ['--table', 'conversations', '--assembly', 'two', '--stack', 'Shop'],
      'The app has no stack Shop with a Vigil: it has Production, Test.',
    ],
    ['a table without a name', ['--table', ''], '--table is empty: name the output TableName of the stack.'],
    ['a number that is none', ['--sample', 'many'], '--sample is "many": it must be a whole number of at least 1.'],
    ['an unknown option', ['--tabel', 'x'], "Unknown option '--tabel'. `vigil --help` lists the options."],
  ])('%s (R231)', async (_, args, line) => {
    env.PORT = '1';
    const given = args.map((one) => ({ cdk: assembly, two })[one] ?? one);
    const cwd = process.cwd();
    process.chdir(folder);
    writeFileSync(join(folder, 'cdk.json'), '{"app": "node none.js"}');
    const { lines, code } = await said(...given).finally(() => process.chdir(cwd));
    expect({ lines, code }).toEqual({ lines: [expect.stringContaining(line)], code: 2 });
    expect(lines[0]).not.toContain('\n');
  });

  let server: Server | undefined;
  afterEach(() => void server?.close());
  test.each([
    [
      'AccessDeniedException',
      'You may not read the table shop: allow dynamodb:Scan and dynamodb:Query on it and its indexes.',
    ],
    [
      'UnrecognizedClientException',
      'AWS does not know who you are (UnrecognizedClientException): sign in, for example with aws sso login.',
    ],
    ['ValidationException', 'The table shop is none of Vigil: it lacks the keys or the indexes that a stack creates.'],
  ])('%s of DynamoDB (R231)', async (type, line) => {
    server = createServer((request, response) => {
      request.resume();
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'secret words' }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    env.AWS_ENDPOINT_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await said('--table', 'shop', '--assembly', assembly)).toEqual({ lines: [line], code: 2 });
  });

  test('throttling that lasts, no region and no answer (R231)', () => {
    const error = (name: string, message = '', more = {}) => Object.assign(new Error(message), { name, ...more });
    expect(refusalOf(error('ThrottlingException'), 'shop')).toBe(
      'AWS throttles the reads of the table shop: use fewer units in a second with --units.',
    );
    expect(refusalOf(error('Error', 'Region is missing'), 'shop')).toBe(
      'AWS_REGION is not set: name the region of the stage.',
    );
    expect(refusalOf(error('Error', '', { code: 'ENOTFOUND' }), 'shop')).toBe(
      'AWS does not answer for the table shop (ENOTFOUND).',
    );
    expect(refusalOf(error('TypeError', 'a defect'), 'shop')).toBeUndefined();
  });

  test('a table with other keys (R231)', async () => {
    const raw = dynamodbClient(table.endpoint);
    await raw.call('CreateTable', {
      TableName: 'orders',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'order', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'order', AttributeType: 'S' }],
    });
    await raw.call('PutItem', { TableName: 'orders', Item: { order: { S: 'secret words' } } });
    for (const args of [['--all'], []])
      expect(await said('--table', 'orders', '--assembly', assembly, ...args)).toEqual({
        lines: [expect.stringMatching(/^The table orders is none of Vigil: /)],
        code: 2,
      });
  });
});
