import * as z from 'zod';

/**
 * Where a guard checks words.
 * - `input`: a message, before the model reads it.
 * - `output`: a reply, before a person reads it.
 * - `call`: a tool call, before the tool runs.
 * - `result`: a tool's result, before the model reads it.
 */
export const guardPlaces = ['input', 'output', 'call', 'result'] as const;
export type GuardPlace = (typeof guardPlaces)[number];

/** What a guard has decided about a message, a reply, a call or a result. */
export const GuardVerdict = z.object({
  /** The guard's name; for a guardrail of Amazon Bedrock, `guardrail` and its id. */
  guard: z.string(),
  at: z.enum(guardPlaces),
  /** The id of the file whose name and text were checked. Absent if it was the text of the message, the call or the result. */
  file: z.string().optional(),
  verdict: z.enum(['passed', 'replaced', 'refused', 'asked']),
  /** The guard's words for people. They never quote what was checked. */
  reason: z.string().optional(),
});
export type GuardVerdict = z.infer<typeof GuardVerdict>;
