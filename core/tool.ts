import * as z from 'zod';
import { ConfigurationError } from './errors';

/**
 * What running a tool may do twice:
 * - `read`: no effect outside; repeat at will.
 * - `idempotent`: repeat with `context.callId` as the idempotency key.
 * - `once`: never repeated. If an attempt died midway, the model is told that the outcome is unknown.
 */
export type Effect = 'read' | 'idempotent' | 'once';

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
  /** 1 for the first attempt. */
  attempt: number;
  now: Date;
}

/** An effect in our own table: it is committed in the same transaction as the call's completion, so it happens once. */
export interface TableEffect<Output> {
  output: Output;
  /** Messages that this call puts into its conversation. */
  messages: { role: 'assistant' | 'system'; text: string }[];
}

interface ToolBase<Input extends z.ZodObject> {
  /** snake_case; also the name of the tool's state and of the folder of its bundle. */
  name: string;
  /** Written for the model: what it does, and what it does not do. */
  description: string;
  input: Input;
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
  execute(input: z.infer<Input>, context: ToolContext): Promise<z.infer<Output> | TableEffect<z.infer<Output>>>;
}

/** A wait: no Lambda runs; the execution sleeps in a Wait state until the time that `until` says. */
export interface WaitTool<Input extends z.ZodObject = z.ZodObject> extends ToolBase<Input> {
  kind: 'wait';
  until(input: z.infer<Input>, now: Date): Date;
}

export type Tool = FunctionTool | WaitTool;

export const defaultRetry: Retry = { maxAttempts: 4, intervalSeconds: 1, backoffRate: 2, maxDelaySeconds: 60 };

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
export function defineTool(spec: FunctionToolSpec<z.ZodObject, z.ZodType> | WaitTool): Tool {
  checkName(spec.name);
  checkSchema(spec.name, spec.input);
  if (spec.kind === 'wait') return checked(spec);
  const defaults = { retry: defaultRetry, timeoutSeconds: 30, memoryMiB: 256, maxResultBytes: 4_000_000 };
  return checked({ ...defaults, ...spec, kind: 'function' });
}

/** What would otherwise fail in a deployment, or at the first call. */
function checked<Kind extends Tool>(tool: Kind): Kind {
  const refuse = (field: string, rule: string) => {
    throw new ConfigurationError(`tool ${tool.name}: ${field}: ${rule}`);
  };
  try {
    modelTool(tool);
  } catch (error) {
    refuse('input', `no JSON schema can be made of it: ${(error as Error).message}`);
  }
  if (tool.kind === 'wait') return tool;
  const { retry, timeoutSeconds, memoryMiB, maxResultBytes } = tool;
  const whole = (field: string, value: number, from: number, to: number) => {
    if (!Number.isInteger(value) || value < from || value > to)
      refuse(field, `must be a whole number from ${from} to ${to}`);
  };
  whole('timeoutSeconds', timeoutSeconds, 1, 900);
  whole('memoryMiB', memoryMiB, 128, 10_240);
  whole('maxResultBytes', maxResultBytes, 1_000, 4_000_000);
  whole('retry.maxAttempts', retry.maxAttempts, 0, 20);
  whole('retry.intervalSeconds', retry.intervalSeconds, 1, 3_600);
  whole('retry.maxDelaySeconds', retry.maxDelaySeconds, retry.intervalSeconds + 1, 31_536_000);
  if (!(retry.backoffRate >= 1)) refuse('retry.backoffRate', 'must be a number of at least 1');
  return tool;
}

/**
 * What servers differ in taking in strict schemas, or refuse outright. The tool's own schema still checks it, and the
 * model reads what was wrong.
 */
const notEverywhere = [
  ...['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
] as const;

/** A tool as the model's server takes it. Strict: the server holds the model to the schema. */
export function modelTool(tool: Tool) {
  const { $schema, ...parameters } = z.toJSONSchema(tool.input, {
    override: ({ jsonSchema }) => {
      for (const keyword of notEverywhere) delete jsonSchema[keyword];
    },
  });
  return {
    type: 'function' as const,
    function: { name: tool.name, description: tool.description, strict: true, parameters },
  };
}

function checkName(name: string): void {
  if (!/^[a-z][a-z0-9_]{0,49}$/.test(name)) {
    throw new ConfigurationError(`tool ${name}: name: use snake_case, a letter first, at most 50 characters`);
  }
}

/** Strict schemas have every field required and described: an optional one is spelled `.nullable()`. */
function checkSchema(name: string, input: z.ZodObject): void {
  for (const [field, schema] of Object.entries(input.shape)) {
    const type = schema as z.ZodType;
    if (type.safeParse(undefined).success) {
      throw new ConfigurationError(
        `tool ${name}: input.${field}: use .nullable() instead of .optional() or .default()`,
      );
    }
    if (!type.description) throw new ConfigurationError(`tool ${name}: input.${field}: add .describe() for the model`);
  }
}
