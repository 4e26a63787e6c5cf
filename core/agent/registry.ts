import type { Provider } from '../models/provider';
import { ConfigurationError } from '../text/errors';
import type { Agent } from './agent';
import { delegateTool, handOffTool } from './hand-off';
import type { FunctionTool, Tool } from './tool';

/** Every agent of this deployment by name, and every tool that they may use. */
export interface Registry {
  /** Of the agents that name one; the others ask the deployment's. */
  providers: ReadonlyMap<string, Provider>;
  agents: ReadonlyMap<string, Agent>;
  tools: ReadonlyMap<string, Tool>;
}

/**
 * What a deployment consists of. Agents get the tools by which they reach one another.
 *
 * @throws ConfigurationError for two agents of one name, two different tools or providers of one name, or an agent that names one that is
 *   not there.
 */
export function registry(list: Agent[]): Registry {
  const agents = new Map<string, Agent>();
  const tools = new Map<string, Tool>();
  const providers = new Map<string, Provider>();
  for (const agent of list) {
    if (agents.has(agent.name)) throw new ConfigurationError(`agent ${agent.name}: there are two of this name`);
    agents.set(agent.name, agent);
    for (const { provider } of [agent.model, agent.summaryModel]) {
      if (!provider) continue;
      if ((providers.get(provider.name) ?? provider) !== provider)
        throw new ConfigurationError(`provider ${provider.name}: there are two of this name`);
      providers.set(provider.name, provider);
    }
    for (const tool of agent.tools) {
      const known = tools.get(tool.name);
      if (known && known !== tool) throw new ConfigurationError(`tool ${tool.name}: there are two of this name`);
      tools.set(tool.name, tool);
    }
  }
  for (const agent of list) agents.set(agent.name, withOthers(agent, agents, tools));
  return { agents, tools, providers };
}

function withOthers(agent: Agent, agents: ReadonlyMap<string, Agent>, tools: ReadonlyMap<string, Tool>): Agent {
  const { handOffs = [], delegates = [] } = agent;
  const named = (field: string, names: string[]) =>
    names.map((name) => {
      const other = agents.get(name);
      if (other && name !== agent.name) return other;
      throw new ConfigurationError(`agent ${agent.name}: ${field}: there is no other agent "${name}"`);
    });
  const reaching: Tool[] = named('handOffs', handOffs).map(handOffTool);
  if (delegates.length > 0) reaching.push(delegateTool(named('delegates', delegates)));
  const taken = reaching.find(({ name }) => tools.has(name));
  if (taken) throw new ConfigurationError(`tool ${taken.name}: the registry makes one of this name`);
  return { ...agent, tools: [...agent.tools, ...reaching] };
}

/** The tools that need a Lambda and a Task state of their own. */
export const functionTools = ({ tools }: Registry): FunctionTool[] =>
  [...tools.values()].filter((tool) => tool.kind === 'function');
