import type * as z from 'zod';
import { readModelJson } from '../../base/json/foreign-json';
import { modelSchema } from '../../base/schemas/model-schema';
import { parseInput } from '../../base/schemas/parse-input';
import { type InvalidInput, ModelRejected } from '../../base/text/errors';
import { failureWords } from '../../base/text/failure-words';
import { problemsIn } from '../../base/text/problems';
import { asError } from '../../base/text/thrown';
import type { Instructed } from './agent';

/** The result is stored in META, and a row has at most 400 KB. */
const maxResultBytes = 100_000;
/** A model that fails twice will fail again. */
const triesAtMost = 2;

/** The result of an agent with `output`, or why the reply does not fit. */
export type TypedAnswer = { result: object } | { problem: string };

/** Parses a reply. @param text the whole reply, which may have the object in a fenced code block, or between sentences. */
export function typedAnswer(output: z.ZodObject, text: string): TypedAnswer {
  const json = jsonIn(text);
  if (json === undefined) return { problem: 'it is not JSON' };
  let value: unknown;
  try {
    value = readModelJson(json, 'the object');
  } catch (error) {
    const { path, message } = error as InvalidInput;
    return { problem: `${path}: ${message}` };
  }
  // A refinement is code of the author, which may throw anything.
  try {
    const parsed = parseInput(output, value);
    if (!parsed.success) return { problem: problemsIn(parsed.error, 'the object') };
    if (Buffer.byteLength(JSON.stringify(parsed.data)) > maxResultBytes)
      return { problem: `it is longer than ${maxResultBytes} bytes` };
    return { result: parsed.data };
  } catch (thrown) {
    return { problem: `it cannot be checked: ${failureWords(asError(thrown))}` };
  }
}

/** Returns the JSON of a reply: the reply, its last fenced block, or what is between its first and its last brace. */
function jsonIn(text: string): string | undefined {
  const parts = text.split('```');
  const fenced = parts.findLast((_, index) => index % 2 === 1 && index < parts.length - 1) ?? '';
  const braced = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  return [text, fenced.replace(/^\w*/, ''), braced].find(isJson);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the note for the model after an answer that does not fit.
 *
 * @param misfits how many answers in a row did not fit, including this one.
 * @throws ModelRejected after the second one, which fails the run.
 */
export function correctionNote(problem: string, misfits: number): string {
  if (misfits >= triesAtMost)
    throw new ModelRejected(`The agent's answer did not fit its output schema ${misfits} times in a row: ${problem}.`);
  return `Your last answer does not fit the schema: ${problem}. Answer again with a JSON object that fits it, and nothing else.`;
}

/** Returns the response format for a provider that enforces the schema. */
export const formatOf = (output: z.ZodObject) => ({ name: 'result', strict: true, schema: modelSchema(output) });

/** Returns the agent's instructions with its output schema, for providers that do not enforce it. */
export const instructionsOf = ({ instructions, output }: Instructed): string =>
  output
    ? `${instructions}\n\nEnd with a JSON object that fits this JSON schema, and nothing else:\n${JSON.stringify(modelSchema(output))}`
    : instructions;
