import type * as z from 'zod';
import type { NewTimer } from '../state/rule';
import type { Table } from '../store/table';
import type { RowWrite } from '../store/write';
import { checkedTool } from './tool-checks';

/**
 * What running a tool may do twice:
 * - `read`: no effect outside; repeat at will.
 * - `table`: all that it does is in the `tableEffect` that it returns, which is committed with the call's result, exactly once.
 * - `idempotent`: repeat with `context.callId` as the idempotency key.
 * - `once`: never repeated.
 *
 * If any attempt of one of the latter two died or threw midway and none has a result, the outcome is `unknown`.
 */
export type Effect = 'read' | 'table' | 'idempotent' | 'once';

/** How Step Functions retries a tool's Task: exponential backoff with full jitter, in seconds. */
export interface Retry {
  /** Attempts after the first one. */
  maxAttempts: number;
  intervalSeconds: number;
  backoffRate: number;
  maxDelaySeconds: number;
}

/** What a tool may know about the call it serves. It comes from our own records, never from the model. */
export interface ToolContext {
  conversationId: string;
  runId: string;
  /** Stable over all attempts: use it as the idempotency key at third parties. */
  callId: string;
  /** The signed-in owner of the conversation (the token's `sub`). */
  user: string;
  /** The name of the agent that asked for the call. */
  agent: string;
  /** 1 for the first attempt. */
  attempt: number;
  now: Date;
  /** Vigil's table, for tools whose state lives in it. They read; what they write goes through `tableEffect`. */
  table: Table;
  /** Only for a tool with `webhook`: the single-use address to give to the outside system. */
  webhookUrl?: string;
}

/**
 * An effect in our own table: it is committed in the same transaction as the call's completion, so it happens once.
 * If a row's condition does not hold, nothing is written and `execute` is asked again.
 */
export interface TableEffect<Output> {
  output: Output;
  /** Messages that this call puts into its conversation. */
  messages?: { role: 'assistant' | 'system'; text: string }[];
  /** What this call lets happen later; the timer's id is the call's. */
  timer?: NewTimer;
  /** Rows of the conversation, or with a `pk` of their own, each with what must hold of it. */
  rows?: RowWrite[];
}

/** Not every object with an `output` is an effect: this one says that it is. */
const inOneTransaction = Symbol('table effect');
export type MarkedEffect<Output> = TableEffect<Output> & { [inOneTransaction]: true };
export const tableEffect = <Output>(effect: TableEffect<Output>): MarkedEffect<Output> => ({
  ...effect,
  [inOneTransaction]: true,
});
export const isTableEffect = (returned: unknown): returned is TableEffect<unknown> =>
  typeof returned === 'object' && returned !== null && inOneTransaction in returned;

interface ToolBase<Input extends z.ZodObject> {
  /** snake_case; also the name of the tool's state and of the folder of its bundle. */
  name: string;
  /** Written for the model: what it does, and what it does not do. */
  description: string;
  input: Input;
}

/** How long somebody may take to answer, and what the model reads when nobody did. */
export interface Patience {
  /** Seconds, at most 300 days: an execution lives a year. */
  expiresInSeconds: number;
  fallback: string;
}

/** Which calls of a tool a person must approve before they run. The approver may edit the arguments within the schema. */
export interface Approval<Input extends z.ZodObject = z.ZodObject> extends Partial<Patience> {
  when(input: z.infer<Input>): boolean;
  /** What the person reads. */
  prompt(input: z.infer<Input>): string;
}

/**
 * The outside system that a tool starts answers later, at `context.webhookUrl`.
 * `delivers: 'result'`: the call waits, and what is delivered is its result. `'message'`: the tool's own answer is the result, and
 * what is delivered comes into the conversation as a message, which wakes an idle agent.
 */
export interface Webhook extends Patience {
  delivers: 'result' | 'message';
}

/**
 * What a function tool needs beyond the table. It gets the right to that and to nothing else. Names are those of the variables
 * that hold the value where the stack is deployed from, and on a laptop.
 */
export interface Needs {
  /** A key for somebody else's service, with what it is, for people. The function reads `<name>_SECRET_ARN`. */
  secrets?: Record<string, string>;
  /** Settings that may be empty. */
  variables?: string[];
  /** SNS topics to publish to, by ARN; one that is not set is not published to. */
  topics?: string[];
  /** Whether it asks the deployment's embeddings, as `remember` does. */
  embeddings?: boolean;
}

/** A function: runs in a Lambda of its own. */
export interface FunctionTool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType>
  extends ToolBase<Input> {
  kind: 'function';
  output: Output;
  effect: Effect;
  retry: Retry;
  /** Of one attempt, in seconds (1 to 900). */
  timeoutSeconds: number;
  /** Of the Lambda, in MiB. */
  memoryMiB: number;
  /** The largest result that is kept, in bytes of JSON; a longer one is cut and the model is told so. */
  maxResultBytes: number;
  needs?: Needs;
  approval?: Approval<Input>;
  webhook?: Webhook;
  /** A `read` tool that finds out whether a call took effect: the model is pointed to it when an outcome is unknown. */
  verify?: FunctionTool;
  /** What the schema cannot say, checked in the model step against the agent's tools: the problem for the model to mend. */
  check?(input: z.infer<Input>, tools: readonly Tool[]): string | undefined;
  execute(input: z.infer<Input>, context: ToolContext): Promise<z.infer<Output> | MarkedEffect<z.infer<Output>>>;
  /**
   * Undoes a completed call when its run is rolled back. It is tried again like the tool itself, so it must do nothing the second
   * time. `output` is undefined for a call whose outcome is unknown: undo it if it took effect.
   */
  compensate?(
    input: z.infer<Input>,
    output: z.infer<Output> | undefined,
    context: ToolContext,
  ): Promise<void | MarkedEffect<void>>;
}

/** A wait: no Lambda runs; the execution sleeps in a Wait state until the time that `until` says. */
export interface WaitTool<Input extends z.ZodObject = z.ZodObject> extends ToolBase<Input> {
  kind: 'wait';
  until(input: z.infer<Input>, now: Date): Date;
}

/** A callback: no Lambda runs but the one that keeps the task token; the execution waits until the user has answered. */
export interface CallbackTool<Input extends z.ZodObject = z.ZodObject> extends ToolBase<Input>, Patience {
  kind: 'callback';
  prompt(input: z.infer<Input>): string;
}

/** A hand-off: nothing runs; from the next step on, another agent has the conversation. The registry makes them. */
export interface HandOffTool<Input extends z.ZodObject = z.ZodObject> extends ToolBase<Input> {
  kind: 'hand-off';
  /** The agent's name. */
  to: string;
}

/**
 * A delegation: another agent does a task in a conversation of its own, and the execution waits until that one is at rest.
 * The registry makes it for agents that may delegate.
 */
export interface DelegateTool<Input extends z.ZodObject = z.ZodObject> extends ToolBase<Input>, Patience {
  kind: 'delegate';
}

export type Tool = FunctionTool | WaitTool | CallbackTool | HandOffTool | DelegateTool;

export const defaultRetry: Retry = { maxAttempts: 4, intervalSeconds: 1, backoffRate: 2, maxDelaySeconds: 60 };
const days = 86_400;
/** Of an approval, unless it says otherwise. */
export const defaultPatience: Patience = {
  expiresInSeconds: 7 * days,
  fallback: 'Nobody approved this in time, so it was not done.',
};

type Optional<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;
type FunctionToolSpec<Input extends z.ZodObject, Output extends z.ZodType> = Optional<
  Omit<FunctionTool<Input, Output>, 'kind'>,
  'retry' | 'timeoutSeconds' | 'memoryMiB' | 'maxResultBytes'
> & { kind?: 'function' };

/**
 * Declares a tool. The types of `input` and `output` reach `execute`; the schemas are checked at run time on both sides.
 *
 * @throws ConfigurationError naming the tool and the field, at build time, for a name or a schema that cannot work.
 */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodType>(
  spec: FunctionToolSpec<Input, Output>,
): FunctionTool<Input, Output>;
export function defineTool<Input extends z.ZodObject>(spec: WaitTool<Input>): WaitTool<Input>;
export function defineTool<Input extends z.ZodObject>(spec: CallbackTool<Input>): CallbackTool<Input>;
export function defineTool<Input extends z.ZodObject>(spec: HandOffTool<Input>): HandOffTool<Input>;
export function defineTool<Input extends z.ZodObject>(spec: DelegateTool<Input>): DelegateTool<Input>;
export function defineTool(spec: FunctionToolSpec<z.ZodObject, z.ZodType> | Exclude<Tool, FunctionTool>): Tool {
  if (spec.kind !== undefined && spec.kind !== 'function') return checkedTool(spec as Exclude<Tool, FunctionTool>);
  const defaults = { retry: defaultRetry, timeoutSeconds: 30, memoryMiB: 256, maxResultBytes: 4_000_000 };
  return checkedTool({ ...defaults, ...(spec as FunctionToolSpec<z.ZodObject, z.ZodType>), kind: 'function' });
}
