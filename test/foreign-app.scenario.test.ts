import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { signIn } from './support/api-client';
import { endCloud, type ServedCloud, serveCloud } from './support/clouds/served-cloud';
import { type ModelServer, startModelServer } from './support/servers/model-server';
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
  functions: { quote },
  limits: { stepsOfRun: 7 },
  models: { titles: false },
  variables: { SHOP_NAME: 'Wheels' },
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
});
`,
  'actions/stock.ts': `
import * as z from 'zod';
import { defineTool, serveTool } from 'vigil';

export const stock = defineTool({
  name: 'stock',
  description: 'Tells how many there are.',
  input: z.object({ item: z.string().describe('Which') }),
  output: z.object({ found: z.string() }),
  effect: 'read',
  source: 'none',
  needs: { variables: ['SHOP_NAME'] },
  async execute({ item }) {
    return { found: \`3 \${item} on shelf \${process.env.SHELF} of \${process.env.SHOP_NAME}\` };
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

/** From this repository's sources. test/package.scenario.test.ts shows the same with the installed package. */
function synthesize(): void {
  execFileSync(process.execPath, ['--conditions', 'vigil-source', '--import', 'tsx', 'app.ts'], {
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
  model = await startModelServer({ script: [] });
  const variables = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'k' };
  cloud = await serveCloud(join(folder, 'assembly'), join(folder, 'state'), { ...process.env, ...variables });
});
afterAll(async () => {
  if (cloud) await endCloud(cloud, 'SIGTERM');
  await model?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Lets the agent make these calls, and returns the conversation at its end. */
async function ask(...calls: ReturnType<typeof call>[]) {
  model.script([...calls, { text: 'That is all.' }]);
  const ada = await signIn(cloud.url, 'ada');
  const { id } = await ada.start('seller', 'Do you have one?');
  return ada.finished(id);
}

test('an app’s own stack has a Vigil with the app’s agents, tools, settings and rights, and it runs (R165)', async () => {
  const done = await ask(call('a', 'stock', { item: 'bicycles' }), call('b', 'current_time', {}));
  expect(wordsOf(done).at(-1)).toEqual(['seller', 'That is all.']);
  expect(done.calls).toMatchObject([
    { result: { found: '3 bicycles on shelf 12 of Wheels' } },
    { tool: 'current_time', status: 'completed' },
  ]);
  const { Environment } = template.Resources.CallModel!.Properties as { Environment: { Variables: object } };
  expect(Environment.Variables).toMatchObject({ VIGIL_MAX_STEPS: '7', VIGIL_TITLES: 'off' });
  expect(rights(template).Stock).toContain('s3:ListBucket on arn:aws:s3:::stock');
});

test('a tool in Python gets its input and an idempotency key, answers, and is repeated when it fails (R172)', async () => {
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
});

test('its function has the rights of the app, and none to the table; RunIsolated may invoke it (R172)', () => {
  const [python] = Object.keys(template.Resources).filter(
    (id) => id.startsWith('Quote') && template.Resources[id]!.Type === 'AWS::Lambda::Function',
  );
  const may = rights(template);
  expect(may[python!]).toEqual(['s3:GetObject on arn:aws:s3:::prices/*']);
  expect(may.RunIsolated).toContain(`lambda:InvokeFunction on ${python}.Arn`);
});

test('a mistake in a tool stops the synthesis of the app in one line (R165)', () => {
  const file = join(folder, 'actions/stock.ts');
  const refusal = () => {
    try {
      synthesize();
      return 'Nothing is refused.';
    } catch (error) {
      return String((error as { stderr: Buffer }).stderr);
    }
  };
  writeFileSync(file, files['actions/stock.ts'].replace('export const handler', 'export const handle'));
  expect(refusal()).toContain('tool stock (actions/stock.ts) does not load: it exports no function "handler"');
});
