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
import { defineProvider, type Provider } from '../../core/base/models/provider';
import { defineAgent } from '../../core/conversations/agent/agent';
import { registry } from '../../core/conversations/agent/registry';
import { defineTool, type Tool } from '../../core/conversations/agent/tool';
import { documentReader } from '../../lambdas/models/documents/document-text';
import { listen } from '../../local/model-server/listen';
import { docx, pdf } from '../../test/support/sample-files';
import { shippedAgents } from '../../test/support/stories/shipped-agents';
import { bundle, bundleAgents } from './bundle';
import { entries, root, shippedSources, withProviders } from './entries';

const folder = mkdtempSync(join(tmpdir(), 'vigil-bundles-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the bundles that ship', () => {
  const file = (id: string) => join(folder, id, 'index.js');
  const text = (id: string) => readFileSync(file(id), 'utf8');
  const shippedOnes = registry(agents.filter(({ name }) => shippedAgents.includes(name)));
  // Those that load the most, a tool with a file beside it, and one of the others.
  const own = entries(shippedOnes).filter(({ id }) => ['CallModel', 'Api', 'RunCode', 'Schedule'].includes(id));
  const [callModel] = own;
  beforeAll(async () => {
    const index = join(folder, 'shipped/index.ts');
    mkdirSync(join(index, '..'));
    const imports = shippedAgents.map((name, at) => `import * as of${at} from '${root}/agents/${name}-agent';`);
    const all = shippedAgents.map((_, at) => `...Object.values(of${at})`);
    const source = `import { registry } from '${root}/core/conversations/agent/registry'; export const shipped = registry([${all}]);`;
    writeFileSync(index, [...imports, source].join('\n'));
    writeFileSync(
      join(folder, 'tiny.ts'),
      `export { InvokeCommand, LambdaClient } from '${root}/node_modules/@aws-sdk/client-lambda';`,
    );
    const tiny = { id: 'Tiny', file: relative(root, join(folder, 'tiny.ts')) };
    const sources = withProviders({ ...shippedSources, agents: relative(root, join(index, '..')) }, shippedOnes);
    await bundle([...own, tiny], folder, sources);
    await bundle([callModel!], join(folder, 'anthropic'), { ...sources, modules: [...sources.modules, 'anthropic'] });
  });

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
    expect(readFileSync(join(root, 'core/base/models/provider-rules.ts'), 'utf8')).toContain('the name of a model, or');
    expect(own.filter(({ id }) => text(id).includes('the name of a model, or')).map(({ id }) => id)).toEqual([]);
  });

  test('a bundle checks the address of a provider, which a variable of its function may be (R133)', () => {
    expect(text('CallModel')).toContain('must be an http or https address');
  });

  test('the client of a provider is in the bundles that need it only, and small (R133, R205)', () => {
    const marks = ['anthropic-version', 'AmazonBedrockFrontendService'];
    const found = (id: string) => marks.filter((mark) => text(id).includes(mark));
    const withAnthropic = 'anthropic/CallModel';
    expect([found('CallModel'), found(withAnthropic)]).toEqual([[], ['anthropic-version']]);
    expect(statSync(file(withAnthropic)).size - statSync(file('CallModel')).size).toBeLessThan(130_000);
  });

  test('what reads documents is a file of its own beside CallModel, which a step loads when it needs it (R212)', async () => {
    const thread = join(folder, 'CallModel/read-document.js');
    expect(readFileSync(thread, 'utf8')).toContain('PasswordException');
    expect(own.filter(({ id }) => text(id).includes('PasswordException'))).toEqual([]);
    expect(statSync(thread).size).toBeLessThan(2_030_000);
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
});

describe('an import that cannot be bundled is reported in one line, with the place (R125)', () => {
  const sources = {
    agents: relative(root, join(folder, 'agents')),
    tools: [relative(root, join(folder, 'tools'))],
    modules: [],
  };
  const file = join(folder, 'tools', 'notify.ts');
  const core = join(root, 'core/conversations/agent/tool');
  beforeAll(() => {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(join(root, 'node_modules/zod'), join(folder, 'node_modules/zod'));
    for (const name of ['agents', 'tools']) mkdirSync(join(folder, name));
  });
  const problem = async (tool: string) => {
    writeFileSync(join(folder, 'agents/index.ts'), `export { notify as shipped } from '../tools/notify';`);
    writeFileSync(file, tool);
    const [, line] = await bundleAgents(join(folder, 'agents.js'), sources).then(
      () => [],
      ({ name, message }: Error) => [name, message],
    );
    return line?.replace(`${file}:`, '');
  };
  test.each<[what: string, imports: string, line: string | RegExp, name?: string]>([
    // It is not the app's own, as with pnpm.
    [
      'a package that Vigil alone has',
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
    ['a syntax error', 'const = 1;', '3:7: Expected identifier but found "=".', '1'],
    [
      'a native addon',
      "import a from './native.node';",
      /^3: .*native\.node is a native addon, which cannot be bundled into a function: use a package without native code\.$/,
    ],
    [
      'several at once: the first, and how many there are',
      "import { a } from './gone'; import { b } from './far';",
      /^3: "\.\/(gone|far)" does not exist\. \(1 of 2 errors\)$/,
      'a + b',
    ],
  ])('%s', async (_, imports, line, name = 'a') => {
    writeFileSync(join(folder, 'tools', 'native.node'), '');
    const said = await problem(
      `import { defineTool } from '${core}';\n\n${imports}\n\nexport const notify = defineTool({ name: ${name} } as never);`,
    );
    if (typeof line === 'string') expect(said).toBe(line);
    else expect(said).toMatch(line);
  });
});

const claude = defineProvider({ name: 'claude', kind: 'anthropic' });
const bedrock = defineProvider({ name: 'bedrock', kind: 'bedrock' });
test.each<[providers: Provider[], modules: string[]]>([
  [[], ['openai']],
  [[claude], ['openai', 'anthropic']],
  [[bedrock], ['openai', 'bedrock']],
  [
    [claude, bedrock],
    ['openai', 'anthropic', 'bedrock'],
  ],
])('with the providers %j, the functions have the modules %j (R133, R205)', (providers, modules) => {
  const asking = providers.map((provider) =>
    defineAgent({ name: provider.name, purpose: 'x', instructions: 'x', model: { name: 'm', provider }, tools: [] }),
  );
  const plain = defineAgent({ name: 'a', purpose: 'x', instructions: 'x', model: 'm', tools: [] });
  const sources = { ...shippedSources, modules: ['notices'] };
  expect(withProviders(sources, registry([plain, ...asking])).modules).toEqual(['notices', ...modules]);
});

const tool = (name: string) =>
  defineTool({
    name,
    description: 'x',
    input: z.object({}),
    output: z.object({}),
    effect: 'read',
    execute: async () => ({}),
  });
const agentWith = (...tools: Tool[]) =>
  registry([defineAgent({ name: 'a', purpose: 'x', instructions: 'x', model: 'x', tools })]);
const serverTools = () => ['a', 'b'].map((name): Tool => ({ ...tool(`recall__${name}`), server: 'recall' }));

test('the tools of an MCP server share one function (R175)', () => {
  const own = entries(agentWith(...serverTools())).filter((entry) => entry.tool);
  expect(own).toEqual([{ id: 'Recall', file: 'tools/memory/recall.ts', tool: 'recall' }]);
});

test.each<[what: string, use: () => unknown, message: string]>([
  [
    'a folder without an agent',
    () => entries(registry([])),
    'agents has no agent: an agent is an export of a file like agents/chat-agent.ts',
  ],
  ['an index that exports no registry', () => entries([] as never), 'agents/index.ts: shipped: must be registry([…])'],
  [
    'a tool without a file',
    () => entries(agentWith(tool('fly_away'))),
    'tool fly_away: expected its definition and handler in tools/**/fly-away.ts, which does not exist',
  ],
  [
    'a tool with the name of an MCP server',
    () => entries(agentWith(...serverTools(), tool('recall'))),
    'tool in tools/memory/recall.ts: its function would be Recall, which exists already',
  ],
  [
    'a tool with two files',
    () => entries(agentWith(tool('recall')), { agents: 'agents', tools: ['tools', 'runtime'], modules: [] }),
    'tool recall: both tools/memory/recall.ts and runtime/recall.ts match: rename one of them',
  ],
  [
    'a function without a file',
    () => bundle([{ id: 'Missing', file: 'lambdas/missing.ts' }], folder),
    'function Missing: lambdas/missing.ts does not exist',
  ],
  [
    'a tool whose function would have the name of a platform function',
    () => {
      writeFileSync(join(folder, 'tools', 'settle.ts'), '');
      const sources = { ...shippedSources, tools: [relative(root, join(folder, 'tools'))] };
      return entries(agentWith(tool('settle')), sources);
    },
    'its function would be Settle, which exists already',
  ],
])('%s is reported in one line (R175, R193)', async (_, use, message) => {
  await expect((async () => use())()).rejects.toThrow(message);
});
