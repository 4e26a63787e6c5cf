import * as z from 'zod';

/** What an MCP server asks in the middle of a call: a form of flat fields, in its own words. */
export const ServerQuestion = z.object({
  message: z.string(),
  /** A JSON schema: an object with flat properties. */
  form: z.record(z.string(), z.unknown()),
});
export type ServerQuestion = z.infer<typeof ServerQuestion>;

/** What the user has answered to such a question. */
export const ServerAnswer = ServerQuestion.extend({ content: z.record(z.string(), z.unknown()) });
export type ServerAnswer = z.infer<typeof ServerAnswer>;

/** What RunIsolated sends to the function of an isolated tool. It names no row and no person. */
export const IsolatedRequest = z.object({
  /** The tool, for a function that serves several. */
  tool: z.string().optional(),
  input: z.record(z.string(), z.unknown()),
  callId: z.string(),
  attempt: z.number().int(),
  now: z.iso.datetime(),
  /** The user's. An older RunIsolated does not send it. */
  timeZone: z.string().default('UTC'),
  /** What the user has answered to the server's questions in earlier attempts. */
  answers: z.array(ServerAnswer).optional(),
  /** Compensate the call, which had this output. It is absent if the call's outcome is unknown. */
  undo: z.object({ output: z.unknown().optional() }).optional(),
});
export type IsolatedRequest = z.infer<typeof IsolatedRequest>;

/**
 * The answer of that function. A failure is a value, because Lambda's report of an error has no field for the lines of the source,
 * which only that function can find.
 */
export const IsolatedAnswer = z.union([
  z.object({
    failure: z.object({
      name: z.string(),
      message: z.string(),
      cause: z.string().optional(),
      causeStatus: z.number().optional(),
      causeCode: z.union([z.string(), z.number()]).optional(),
      /** The server that the tool uses asks not to be asked again before. */
      notBefore: z.iso.datetime({ offset: true }).optional().catch(undefined),
      /** In the source files, one a line. */
      frames: z.string().default(''),
    }),
  }),
  z.object({ asks: ServerQuestion }),
  z.object({ output: z.unknown().optional() }),
]);
export type IsolatedAnswer = z.infer<typeof IsolatedAnswer>;

/** RunIsolated's variable with a function, by the name of its tool or MCP server: `RUN_CODE_FUNCTION_ARN`. */
export const functionVariable = (name: string): string => `${name.toUpperCase()}_FUNCTION_ARN`;
