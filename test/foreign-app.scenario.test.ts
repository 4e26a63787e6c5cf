import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { userId } from '../local/http-api/identity';
import { answer } from '../local/stand-in-model/answer';
import { readTurn } from '../local/stand-in-model/turn';
import { signIn } from './support/api-client';
import { deployTo, endCloud, type ServedCloud, serveCloud } from './support/clouds/served-cloud';
import { type ModelServer, startModelServer } from './support/servers/model-server';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { call, wordsOf } from './support/stories/transcript';
import { rights, type Template } from './support/template-rights';

// A CDK app in a folder of its own: its stack has a Vigil with its own agent and tools, one of them in Python.

const root = join(__dirname, '..');

const files = {
  'app.ts': `
import { App, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Code, Function, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Vigil } from 'vigil/cdk';
import { schedules } from 'vigil/modules/schedules';

const app = new App({ outdir: 'assembly', builtinCloudFormationValidation: false });
const stack = new Stack(app, 'Shop');
const quote = new Function(stack, 'Quote', {
  runtime: Runtime.PYTHON_3_13,
  code: Code.fromAsset('python'),
  handler: 'quote.handler',
});
quote.addToRolePolicy(new PolicyStatement({ actions: ['s3:GetObject'], resources: ['arn:aws:s3:::prices/*'] }));
const vigil = new Vigil(stack, 'Agents', {
  agents: 'staff/agents',
  tools: ['actions'],
  modules: [schedules()],
  functions: { quote },
  limits: { stepsOfRun: 7 },
  groups: { developers: 'developers' },
  models: { titles: false },
  variables: { SHOP_NAME: 'Wheels', STOCK_TAKERS: process.env.STOCK_TAKERS },
});
vigil.tool('stock').addEnvironment('SHELF', '12');
vigil.tool('stock').grantPrincipal.addToPrincipalPolicy(
  new PolicyStatement({ actions: ['s3:ListBucket'], resources: ['arn:aws:s3:::stock'] }),
);
try {
  app.synth();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
`,
  'staff/agents/seller-agent.ts': `
import { defineAgent } from 'vigil';
import { currentTime } from 'vigil/tools/current-time';
import { quote } from '../../actions/quote';
import { stock } from '../../actions/stock';

// Talks to customers.
// May look up stock and prices.
// Must never sell anything.
export const sellerAgent = defineAgent({
  name: 'seller',
  purpose: 'Tells what is in stock, and what it costs.',
  instructions: 'Answer from your tools.',
  model: 'gpt-6.1-terra',
  tools: [stock, quote, currentTime],
  schedules: [
    {
      name: 'take-stock',
      cron: '0 9 * * 1',
      timeZone: 'Europe/Berlin',
      text: '/call quote {"item": "bicycle"}\\n/say It has a price.',
      for: () => (process.env.STOCK_TAKERS ?? '').split(' ').filter(Boolean),
    },
    { name: 'ten-years', every: 'P3650D', input: { report: 'all' }, for: 'deployment' },
  ],
});
`,
  'actions/stock.ts': `
import * as z from 'zod';
import { defineTool, serveTool, TellModel } from 'vigil';

export const stock = defineTool({
  name: 'stock',
  description: 'Tells how many there are.',
  input: z.object({ item: z.string().describe('Which') }),
  output: z.object({ found: z.string() }),
  effect: 'read',
  source: 'none',
  needs: {
    secrets: ['STOCK_API_KEY'],
    variables: ['SHOP_NAME', 'STOCK_SITE', 'STOCK_UNITS'],
    optional: ['STOCK_UNITS'],
  },
  async execute({ item }, { secrets, variables, callId }) {
    const headers = { 'idempotency-key': callId, authorization: secrets.STOCK_API_KEY };
    if (item === 'yachts') throw new TellModel(\`No list for \${JSON.stringify(headers)}\`);
    await fetch(variables.STOCK_SITE, { method: 'POST', headers });
    return { found: \`3 \${variables.STOCK_UNITS} of \${item} on shelf \${process.env.SHELF} of \${variables.SHOP_NAME}\` };
  },
});

export const handler = serveTool(stock);
`,
  'actions/quote.ts': `
import * as z from 'zod';
import { defineTool } from 'vigil';

export const quote = defineTool({
  name: 'quote',
  description: 'Reserves a price for a customer.',
  input: z.object({ item: z.string().describe('Which') }),
  output: z.object({ cents: z.int(), key: z.string(), python: z.int() }),
  effect: 'idempotent',
  retry: { maxAttempts: 2, intervalSeconds: 1, backoffRate: 1, maxDelaySeconds: 2 },
  foreign: true,
  source: 'none',
  compensates: true,
});
`,
  'python/quote.py': `
import sys

def handler(event, context):
    item = event["input"]["item"]
    print("quoting", item)
    if event.get("undo") is not None:
        return {}
    if item == "unicycle":
        return {"failure": {"name": "TellModel", "message": "There are no unicycles."}}
    if item == "tandem" and event["attempt"] == 1:
        raise RuntimeError("the price list is locked")
    return {"output": {"cents": 49900, "key": event["callId"], "python": sys.version_info[0]}}
`,
};

jest.setTimeout(180_000);

let folder: string;
let template: Template;
let cloud: ServedCloud;
let model: ModelServer;
let service: ThirdParty;

/** What the tool needs: a variable without a usual ending, one that the template leaves open, and a key. */
const given = { STOCK_UNITS: 'pieces', STOCK_API_KEY: 'key-of-the-stock' };
const environment = (more: object = { STOCK_SITE: service.url, ...given }) => ({
  ...process.env,
  OPENAI_BASE_URL: model.url,
  OPENAI_API_KEY: 'k',
  ...more,
});
const serve = (more?: object) => serveCloud(join(folder, 'assembly'), join(folder, 'state'), environment(more));

/** From this repository's sources. test/package.scenario.test.ts shows the same with the installed package. */
function synthesize(): void {
  execFileSync(process.execPath, ['--conditions', 'vigil-source', '--import', 'tsx', 'app.ts'], {
    env: { ...process.env, STOCK_TAKERS: userId('fay') },
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-shop-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/vigil'));
  for (const name of ['aws-cdk-lib', 'tsx', 'zod'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  synthesize();
  template = JSON.parse(readFileSync(join(folder, 'assembly/Shop.template.json'), 'utf8'));
  [model, service] = await Promise.all([startModelServer({ script: [] }), startThirdParty()]);
  cloud = await serve({});
});
afterAll(async () => {
  if (cloud) await endCloud(cloud, 'SIGTERM');
  await Promise.all([model?.stop(), service?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Lets the agent make these calls, and returns the conversation at its end. */
async function ask(...calls: ReturnType<typeof call>[]) {
  model.script([...calls, { text: 'That is all.' }]);
  const ada = await signIn(cloud.url, 'ada');
  const { id } = await ada.start('seller', 'Do you have one?');
  return ada.finished(id);
}

/** Logs, and the tables and executions of the local cloud. */
const stateFiles = () =>
  readdirSync(join(folder, 'state'), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, 'state', file))
    .filter((file) => statSync(file).isFile());

test('a tool works once its key is set, and shows it nowhere (R125, R247)', async () => {
  const unset = await ask(call('a', 'stock', { item: 'bicycles' }));
  const reason = expect.stringMatching(/^STOCK_API_KEY is not set: .* output \w*StockApiKeySecretArn\w* names\.$/);
  expect(unset.run).toMatchObject({ status: 'failed', reason });
  // Nothing has happened, so a retry of the run makes the call again.
  expect(unset.calls).toMatchObject([{ status: 'queued', attempts: 1 }]);
  expect(service.requests).toEqual([]);

  await deployTo(cloud, { environment: environment() });
  const done = await ask(call('a', 'stock', { item: 'bicycles' }), call('b', 'stock', { item: 'yachts' }));
  expect(service.requests).toEqual([done.calls[0]!.id]);
  expect(JSON.stringify(done.calls)).toContain('[STOCK_API_KEY]');
  for (const shown of [unset, done, model.requests]) expect(JSON.stringify(shown)).not.toContain(given.STOCK_API_KEY);
  for (const file of stateFiles())
    expect([file, readFileSync(file).includes(given.STOCK_API_KEY)]).toEqual([file, false]);
});

test('an app’s own stack has a Vigil with the app’s agents, tools, settings and rights, and it runs (R165)', async () => {
  const done = await ask(call('a', 'stock', { item: 'bicycles' }), call('b', 'current_time', {}));
  expect(wordsOf(done).at(-1)).toEqual(['seller', 'That is all.']);
  expect(done.calls).toMatchObject([
    { result: { found: '3 pieces of bicycles on shelf 12 of Wheels' } },
    { tool: 'current_time', status: 'completed' },
  ]);
  const { Environment } = template.Resources.CallModel!.Properties as { Environment: { Variables: object } };
  expect(Environment.Variables).toMatchObject({ VIGIL_MAX_STEPS: '7', VIGIL_TITLES: 'off' });
  expect(rights(template).Stock).toContain('s3:ListBucket on arn:aws:s3:::stock');
});

test('a tool in Python gets its input and an idempotency key, answers, and is repeated when it fails, with the rights of the app and none to the table (R172)', async () => {
  const done = await ask(
    call('a', 'quote', { item: 'bicycle' }),
    call('b', 'quote', { item: 'unicycle' }),
    call('c', 'quote', { item: 'tandem' }),
  );
  const [first, second, third] = done.calls;
  expect(first).toMatchObject({
    status: 'completed',
    attempts: 1,
    result: { cents: 49_900, key: first!.id, python: 3 },
  });
  expect(second).toMatchObject({ status: 'failed', attempts: 1 });
  expect(third).toMatchObject({ status: 'completed', attempts: 2, result: { key: third!.id } });
  expect(JSON.stringify(model.requests.at(-1))).toContain('There are no unicycles.');
  const [python] = Object.keys(template.Resources).filter(
    (id) => id.startsWith('Quote') && template.Resources[id]!.Type === 'AWS::Lambda::Function',
  );
  const may = rights(template);
  expect(may[python!]).toEqual(['s3:GetObject on arn:aws:s3:::prices/*']);
  expect(may.RunIsolated).toContain(`lambda:InvokeFunction on ${python}.Arn`);
});

test('a schedule in the code is a timer of each user, who sees it, runs it, and pauses it; without a key it calls by commands, and a restart changes nothing (R248, R250)', async () => {
  // The stand-in model replies.
  model.script((request) => {
    const { text, calls = [] } = answer(readTurn(request as never));
    return { text, toolCalls: calls };
  });
  const fay = await signIn(cloud.url, 'fay');
  const own = async () => (await fay.client.api.timers()).timers;
  for (let attempts = 0; (await own()).length === 0 && attempts < 200; attempts++) await sleep(50);
  const [timer, ...others] = await own();
  expect(others).toEqual([]);
  expect(timer).toMatchObject({
    schedule: 'seller/take-stock',
    rule: '0 9 * * 1',
    timeZone: 'Europe/Berlin',
    fired: 0,
  });
  const { conversationId, id } = timer!;
  await fay.client.api.runTimer(id, { clientMessageId: 'first' });
  const done = await fay.until(conversationId, ({ status }) => status === 'done');
  expect(wordsOf(done).at(-1)).toEqual(['seller', 'It has a price.']);
  expect(done.calls).toMatchObject([{ tool: 'quote', status: 'completed', result: { cents: 49_900 } }]);
  expect(done.title).toBe('Take stock');
  await expect(fay.client.api.changeTimer(id, { text: 'Other' })).rejects.toThrow('The code declares the schedule');
  await fay.client.api.changeTimer(id, { paused: true });

  await endCloud(cloud, 'SIGKILL');
  cloud = await serve();
  const again = await signIn(cloud.url, 'fay');
  const deployment = await signIn(cloud.url, 'deployment', ['developers']);
  const ofDeployment = async () => (await deployment.client.api.timers()).timers;
  expect(await ofDeployment()).toMatchObject([{ text: '{"report":"all"}', status: 'active' }]);
  expect((await again.client.api.timers()).timers).toMatchObject([{ id, status: 'paused', fired: 1 }]);
});
