import * as z from 'zod';

/**
 * The AWS resources and model tokens that a run used, and their list price (us-east-1, November 2026, arm64, on demand). Tokens are
 * counted. The rest is estimated from the stored rows, not from a bill: durations exclude cold starts, and table units assume rows
 * of ordinary size.
 */
export const Cost = z.object({
  modelMicrodollars: z.number().int(),
  stateTransitions: z.number().int(),
  lambdaGbSeconds: z.number(),
  tableWriteUnits: z.number().int(),
  tableReadUnits: z.number().int(),
  totalMicrodollars: z.number().int(),
});
export type Cost = z.infer<typeof Cost>;

/** Microdollars per unit. */
const price = { transition: 25, gbSecond: 13.3334, invocation: 0.2, write: 0.625, read: 0.125 };

export interface Effort {
  modelMicrodollars: number;
  transitions: number;
  invocations: number;
  gbSeconds: number;
  writes: number;
  reads: number;
}

export const noEffort: Effort = {
  modelMicrodollars: 0,
  transitions: 0,
  invocations: 0,
  gbSeconds: 0,
  writes: 0,
  reads: 0,
};

export const add = (a: Effort, b: Effort): Effort => ({
  modelMicrodollars: a.modelMicrodollars + b.modelMicrodollars,
  transitions: a.transitions + b.transitions,
  invocations: a.invocations + b.invocations,
  gbSeconds: a.gbSeconds + b.gbSeconds,
  writes: a.writes + b.writes,
  reads: a.reads + b.reads,
});

export function costOfEffort({ modelMicrodollars, transitions, invocations, gbSeconds, writes, reads }: Effort): Cost {
  const aws =
    transitions * price.transition +
    invocations * price.invocation +
    gbSeconds * price.gbSecond +
    writes * price.write +
    reads * price.read;
  return {
    modelMicrodollars,
    stateTransitions: transitions,
    lambdaGbSeconds: Math.round(gbSeconds * 1_000) / 1_000,
    tableWriteUnits: writes,
    tableReadUnits: reads,
    totalMicrodollars: Math.ceil(modelMicrodollars + aws),
  };
}
