// core/conversations/agent: agents and tools as their authors declare them, the registry, limits and prices.

import { types } from 'node:util';
import type * as z from 'zod';
import type { Item } from '../../base/content/items';
import { checkExtra } from '../../base/models/extra';
import { type HostedTool, isHosted } from '../../base/models/hosted';
import { checkHosted } from '../../base/models/hosted-checks';
import { type ModelChoices, type ModelSpec, modelChoice, modelsOf } from '../../base/models/provider';
import type { Given } from '../../base/state/given';
import { wellFormed } from '../../base/text/clip';
import { ConfigurationError } from '../../base/text/errors';
import { asError } from '../../base/text/thrown';
import type { Guard } from '../guards/guard';
import { checkAgent, checkSpec } from './agent-checks';
import type { FieldsOfModules } from './agent-field';
import type { People, Tool } from './tool';

/** A run's limits. A run that reaches one ends as `limited`, says which, and can be retried after the limit is raised. */
export interface Limits {
  /** Model calls since the last message that the run has read. Each message resets the count. */
  steps: number;
  /** Input and output of all model calls of the run. */
  tokens?: number;
  /** Millionths of a dollar, by the price list. */
  costMicrodollars?: number;
  /** The run's age, waits included. */
  seconds?: number;
}

/**
 * The policy for a message that arrives while the run is active.
 * - `merge`: the next model call reads it. A sleeping run wakes.
 * - `interrupt`: the model call is cut off, and the run continues with the message. An open approval is withdrawn.
 * - `queue`: it starts the next run.
 * - `reject`: the API answers 409.
 */
export type MessagePolicy = 'merge' | 'interrupt' | 'queue' | 'reject';

/** A model's reply before its calls are made. */
export interface Proposal {
  text: string;
  calls: { tool: string; arguments: unknown }[];
  /** The conversation's owner. */
  user: string;
  /** The transcript that the reply answers. */
  items: readonly Item[];
}

/** The data on which instructions may depend. It is the same for all steps of a run. */
export interface About extends Given {
  /** The conversation's owner. */
  user: string;
  /** The start of the run. */
  now: Date;
  /** The user's time zone, as an IANA name; `UTC` if it is not known. */
  zone: string;
}

/** The owner of the conversations that are the deployment's own. Only a developer's token may have this `sub`. */
export const deploymentUser = 'deployment';

/** An agent as its author declares it: no I/O, no environment. */
export interface AgentSpec extends FieldsOfModules {
  /** In kebab-case, for the API and other agents. */
  name: string;
  /** One line for people, and for agents that choose whom to hand over to. */
  purpose: string;
  /** Possible first messages. The page offers only agents that have some. */
  examples?: string[];
  /** A text, or a function that writes it when a run begins. The run keeps that text, so that providers can cache it. */
  instructions: string | ((about: About) => string);
  /**
   * A model's name, or a choice with settings. In a list of them, a later one is asked while those before it do not answer. `VIGIL_MODEL`
   * overrides the name and provider of all agents.
   */
  model: ModelSpec;
  /** The model that summarises older steps; by default, the agent's own. A cheaper one is often enough. */
  summaryModel?: ModelSpec;
  /** What `defineTool` returns, and `hosted` tools of the model's provider. */
  tools: (Tool | HostedTool)[];
  /** The names of agents that may take over the conversation, each by a tool `hand_off_to_<agent>`. */
  handOffs?: string[];
  /** The names of agents that may do tasks in separate conversations, by the tool `delegate`. */
  delegates?: string[];
  /** The people who may take the conversation over, by the tool `hand_off_to_person`. */
  people?: People[];
  limits?: Partial<Limits>;
  /** The tokens that a transcript may have before older steps are summarised. 100,000 by default. */
  contextTokens?: number;
  /**
   * Decides when a reply without tool calls ends the run. By default: always. With a phrase: only if the reply contains it. Any other
   * text is a question to the user, and the run waits for the answer.
   */
  end?: { phrase: string };
  /**
   * The schema of the run's `result`, an object with which the agent ends. Providers enforce it where they can. The model gets one
   * more attempt if its answer does not fit.
   */
  output?: z.ZodObject;
  /** Whether memories that relate to the user's message are given to the model automatically. */
  recall?: boolean;
  /** `merge` by default. */
  onMessage?: MessagePolicy;
  /**
   * Reviews a reply before its tools run. A step that is retried after a crash is reviewed again.
   *
   * @returns the calls that must not be made, by index from 0, with the reason, which the model reads as the call's result.
   */
  review?(proposal: Proposal): Promise<Map<number, string>> | Map<number, string>;
  /** Check its messages, replies, calls and results, in this order. With a guard of `output`, a reply is shown when it has passed. */
  guards?: Guard[];
  /** The days for which a failed run waits for a retry before its rollback. Default 7; 0 rolls back at once. */
  holdFailedDays?: number;
}

export interface Agent
  extends Omit<
    AgentSpec,
    'tools' | 'model' | 'summaryModel' | 'limits' | 'contextTokens' | 'onMessage' | 'holdFailedDays'
  > {
  /** Its own tools. */
  tools: Tool[];
  /** The tools that the provider of its model runs. */
  hosted: HostedTool[];
  model: ModelChoices;
  summaryModel: ModelChoices;
  limits: Limits;
  contextTokens: number;
  onMessage: MessagePolicy;
  holdFailedDays: number;
}

/** An agent whose instructions are written for a run. */
export type Instructed = Agent & {
  instructions: string;
  /** See `versionOf`. Absent before it is made for a step. */
  version?: string;
};

/** @throws ConfigurationError if the agent's function fails. */
export function instructed(agent: Agent, about: About): Instructed {
  const { name, instructions } = agent;
  if (typeof instructions === 'string') return { ...agent, instructions: wellFormed(instructions) };
  try {
    const written: unknown = instructions(about);
    if (types.isPromise(written)) written.catch(() => undefined);
    if (typeof written === 'string' && written.trim()) return { ...agent, instructions: wellFormed(written) };
  } catch (error) {
    throw new ConfigurationError(`agent ${name}: instructions: the function failed with ${asError(error).name}`, {
      cause: error,
    });
  }
  throw new ConfigurationError(`agent ${name}: instructions: the function must return a text`);
}

const defaults = { onMessage: 'merge', holdFailedDays: 7, contextTokens: 100_000 } as const;
const defaultLimits: Limits = { steps: 5 };

/**
 * Declares an agent. What the spec leaves out gets its default.
 *
 * @throws ConfigurationError naming the agent and the field, at build time.
 * @example
 * ```ts
 * import { defineAgent } from 'vigil';
 * import { currentTime } from 'vigil/tools/current-time';
 *
 * export const guideAgent = defineAgent({
 *   name: 'guide',
 *   purpose: 'Answers visitors of a museum.',
 *   instructions: 'You answer visitors of a museum, in one or two sentences.',
 *   model: 'gpt-6.1-terra',
 *   tools: [currentTime],
 * });
 * guideAgent.limits; // → { steps: 5 }
 * ```
 */
export function defineAgent<Instructions extends AgentSpec['instructions']>(
  spec: AgentSpec & { instructions: Instructions },
): Instructions extends string ? Instructed : Agent {
  return definedAgent(spec) as Instructions extends string ? Instructed : Agent;
}

function definedAgent(spec: AgentSpec): Agent {
  checkSpec(spec);
  // A tool's `verify` is added, because the model may be told to call it.
  const own = spec.tools.filter((tool) => !isHosted(tool));
  const verifying = own.flatMap((tool) => (tool.kind === 'function' && tool.verify) || []);
  const tools = [...own, ...verifying.filter((tool) => !own.includes(tool))];
  // A defined agent, from which another one is made, has them apart.
  const hosted = [...new Set([...((spec as Partial<Agent>).hosted ?? []), ...spec.tools.filter(isHosted)])];
  const limits = { ...defaultLimits, ...spec.limits };
  const model = modelChoice(spec.model, `agent ${spec.name}`);
  const summaryModel = spec.summaryModel ? modelChoice(spec.summaryModel, `agent ${spec.name}: summaries`) : model;
  const agent = { ...defaults, ...spec, model, summaryModel, tools, hosted, limits };
  checkAgent(agent);
  for (const one of modelsOf(model)) {
    checkHosted({ ...agent, model: one });
    checkExtra({ ...one, output: spec.output }, `agent ${spec.name}`);
  }
  for (const one of modelsOf(summaryModel)) checkExtra(one, `agent ${spec.name}: summaries`);
  return agent;
}
