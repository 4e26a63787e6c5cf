import { validateDefinition } from '../validation/validate';
import { type Action, requiredText } from './request';

/** Diagnostics of a definition, without creating anything. */
const validateStateMachineDefinition: Action = async (_engine, body) => {
  const found = validateDefinition(requiredText(body, 'definition'), body.type === 'EXPRESS' ? 'EXPRESS' : 'STANDARD');
  const wanted = body.severity === 'WARNING' ? found : found.filter(({ severity }) => severity === 'ERROR');
  const most = typeof body.maxResults === 'number' && body.maxResults > 0 ? Math.min(body.maxResults, 100) : 100;
  return {
    result: found.some(({ severity }) => severity === 'ERROR') ? 'FAIL' : 'OK',
    diagnostics: wanted.slice(0, most).map((diagnostic) => ({ ...diagnostic })),
    truncated: wanted.length > most,
  };
};

export const validateActions: Record<string, Action> = {
  ValidateStateMachineDefinition: validateStateMachineDefinition,
};
