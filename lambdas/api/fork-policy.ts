import { HTTPException } from 'hono/http-exception';
import type { Registry } from '../../core/conversations/agent/registry';
import { optionalVariable } from '../../runtime/environment';
import { BadRequest } from '../problems';

/** Returns the models that everyone's fork may name: those of the agents, whose prices and limits the deployment knows. */
export function modelsOfForks({ agents }: Registry): ReadonlySet<string> {
  const own = [...agents.values()].flatMap(({ model, summaryModel }) => [model.name, summaryModel.name]);
  return new Set([...own, optionalVariable('VIGIL_MODEL') ?? ''].filter((name) => name !== ''));
}

/**
 * Developers may name any model, and replace an agent's instructions.
 *
 * @throws BadRequest if the model is not one of the deployment's.
 * @throws HTTPException 403 if the user may not replace instructions.
 */
export function checkFork(
  models: ReadonlySet<string>,
  { model, instructions }: { model?: string; instructions?: string },
  isDeveloper: boolean,
): void {
  if (isDeveloper) return;
  if (model !== undefined && !models.has(model)) {
    const known = [...models].join(', ');
    const message = `"${model}" is no model of this deployment; there are: ${known}. Developers may name others`;
    throw new BadRequest([{ path: 'model', message }]);
  }
  if (instructions === undefined) return;
  throw new HTTPException(403, {
    message: 'instructions: only developers may replace an agent’s instructions. Leave them out.',
  });
}
