import { readdirSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { shipped } from '../agents';
import { currentTime } from '../lambdas/tools/current-time';
import { schedule } from '../lambdas/tools/schedule';
import { defineAgent } from './agent';
import { modelTool } from './model-tool';
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
    () => defineTool({ ...tool, input: z.object({ at: z.string().optional().describe('x') }) }),
    'tool look: input.at: use .nullable() instead of .optional() or .default()',
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
  [() => registry([defineAgent(agent), defineAgent(agent)]), 'agent a: there are two of this name'],
  [
    () =>
      registry([
        defineAgent({ ...agent, tools: [currentTime] }),
        defineAgent({ ...agent, name: 'b', tools: [defineTool({ ...tool, name: 'current_time' })] }),
      ]),
    'tool current_time: there are two of this name',
  ],
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
    expect.stringMatching(/^tool look: input: no JSON schema can be made of it: Date cannot be represented/),
  ],
])('R96 a definition that cannot work is refused when it is built, with the field: %#', (define, message) => {
  expect(define).toThrow(expect.objectContaining({ name: 'ConfigurationError', message }));
});

test('a tool reaches the model with a strict schema', () => {
  expect(modelTool(schedule).function).toMatchObject({
    name: 'schedule',
    strict: true,
    parameters: {
      type: 'object',
      required: ['at'],
      additionalProperties: false,
      properties: { at: { type: 'string', format: 'date-time' } },
    },
  });
});

test('a strict schema has no keyword that some server refuses; the tool checks those itself', () => {
  const input = z.object({
    words: z.array(z.string().min(1).max(9)).min(1).max(3).describe('x'),
    count: z.int().min(1).describe('x'),
  });
  const counted = defineTool({ ...tool, input });
  expect(modelTool(counted).function.parameters.properties).toEqual({
    words: { type: 'array', items: { type: 'string' }, description: 'x' },
    count: { type: 'integer', description: 'x' },
  });
  expect(counted.input.safeParse({ words: [], count: 0 }).error?.issues).toHaveLength(2);
});

test('R9 an agent that names no limit stops after five steps', () => {
  expect(defineAgent(agent).limits.steps).toBe(5);
});

test('R15 a shipped agent is declared in about a screenful, with neither replay nor retry code', () => {
  const files = readdirSync('agents').filter((file) => file.endsWith('-agent.ts'));
  expect(files.map((file) => file.replace('-agent.ts', '')).sort()).toEqual([...shipped.agents.keys()].sort());
  for (const file of files) {
    const text = readFileSync(`agents/${file}`, 'utf8');
    expect(text.split('\n').length).toBeLessThanOrEqual(60);
    expect(text).not.toMatch(/retry|catch|await|process\.env/);
  }
});
