import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import * as z from 'zod';
import { shipped } from '../agents';
import { defineAgent } from '../core/agent';
import { registry } from '../core/registry';
import { defineTool } from '../core/tool';
import { bundle } from './bundle';
import { definitionOnly } from './definition-only';
import { entries, root, shippedSources } from './entries';

const folder = mkdtempSync(join(tmpdir(), 'vigil-bundles-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the bundles that ship', () => {
  const file = (id: string) => join(folder, id, 'index.js');
  const text = (id: string) => readFileSync(file(id), 'utf8');
  beforeAll(() => bundle(entries(shipped), folder));

  test('CallModel and Api know the tools but not what their handlers import', () => {
    for (const id of ['CallModel', 'Api']) {
      expect(text(id)).toContain('Delivers a reminder to the user now');
      expect(text(id)).not.toContain('SNSClient extends');
      expect(text(id)).not.toContain('AmazonSimpleNotificationService');
    }
  });

  test('Reminder has its SNS client', () => {
    expect(text('Reminder')).toContain('AmazonSimpleNotificationService');
  });

  // CallModel and Api have every agent's words and every tool's; CallModel has the model's client, ScrapeWebsite a DOM, Api its routes, the store and two clients of AWS, RunCode a machine.
  const largest: Record<string, number> = {
    CallModel: 650_000,
    Api: 650_000,
    ScrapeWebsite: 700_000,
    RunCode: 1_300_000,
  };

  test('CallModel and Api are at most 650 KB, ScrapeWebsite 700 KB, RunCode 1.3 MB, the others 500 KB', () => {
    const tooLarge = entries(shipped)
      .map(({ id }) => ({ id, bytes: statSync(file(id)).size }))
      .filter(({ id, bytes }) => bytes > (largest[id] ?? 500_000));
    expect(tooLarge).toEqual([]);
  });
});

describe('a definition without its handler', () => {
  const repository = join(folder, 'repository');
  const write = (path: string, content: string) => {
    mkdirSync(join(repository, path, '..'), { recursive: true });
    writeFileSync(join(repository, path), content);
  };
  type Tool = { name: string; limit: number; execute(): Promise<unknown> };
  let tool: Tool;

  beforeAll(async () => {
    write('core/limit.ts', 'export const limit = 3;');
    write('lambdas/send.ts', 'export const send = (): never => { throw new Error("loaded"); };');
    write(
      'lambdas/tools/notify.ts',
      `import { readFileSync } from 'node:fs';
       import { Client } from 'a-large-sdk';
       import { limit } from '../../core/limit';
       import { send } from '../send';
       const client = new Client({ retries: limit });
       export const notify = { name: 'notify', limit, execute: async () => client.publish(readFileSync('x')) };
       export const handler = send(notify).wrapped();`,
    );
    write('agents.ts', `export { notify } from './lambdas/tools/notify';`);
    const outfile = join(folder, 'agents.js');
    await build({
      entryPoints: [join(repository, 'agents.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      plugins: [definitionOnly(repository, shippedSources)],
    });
    tool = require(outfile).notify;
  });

  test('loads, though what its handler imports is not installed or would throw', () => {
    expect(tool).toMatchObject({ name: 'notify', limit: 3 });
  });

  test('says what is missing to whoever runs it nevertheless', async () => {
    await expect(tool.execute()).rejects.toThrow(
      "a-large-sdk in notify.ts is not in this bundle: it holds the tool's definition, not its handler.",
    );
  });
});

describe('what cannot be bundled is said in one line', () => {
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

  test('a tool without a file', () => {
    expect(() => entries(agentWith('fly_away'))).toThrow(
      'tool fly_away: expected its definition and handler in lambdas/tools/fly-away.ts, which does not exist',
    );
  });

  test('a function without a file', async () => {
    await expect(bundle([{ id: 'Nobody', file: 'lambdas/nobody.ts' }], folder)).rejects.toThrow(
      'function Nobody: lambdas/nobody.ts does not exist',
    );
  });

  test('a tool whose function would have the name of one of the platform’s', () => {
    mkdirSync(join(folder, 'tools'));
    writeFileSync(join(folder, 'tools', 'settle.ts'), '');
    const sources = { ...shippedSources, tools: [relative(root, join(folder, 'tools'))] };
    expect(() => entries(agentWith('settle'), sources)).toThrow('its function would be Settle, which exists already');
  });
});
