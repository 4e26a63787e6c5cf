import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import * as z from 'zod';
import { shipped } from '../../agents';
import { defineAgent } from '../../core/conversations/agent/agent';
import { isolatedTools, type Registry, registry } from '../../core/conversations/agent/registry';
import { defineTool } from '../../core/conversations/agent/tool';
import { functionId } from '../../statemachines/function-id';
import { emptyBundles } from '../../test/support/clouds/empty-bundles';
import { rights, type Template } from '../../test/support/template-rights';
import { bundlesIn } from '../bundling/function-variables';
import { quickly } from '../synth';
import { Vigil } from '../vigil';
import type { VigilProps } from '../vigil-props';
import { writeSharedCode } from './shared-functions';

const folder = mkdtempSync(join(tmpdir(), 'vigil-shared-'));
afterAll(() => rmSync(folder, { recursive: true }));

function declared(props: Partial<VigilProps>, agents: Registry = shipped) {
  const bundles = mkdtempSync(join(folder, 'bundles-'));
  const stack = new Stack(new App({ outdir: mkdtempSync(join(folder, 'assembly-')), ...quickly }), 'Shop');
  const vigil = new Vigil(stack, 'Agents', { agents: emptyBundles(bundles, agents), ...props });
  const template = (stack.node.root as App).synth().getStackByName('Shop').template as Template;
  const functions = Object.entries(template.Resources).filter(([, { Type }]) => Type === 'AWS::Lambda::Function');
  const served = (id: string) => bundlesIn(id, template.Resources[id]!.Metadata);
  return { vigil, template, ids: functions.map(([id]) => id), served };
}

test('tools that need the same rights are in one function, which has no others (R278)', () => {
  const alone = declared({});
  const { template, ids, served } = declared({ shareFunctions: true });
  const shared = ids.filter((id) => id.startsWith('SharedTools'));
  expect(Object.fromEntries(shared.map((id) => [id, served(id)]))).toMatchObject({
    SharedToolsN: ['RunLater', 'RemindLater', 'Repeat'],
    SharedToolsBNumberFor10s: ['GetBalance', 'GetTransactions', 'GetLoans'],
    SharedToolsBNumberPFor10s: ['Transfer'],
  });
  // Isolated tools share none.
  for (const { name } of isolatedTools(shipped)) expect(ids).toContain(functionId(name));
  expect(ids).toHaveLength(alone.ids.length - 4);
  const before = rights(alone.template);
  const isOwn = (right: string) => !right.startsWith('logs:');
  for (const id of shared)
    for (const tool of served(id))
      expect([tool, rights(template)[id]!.filter(isOwn)]).toEqual([tool, before[tool]!.filter(isOwn)]);
  // Each tool is in one of them, or has its own.
  const tools = alone.ids.filter((id) => !ids.includes(id));
  expect(shared.flatMap(served).sort()).toEqual(tools.sort());
  // The states of a tool invoke the function that has it.
  const { DefinitionSubstitutions } = template.Resources.AgentLoop!.Properties as {
    DefinitionSubstitutions: Record<string, { 'Fn::GetAtt': [string, string] }>;
  };
  for (const id of shared)
    for (const tool of served(id)) expect(DefinitionSubstitutions[tool]!['Fn::GetAtt'][0]).toBe(id);
});

test('a tool that is named has a function of its own, to which the app may grant rights; a shared one may not get any (R278)', () => {
  const { vigil, ids } = declared({ shareFunctions: { except: ['transfer'] } });
  expect(ids).toContain('Transfer');
  expect(vigil.tool('transfer').grantPrincipal).toBeDefined();
  expect(() => vigil.tool('get_balance')).toThrow('tool get_balance: it shares its function');
  expect(() => declared({ shareFunctions: { except: ['refund'] } })).toThrow('no agent has a tool refund');
  expect(() => declared({ shareFunctions: { but: [] } as never })).toThrow(
    'shareFunctions.but: there is no such field',
  );
});

test('tools with other timeouts have other functions, and no two kinds of rights have one (R278)', () => {
  const tool = (name: string, more: object) =>
    defineTool({
      name,
      description: 'Looks something up.',
      input: z.object({ of: z.string().describe('What is looked up') }),
      output: z.object({ found: z.string() }),
      effect: 'read',
      source: 'none',
      execute: async ({ of }) => ({ found: of }),
      ...more,
    });
  const sharing = (...tools: ReturnType<typeof tool>[]) =>
    declared(
      { shareFunctions: true },
      registry([defineAgent({ name: 'clerk', purpose: 'p', instructions: 'i', model: 'gpt-6-luna', tools })]),
    );
  const { ids, served } = sharing(tool('a', {}), tool('b', { timeoutSeconds: 300 }), tool('c', {}));
  expect(served('SharedTools')).toEqual(['A', 'C']);
  expect(ids).toContain('SharedToolsFor300s');
  const same = [tool('a', { needs: { partitions: ['SHOP#'] } }), tool('b', { needs: { variables: ['SHOP'] } })];
  expect(() => sharing(...same)).toThrow(
    'the tools a and b need different things, whose names make the same id SharedToolsShop',
  );
});

test('a stack of 300 tools stays within CloudFormation’s and Step Functions’ quotas (R278)', () => {
  const tools = Array.from({ length: 300 }, (_, index) =>
    defineTool({
      name: `look_up_number_${index}`,
      description: `Looks up what is known of the number ${index}.`,
      input: z.object({ of: z.string().describe('What is looked up') }),
      output: z.object({ found: z.string() }),
      effect: 'read',
      needs: { partitions: [index % 2 ? 'A#' : 'B#'] },
      execute: async ({ of }) => ({ found: of }),
    }),
  );
  const agents = Array.from({ length: 6 }, (_, index) =>
    defineAgent({
      name: `clerk${index}`,
      purpose: 'Looks numbers up.',
      instructions: 'Look them up.',
      model: 'gpt-6-luna',
      tools: tools.slice(index * 50, index * 50 + 50),
    }),
  );
  const { template, ids } = declared({ shareFunctions: true }, registry(agents));
  expect(ids.filter((id) => id.startsWith('SharedTools'))).toHaveLength(2);
  expect(Object.keys(template.Resources).length).toBeLessThan(500);
  expect(Buffer.byteLength(JSON.stringify(template))).toBeLessThan(1_000_000);
  expect(String(template.Resources.AgentLoop!.Properties.DefinitionString).length).toBeLessThan(1_000_000);
});

test('a call is served by the code of its tool, which is loaded then; another tool is refused', () => {
  const bundles = mkdtempSync(join(folder, 'code-'));
  for (const id of ['One', 'Other']) {
    mkdirSync(join(bundles, id));
    const code = `globalThis.loaded.push('${id}'); exports.handler = ({ callId }) => '${id} ' + callId;`;
    writeFileSync(join(bundles, id, 'index.js'), code);
  }
  const ids = writeSharedCode(bundles, 'SharedTools', [{ name: 'one' }, { name: 'other' }] as never);
  expect(ids).toEqual(['One', 'Other']);
  const loaded: string[] = [];
  Object.assign(globalThis, { loaded });
  const { handler } = require(join(bundles, 'SharedTools/index.js')) as { handler(event: object): unknown };
  expect(loaded).toEqual([]);
  expect([handler({ tool: 'other', callId: 'a' }), handler({ tool: 'other', callId: 'b' })]).toEqual([
    'Other a',
    'Other b',
  ]);
  expect(loaded).toEqual(['Other']);
  expect(() => handler({ tool: 'constructor' })).toThrow(
    expect.objectContaining({ name: 'NoSuchTool', message: 'This function has no tool constructor.' }),
  );
  // One that has another function by now leaves nothing behind.
  writeSharedCode(bundles, 'SharedTools', [{ name: 'one' }] as never);
  expect(readdirSync(join(bundles, 'SharedTools')).sort()).toEqual(['One', 'index.js']);
});
