import * as z from 'zod';
import { Source } from '../../base/content/sources';
import type { HostedTool } from '../../base/models/hosted';
import { guardPlaces } from '../../base/schemas/guard-verdict';
import { modelSchema } from '../../base/schemas/model-schema';
import { modelTool } from '../../base/schemas/model-tool';
import { AgentCard, Approvers, StepOfApproval, ToolKind } from '../../base/state/schemas';
import type { Agent } from '../../conversations/agent/agent';
import { type ApprovalStep, type Caller, stepsIn } from '../../conversations/agent/approvers';
import { type FunctionTool, sourcesOf, type Tool } from '../../conversations/agent/tool';
import { afterUntrustedByDefault, isForMembers } from '../../conversations/decisions/provenance';
import { mayStepIn } from '../../conversations/members/take-over';

const Schema = z.record(z.string(), z.unknown());

/** A model as an agent chooses it. */
export const ModelDetails = z.object({
  name: z.string(),
  /** Absent for the deployment’s own provider. */
  provider: z.string().optional(),
  effort: z.string().optional(),
  verbosity: z.string().optional(),
  maxOutputTokens: z.number().int().optional(),
  temperature: z.number().optional(),
  /** The models that are asked in this order while it does not answer. */
  otherwise: z.array(z.object({ name: z.string(), provider: z.string().optional() })).optional(),
});
export type ModelDetails = z.infer<typeof ModelDetails>;

/** A step of an approval, as a tool declares it. */
export const DeclaredStep = StepOfApproval.omit({ escalatesAt: true }).extend({
  escalatesAfterSeconds: z.number().optional(),
});

/** A tool as its author declares it. */
export const ToolDetails = z.object({
  name: z.string(),
  /** Its name for people, if it has one. */
  title: z.string().optional(),
  description: z.string(),
  /** `hosted`: the provider of the model runs it. */
  kind: z.enum([...ToolKind.options, 'hosted']),
  /** The JSON schema of the arguments, as the model gets it. Of a hosted tool it is empty: only its provider knows. */
  input: Schema,
  /** The following are those of a tool with a function. */
  effect: z.enum(['read', 'table', 'idempotent', 'once']).optional(),
  /** Some or all calls need an approval. */
  approval: z
    .object({
      /** The first question, with the names of arguments in braces. */
      prompt: z.string(),
      /** `owner`, or who else decides. With several steps, who decides first. */
      by: z.union([z.literal('owner'), Approvers]),
      excludesOwner: z.boolean(),
      /** The steps of an approval with several decisions, or that escalates. */
      steps: z.array(DeclaredStep).optional(),
    })
    .optional(),
  /** The rule for a call after words from outside. `by-arguments`: the tool decides. */
  afterUntrusted: z.enum(['allow', 'approve', 'by-arguments']).optional(),
  /** Whose wish is enough for a call, in a conversation that its owner shares. */
  askedBy: z.enum(['owner', 'member']).optional(),
  /** Whether a rollback undoes its calls. */
  undo: z.boolean().optional(),
  timeoutSeconds: z.number().int().optional(),
  attemptsAtMost: z.number().int().optional(),
  isolated: z.boolean().optional(),
  source: Source.optional(),
  /** Names what a delivery from outside becomes. */
  webhook: z.enum(['result', 'message']).optional(),
  /** For a hand-off: the agent. */
  to: z.string().optional(),
});
export type ToolDetails = z.infer<typeof ToolDetails>;

/** An agent as its author declares it, with what the deployment overrides. */
export const AgentDetails = AgentCard.extend({
  model: ModelDetails,
  /** Absent if it is the same model. */
  summaryModel: ModelDetails.optional(),
  /** Absent if you may not read them. */
  instructions: z.string().optional(),
  limits: z.object({
    steps: z.number().int(),
    tokens: z.number().int().optional(),
    costMicrodollars: z.number().int().optional(),
    seconds: z.number().int().optional(),
  }),
  contextTokens: z.number().int(),
  onMessage: z.enum(['merge', 'interrupt', 'queue', 'reject']),
  holdFailedDays: z.number(),
  /** The JSON schema of the run’s result. */
  output: Schema.optional(),
  recall: z.boolean(),
  /** Whether code reviews each reply before its tools run. */
  review: z.boolean(),
  /** The guards of its messages, replies, calls and results. */
  guards: z.array(z.object({ guard: z.string(), at: z.array(z.enum(guardPlaces)) })).optional(),
  handOffs: z.array(z.string()),
  delegates: z.array(z.string()),
  tools: z.array(ToolDetails),
});
export type AgentDetails = z.infer<typeof AgentDetails>;

/** The settings of a deployment for all agents. */
export interface Overrides {
  model?: string;
  limits: { steps?: number; tokens?: number; costMicrodollars?: number };
}

/**
 * Returns what a list of agents shows.
 *
 * @param caller who reads it, and may step in or not.
 */
export const cardOf = (agent: Agent, caller?: Caller): AgentCard => {
  const { name, purpose, examples = [], end } = agent;
  return {
    name,
    purpose,
    examples,
    endPhrase: end?.phrase,
    ...(caller && mayStepIn(agent, caller) && { mayStepIn: true as const }),
  };
};

const writtenByCode =
  'A function writes them for each run, from the user, their claims and the conversation’s metadata.';

/**
 * Returns what people may know of an agent: no address, header or key of a provider, and no name of a secret.
 *
 * @param caller who reads it.
 * @param withInstructions whether they may see them.
 */
export function detailsOf(
  agent: Agent,
  { model, limits }: Overrides,
  caller: Caller,
  withInstructions: boolean,
): AgentDetails {
  const { instructions, contextTokens, onMessage, holdFailedDays, output } = agent;
  const { handOffs = [], delegates = [], recall = false, review } = agent;
  const { steps, tokens, costMicrodollars, seconds } = agent.limits;
  const own = modelDetails(model ? { name: model } : agent.model);
  const summary = modelDetails(model ? { name: model } : agent.summaryModel);
  return {
    ...cardOf(agent, caller),
    model: own,
    contextTokens,
    onMessage,
    holdFailedDays,
    recall,
    handOffs,
    delegates,
    ...(JSON.stringify(summary) !== JSON.stringify(own) && { summaryModel: summary }),
    ...(withInstructions && { instructions: typeof instructions === 'string' ? instructions : writtenByCode }),
    limits: {
      steps: limits.steps ?? steps,
      tokens: limits.tokens ?? tokens,
      costMicrodollars: limits.costMicrodollars ?? costMicrodollars,
      seconds,
    },
    ...(output && { output: modelSchema(output) }),
    review: review !== undefined,
    guards: agent.guards?.map(({ name, at }) => ({ guard: name, at: [...at] })),
    tools: [...agent.tools.map(toolDetails), ...agent.hosted.map(hostedDetails)],
  };
}

function modelDetails(choices: Agent['model']): ModelDetails {
  const { name, provider, effort, verbosity, maxOutputTokens, temperature, otherwise = [] } = choices;
  return {
    name,
    provider: provider?.name,
    effort,
    verbosity,
    maxOutputTokens,
    temperature,
    ...(otherwise.length > 0 && {
      otherwise: otherwise.map((one) => ({ name: one.name, provider: one.provider?.name })),
    }),
  };
}

const toolDetails = (tool: Tool): ToolDetails => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  kind: tool.kind,
  input: modelTool(tool).parameters,
  ...(tool.kind === 'hand-off' && { to: tool.to }),
  ...(tool.kind === 'function' && functionDetails(tool)),
});

const hostedDetails = ({ name, description, kind, source }: HostedTool): ToolDetails => ({
  name,
  description,
  kind,
  input: {},
  source,
});

const stepDetails = ({ by, count = 1, escalation }: ApprovalStep) => ({
  by,
  count,
  ...(escalation && { escalatesTo: escalation.to, escalatesAfterSeconds: escalation.afterSeconds }),
});

function functionDetails(tool: FunctionTool): Partial<ToolDetails> {
  const { effect, approval, compensate, timeoutSeconds, retry, isolated = false, webhook } = tool;
  return {
    effect,
    undo: compensate !== undefined,
    timeoutSeconds,
    isolated,
    attemptsAtMost: effect === 'once' ? 1 : 1 + retry.maxAttempts,
    afterUntrusted: tool.afterUntrusted ? 'by-arguments' : afterUntrustedByDefault(tool),
    askedBy: isForMembers(tool) ? 'member' : 'owner',
    ...(approval && {
      approval: {
        prompt: [approval.prompt].flat()[0]!,
        by: stepsIn(approval.approvers)[0]!.by,
        excludesOwner: approval.excludesOwner ?? false,
        ...(Array.isArray(approval.approvers) && { steps: stepsIn(approval.approvers).map(stepDetails) }),
      },
    }),
    source: sourcesOf(tool)?.[0],
    webhook: webhook?.delivers,
  };
}
