import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { shipped } from '../../../agents';
import { shippedAgents } from '../../../test/support/stories/shipped-agents';
import { currentTime } from '../../../tools/current-time';
import { schedule } from '../../../tools/timers/schedule';
import { defineProvider, type ModelChoice, modelsOf, type ProviderSpec } from '../../base/models/provider';
import { modelTool } from '../../base/schemas/model-tool';
import { defineAgent } from './agent';
import { registry } from './registry';
import { type Approval, defineTool } from './tool';

const tool = {
  name: 'look',
  description: 'd',
  input: z.object({}),
  output: z.unknown(),
  effect: 'read' as const,
  execute: async () => 1,
};
const approvedBy = (more: Partial<Approval>) => () =>
  defineTool({ ...tool, approval: { when: () => true, prompt: 'Well?', ...more } });
const agent = { name: 'a', purpose: 'p', instructions: 'i', model: 'm', tools: [currentTime] };

test.each([
  [
    () => defineTool({ ...tool, name: 'Look up' }),
    'tool Look up: name: use snake_case, a letter first, at most 50 characters',
  ],
  [
    () => defineTool({ ...tool, input: z.object({ at: z.string() }) }),
    'tool look: input.at: add .describe() for the model',
  ],
  [
    () => defineAgent({ ...agent, name: 'My agent' }),
    'agent My agent: name: use kebab-case, a letter first, at most 50 characters',
  ],
  [() => defineAgent({ ...agent, tools: [currentTime, currentTime] }), 'agent a: tools: current_time is listed twice'],
  [
    () => defineAgent({ ...agent, limits: { steps: 0 } }),
    'agent a: limits.steps: must be a whole number of at least 1',
  ],
  [() => defineAgent({ ...agent, end: { phrase: ' ' } }), 'agent a: end.phrase: is empty'],
  [() => registry([defineAgent(agent), defineAgent(agent)]), 'agent a: there are two with this name'],
  [
    () =>
      registry([
        defineAgent({ ...agent, tools: [currentTime] }),
        defineAgent({ ...agent, name: 'b', tools: [defineTool({ ...tool, name: 'current_time' })] }),
      ]),
    'tool current_time: there are two with this name',
  ],
  [approvedBy({ money: { cents: 'USD' } }), 'tool look: approval.money.cents: the input has no such field'],
  [
    () => defineTool({ ...tool, timeoutSeconds: 901 }),
    'tool look: timeoutSeconds: must be a whole number from 1 to 900',
  ],
  [
    () => defineTool({ ...tool, retry: { maxAttempts: 99, intervalSeconds: 1, backoffRate: 2, maxDelaySeconds: 9 } }),
    'tool look: retry.maxAttempts: must be a whole number from 0 to 20',
  ],
  [
    () => defineTool({ ...tool, input: z.object({ at: z.date().describe('x') }) }),
    expect.stringMatching(/^tool look: input.at: Date cannot be represented in JSON Schema: use a text/),
  ],
  [
    () => defineTool({ ...tool, isolated: true, effect: 'table' as 'read' }),
    'tool look: effect: an isolated tool writes no rows: use another effect',
  ],
  [
    () =>
      defineTool({
        ...tool,
        isolated: true,
        webhook: { delivers: 'result', expiresInSeconds: 60, fallback: 'x' } as never,
      }),
    'tool look: webhook: an isolated tool cannot have one',
  ],
  [
    () => defineTool({ ...tool, isolated: true, needs: { partitions: ['B#'] } }),
    'tool look: needs.partitions: an isolated tool reaches no rows: leave it out',
  ],
  [
    () => defineTool({ ...tool, isolated: true, timeoutSeconds: 900 }),
    'tool look: timeoutSeconds: must be a whole number from 1 to 870',
  ],
  [
    () => defineTool({ ...tool, needs: { partitions: ['*'] } }),
    'tool look: needs.partitions: *: use a prefix like "B#"',
  ],
  [approvedBy({ excludesOwner: true }), 'tool look: approval.excludesOwner: nobody could decide: name approvers'],
  [
    approvedBy({ approvers: 'owner', showsMessages: 1 }),
    'tool look: approval.showsMessages: the owner sees the whole conversation: leave it out, or name approvers',
  ],
  [
    approvedBy({ approvers: { group: 'the finance' } }),
    'tool look: approval.approvers.group: use 1 to 128 characters without spaces',
  ],
  [
    approvedBy({ approvers: { claim: 'a=b', value: 'c' } }),
    'tool look: approval.approvers.claim: use 1 to 128 characters without spaces and "="',
  ],
  [
    approvedBy({ approvers: { claim: 'cognito:groups', value: '[finance]' } }),
    'tool look: approval.approvers.claim: name a group instead: { group: "finance" }',
  ],
  [
    approvedBy({ approvers: { claim: 'role', value: '' } }),
    'tool look: approval.approvers.value: use 1 to 256 characters on one line',
  ],
  [
    approvedBy({ approvers: { group: 'finance' }, showsMessages: 51 }),
    'tool look: approval.showsMessages: must be a whole number from 0 to 50',
  ],
])('a definition that cannot work is refused when it is built, with the field: %# (R96)', (define, message) => {
  expect(define).toThrow(expect.objectContaining({ name: 'ConfigurationError', message }));
});

test('a tool reaches the model with a schema that it can be held to', () => {
  expect(modelTool(schedule)).toMatchObject({
    name: 'schedule',
    parameters: {
      type: 'object',
      required: ['at'],
      additionalProperties: false,
      properties: { at: { type: 'string' } },
    },
  });
});

test('a strict schema has no keyword that some server refuses: it is words, and the tool checks it (R190)', () => {
  const input = z.object({
    words: z.array(z.string().min(1).max(9)).min(1).max(3).describe('x'),
    count: z.int().min(1).describe('x'),
  });
  const counted = defineTool({ ...tool, input });
  expect(modelTool(counted).parameters.properties).toEqual({
    words: {
      type: 'array',
      items: { type: 'string', description: '1 to 9 characters' },
      description: 'x (1 to 3 items)',
    },
    count: { type: 'integer', description: 'x (at least 1)' },
  });
  expect(counted.input.safeParse({ words: [], count: 0 }).error?.issues).toHaveLength(2);
});

test('an agent that names no limit stops after five steps (R9)', () => {
  expect(defineAgent(agent).limits.steps).toBe(5);
});

test.each(shippedAgents)('%s is declared in about a screenful, with neither replay nor retry code (R15)', (name) => {
  const text = readFileSync(`agents/${name}-agent.ts`, 'utf8');
  expect(shipped.agents.has(name)).toBe(true);
  expect(text.split('\n').length).toBeLessThanOrEqual(60);
  expect(text).not.toMatch(/retry|catch|await|process\.env/);
});

test.each<[object, string]>([
  [{ name: 'My Server' }, 'provider My Server: name: use kebab-case'],
  [{ name: 'default' }, 'provider default: name: "default" is reserved for the provider of OPENAI_BASE_URL'],
  [{ kind: 'claude' }, 'provider p: kind: must be "openai", "chat", "anthropic" or "bedrock"'],
  [{ baseUrl: 'models.example' }, 'provider p: baseUrl: must be an http or https address'],
  [{ baseUrl: undefined }, 'provider p: baseUrl: is missing'],
  [{ key: 'sk-1234567890' }, 'provider p: key: must be the name of a variable'],
  [{ oauth: { tokenUrl: 'https://tokens.example', clientId: 'c', scope: 's' } }, 'provider p: key: is missing'],
  [
    { key: 'P_CLIENT_SECRET', oauth: { tokenUrl: 'tokens', clientId: 'c', scope: 's' } },
    'provider p: oauth.tokenUrl: must be an http',
  ],
  [
    { kind: 'bedrock', baseUrl: undefined, region: 'Virginia' },
    'provider p: region: must be the name of an AWS region',
  ],
  [{ kind: 'anthropic', baseUrl: 'https://models.example/v1' }, 'provider p: baseUrl: must not end in /v1'],
  [{ kind: 'anthropic', key: 'sk-ant-1234567890' }, 'provider p: key: must be the name of a variable'],
])('a provider that cannot work is refused when it is built, with the field: %j (R134)', (wrong, message) => {
  const spec = { name: 'p', kind: 'chat', baseUrl: 'https://models.example', ...wrong } as ProviderSpec;
  expect(() => defineProvider(spec)).toThrow(expect.objectContaining({ message: expect.stringContaining(message) }));
});

test.each<[unknown, string]>([
  [{ name: ' ' }, 'agent a: model: has no name'],
  [{ name: 'm', maxOutputTokens: 1 }, 'agent a: model.maxOutputTokens: must be a whole number of at least 16'],
  [{ name: 'm', temperature: 3 }, 'agent a: model.temperature: must be a number from 0 to 2'],
  [
    { name: 'm', temperature: 1, provider: { name: 'p', kind: 'anthropic' } },
    'agent a: model.temperature: leave it out: the API of a provider of the kind "anthropic" has none',
  ],
  [[], 'agent a: model: is an empty list'],
  [['m', { name: 'm' }], 'agent a: model[1]: m is listed twice'],
  [['m', { name: ' ' }], 'agent a: model[1]: has no name'],
  [['m', { name: 'n', temperature: 3 }], 'agent a: model[1].temperature: must be a number from 0 to 2'],
  [['m', 7], 'agent a: model[1]: must be the name of a model, or an object with a name'],
  [['m', { name: 'n', effort: 'huge' }], 'agent a: model[1].effort: must be "none"'],
  [['a', 'b', 'c', 'd', 'e'], 'agent a: model: is a list of more than 4 models'],
  [['m', { name: 'gpt-5' }], 'agent a: contextTokens: gpt-5 has a window of 400000 tokens'],
])('so is a model: %j (R134)', (model, message) => {
  expect(() => defineAgent({ ...agent, contextTokens: 500_000, model: model as ModelChoice })).toThrow(message);
});

test('a list of models keeps its order and settings, also in an agent that is made from another (R203)', () => {
  const models = [{ name: 'm' }, { name: 'n', temperature: 0.5 }];
  const first = defineAgent({ ...agent, model: ['m', models[1]!] });
  for (const one of [first, defineAgent({ ...first, name: 'other' })]) {
    expect(modelsOf(one.model)).toEqual(models);
    expect(modelsOf(one.summaryModel)).toEqual(models);
    expect(() => registry([one])).not.toThrow();
  }
});

test('a transcript that does not fit the model’s window is refused (R137)', () => {
  const asking = (contextTokens: number) => defineAgent({ ...agent, model: 'gpt-5', contextTokens });
  expect(asking(400_000)).toMatchObject({ contextTokens: 400_000 });
  expect(() => asking(400_001)).toThrow('agent a: contextTokens: gpt-5 has a window of 400000 tokens');
});

test('a provider of the kind "anthropic" needs no address (R205)', () => {
  const spec = { name: 'anthropic', kind: 'anthropic', key: 'ANTHROPIC_API_KEY', headers: { 'x-team': 'a' } } as const;
  expect(defineProvider(spec)).toBe(spec);
});

test('two different providers of one name are refused (R134)', () => {
  const provider = () => defineProvider({ name: 'p', kind: 'chat', baseUrl: 'https://models.example' });
  const asking = (name: string) => defineAgent({ ...agent, name, model: { provider: provider(), name: 'm' } });
  expect(() => registry([asking('a'), asking('b')])).toThrow('provider p: there are two with this name');
});
