import type { Agent } from './agent';
import { ConfigurationError } from './errors';
import type { FunctionTool, Tool } from './tool';

/** Every agent of this deployment by name, and every tool that they may use. */
export interface Registry {
  agents: ReadonlyMap<string, Agent>;
  tools: ReadonlyMap<string, Tool>;
}

/** @throws ConfigurationError for two agents of one name, or two different tools of one name. */
export function registry(list: Agent[]): Registry {
  const agents = new Map<string, Agent>();
  const tools = new Map<string, Tool>();
  for (const agent of list) {
    if (agents.has(agent.name)) throw new ConfigurationError(`agent ${agent.name}: there are two of this name`);
    agents.set(agent.name, agent);
    for (const tool of agent.tools) {
      const known = tools.get(tool.name);
      if (known && known !== tool) throw new ConfigurationError(`tool ${tool.name}: there are two of this name`);
      tools.set(tool.name, tool);
    }
  }
  return { agents, tools };
}

/** The tools that need a Lambda and a Task state of their own. */
export const functionTools = ({ tools }: Registry): FunctionTool[] =>
  [...tools.values()].filter((tool) => tool.kind === 'function');
