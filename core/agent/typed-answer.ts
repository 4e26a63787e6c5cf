import type * as z from 'zod';
import { ModelRejected } from '../text/errors';
import { problemsIn } from '../text/problems';
import type { Agent } from './agent';
import { schemaOf } from './model-tool';

/** It stands in the conversation's row, which has 400 KB for everything. */
const maxResultBytes = 100_000;
/** A second try, and no third: a model that cannot do it twice will not. */
const triesAtMost = 2;

/** What a reply is worth as the result of an agent with `output`. */
export type TypedAnswer = { result: object } | { problem: string };

/** @param text the whole reply, which may be fenced as code. */
export function typedAnswer(output: z.ZodObject, text: string): TypedAnswer {
  const [, fenced] = /^\s*```(?:json)?\s*([\s\S]*?)\s*```\s*$/.exec(text) ?? [];
  let value: unknown;
  try {
    value = JSON.parse(fenced ?? text);
  } catch {
    return { problem: 'it is not JSON' };
  }
  const parsed = output.safeParse(value);
  if (!parsed.success) return { problem: problemsIn(parsed.error, 'the object') };
  if (Buffer.byteLength(JSON.stringify(parsed.data)) > maxResultBytes)
    return { problem: `it is longer than ${maxResultBytes} bytes` };
  return { result: parsed.data };
}

/**
 * What the model is told of an answer that does not fit.
 *
 * @param misfits how many there were in a row, with this one.
 * @throws ModelRejected after the second: the run fails.
 */
export function correctionNote(problem: string, misfits: number): string {
  if (misfits >= triesAtMost)
    throw new ModelRejected(`The agent's answer does not fit its output, ${misfits} times in a row: ${problem}.`);
  return `Your last answer does not fit: ${problem}. Answer again, with a JSON object that fits the schema and nothing else.`;
}

/** For a provider that holds the model to the schema. */
export const formatOf = (output: z.ZodObject) => ({ name: 'result', strict: true, schema: schemaOf(output) });

/** The agent's instructions, with what its answer has to look like: what a provider does not enforce has to be asked for. */
export const instructionsOf = ({ instructions, output }: Agent): string =>
  output
    ? `${instructions}\n\nEnd with a JSON object that fits this JSON schema, and nothing else:\n${JSON.stringify(schemaOf(output))}`
    : instructions;
