import { HTTPException } from 'hono/http-exception';
import type { Registry } from '../../core/conversations/agent/registry';
import { optionalVariable } from '../../runtime/environment';
import { BadRequest } from '../problems';

/** The models that a fork may name, and the group whose members may replace an agent's instructions. */
export interface ForkPolicy {
  models: ReadonlySet<string>;
  /** A group of the user directory. Without one, nobody may. */
  editors?: string;
}

/** The models of the agents, whose prices and limits the deployment knows, and those that it adds. */
export function forkPolicy({ agents }: Registry): ForkPolicy {
  const added = (optionalVariable('VIGIL_FORK_MODELS') ?? '').split(',').map((name) => name.trim());
  const own = [...agents.values()].flatMap(({ model, summaryModel }) => [model.name, summaryModel.name]);
  const models = [...own, ...added, optionalVariable('VIGIL_MODEL') ?? ''].filter((name) => name !== '');
  return { models: new Set(models), editors: optionalVariable('VIGIL_EDITORS_GROUP') };
}

/**
 * @throws BadRequest if the model is not one of the deployment's.
 * @throws HTTPException 403 if the user may not replace instructions.
 */
export function checkFork(
  { models, editors }: ForkPolicy,
  { model, instructions }: { model?: string; instructions?: string },
  groups: readonly string[],
): void {
  if (model !== undefined && !models.has(model)) {
    const known = [...models].join(', ');
    const message = `"${model}" is no model of this deployment; there are: ${known}. VIGIL_FORK_MODELS adds others`;
    throw new BadRequest([{ path: 'model', message }]);
  }
  if (instructions === undefined || (editors !== undefined && groups.includes(editors))) return;
  const who = editors === undefined ? 'nobody may, unless VIGIL_EDITORS_GROUP names a group' : `only "${editors}" may`;
  throw new HTTPException(403, { message: `instructions: ${who} replace an agent’s instructions. Leave them out.` });
}
