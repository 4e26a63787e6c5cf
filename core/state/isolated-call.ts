import * as z from 'zod';

/** What RunIsolated sends to the function of an isolated tool. It names no row and no person. */
export const IsolatedRequest = z.object({
  /** The tool, for a function that serves several. */
  tool: z.string().optional(),
  input: z.record(z.string(), z.unknown()),
  callId: z.string(),
  attempt: z.number().int(),
  now: z.iso.datetime(),
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
      /** In the source files, one a line. */
      frames: z.string().default(''),
    }),
  }),
  z.object({ output: z.unknown().optional() }),
]);
export type IsolatedAnswer = z.infer<typeof IsolatedAnswer>;

/** RunIsolated's variable with a function, by the name of its tool or MCP server: `RUN_CODE_FUNCTION_ARN`. */
export const functionVariable = (name: string): string => `${name.toUpperCase()}_FUNCTION_ARN`;
