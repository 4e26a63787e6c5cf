import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import * as z from 'zod';
import { defineAgent } from '../../core/conversations/agent/agent';
import { registry } from '../../core/conversations/agent/registry';
import { defineTool } from '../../core/conversations/agent/tool';
import { root } from './entries';
import { assertSourcesNamed } from './named-sources';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-sources-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Looks through a tool whose file has this text, besides files that it may import. */
async function look(text: string, source?: 'system' | 'none', others: Record<string, string> = {}): Promise<void> {
  for (const [name, content] of Object.entries({ 'find.ts': text, ...others }))
    writeFileSync(join(folder, name), content);
  const find = defineTool({
    name: 'find',
    description: 'Finds.',
    input: z.object({}),
    output: z.string(),
    effect: 'read',
    source,
    execute: async () => '',
  });
  const agents = registry([defineAgent({ name: 'a', purpose: 'p', instructions: 'i', model: 'm', tools: [find] })]);
  await assertSourcesNamed(agents, [{ id: 'Find', file: relative(root, join(folder, 'find.ts')), tool: 'find' }]);
}

const vigil = join(root, 'package/index');

test.each<[string, string, string, Record<string, string>]>([
  ['fetch', "export const run = () => fetch('https://crm.example');", 'calls fetch', {}],
  ['fetch of the global', "export const run = () => globalThis.fetch('https://crm.example');", 'calls fetch', {}],
  ['a socket', "export const run = () => new WebSocket('wss://crm.example');", 'calls WebSocket', {}],
  [
    'https',
    "import { get } from 'node:https';\nexport const run = () => get('https://crm.example');",
    'imports node:https',
    {},
  ],
  [
    'without its prefix',
    "import http from 'http';\nexport const run = () => http.get('http://a.example');",
    'imports http',
    {},
  ],
  [
    'a file of its own',
    "export { run } from './crm';",
    'calls fetch',
    { 'crm.ts': 'export const run = () => fetch("https://a.example");' },
  ],
  ['AWS', "import { S3 } from '@aws-sdk/client-s3';\nexport const run = new S3({});", 'imports @aws-sdk/client-s3', {}],
  [
    'another program',
    "import { exec } from 'node:child_process';\nexport const run = () => exec('curl a.example');",
    'child_process',
    {},
  ],
])('a tool that reaches others by %s must name its source, or say none (R193)', async (_, text, reached, others) => {
  await expect(look(text, undefined, others)).rejects.toThrow(
    new RegExp(`^tool find: source: is missing: .*${reached}.*, so say where the words of its results come from`),
  );
  await expect(look(text, 'system', others)).resolves.toBeUndefined();
  await expect(look(text, 'none', others)).resolves.toBeUndefined();
});

test('what only looks like the network, and what is Vigil’s own, needs no source (R193)', async () => {
  await look("// fetch('https://crm.example')\nconst fetch = () => 'mine';\nexport const run = () => fetch();");
  await look('export const run = ({ fetch }: { fetch(): string }) => fetch();');
  await look(`import { serveTool, TellModel } from '${vigil}';\nexport const run = [serveTool, TellModel];`);
  await look("import { GetCommand } from '@aws-sdk/lib-dynamodb';\nexport const run = new GetCommand({} as never);");
  await look("import * as z from 'zod';\nexport const run = z.string();");
});
