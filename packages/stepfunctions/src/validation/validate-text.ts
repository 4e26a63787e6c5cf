import { isObject, parseJson } from '../language/json';
import { jsonProblem } from '../language/json-problem';
import type { Diagnostic } from './validate';

/** Returns the problem with a definition that is no JSON object; undefined for one that is. */
export function textProblem(text: string): Diagnostic | undefined {
  if (text.trim() === '') return notAnObject;
  try {
    return isObject(parseJson(text)) ? undefined : notAnObject;
  } catch (error) {
    const problem = jsonProblem(text) ?? { message: (error as Error).message };
    return { severity: 'ERROR', code: 'INVALID_JSON_DESCRIPTION', ...problem };
  }
}

const notAnObject: Diagnostic = {
  severity: 'ERROR',
  code: 'SCHEMA_VALIDATION_FAILED',
  message: 'Definition must be a valid JSON object',
};
