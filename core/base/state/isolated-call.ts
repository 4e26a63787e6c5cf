import * as z from 'zod';
import { readOutsideJson } from '../json/foreign-json';
import { JsonObject } from '../json/json-object';
import { TraceContext } from './trace';

/** The question of an MCP server in the middle of a call: a form of flat fields, in its own words. */
export const ServerQuestion = z.object({
  message: z.string(),
  /** A JSON schema: an object with flat properties. */
  form: JsonObject,
});
export type ServerQuestion = z.infer<typeof ServerQuestion>;

/** The user's answer to such a question. Without `content`, the user has declined. */
export const ServerAnswer = ServerQuestion.extend({ content: JsonObject.optional() });
export type ServerAnswer = z.infer<typeof ServerAnswer>;

/**
 * What a server of revision 2026-07-28 has answered to an attempt instead of a result: it wants answers, and its state back. The call
 * continues with them, and is not made again.
 */
export const ServerRound = z.object({
  /** The server's own words, which only it reads: their JSON in base64. */
  state: z.string().optional(),
  /** The number of the user's answers in earlier rounds. */
  earlier: z.number().int(),
  /** Its questions by its names, in the order in which the user is asked. Those without `question` are declined. */
  asks: z.array(z.object({ key: z.string(), question: ServerQuestion.optional() })),
  /** The server works on the call as a task, with this id: it is asked how far it is. */
  task: z
    .object({
      id: z.string(),
      /** The names of its questions that have been answered. It may still repeat them for a while. */
      answered: z.array(z.string()),
      /** After how many milliseconds it wants to be asked again. */
      pollMs: z.number().optional(),
      /** For how many milliseconds since it began the server keeps its result. Absent if for ever, or if it does not say. */
      ttlMs: z.number().optional(),
    })
    .optional(),
});
export type ServerRound = z.infer<typeof ServerRound>;

/** The answer of a server that still works on a call. */
export const ServerWorks = z.object({
  round: ServerRound.required({ task: true }),
  /** It asks not to be asked again before. */
  notBefore: z.iso.datetime({ offset: true }).optional(),
});
export type ServerWorks = z.infer<typeof ServerWorks>;

/** The request that RunIsolated sends to the function of an isolated tool. It names no row and no person. */
export const IsolatedRequest = z.object({
  /** The tool, for a function that serves several. */
  tool: z.string().optional(),
  input: JsonObject,
  callId: z.string(),
  attempt: z.number().int(),
  now: z.iso.datetime(),
  /** The user's. An older RunIsolated does not send it. */
  timeZone: z.string().default('UTC'),
  /** The user's answers to the server's questions in earlier attempts. */
  answers: z.array(ServerAnswer).optional(),
  /** The latest of these questions, if the server continues the call with its own state. */
  round: ServerRound.optional(),
  /** The attempt's place in a trace. It has ids alone. */
  trace: TraceContext.optional(),
  /** Compensate the call, which had this output. It is absent if the call's outcome is unknown. */
  undo: z.object({ output: z.unknown().optional() }).optional(),
});
export type IsolatedRequest = z.infer<typeof IsolatedRequest>;

/**
 * The request to tell a server that a task is no longer needed. It is no `IsolatedRequest`, so that older code makes no call of it.
 */
export const CancelTask = z.strictObject({ tool: z.string(), cancelTask: z.string() });
export type CancelTask = z.infer<typeof CancelTask>;

const Word = z.string().optional().catch(undefined);

/** A failure says at least that it is one, so whatever else it says is no reason to take it for an output. */
const Failure = z.object({
  name: z.string().catch('Error'),
  message: z.string().catch('It does not say why.'),
  cause: Word,
  causeStatus: z.number().optional().catch(undefined),
  causeCode: z.union([z.string(), z.number()]).optional().catch(undefined),
  /** The server that the tool uses asks not to be asked again before. */
  notBefore: z.iso.datetime({ offset: true }).optional().catch(undefined),
  /** In the source files, one a line. */
  frames: z.string().catch(''),
});

/**
 * The answer of that function. A failure is a value, because Lambda's report of an error has no field for the lines of the source,
 * which only that function can find.
 */
export const IsolatedAnswer = z.union([
  z.object({ failure: Failure }),
  z.object({ asks: ServerQuestion, round: ServerRound.optional() }),
  z.object({ works: ServerWorks }),
  z
    .looseObject({ output: z.unknown().optional() })
    .refine((answer) => !['failure', 'asks', 'works'].some((field) => Object.hasOwn(answer, field)))
    .transform(({ output }): { output?: unknown } => ({ output })),
]);
export type IsolatedAnswer = z.infer<typeof IsolatedAnswer>;

/** The function has run, so an answer that cannot be kept is the call's output, and no failure: it would be repeated. */
export function isolatedAnswerIn(text: string): IsolatedAnswer {
  try {
    const answer = IsolatedAnswer.safeParse(readOutsideJson(text, 'result'));
    return answer.data ?? { output: '[The function answered, but not with an object that has "output" or "failure"]' };
  } catch (error) {
    return { output: `[The function answered, but its result ${(error as Error).message}]` };
  }
}

/** RunIsolated's variable with a function, by the name of its tool or MCP server: `RUN_CODE_FUNCTION_ARN`. */
export const functionVariable = (name: string): string => `${name.toUpperCase()}_FUNCTION_ARN`;
