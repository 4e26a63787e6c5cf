import { createHash } from 'node:crypto';
import * as z from 'zod';
import { modelsOf, type Provider } from '../../base/models/provider';
import { modelSchema } from '../../base/schemas/model-schema';
import { modelTool } from '../../base/schemas/model-tool';
import { ConfigurationError } from '../../base/text/errors';
import type { Guard } from '../guards/guard';
import type { Agent } from './agent';
import { checkRegistered } from './agent-checks';
import { readResult } from './read-result';
import {
  type DelegateTool,
  type FunctionTool,
  type HandOffTool,
  type People,
  type PersonTool,
  personToolName,
  type Tool,
} from './tool';
import { checkedTool } from './tool-checks';

/** A deployment's agents, tools and providers, by name. */
export interface Registry {
  /** Providers that agents name. The other agents use the deployment's own. */
  providers: ReadonlyMap<string, Provider>;
  agents: ReadonlyMap<string, Agent>;
  tools: ReadonlyMap<string, Tool>;
}

/** Returns the guards of all agents. @throws ConfigurationError if two different ones have the same name. */
export function guardsOf({ agents }: Pick<Registry, 'agents'>): Guard[] {
  const guards = new Map<string, Guard>();
  for (const guard of [...agents.values()].flatMap((agent) => agent.guards ?? [])) {
    if ((guards.get(guard.name) ?? guard) !== guard)
      throw new ConfigurationError(`guard ${guard.name}: there are two with this name`);
    guards.set(guard.name, guard);
  }
  return [...guards.values()];
}

/**
 * Creates the registry, and gives agents the tools by which they reach one another.
 *
 * @throws ConfigurationError if two agents, or two different tools or providers, have the same name, or an agent names one that does
 *   not exist.
 * @example
 * ```ts
 * import { defineAgent, registry } from 'vigil';
 *
 * const shared = { instructions: 'You help visitors of a museum.', model: 'gpt-6.1-terra', tools: [] };
 * const guide = defineAgent({ ...shared, name: 'guide', purpose: 'Answers visitors.', handOffs: ['clerk'] });
 * const clerk = defineAgent({ ...shared, name: 'clerk', purpose: 'Refunds tickets.' });
 *
 * registry([guide, clerk]).agents.get('guide')?.tools.map(({ name }) => name); // → ['hand_off_to_clerk']
 * registry([guide]); // throws handOffs: there is no other agent "clerk"
 * ```
 */
export function registry(list: Agent[]): Registry {
  if (!Array.isArray(list)) throw new ConfigurationError('registry: it needs a list of agents');
  const agents = new Map<string, Agent>();
  const tools = new Map<string, Tool>();
  const providers = new Map<string, Provider>();
  for (const agent of list) {
    checkRegistered(agent);
    if (agents.has(agent.name)) throw new ConfigurationError(`agent ${agent.name}: there are two with this name`);
    agents.set(agent.name, agent);
    for (const { provider } of [agent.model, agent.summaryModel].flatMap(modelsOf)) {
      if (!provider) continue;
      if ((providers.get(provider.name) ?? provider) !== provider)
        throw new ConfigurationError(`provider ${provider.name}: there are two with this name`);
      providers.set(provider.name, provider);
    }
    for (const tool of agent.tools) {
      const known = tools.get(tool.name);
      if (known && known !== tool) throw new ConfigurationError(`tool ${tool.name}: there are two with this name`);
      tools.set(tool.name, tool);
    }
  }
  guardsOf({ agents });
  for (const agent of list) agents.set(agent.name, withOthers(agent, agents, tools));
  return { agents, tools, providers };
}

function withOthers(agent: Agent, agents: ReadonlyMap<string, Agent>, tools: ReadonlyMap<string, Tool>): Agent {
  const { handOffs = [], delegates = [], people = [] } = agent;
  const named = (field: string, names: string[]) =>
    names.map((name) => {
      const other = agents.get(name);
      if (other && name !== agent.name) return other;
      throw new ConfigurationError(`agent ${agent.name}: ${field}: there is no other agent "${name}"`);
    });
  const reaching: Tool[] = named('handOffs', handOffs).map(handOffTool);
  if (delegates.length > 0) reaching.push(delegateTool(named('delegates', delegates)));
  if (people.length > 0) reaching.push(personTool(people));
  const taken = [...reaching, readResult].find(({ name }) => tools.has(name));
  if (taken) throw new ConfigurationError(`tool ${taken.name}: Vigil has a tool with this name: choose another`);
  return { ...agent, tools: [...agent.tools, ...reaching] };
}

const days = 86_400;

/** Creates the tool that hands the conversation over to an agent. */
const handOffTool = ({ name, purpose }: Agent): HandOffTool =>
  checkedTool({
    kind: 'hand-off',
    name: handOffName(name),
    title: 'Hand the conversation over',
    description:
      `Hands the conversation over to the agent "${name}": ${purpose} That agent reads the whole conversation, answers the user, and ` +
      'keeps the conversation until it hands over again. Call this tool alone, without any text for the user.',
    input: z.object({ reason: z.string().max(1_000).describe('What the user wants from that agent, in one sentence') }),
    to: name,
  });

const handOffName = (agent: string): string => `hand_off_to_${agent.replaceAll('-', '_')}`;

/** Creates the tool that gives a task to another agent and waits for the result. */
const delegateTool = (to: Agent[]): DelegateTool =>
  checkedTool({
    kind: 'delegate',
    name: 'delegate',
    title: 'Give a task to another agent',
    description:
      'Gives a task to another agent, which works in a separate conversation, and waits for its answer. The agent knows nothing of ' +
      'this conversation except the task, so include all that it needs. Several tasks in one reply run in parallel. The agents are:\n' +
      to.map(({ name, purpose }) => `- ${name}: ${purpose}`).join('\n'),
    input: z.object({
      agent: z.enum(to.map(({ name }) => name) as [string, ...string[]]).describe('The name of the agent'),
      task: z.string().min(1).max(20_000).describe('What the agent should do, and what its answer should contain'),
    }),
    expiresInSeconds: 30 * days,
    fallback: 'The agent did not answer within 30 days, so the wait has ended.',
  });

/** Creates the tool that hands the conversation over to a person of a group. */
const personTool = (people: readonly People[]): PersonTool =>
  checkedTool({
    kind: 'person',
    name: personToolName,
    title: 'Hand the conversation over to a person',
    description:
      'Hands the conversation over to a person, who reads all of it, talks to the user themselves, and gives it back to you with a ' +
      'note. That may take days. Call it alone, and tell the user in the same reply that a person will come. The groups are:\n' +
      people.map(({ group, purpose }) => `- ${group}: ${purpose}`).join('\n'),
    input: z.object({
      group: z.enum(people.map(({ group }) => group) as [string, ...string[]]).describe('The name of the group'),
      reason: z
        .string()
        .min(1)
        .max(1_000)
        .describe('What the user wants from a person, and what you have done so far, in a few sentences'),
    }),
    people,
  });

/** Lets an agent hand the conversation back to its first agent, which the spec need not name. So any agent can work behind a router. */
export function withWayBack(agent: Agent, entry: Agent | undefined): Agent {
  if (!entry || entry.name === agent.name) return agent;
  const known = agent.tools.some(({ name }) => name === handOffName(entry.name));
  return known ? agent : { ...agent, tools: [...agent.tools, handOffTool(entry)] };
}

/** Returns the tools that have a Lambda function and a Task state. */
export const functionTools = ({ tools }: Registry): FunctionTool[] =>
  [...tools.values()].filter((tool) => tool.kind === 'function');

export const isolatedTools = (all: Registry): FunctionTool[] => functionTools(all).filter(({ isolated }) => isolated);

/** Each process computes it once for an agent. */
const known = new WeakMap<Agent, string>();

/**
 * Returns the version of an agent: a digest of what its model is told about its work, that is the instructions, the tools, and the agents
 * that it can reach. The model itself is apart from it. Of instructions that a function writes, the function counts, not what it writes.
 *
 * @param replaced the instructions of a fork, in place of the agent's own.
 */
export function versionOf(agent: Agent, replaced?: string): string {
  if (replaced !== undefined) return digestOf(agent, replaced);
  const version = known.get(agent) ?? digestOf(agent, String(agent.instructions));
  known.set(agent, version);
  return version;
}

const digestOf = ({ tools, hosted, handOffs, delegates, people, output }: Agent, instructions: string): string =>
  createHash('sha256')
    .update(
      JSON.stringify({
        instructions,
        handOffs,
        delegates,
        people,
        output: output && modelSchema(output),
        // Hand-offs are named above, and the way back to the first agent depends on the conversation.
        tools: tools.filter(({ kind }) => kind !== 'hand-off').map(modelTool),
        hosted: hosted.map(({ name, description }) => ({ name, description })),
      }),
    )
    .digest('hex')
    // ASCII: hex digits.
    .slice(0, 12);
