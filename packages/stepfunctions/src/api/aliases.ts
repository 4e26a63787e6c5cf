import type { Engine } from '../engine/engine';
import type { Alias, StateMachine } from '../engine/machines';
import { isObject, type Json, type JsonObject, sameJson } from '../language/json';
import { ApiError, validationFailed } from './api-error';
import { checkActive, findMachine, splitAlias, splitVersion } from './find-machine';
import { type Action, optionalText, page, requiredArn, requiredText, seconds } from './request';

/** "Names can have letters, digits and `_-.`, and are no numbers alone", which would be a version. */
function checkAliasName(name: string): string {
  if (/^[\w.-]{1,80}$/.test(name) && !/^\d+$/.test(name)) return name;
  throw validationFailed(
    `1 validation error detected: Value '${name}' at 'name' failed to satisfy constraint: Member must satisfy regular expression pattern: ^(?=.*[a-zA-Z_\\-\\.])[a-zA-Z0-9_\\-\\.]+$`,
  );
}

/** One or two versions of one state machine. */
function readRoutes(engine: Engine, list: Json | undefined): { machine: StateMachine; routes: Alias['routes'] } {
  const entries = (Array.isArray(list) ? list : []).filter(isObject);
  if (entries.length < 1 || entries.length > 2)
    throw validationFailed('A routing configuration has one or two state machine versions');
  const found = entries.map((entry) => {
    const arn = requiredArn(entry, 'stateMachineVersionArn', 'stateMachine');
    const [base, version] = splitVersion(arn);
    if (version === undefined)
      throw validationFailed(`Routing configuration must contain state machine version ARNs: ${arn}`);
    const machine = engine.catalogue.machines.get(base);
    if (!machine?.versions.some(({ number }) => number === version))
      throw new ApiError('ResourceNotFound', `Resource not found: '${arn}'`);
    return { machine, route: { version, weight: Number(entry.weight) } };
  });
  const routes = found.map(({ route }) => route);
  const { machine } = found[0]!;
  if (
    found.some((each) => each.machine !== machine) ||
    new Set(routes.map(({ version }) => version)).size < routes.length
  )
    throw validationFailed('A routing configuration must name different versions of one state machine');
  if (routes.some(({ weight }) => !(weight >= 0)) || routes.reduce((sum, { weight }) => sum + weight, 0) !== 100)
    throw validationFailed('Sum of routing configuration weights must equal 100');
  return { machine, routes };
}

/** The alias of an ARN. Throws ResourceNotFound. */
function findAlias(
  engine: Engine,
  body: JsonObject,
): { machine: StateMachine; name: string; alias: Alias; arn: string } {
  const arn = requiredArn(body, 'stateMachineAliasArn', 'stateMachine');
  const [base, name = ''] = splitAlias(arn);
  const machine = engine.catalogue.machines.get(base);
  const alias = machine?.aliases?.[name];
  if (machine === undefined || alias === undefined)
    throw new ApiError('ResourceNotFound', `Resource not found: '${arn}'`);
  return { machine, name, alias, arn };
}

async function save(engine: Engine, machine: StateMachine, aliases: Record<string, Alias>): Promise<void> {
  machine.aliases = aliases;
  engine.catalogue.saveMachine(machine);
  await engine.committed();
}

/** A second creation with the same routes and description answers like the first. */
const createAlias: Action = async (engine, body) => {
  const name = checkAliasName(requiredText(body, 'name'));
  const { machine, routes } = readRoutes(engine, body.routingConfiguration);
  checkActive(machine);
  const description = optionalText(body, 'description');
  const existing = machine.aliases?.[name];
  if (existing && !(sameJson(existing.routes, routes) && existing.description === description))
    throw new ApiError(
      'ConflictException',
      'Failed to create alias because an alias with the same name and a different routing configuration already exists.',
    );
  const now = engine.clock.now();
  const alias = existing ?? { description, routes, creationDate: now, updateDate: now };
  if (!existing) await save(engine, machine, { ...machine.aliases, [name]: alias });
  return { stateMachineAliasArn: `${machine.arn}:${name}`, creationDate: seconds(alias.creationDate) };
};

const describeAlias: Action = async (engine, body) => {
  const { machine, name, alias, arn } = findAlias(engine, body);
  return {
    stateMachineAliasArn: arn,
    name,
    ...(alias.description !== undefined && { description: alias.description }),
    routingConfiguration: alias.routes.map(({ version, weight }) => ({
      stateMachineVersionArn: `${machine.arn}:${version}`,
      weight,
    })),
    creationDate: seconds(alias.creationDate),
    updateDate: seconds(alias.updateDate),
  };
};

const updateAlias: Action = async (engine, body) => {
  const { machine, name, alias } = findAlias(engine, body);
  checkActive(machine);
  const description = optionalText(body, 'description');
  if (description === undefined && body.routingConfiguration === undefined)
    throw validationFailed('Either description or routingConfiguration must be given');
  const routing = body.routingConfiguration === undefined ? undefined : readRoutes(engine, body.routingConfiguration);
  if (routing && routing.machine !== machine)
    throw validationFailed('A routing configuration must name different versions of one state machine');
  const updated: Alias = {
    ...alias,
    ...(description !== undefined && { description }),
    ...(routing && { routes: routing.routes }),
    updateDate: engine.clock.now(),
  };
  await save(engine, machine, { ...machine.aliases, [name]: updated });
  return { updateDate: seconds(updated.updateDate) };
};

const listAliases: Action = async (engine, body) => {
  const [base, version] = splitVersion(requiredArn(body, 'stateMachineArn', 'stateMachine'));
  const machine = findMachine(engine, base);
  const wanted = Object.entries(machine.aliases ?? {}).filter(
    ([, { routes }]) => version === undefined || routes.some((route) => route.version === version),
  );
  const { items, nextToken } = page(wanted, body, ([name, { creationDate }]) => [creationDate, name]);
  return {
    stateMachineAliases: items.map(([name, { creationDate }]) => ({
      stateMachineAliasArn: `${machine.arn}:${name}`,
      creationDate: seconds(creationDate),
    })),
    ...(nextToken !== undefined && { nextToken }),
  };
};

const deleteAlias: Action = async (engine, body) => {
  const { machine, name } = findAlias(engine, body);
  const { [name]: _, ...rest } = machine.aliases!;
  await save(engine, machine, rest);
  return {};
};

export const aliasActions: Record<string, Action> = {
  CreateStateMachineAlias: createAlias,
  DescribeStateMachineAlias: describeAlias,
  UpdateStateMachineAlias: updateAlias,
  ListStateMachineAliases: listAliases,
  DeleteStateMachineAlias: deleteAlias,
};
