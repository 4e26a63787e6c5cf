import { type JsonObject, parseJson } from '../language/json';
import { validateDefinition } from '../validation/validate';
import { textProblem } from '../validation/validate-text';
import { warningsOf } from '../validation/warnings';
import { validationFailed } from './api-error';
import { type Action, requiredText } from './request';

/** "The default value and the maximum value are 100 diagnostics." */
const most = 100;

/** Diagnostics of a definition, without creating anything. */
const validateStateMachineDefinition: Action = async (_engine, body) => {
  if (Number(body.maxResults ?? 0) > most)
    throw validationFailed(
      `1 validation error detected: Value '${body.maxResults}' at 'maxResults' failed to satisfy constraint: Member must have value less than or equal to ${most}`,
    );
  const definition = requiredText(body, 'definition');
  const errors = validateDefinition(definition, body.type === 'EXPRESS' ? 'EXPRESS' : 'STANDARD');
  const warned = body.severity === 'WARNING' && textProblem(definition) === undefined;
  const wanted = [...errors, ...(warned ? warningsOf(parseJson(definition) as JsonObject) : [])];
  // "Setting the value to 0" means the usual number.
  const size = Number(body.maxResults ?? 0) || most;
  return {
    result: errors.length > 0 ? 'FAIL' : 'OK',
    diagnostics: wanted.slice(0, size).map((diagnostic) => ({ ...diagnostic })),
    truncated: wanted.length > size,
  };
};

export const validateActions: Record<string, Action> = {
  ValidateStateMachineDefinition: validateStateMachineDefinition,
};
