import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import * as z from 'zod';
import { agents } from '../../agents';
import { defineProvider } from '../../core/base/models/provider';
import { defineAgent } from '../../core/conversations/agent/agent';
import { registry } from '../../core/conversations/agent/registry';
import { defineTool, type Tool } from '../../core/conversations/agent/tool';
import { mcp } from '../../core/conversations/mcp/server';
import { documentReader } from '../../lambdas/models/documents/document-text';
import { listen } from '../../local/model-server/listen';
import { bundleBudget, passedBudgets } from '../../scripts/bench/budgets';
import { docx, pdf } from '../../test/support/sample-files';
import { shippedAgents } from '../../test/support/stories/shipped-agents';
import { bundle, bundleAgents } from './bundle';
import { entries, root, shippedSources } from './entries';

const folder = mkdtempSync(join(tmpdir(), 'vigil-bundles-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the bundles that ship', () => {
  const file = (id: string) => join(folder, id, 'index.js');
  const text = (id: string) => readFileSync(file(id), 'utf8');
  const own = entries(registry(agents.filter(({ name }) => shippedAgents.includes(name))));
  const withAnthropic = { id: 'CallModelOfAnthropic', file: 'lambdas/call-model-anthropic.ts' };
  beforeAll(() => {
    const index = join(folder, 'shipped/index.ts');
    mkdirSync(join(index, '..'));
    const imports = shippedAgents.map((name, at) => `import * as of${at} from '${root}/agents/${name}-agent';`);
    const all = shippedAgents.map((_, at) => `...Object.values(of${at})`);
    const source = `import { registry } from '${root}/core/conversations/agent/registry'; export const shipped = registry([${all}]);`;
    writeFileSync(index, [...imports, source].join('\n'));
    return bundle([...own, withAnthropic], folder, { ...shippedSources, agents: relative(root, join(index, '..')) });
  }, 120_000);

  test('CallModel and Api know the tools but not what their handlers import', () => {
    for (const id of ['CallModel', 'Api']) {
      expect(text(id)).toContain('Delivers a reminder to the user now');
      expect(text(id)).not.toContain('QTS_NewRuntime');
    }
    expect(text('RunCode')).toContain('QTS_NewRuntime');
  });

  test('no bundle repeats the checks of tool definitions', () => {
    // The text of a check: the filter of `checkedBefore` names the file, which may move.
    expect(readFileSync(join(root, 'core/conversations/agent/tool-checks.ts'), 'utf8')).toContain('use snake_case');
    expect(own.filter(({ id }) => text(id).includes('use snake_case')).map(({ id }) => id)).toEqual([]);
  });

  test('the client of a provider is in the bundles that need it only, and small (R133, R205)', () => {
    const marks = ['anthropic-version', 'AmazonBedrockFrontendService'];
    const found = (id: string) => marks.filter((mark) => text(id).includes(mark));
    expect([found('CallModel'), found(withAnthropic.id)]).toEqual([[], ['anthropic-version']]);
    expect(statSync(file(withAnthropic.id)).size - statSync(file('CallModel')).size).toBeLessThan(130_000);
  });

  test('what reads documents is a file of its own beside CallModel, which a step loads when it needs it (R212)', async () => {
    const thread = join(folder, 'CallModel/read-document.js');
    expect(readFileSync(thread, 'utf8')).toContain('PasswordException');
    expect(own.filter(({ id }) => text(id).includes('PasswordException'))).toEqual([]);
    expect(statSync(thread).size).toBeLessThan(1_840_000);
    expect(existsSync(join(folder, 'Api/read-document.js'))).toBe(false);
    const read = documentReader({ file: thread });
    expect(await read('a', 'pdf', pdf('Total 12.50'))).toEqual({ text: 'Total 12.50', pages: 1, isWhole: true });
    expect(await read('b', 'office', docx('<w:p><w:t>Total</w:t></w:p>'))).toEqual({ text: 'Total', isWhole: true });
  });

  test('what draws pictures is a file of its own beside RunCode (R213)', () => {
    const thread = join(folder, 'RunCode/draw-picture.js');
    expect(readFileSync(thread, 'utf8')).toContain('the drawing is no SVG');
    expect(statSync(thread).size).toBeLessThan(3_800_000);
    const drawing = own.filter(({ id }) => existsSync(join(folder, id, 'draw-picture.js')));
    expect(drawing.map(({ id }) => id)).toEqual(['RunCode']);
  });

  test('each is deployed with its source map, which has no source text (R126)', () => {
    for (const { id } of own)
      expect(Object.keys(JSON.parse(readFileSync(`${file(id)}.map`, 'utf8')))).not.toContain('sourcesContent');
  });

  test('an error of Lambda has its name and its words in a bundle, which has no class for it', async () => {
    const entry = { id: 'Tiny', file: relative(root, join(folder, 'tiny.ts')) };
    writeFileSync(
      join(folder, 'tiny.ts'),
      `export { InvokeCommand, LambdaClient } from '${root}/node_modules/@aws-sdk/client-lambda';`,
    );
    await bundle([entry], folder);
    expect(text('Tiny')).not.toContain('InvalidRuntimeException');
    const { InvokeCommand, LambdaClient } = require(file('Tiny')) as typeof import('@aws-sdk/client-lambda');
    const server = await listen((_request, response) => {
      response.writeHead(404, { 'x-amzn-errortype': 'ResourceNotFoundException' });
      response.end('{"Type":"User","Message":"Function not found: Embed"}');
    });
    const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
    const lambda = new LambdaClient({ region: 'us-east-1', endpoint: server.url, credentials });
    await expect(lambda.send(new InvokeCommand({ FunctionName: 'Embed' }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: 'Function not found: Embed',
      $metadata: { httpStatusCode: 404 },
    });
    lambda.destroy();
    await server.stop();
  });

  test('each bundle stays within its budget', () => {
    const shippedBundles = Object.fromEntries(own.map(({ id }) => [id, statSync(file(id)).size / 1_000]));
    const passed = Object.entries(shippedBundles).flatMap(([id, kilobytes]) =>
      passedBudgets({ [bundleBudget(id)]: kilobytes }),
    );
    expect(passed).toEqual([]);
  });
});

describe('an import that cannot be bundled is reported in one line, with the place (R125)', () => {
  const sources = { agents: relative(root, join(folder, 'agents')), tools: [relative(root, join(folder, 'tools'))] };
  const file = join(folder, 'tools', 'notify.ts');
  const core = join(root, 'core/conversations/agent/tool');
  beforeAll(() => {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(join(root, 'node_modules/zod'), join(folder, 'node_modules/zod'));
  });
  const problem = async (tool: string) => {
    for (const name of ['agents', 'tools']) mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'agents/index.ts'), `export { notify as shipped } from '../tools/notify';`);
    writeFileSync(file, tool);
    const [, line] = await bundleAgents(join(folder, 'agents.js'), sources).then(
      () => [],
      ({ name, message }: Error) => [name, message],
    );
    return line?.replace(`${file}:`, '');
  };
  const notify = (imports: string, name = "'notify'") =>
    `import { defineTool } from '${core}';\n\n${imports}\n\nexport const notify = defineTool({ name: ${name} } as never);`;

  test.each([
    [
      'a package that is not installed',
      "import { a } from 'not-there';",
      '3: the package "not-there" is not installed: npm install not-there',
    ],
    [
      'a scoped one',
      "import { a } from '@not/there/a';",
      '3: the package "@not/there" is not installed: npm install @not/there',
    ],
    [
      // As with pnpm.
      'one that Vigil alone has',
      "import { SESv2Client as a } from '@aws-sdk/client-sesv2';",
      '3: the package "@aws-sdk/client-sesv2" is not installed: npm install @aws-sdk/client-sesv2',
    ],
    ['a path that a package does not have', "import { a } from 'zod/a';", '3: the package "zod" has no "zod/a".'],
    [
      'this repository by its name',
      "import { a } from 'vigil/core/a';",
      '3: "vigil/core/a" is not a package: import files of this repository by relative paths.',
    ],
    ['a file that is not there', "import { a } from './gone';", '3: "./gone" does not exist.'],
    ['a module that Node lacks', "import { a } from 'fs/gone';", '3: Node has no module "fs/gone".'],
  ])('%s', async (_, imports, line) => {
    expect(await problem(notify(imports, 'a'))).toBe(line);
  });

  test('a syntax error', async () => {
    expect(await problem(notify('const = 1;'))).toBe('3:7: Expected identifier but found "=".');
  });

  test('a native addon', async () => {
    writeFileSync(join(folder, 'tools', 'native.node'), '');
    expect(await problem(notify("import a from './native.node';", 'a'))).toMatch(
      /^3: .*native\.node is a native addon, which cannot be bundled into a function: use a package without native code\.$/,
    );
  });

  test('several at once: the first, and how many there are', async () => {
    const imports = "import { a } from './gone'; import { b } from './far';";
    expect(await problem(notify(imports, 'a + b'))).toMatch(/^3: "\.\/(gone|far)" does not exist\. \(1 of 2 errors\)$/);
  });
});

test.each<[kinds: ('anthropic' | 'bedrock')[], file: string]>([
  [[], 'call-model'],
  [['anthropic'], 'call-model-anthropic'],
  [['bedrock'], 'call-model-bedrock'],
  [['anthropic', 'bedrock'], 'call-model-all'],
])('with providers of the kinds %j, CallModel is %s.ts (R133, R205)', (kinds, file) => {
  const asking = kinds.map((kind) => {
    const model = { name: 'm', provider: defineProvider({ name: kind, kind }) };
    return defineAgent({ name: kind, purpose: 'x', instructions: 'x', model, tools: [] });
  });
  const plain = defineAgent({ name: 'a', purpose: 'x', instructions: 'x', model: 'm', tools: [] });
  expect(entries(registry([plain, ...asking]))[0]).toEqual({ id: 'CallModel', file: `lambdas/${file}.ts` });
});

describe('what cannot be bundled is reported in one line', () => {
  const tool = (name: string) =>
    defineTool({
      name,
      description: 'x',
      input: z.object({}),
      output: z.object({}),
      effect: 'read',
      execute: async () => ({}),
    });
  const agentWith = (name: string) =>
    registry([defineAgent({ name: 'a', purpose: 'x', instructions: 'x', model: 'x', tools: [tool(name)] })]);

  test('a folder without an agent, and an index that exports no registry (R193)', () => {
    expect(() => entries(registry([]))).toThrow(
      'agents has no agent: an agent is an export of a file like agents/chat-agent.ts',
    );
    expect(() => entries([] as never)).toThrow('agents/index.ts: shipped: must be registry([…])');
  });

  test('a tool without a file', () => {
    expect(() => entries(agentWith('fly_away'))).toThrow(
      'tool fly_away: expected its definition and handler in tools/**/fly-away.ts, which does not exist',
    );
  });

  test('a tool with the name of an MCP server, whose tools share one function (R175)', () => {
    const inputSchema = { type: 'object' };
    const pin = { tools: ['a', 'b'].map((name) => ({ name, inputSchema })) };
    const server = mcp('recall', { url: 'https://mcp.example.org', pin, allow: { '*': {} } });
    const agent = (tools: Tool[]) =>
      registry([defineAgent({ name: 'a', purpose: 'x', instructions: 'x', model: 'x', tools })]);
    const own = entries(agent(server.tools())).filter(({ tool }) => tool);
    expect(own).toEqual([{ id: 'Recall', file: 'tools/memory/recall.ts', tool: 'recall' }]);
    expect(() => entries(agent([...server.tools(), tool('recall')]))).toThrow(
      'tool in tools/memory/recall.ts: its function would be Recall, which exists already',
    );
  });

  test('a tool with two files', () => {
    expect(() => entries(agentWith('recall'), { agents: 'agents', tools: ['tools', 'runtime'] })).toThrow(
      'tool recall: both tools/memory/recall.ts and runtime/recall.ts match: rename one of them',
    );
  });

  test('a function without a file', async () => {
    await expect(bundle([{ id: 'Missing', file: 'lambdas/missing.ts' }], folder)).rejects.toThrow(
      'function Missing: lambdas/missing.ts does not exist',
    );
  });

  test('a tool whose function would have the name of a platform function', () => {
    mkdirSync(join(folder, 'tools'), { recursive: true });
    writeFileSync(join(folder, 'tools', 'settle.ts'), '');
    const sources = { ...shippedSources, tools: [relative(root, join(folder, 'tools'))] };
    expect(() => entries(agentWith('settle'), sources)).toThrow('its function would be Settle, which exists already');
  });
});
