import type * as z from 'zod';
import { factsOf } from '../models/models';
import { type ModelChoice, modelChoice } from '../models/provider';
import type { Item } from '../state/items';
import { ConfigurationError } from '../text/errors';
import { nullableInstead, optionalField } from './model-tool';
import type { Tool } from './tool';

/** What ends a run of its own accord; past these it ends `limited`, says which, and can be retried once they are raised. */
export interface Limits {
  /** Model calls of a run since the last message that it took up: each message gives it these anew. */
  steps: number;
  /** Of all model calls of the run, input and output. */
  tokens?: number;
  /** Millionths of a dollar, by the price list. */
  costMicrodollars?: number;
  /** From the run's start to its last model call, waits included. */
  seconds?: number;
}

/**
 * What a message does that arrives while the run is active.
 * - `merge`: the next model call takes it up. A run that sleeps is woken.
 * - `interrupt`: the model is cut off in mid-sentence and goes on with it; an approval that is open is given up.
 * - `queue`: it waits for the end of the run, and begins the next one.
 * - `reject`: it is refused (409).
 */
export type MessagePolicy = 'merge' | 'interrupt' | 'queue' | 'reject';

/** A reply of the model before any of its calls is made. */
export interface Proposal {
  text: string;
  calls: { tool: string; arguments: unknown }[];
  /** Whom the agent works for. */
  user: string;
  /** The transcript that the reply answers. */
  items: readonly Item[];
}

/** An agent as its author writes it. It reads like a spec: no I/O, no environment. */
export interface AgentSpec {
  /** kebab-case; how the API and other agents call it. */
  name: string;
  /** One line for people and for agents that choose whom to hand over to. */
  purpose: string;
  /** Of an agent that people begin with: what they could say first, for the page to offer. */
  examples?: string[];
  instructions: string;
  /** A model's name, or more than that. `VIGIL_MODEL` overrides name and provider of all agents. */
  model: string | ModelChoice;
  /** Which model summarises what no longer fits the window: its own unless given, and a cheaper one will often do. */
  summaryModel?: string | ModelChoice;
  tools: Tool[];
  /** Agents that may take the conversation over, by name: each is a tool `hand_off_to_<agent>`. */
  handOffs?: string[];
  /** Agents that it may give tasks to, each in a conversation of its own, by the tool `delegate`. */
  delegates?: string[];
  limits?: Partial<Limits>;
  /** How many tokens of the model's window a transcript may take: before that, older steps are summarised. 100,000 unless given. */
  contextTokens?: number;
  /**
   * When a reply without tool calls ends the run. Absent: always. With a phrase: only a reply that contains it; any other
   * text is a question to the user, and the run waits for the answer.
   */
  end?: { phrase: string };
  /**
   * What the agent ends with: an object that fits this schema, which is the run's `result`. A provider holds its model to it
   * where it can; an answer that does not fit is asked for once more.
   */
  output?: z.ZodObject;
  /** Memories of the user that have to do with what they say are put before the model without its asking. */
  recall?: boolean;
  /** `merge` unless given. */
  onMessage?: MessagePolicy;
  /**
   * Looks at a reply before its tools run. For each call that must not be made, by its place from 0, the reason: the model
   * reads it as the call's result. A step that is tried again after a crash is reviewed again.
   */
  review?(proposal: Proposal): Promise<Map<number, string>> | Map<number, string>;
  /** How long a failed run is kept for a retry before what it did is undone. 7 unless given; 0: at once. */
  holdFailedDays?: number;
}

export interface Agent
  extends Omit<AgentSpec, 'model' | 'summaryModel' | 'limits' | 'contextTokens' | 'onMessage' | 'holdFailedDays'> {
  model: ModelChoice;
  summaryModel: ModelChoice;
  limits: Limits;
  contextTokens: number;
  onMessage: MessagePolicy;
  holdFailedDays: number;
}

const defaults = { onMessage: 'merge', holdFailedDays: 7, contextTokens: 100_000 } as const;
const defaultLimits: Limits = { steps: 5 };

/** @throws ConfigurationError naming the agent and the field, at build time. */
export function defineAgent(spec: AgentSpec): Agent {
  if (!/^[a-z][a-z0-9-]{0,49}$/.test(spec.name)) {
    throw new ConfigurationError(`agent ${spec.name}: name: use kebab-case, a letter first, at most 50 characters`);
  }
  // A tool's `verify` comes with it: the model is told to call it.
  const verifying = spec.tools.flatMap((tool) => (tool.kind === 'function' && tool.verify) || []);
  const tools = [...spec.tools, ...verifying.filter((tool) => !spec.tools.includes(tool))];
  const names = tools.map((tool) => tool.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new ConfigurationError(`agent ${spec.name}: tools: ${twice} is listed twice`);
  if (spec.end && !spec.end.phrase.trim()) throw new ConfigurationError(`agent ${spec.name}: end.phrase: is empty`);
  if (spec.end && spec.output)
    throw new ConfigurationError(`agent ${spec.name}: output: an agent ends by a phrase or with an object, not both`);
  const optional = spec.output && optionalField(spec.output);
  if (optional) throw new ConfigurationError(`agent ${spec.name}: output.${optional}: ${nullableInstead}`);
  const limits = { ...defaultLimits, ...spec.limits };
  for (const [limit, value] of Object.entries(limits)) {
    if (value !== undefined && (!Number.isInteger(value) || value < 1))
      throw new ConfigurationError(`agent ${spec.name}: limits.${limit}: must be a whole number of at least 1`);
  }
  const model = modelChoice(spec.model, `agent ${spec.name}`);
  const summaryModel = spec.summaryModel ? modelChoice(spec.summaryModel, `agent ${spec.name}: summaries`) : model;
  const agent = { ...defaults, ...spec, model, summaryModel, tools, limits };
  if (!(agent.holdFailedDays >= 0 && agent.holdFailedDays <= 300))
    throw new ConfigurationError(`agent ${spec.name}: holdFailedDays: must be a number from 0 to 300`);
  if (!(agent.contextTokens >= 1_000))
    throw new ConfigurationError(`agent ${spec.name}: contextTokens: must be a number of at least 1000`);
  for (const { name } of [model, summaryModel]) {
    const { window = Number.POSITIVE_INFINITY } = factsOf(name);
    if (agent.contextTokens > window)
      throw new ConfigurationError(`agent ${spec.name}: contextTokens: ${name} has a window of ${window} tokens`);
  }
  return agent;
}
