import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { shipped } from '../../../agents';
import { shippedAgents } from '../../../test/support/stories/shipped-agents';
import { currentTime } from '../../../tools/current-time';
import { schedule } from '../../../tools/timers/schedule';
import { defineProvider, modelsOf } from '../../base/models/provider';
import { modelTool } from '../../base/schemas/model-tool';
import { defineAgent } from './agent';
import { registry } from './registry';
import { defineTool } from './tool';

const tool = {
  name: 'look',
  description: 'd',
  input: z.object({}),
  output: z.unknown(),
  effect: 'read' as const,
  execute: async () => 1,
};
const agent = { name: 'a', purpose: 'p', instructions: 'i', model: 'm', tools: [currentTime] };

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
