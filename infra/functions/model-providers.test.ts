import { Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { hosted } from '../../core/base/models/hosted';
import { defineProvider } from '../../core/base/models/provider';
import { defineAgent } from '../../core/conversations/agent/agent';
import { newApp } from '../../test/support/clouds/new-app';
import { settingsFrom } from '../settings';
import { checkHostedTools, describeAgents, describeModels } from './model-providers';

const elsewhere = defineProvider({ name: 'elsewhere', kind: 'chat', baseUrl: 'https://models.example' });
const agent = (name: string, model: Parameters<typeof defineAgent>[0]['model']) =>
  defineAgent({ name, purpose: 'p', instructions: 'i', tools: [], model });
const agents = [
  // A model of another provider may have the same name.
  agent('e', { provider: elsewhere, name: 'gpt-6-luna' }),
  agent('a', 'gpt-5-mini'),
  agent('b', 'gpt-5-mini'),
  agent('c', 'gpt-6-luna'),
  agent('d', { provider: elsewhere, name: 'deep' }),
];

function described(day: string, env: NodeJS.ProcessEnv = {}) {
  const stack = new Stack(newApp(), 'S');
  describeModels(stack, agents, settingsFrom(env), new Date(`${day}T12:00:00Z`));
  return stack;
}
const allWarnings = (stack: Stack) =>
  Annotations.fromStack(stack)
    .findWarning('*', Match.anyValue())
    .map(({ entry }) => String(entry.data));
const isOfPrice = (words: string) => words.includes('has no price');
const warnings = (stack: Stack) => allWarnings(stack).filter((words) => !isOfPrice(words));

describe('the models of a deployment (R137)', () => {
  test('warns of one that is shut down within 60 days, with the agents that use it', () => {
    expect(warnings(described('2026-11-22'))).toEqual([
      expect.stringMatching(/^The model gpt-5-mini \(a, b\) is shut down on 2026-12-11\. .* gpt-6\.1-terra instead/),
    ]);
    expect(warnings(described('2026-10-01'))).toEqual([]);
    expect(warnings(described('2026-11-22', { VIGIL_MODEL: 'gpt-6-luna' }))).toEqual([]);
  });

  test('warns of one without a price, until the deployment has set one (R275)', () => {
    const ofPrice = (env = {}) => allWarnings(described('2026-10-01', env)).filter(isOfPrice);
    expect(ofPrice()).toEqual([expect.stringMatching(/^The model deep \(d\) has no price/)]);
    expect(ofPrice({ VIGIL_PRICES: '{"deep": [1, 2]}' })).toEqual([]);
  });

  test('warns of one that calls tools only over the Responses API if another API is configured', () => {
    const chat = { VIGIL_MODEL_API: 'chat' };
    expect(warnings(described('2026-10-01', chat))).toEqual([
      expect.stringMatching(/^The model gpt-6-luna calls tools only over the Responses API/),
    ]);
    expect(warnings(described('2026-10-01', { ...chat, OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }))).toEqual([]);
  });

  test('a hosted tool that the deployment’s own provider lacks stops the build (R204)', () => {
    const claude = defineProvider({ name: 'claude', kind: 'anthropic' });
    const spec = { purpose: 'p', instructions: 'i' };
    const own = defineAgent({ ...spec, name: 'own', model: 'm', tools: [hosted.webSearch()] });
    const model = { provider: claude, name: 'c' };
    const other = defineAgent({ ...spec, name: 'other', model, tools: [hosted.webFetch()] });
    const check = (env: NodeJS.ProcessEnv) => () => checkHostedTools([...agents, own, other], settingsFrom(env));
    expect(check({})).not.toThrow();
    expect(check({ OPENAI_BASE_URL: 'https://eu.api.openai.com/v1' })).not.toThrow();
    expect(check({ OPENAI_BASE_URL: 'http://m.example/v1', VIGIL_MODEL_API: 'responses' })).not.toThrow();
    const chat =
      'agent own: tools: web_search: the deployment\'s provider has no such hosted tool, because its API is "chat"';
    expect(check({ OPENAI_BASE_URL: 'http://m.example/v1' })).toThrow(chat);
    expect(check({ VIGIL_MODEL_API: 'chat' })).toThrow(chat);
    expect(check({ VIGIL_MODEL: 'gpt-6-luna' })).toThrow('agent other: tools: web_fetch: the deployment');
    const second = defineAgent({ ...spec, name: 'second', model: [model, 'm'], tools: [hosted.webSearch()] });
    const settings = settingsFrom({ OPENAI_BASE_URL: 'http://m.example/v1' });
    expect(() => checkHostedTools([second], settings)).toThrow('agent second: tools: web_search: the deployment');
  });

  test('the template lists those of its own provider, and of others with a key', () => {
    const claude = defineProvider({ name: 'claude', kind: 'anthropic', key: 'CLAUDE_API_KEY' });
    const stack = new Stack(newApp(), 'S');
    const asking = agent('f', { provider: claude, name: 'claude-sonnet-5-5' });
    describeModels(stack, [...agents, asking], settingsFrom({}), new Date('2026-11-22T12:00:00Z'));
    const { Models: all } = stack.templateOptions.metadata as { Models: object[] };
    expect(all.slice(2)).toEqual([
      {
        name: 'claude-sonnet-5-5',
        agents: ['f'],
        provider: { name: 'claude', kind: 'anthropic', baseUrlVariable: 'CLAUDE_BASE_URL', key: 'CLAUDE_API_KEY' },
      },
    ]);
    const { Models } = described('2026-11-22').templateOptions.metadata as { Models: { name: string }[] };
    expect(Models).toMatchObject([
      { name: 'gpt-5-mini', agents: ['a', 'b'] },
      { name: 'gpt-6-luna', agents: ['c'] },
    ]);
  });
});

test('the template lists the agents, each with its first example', () => {
  const stack = described('2026-11-22');
  describeAgents(stack, [{ ...agents[0]!, examples: ['What’s new?', 'Hello'] }, agents[1]!]);
  expect(stack.templateOptions.metadata).toMatchObject({
    Models: [{}, {}],
    Agents: [{ name: 'e', example: 'What’s new?' }, { name: 'a' }],
  });
});
