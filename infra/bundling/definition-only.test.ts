import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { definitionOf } from './definition-of';
import { definitionOnly } from './definition-only';
import { shippedSources } from './entries';

const repository = mkdtempSync(join(tmpdir(), 'vigil-definitions-'));
afterAll(() => rmSync(repository, { recursive: true }));

const write = (path: string, content: string) => {
  mkdirSync(dirname(join(repository, path)), { recursive: true });
  writeFileSync(join(repository, path), content);
};

describe('an import of a tool from outside its folder', () => {
  type Tool = { name: string; description: string; limit: number; table: object; execute(): unknown };
  let notify: Tool & { compensate(): unknown };
  let ask: Tool;

  beforeAll(async () => {
    write('core/conversations/agent/tool.ts', 'export const defineTool = <T>(spec: T): T => spec;');
    write('lambdas/send.ts', 'export const send = (): never => { throw new Error("loaded"); };');
    write('shared/limits.json', '{ "limit": 3 }');
    write(
      'shared/orders.ts',
      `import { limit } from './limits.json';
       export const Order = { limit };
       export const words = (...names: string[]) => names.join(' or ');`,
    );
    write('shared/setup.ts', `(globalThis as any).isSetUp = 'yes';`);
    write(
      'tools/notify.ts',
      `import { readFileSync } from 'node:fs';
       import { Client } from 'a-large-sdk';
       import { defineTool } from '../core/conversations/agent/tool';
       import { Order, words } from '../shared/orders';
       import '../shared/setup';
       import { send } from '../lambdas/send';
       const client = new Client({ retries: Order.limit });
       const channels = words('mail', 'text');
       export const notify = defineTool({
         name: 'notify',
         description: \`Sends a \${channels}\`,
         limit: Order.limit,
         async execute(input: string) {
           return client.publish(readFileSync(input), send());
         },
         compensate: async () => client.undo(),
       });
       export const handler = send(notify).wrapped();`,
    );
    write(
      'tools/ask.ts',
      `import { defineTool } from '../core/conversations/agent/tool';
       import { Order } from '../shared/orders';
       import { all } from './all';
       import { client } from './client';
       const execute = () => client;
       export const ask = defineTool({ name: 'ask', limit: Order.limit, description: all, execute });
       export async function handler() { await client; }`,
    );
    write('tools/all.ts', `import { notify } from './notify'; export const all = 'Not ' + notify.name;`);
    write('tools/client.ts', `import { Client } from 'a-large-sdk'; export const client = new Client();`);
    write('agents.ts', `export { notify } from './tools/notify'; export { ask } from './tools/ask';`);
    const outfile = join(repository, 'agents.js');
    await build({
      entryPoints: [join(repository, 'agents.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      plugins: [definitionOnly(repository, shippedSources)],
    });
    ({ notify, ask } = require(outfile));
  });

  test('gives what the definition imports: a shared schema, a helper, a JSON file, a file without exports (R125)', () => {
    expect(notify).toMatchObject({ name: 'notify', description: 'Sends a mail or text', limit: 3 });
    expect((globalThis as { isSetUp?: string }).isSetUp).toBe('yes');
  });

  test('gives a tool that another tool imports through a third file (R125)', () => {
    expect(ask).toMatchObject({ name: 'ask', description: 'Not notify', limit: 3 });
  });

  test('leaves out what only the handler imports, which may be missing', () => {
    expect(() => notify.execute()).toThrow('Only the tool’s own function contains its execute.');
    expect(() => notify.compensate()).toThrow('Only the tool’s own function contains its compensate.');
    expect(() => ask.execute()).toThrow('Only the tool’s own function contains its execute.');
  });
});

describe('a definition', () => {
  const stripped = async (source: string) => (await definitionOf(source, 'tool.ts')).split('//# sourceMappingURL')[0]!;

  test('keeps each letter of its text, whatever its bytes', async () => {
    const source = `// “ä” 😀\nexport const t = defineTool({ name: '“é” 😀', execute() { return '😀'; } } as const) as Tool;`;
    expect(await stripped(source)).toContain('name: "“é” 😀"');
    expect(await stripped(source)).not.toContain('return "😀"');
  });

  test('keeps constants that are used, and statements that do something', async () => {
    const code = await stripped(
      `const used = make('used'); const unused = make('unused'); register('all');
       export const t = defineTool({ name: used, execute: () => unused });`,
    );
    expect(code).toContain('make("used")');
    expect(code).toContain('register("all")');
    expect(code).not.toContain('unused');
  });
});
