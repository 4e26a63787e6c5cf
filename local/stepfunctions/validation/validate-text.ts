import { isObject, type Json } from '../language/json';
import type { Diagnostic } from './validate';

/** What is wrong with a definition that is no JSON object; undefined for one that is. */
export function textProblem(text: string): Diagnostic | undefined {
  if (text.trim() === '') return notAnObject;
  try {
    return isObject(JSON.parse(text) as Json) ? undefined : notAnObject;
  } catch (error) {
    return { severity: 'ERROR', code: 'INVALID_JSON_DESCRIPTION', ...described(text, (error as Error).message) };
  }
}

const notAnObject: Diagnostic = {
  severity: 'ERROR',
  code: 'SCHEMA_VALIDATION_FAILED',
  message: 'Definition must be a valid JSON object',
};

/** A word that is no JSON is told in the words of AWS's parser; anything else in those of this one. */
function described(text: string, message: string): Pick<Diagnostic, 'message' | 'location'> {
  const [start, token] = /^\s*([A-Za-z_$][\w$]*)/.exec(text) ?? [];
  if (start === undefined) return { message, location: '' };
  const lines = start.split('\n');
  const location = `[Source: (String)"${text}"; line: ${lines.length}, column: ${lines.at(-1)!.length + 1}]`;
  return {
    location,
    message: `Unrecognized token '${token}': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n at ${location}`,
  };
}
