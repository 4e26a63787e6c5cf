import { ConfigurationError } from './errors';
import type { Tool } from './tool';

/** What ends a run of its own accord; past these it ends `limited`, and says which. */
export interface Limits {
  /** Model calls of a run since the last message that it took up: each message gives it these anew. */
  steps: number;
}

/** An agent as its author writes it. It reads like a spec: no I/O, no environment. */
export interface AgentSpec {
  /** kebab-case; how the API and other agents call it. */
  name: string;
  /** One line for people and for agents that choose whom to hand over to. */
  purpose: string;
  instructions: string;
  /** A model name that the configured server knows. `VIGIL_MODEL` overrides it. */
  model: string;
  tools: Tool[];
  limits?: Partial<Limits>;
  /**
   * When a reply without tool calls ends the run. Absent: always. With a phrase: only a reply that contains it; any other
   * text is a question to the user, and the run waits for the answer.
   */
  end?: { phrase: string };
}

export interface Agent extends Omit<AgentSpec, 'limits'> {
  limits: Limits;
}

const defaultLimits: Limits = { steps: 5 };

/** @throws ConfigurationError naming the agent and the field, at build time. */
export function defineAgent(spec: AgentSpec): Agent {
  if (!/^[a-z][a-z0-9-]{0,49}$/.test(spec.name)) {
    throw new ConfigurationError(`agent ${spec.name}: name: use kebab-case, a letter first, at most 50 characters`);
  }
  const names = spec.tools.map((tool) => tool.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new ConfigurationError(`agent ${spec.name}: tools: ${twice} is listed twice`);
  if (spec.end && !spec.end.phrase.trim()) throw new ConfigurationError(`agent ${spec.name}: end.phrase: is empty`);
  const limits = { ...defaultLimits, ...spec.limits };
  if (!Number.isInteger(limits.steps) || limits.steps < 1) {
    throw new ConfigurationError(`agent ${spec.name}: limits.steps: must be a whole number of at least 1`);
  }
  return { ...spec, limits };
}
