import { validateDefinition } from '../validation/validate';
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
  const found = validateDefinition(requiredText(body, 'definition'), body.type === 'EXPRESS' ? 'EXPRESS' : 'STANDARD');
  const wanted = body.severity === 'WARNING' ? found : found.filter(({ severity }) => severity === 'ERROR');
  // "Setting the value to 0" means the usual number.
  const size = Number(body.maxResults ?? 0) || most;
  return {
    result: found.some(({ severity }) => severity === 'ERROR') ? 'FAIL' : 'OK',
    diagnostics: wanted.slice(0, size).map((diagnostic) => ({ ...diagnostic })),
    truncated: wanted.length > size,
  };
};

export const validateActions: Record<string, Action> = {
  ValidateStateMachineDefinition: validateStateMachineDefinition,
};
