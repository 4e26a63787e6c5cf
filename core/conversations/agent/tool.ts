import type * as z from 'zod';
import type { Source } from '../../base/content/sources';
import type { Retry } from '../../base/state/failed-attempts';
import type { Given } from '../../base/state/given';
import type { ServerAnswer, ServerRound } from '../../base/state/isolated-call';
import type { TraceContext } from '../../base/state/trace';
import { ConfigurationError } from '../../base/text/errors';
import { answered } from '../../base/text/thrown';
import type { ToolFiles } from '../files/tool-files';
import type { Table } from '../store/table';
import type { ApprovalStep, Approvers } from './approvers';
import type { MarkedEffect } from './table-effect';
import { checkedTool } from './tool-checks';

/**
 * Whether an attempt of a tool may be repeated:
 * - `read`: has no effect and may be repeated.
 * - `table`: its whole effect is the `tableEffect` that it returns, which commits with the call's result, exactly once.
 * - `idempotent`: may be repeated with `context.callId` as the idempotency key.
 * - `once`: an attempt that may have taken effect is never repeated.
 *
 * If an attempt of the latter two is lost and none has a result, the outcome is `unknown`.
 */
export type Effect = 'read' | 'table' | 'idempotent' | 'once';

/** Values by the names that a tool declares: those of `optional` may be undefined. */
export type Values<Name extends string = string, MayBeUnset extends string = string> = {
  readonly [One in Name]: One extends MayBeUnset ? string | undefined : string;
};

/** The context of a tool call. It comes from Vigil's own rows and the deployment, never from the model. */
export interface ToolContext<Secrets extends Values = Values, Variables extends Values = Values> extends Given {
  conversationId: string;
  runId: string;
  /** The same for all attempts. Use it as the idempotency key at third parties. */
  callId: string;
  /** The signed-in owner of the conversation (the token's `sub`). */
  user: string;
  /** The user's time zone, as an IANA name; `UTC` if it is not known. */
  timeZone: string;
  /** The agent whose reply made the call. */
  agent: string;
  /** 1 for the first attempt. */
  attempt: number;
  now: Date;
  /**
   * The outside sources that the agent had read when it made the call: a web page, another person's words. Store them with what is
   * kept. None if a person has approved the call.
   */
  sources: Source[];
  /** Whether a person has approved the call with these arguments. If not, `execute` may throw `NeedsApproval`. */
  approved: boolean;
  /** Vigil's table, for reading. Write to it with `tableEffect`. */
  table: Table;
  /** The values of `needs.secrets`. Use them in requests only: never in a log, an error or a result. */
  secrets: Secrets;
  /** The values of `needs.variables`. */
  variables: Variables;
  /** For a tool with `needs.files`: the files of the conversation. Without it, each use fails. */
  files: ToolFiles;
  /** The user's answers to the questions of the tool's MCP server. */
  answers?: ServerAnswer[];
  /** What that server wants back with them. */
  round?: ServerRound;
  /**
   * The attempt's place in a trace, by W3C Trace Context. Send its fields as headers, and what the other side does is in the same trace.
   * Absent if the deployment exports no traces, and nobody has sent a context.
   */
  trace?: TraceContext;
  /** For a tool with `webhook`: the single-use address for the outside system. */
  webhookUrl?: string;
}

/** The context of an isolated tool: nothing that reaches a row or names a person. */
export type IsolatedContext<Secrets extends Values = Values, Variables extends Values = Values> = Pick<
  ToolContext<Secrets, Variables>,
  'callId' | 'attempt' | 'now' | 'timeZone' | 'answers' | 'round' | 'trace' | 'secrets' | 'variables'
>;

interface ToolBase<Input extends z.ZodObject> {
  /** In snake_case. Also the name of the tool's state and of its bundle's folder. */
  name: string;
  /** For people: what a call does, as in `Send money`. By default, the name in words. */
  title?: string;
  /** For the model: what the tool does, and what it does not do. */
  description: string;
  /** The arguments that the model sends. A field may be `.optional()` or have a default: the model then sends null, which is left out. */
  input: Input;
  /**
   * `false`: providers show the schema to the model and do not enforce it, so that the input may have what a strict schema cannot:
   * records, open objects, any JSON. The input is checked in any case.
   */
  strict?: false;
}

/** The time that a callback waits, and what the model reads if it expires. */
export interface Patience {
  /** At most 300 days, because an execution lives at most a year. */
  expiresInSeconds: number;
  fallback: string;
}

/**
 * Lets owners allow later calls from an approval's card: with the same arguments, within limits that they choose. Without it, each call is
 * approved by itself.
 */
export interface Standing {
  /** The arguments that may differ from call to call, besides those that are `money`: a purpose, not a receiver. By default none. */
  mayDiffer?: readonly string[];
  /** By default 20, at most 100. */
  mostCalls?: number;
  /** By default 30, at most 90. */
  mostDays?: number;
}

/** How often those who can decide are told again. */
export interface Reminders {
  everySeconds: number;
  /** By default 3. */
  atMost?: number;
}

/** Defines which calls need an approval before they run, and whose. The approver may edit the arguments within the schema. */
export interface Approval<Input extends z.ZodObject = z.ZodObject> extends Partial<Patience> {
  /** By the arguments alone. If it depends on what was done before, `execute` throws `NeedsApproval`. */
  when(input: z.infer<Input>): boolean;
  /**
   * The question, with arguments by their names: `Send {amount_cents} to {to}?`. Its words are fixed, so no argument can change what it
   * says; each value is drawn as a value, and the other arguments are shown below it. Of a list, the first question whose arguments all
   * have a value is asked, else the last one.
   */
  prompt: string | readonly string[];
  /** Explains the arguments to the person, by name: `{ to: 'account number' }`. Computed from the arguments, never written by them. */
  kinds?(input: z.infer<Input>): Record<string, string>;
  /**
   * The integers that are money, by name: `{ amount_cents: 'USD' }`. The person reads and types `$900.00`, the tool gets 90000, in the
   * currency's smallest unit.
   */
  money?: Record<string, string>;
  /**
   * Names who decides about all approvals of the tool, also those because of words from outside. By default the conversation's owner. A list
   * has steps, which are decided in order, each by other people.
   */
  approvers?: Approvers | readonly ApprovalStep[];
  /** Tells those who can decide again, while nobody has: so often at most, in each step. */
  reminders?: Reminders;
  /** Whether the owner may allow later calls, within limits. Only where the owner alone decides. */
  standing?: Standing;
  /** The owner decides about no call of their own, not even as one of the approvers. */
  excludesOwner?: true;
  /** The number of latest messages before the call that the approvers may read: at most 50, by default none. */
  showsMessages?: number;
}

/** The record of what a model has read when it makes a call. */
export interface Read {
  /** The outside sources in its transcript that the user has not declared as trusted; undefined for none. */
  sources?: Source[];
  /** Whether an address, or another text without spaces, stands literally in the user's words or in a result of these tools. */
  quotes(text: string, ...tools: string[]): boolean;
  /**
   * Returns the number of a tool's calls since the user's own latest words, those of the same reply included; infinite if the user has said
   * nothing in this conversation. Deliveries, timers and tasks whose words are from outside do not begin anew.
   */
  callsSinceUser(tool: string): number;
}

/** The rule for a call after its agent has read words that are not the user's: allow it, ask a person for approval, or refuse it. */
export type AfterUntrusted = 'allow' | 'approve' | 'refuse';

/** An outside system delivers its answer to `context.webhookUrl`, once. */
export interface Webhook extends Patience {
  /**
   * - `result`: the call waits, and the delivery is its result.
   * - `message`: the tool's own answer is the result. The delivery becomes a message, which wakes an idle agent.
   */
  delivers: 'result' | 'message';
  /**
   * The accepted data; by default, any JSON. It is parsed before it is stored. What does not fit is refused with 400 and the field, and
   * the address can be used again.
   */
  accepts?: z.ZodType;
}

/**
 * The needs of a function tool besides the table. It gets permissions for nothing else. The names are environment variables on a laptop.
 * On AWS, a secret is one of Secrets Manager, and the other values are set where the stack is deployed from.
 */
export interface Needs<
  Secret extends string = string,
  Variable extends string = string,
  MayBeUnset extends string = string,
> {
  /** Keys of third-party services, which `context.secrets` has. */
  secrets?: readonly Secret[];
  /** Settings, which `context.variables` has. */
  variables?: readonly Variable[];
  /** Those of the secrets and variables that may be unset. Without the others, a call fails before the tool runs. */
  optional?: readonly MayBeUnset[];
  /** Whether it reads and writes files of the conversation, by `context.files`. */
  files?: true;
  /** Whether it uses the deployment's embeddings, as `remember` does. */
  embeddings?: boolean;
  /** Partitions of the table besides conversations, by the prefix of their key, as in `B#`. */
  partitions?: readonly string[];
  /** Whether it lists the user's timers (`core/people/views/timers.ts`), which are in all of their conversations. */
  timers?: true;
}

/** A tool with a Lambda function. */
export interface FunctionTool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType>
  extends ToolBase<Input> {
  kind: 'function';
  output: Output;
  effect: Effect;
  retry: Retry;
  /** The timeout of one attempt (1 to 900). */
  timeoutSeconds: number;
  /** The memory of the Lambda function. */
  memoryMiB: number;
  /** The largest result, in bytes of JSON. A longer one is cut, with a note for the model. */
  maxResultBytes: number;
  needs?: Needs;
  /** The tool's function has no right to the table. RunIsolated claims and settles its calls, and invokes it with the input. */
  isolated?: true;
  /** An isolated tool whose function is not part of this deployment, in any language (docs/tools.md). */
  foreign?: true;
  /** The MCP server whose tool this is. One function serves all of its tools. */
  server?: string;
  /** The server's questions in the middle of a call go to the user. Until it has asked, a call of the tool has no effect. */
  elicitation?: 'ask';
  approval?: Approval<Input>;
  /**
   * The origin of the words of the results, if they are not the user's or the deployment's own. A tool that reaches the network or
   * a secret must say it, or `none`.
   */
  source?: Source | 'none';
  /**
   * Says what a call needs after the agent has read words from outside. By default, `allow` for a `read` tool whose arguments stay in the
   * deployment, else `approve`: whoever wrote those words may have asked for the call.
   */
  afterUntrusted?(input: z.infer<Input>, read: Read): AfterUntrusted;
  /**
   * Whose wish is enough for a call, in a conversation that its owner shares. By default `member` for a `read` tool whose arguments stay in the
   * deployment, else `owner`: the owner approves a call after a member has written. The call is always made for the owner.
   */
  askedBy?: 'owner' | 'member';
  webhook?: Webhook;
  /** A `read` tool that finds out whether a call took effect. The model is referred to it when an outcome is unknown. */
  verify?: FunctionTool;
  /**
   * Checks what the schema cannot express, before the call is stored.
   *
   * @param tools the agent's tools.
   * @returns the problem, for the model to correct.
   */
  check?(input: z.infer<Input>, tools: readonly Tool[]): string | undefined;
  execute(input: z.infer<Input>, context: ToolContext): Promise<z.infer<Output> | MarkedEffect<z.infer<Output>>>;
  /**
   * Undoes a call when its run is rolled back. It is retried like the tool itself, so a second execution must change nothing.
   *
   * @param output undefined if the call's outcome is unknown. Undo it if it took effect.
   */
  compensate?(
    input: z.infer<Input>,
    output: z.infer<Output> | undefined,
    context: ToolContext,
  ): Promise<void | MarkedEffect<void>>;
}

/** A tool that needs no row, or touches strangers' data: its function reaches no row, so it cannot have a table effect. */
export interface IsolatedTool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType>
  extends Omit<FunctionTool<Input, Output>, 'execute' | 'compensate' | 'effect' | 'webhook'> {
  isolated: true;
  effect: Exclude<Effect, 'table'>;
  webhook?: undefined;
  execute(input: z.infer<Input>, context: IsolatedContext): Promise<z.infer<Output>>;
  compensate?(input: z.infer<Input>, output: z.infer<Output> | undefined, context: IsolatedContext): Promise<void>;
}

/** The timeout of a tool that names none. */
export const usualTimeoutSeconds = 30;

/** RunIsolated works this much longer than the function that it invokes: for the start of that function, the claim and the outcome. */
const isolatedMarginSeconds = 30;
export const longestIsolatedSeconds = 900 - isolatedMarginSeconds;

/** Returns how long the function that holds a call's attempt may run. */
export const attemptSeconds = ({ timeoutSeconds, isolated }: FunctionTool): number =>
  isolated ? timeoutSeconds + isolatedMarginSeconds : timeoutSeconds;

/** A wait: the execution sleeps in a Wait state until the time that `until` returns. No function runs. */
export interface WaitTool<Input extends z.ZodObject = z.ZodObject> extends ToolBase<Input> {
  kind: 'wait';
  /** @param timeZone the user's, as an IANA name. */
  until(input: z.infer<Input>, now: Date, timeZone: string): Date;
}

/** A question: the execution waits until the user has answered. Only Ask runs, to store the task token. */
export interface CallbackTool<Input extends z.ZodObject = z.ZodObject> extends ToolBase<Input>, Patience {
  kind: 'callback';
  prompt(input: z.infer<Input>): string;
}

/** A hand-off: another agent takes over from the next step on. No function runs. The registry creates these tools. */
export interface HandOffTool<Input extends z.ZodObject = z.ZodObject> extends ToolBase<Input> {
  kind: 'hand-off';
  /** The agent's name. */
  to: string;
}

/**
 * A delegation: another agent does a task in a conversation of its own, and the execution waits for its result. The registry creates
 * this tool for agents with `delegates`.
 */
export interface DelegateTool<Input extends z.ZodObject = z.ZodObject> extends ToolBase<Input>, Patience {
  kind: 'delegate';
}

/**
 * A group whose members may take a conversation over: one of them talks in it while the run waits, and gives it back. They see it in their
 * inbox, and nothing else of it before one has claimed it.
 */
export interface People extends Partial<Patience>, Pick<ApprovalStep, 'escalation'> {
  group: string;
  /** Tells the agent, in one line, when to hand over to them. */
  purpose: string;
  reminders?: Reminders;
  /** They may also step in without being asked. */
  mayStepIn?: true;
}

/**
 * A hand-off to a person: one of a group takes the conversation over, and the execution waits until they give it back. The registry creates
 * this tool for agents with `people`.
 */
export interface PersonTool<Input extends z.ZodObject = z.ZodObject> extends ToolBase<Input> {
  kind: 'person';
  people: readonly People[];
}

/** The name of that tool. */
export const personToolName = 'hand_off_to_person';

/** Reads on in a long result or file: see `decisions/read-on.ts`. No function runs. */
export interface ReadOnTool<Input extends z.ZodObject = z.ZodObject> extends ToolBase<Input> {
  kind: 'read';
}

/** Returns why a tool must say where the words of its results come from, as its definition alone tells. */
export function reachesOutside({ foreign, needs = {} }: FunctionTool): string | undefined {
  if (foreign) return 'it is foreign';
  const needed = [...(needs.secrets ?? []), ...(needs.variables ?? [])];
  return needed.length > 0 ? `it needs ${needed[0]}` : undefined;
}

/** Returns what the tool's own check finds wrong with a call; undefined for nothing. */
export const problemOf = (tool: FunctionTool, input: object, tools: readonly Tool[]): string | undefined =>
  answered('check', tool.check?.(input as never, tools), isProblem, 'a text, or nothing') || undefined;
const isProblem = (answer: unknown): boolean => !answer || typeof answer === 'string';

/** Returns where the words of a tool's results come from; undefined for the user and the deployment. */
export const sourcesOf = ({ source }: Pick<FunctionTool, 'source'>): Source[] | undefined =>
  source === undefined || source === 'none' ? undefined : [source];

/** Returns the stack's output with the ARN of a secret: `SerperApiKeySecretArn` of `SERPER_API_KEY`. */
export const secretOutput = (secret: string): string => `${secretId(secret)}SecretArn`;

/** Returns the logical id of a secret. */
export const secretId = (secret: string): string =>
  secret
    .toLowerCase()
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** Returns the name of the function that runs a tool: the tool's own, or that of its MCP server. */
export const functionName = ({ name, server }: Pick<FunctionTool, 'name' | 'server'>): string => server ?? name;

export type Tool = FunctionTool | WaitTool | CallbackTool | HandOffTool | DelegateTool | PersonTool | ReadOnTool;

export const defaultRetry: Retry = { maxAttempts: 4, intervalSeconds: 1, backoffRate: 2, maxDelaySeconds: 60 };
const days = 86_400;
/** The defaults of an approval. */
export const defaultPatience: Patience = {
  expiresInSeconds: 7 * days,
  fallback: 'Nobody approved this in time, so it was not done.',
};

type Optional<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;
type Defaulted = 'retry' | 'timeoutSeconds' | 'memoryMiB' | 'maxResultBytes';
/** The fields of a tool with a function, whoever runs it. */
interface SharedSpec<Input extends z.ZodObject, Output extends z.ZodType>
  extends Optional<
    Omit<
      FunctionTool<Input, Output>,
      'kind' | 'isolated' | 'foreign' | 'effect' | 'webhook' | 'needs' | 'execute' | 'compensate'
    >,
    Defaulted
  > {
  kind?: 'function';
}

/** A tool with a function, as its author declares it. `isolated` decides what `execute` gets, and which effects there are. */
export interface FunctionToolSpec<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Isolated extends true | undefined,
  Secret extends string,
  Variable extends string,
  MayBeUnset extends Secret | Variable,
> extends SharedSpec<Input, Output> {
  isolated?: Isolated;
  foreign?: undefined;
  effect: Isolated extends true ? Exclude<Effect, 'table'> : Effect;
  webhook?: Isolated extends true ? undefined : Webhook;
  needs?: Needs<Secret, Variable, MayBeUnset>;
  execute(
    input: z.infer<Input>,
    context: ContextOf<Isolated, Values<Secret, MayBeUnset>, Values<Variable, MayBeUnset>>,
  ): Promise<z.infer<Output> | (Isolated extends true ? never : MarkedEffect<z.infer<Output>>)>;
  compensate?(
    input: z.infer<Input>,
    output: z.infer<Output> | undefined,
    context: ContextOf<Isolated, Values<Secret, MayBeUnset>, Values<Variable, MayBeUnset>>,
  ): Promise<void | (Isolated extends true ? never : MarkedEffect<void>)>;
}
type ContextOf<
  Isolated extends true | undefined,
  Secrets extends Values,
  Variables extends Values,
> = Isolated extends true ? IsolatedContext<Secrets, Variables> : ToolContext<Secrets, Variables>;

/** A tool whose function is not part of this deployment, as its author declares it. */
export interface ForeignToolSpec<Input extends z.ZodObject, Output extends z.ZodType>
  extends Omit<SharedSpec<Input, Output>, 'memoryMiB'> {
  foreign: true;
  effect: Exclude<Effect, 'table'>;
  /** Whether its function can undo a call. */
  compensates?: boolean;
}

/** One signature: of several, the compiler would explain a mistake by the last, or by none. */
type ToolSpec<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Isolated extends true | undefined,
  Secret extends string,
  Variable extends string,
  MayBeUnset extends Secret | Variable,
> =
  | FunctionToolSpec<Input, Output, Isolated, Secret, Variable, MayBeUnset>
  | ForeignToolSpec<Input, Output>
  | WaitTool<Input>
  | CallbackTool<Input>;
type DefinedTool<Input extends z.ZodObject, Output extends z.ZodType, Kind, Remote> = Kind extends 'wait'
  ? WaitTool<Input>
  : Kind extends 'callback'
    ? CallbackTool<Input>
    : true extends Remote
      ? IsolatedTool<Input, Output>
      : FunctionTool<Input, Output> & { isolated?: undefined };
type AnyFunctionToolSpec = FunctionToolSpec<z.ZodObject, z.ZodType, undefined, string, string, string>;
type AnyForeignToolSpec = ForeignToolSpec<z.ZodObject, z.ZodType>;

/**
 * Declares a tool. `execute` has the types of `input` and `output`, and both schemas are checked at run time.
 *
 * @throws ConfigurationError naming the tool and the field, at build time.
 * @example
 * ```ts
 * import { defineTool, serveTool } from 'vigil';
 * import * as z from 'zod';
 *
 * export const openingHours = defineTool({
 *   name: 'opening_hours',
 *   description: 'Tells when the museum is open at the weekend. It knows nothing about holidays.',
 *   input: z.object({ day: z.enum(['saturday', 'sunday']).describe('The day') }),
 *   output: z.object({ open: z.string() }),
 *   effect: 'read',
 *   execute: async ({ day }) => ({ open: day === 'sunday' ? '10:00 to 17:00' : '10:00 to 20:00' }),
 * });
 * export const handler = serveTool(openingHours);
 * openingHours.retry; // → { maxAttempts: 4, intervalSeconds: 1, backoffRate: 2, maxDelaySeconds: 60 }
 * ```
 */
export function defineTool<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Isolated extends true | undefined = undefined,
  Secret extends string = never,
  Variable extends string = never,
  MayBeUnset extends Secret | Variable = never,
  Kind extends 'function' | 'wait' | 'callback' = 'function',
  Foreign extends true | undefined = undefined,
>(
  spec: ToolSpec<Input, Output, Isolated, Secret, Variable, MayBeUnset> & { kind?: Kind; foreign?: Foreign },
): DefinedTool<Input, Output, Kind, Isolated | Foreign> {
  return definedTool(spec as AnyFunctionToolSpec) as DefinedTool<Input, Output, Kind, Isolated | Foreign>;
}

function definedTool(spec: AnyFunctionToolSpec | AnyForeignToolSpec | WaitTool | CallbackTool): Tool {
  if (typeof spec !== 'object' || spec === null || Array.isArray(spec))
    throw new ConfigurationError('defineTool: it needs an object');
  const { name, kind = 'function' } = spec;
  if (spec.kind === 'wait' || spec.kind === 'callback') return checkedTool(spec);
  if (kind !== 'function') throw new ConfigurationError(`tool ${name}: kind: must be "function", "wait" or "callback"`);
  const defaults = {
    retry: defaultRetry,
    timeoutSeconds: usualTimeoutSeconds,
    memoryMiB: 256,
    maxResultBytes: 4_000_000,
  };
  if (spec.foreign) return checkedTool({ ...defaults, ...spec, ...elsewhere(spec), kind });
  if ((spec as { compensates?: unknown }).compensates !== undefined)
    throw new ConfigurationError(`tool ${name}: compensates: only a foreign tool has it: write "compensate"`);
  return checkedTool({ ...defaults, ...spec, kind });
}

/** RunIsolated replaces both functions by invocations of the tool's function. */
function elsewhere({ name, compensates, ...rest }: AnyForeignToolSpec) {
  const set = Object.entries(rest).flatMap(([field, value]) => (value === undefined ? [] : [field]));
  const own = ['execute', 'compensate', 'memoryMiB', 'needs'].find((field) => set.includes(field));
  if (own) throw new ConfigurationError(`tool ${name}: ${own}: a foreign tool has none: its own function has`);
  const run = () => {
    throw new ConfigurationError(`tool ${name}: it is foreign, so only its own function runs it.`);
  };
  return { isolated: true as const, execute: run, compensate: compensates ? run : undefined };
}
