import { randomUUID } from 'node:crypto';
import type { Engine } from '../engine/engine';
import type { Revision, StateMachine } from '../engine/machines';
import { type JsonObject, sameJson } from '../language/json';
import { validateDefinition } from '../validation/validate';
import { ApiError } from './api-error';
import { isChild, machineOfChild } from './child-executions';
import {
  checkActive,
  findActive,
  findMachine,
  machineArn,
  splitAlias,
  splitVersion,
  unqualified,
} from './find-machine';
import {
  type Action,
  checkName,
  checkRole,
  optionalText,
  page,
  requiredArn,
  requiredText,
  seconds,
  tagsOf,
} from './request';
import { checkSettings, settingsOf } from './settings';
import { publish } from './versions';

/**
 * Creates a state machine. A second creation with the same definition, settings and version answers like the first;
 * another role, or other tags, are ignored.
 */
const createStateMachine: Action = async (engine, body) => {
  const name = checkName(requiredText(body, 'name'));
  const definition = requiredText(body, 'definition');
  const roleArn = checkRole(requiredText(body, 'roleArn'));
  const type = body.type === 'EXPRESS' ? 'EXPRESS' : 'STANDARD';
  checkSettings(body);
  checkDefinition(definition, type);
  const arn = machineArn(engine, name);
  const settings = settingsOf(body);
  const asked = { publish: body.publish === true, versionDescription: optionalText(body, 'versionDescription') };
  const existing = engine.catalogue.machines.get(arn);
  if (existing) {
    checkActive(existing);
    const { current, creation = asked } = existing;
    const same =
      current.definition === definition &&
      current.type === type &&
      sameJson(current.settings, settings) &&
      creation.publish === asked.publish &&
      creation.versionDescription === asked.versionDescription;
    if (!same) throw new ApiError('StateMachineAlreadyExists', `State Machine Already Exists: '${arn}'`);
    return answer(existing, asked.publish ? publish(engine, existing, asked.versionDescription) : undefined);
  }
  const creationDate = engine.clock.now();
  const current = engine.catalogue.addRevision({
    revisionId: randomUUID(),
    stateMachineArn: arn,
    name,
    identity: engine.catalogue.newIdentity(name),
    type,
    definition,
    roleArn,
    creationDate,
    settings,
  });
  const machine: StateMachine = {
    arn,
    name,
    type,
    creationDate,
    current,
    status: 'ACTIVE',
    tags: tagsOf(body.tags),
    versions: [],
    lastVersion: 0,
    creation: asked,
  };
  engine.catalogue.saveMachine(machine);
  const version = asked.publish ? publish(engine, machine, asked.versionDescription) : undefined;
  await engine.committed();
  return answer(machine, version);
};

const answer = (machine: StateMachine, version: string | undefined): JsonObject => ({
  stateMachineArn: machine.arn,
  creationDate: seconds(machine.creationDate),
  ...(version !== undefined && { stateMachineVersionArn: version }),
});

/** Throws InvalidDefinition with every error that was found. */
function checkDefinition(definition: string, type: 'STANDARD' | 'EXPRESS'): void {
  const errors = validateDefinition(definition, type).filter(({ severity }) => severity === 'ERROR');
  if (errors.length === 0) return;
  const text = errors
    .map(({ code, message, location }) => `${code}: ${message}${location ? ` at ${location}` : ''}`)
    .join(', ');
  throw new ApiError('InvalidDefinition', `Invalid State Machine Definition: '${text}'`);
}

/** An update has to change one of these. */
const changeable = ['definition', 'roleArn', 'loggingConfiguration', 'tracingConfiguration', 'encryptionConfiguration'];

/** A new revision; executions that run keep theirs. */
const updateStateMachine: Action = async (engine, body) => {
  const machine = findActive(engine, unqualified(requiredArn(body, 'stateMachineArn', 'stateMachine')));
  if (!changeable.some((name) => body[name] !== undefined && body[name] !== null))
    throw new ApiError(
      'MissingRequiredParameter',
      'Either the definition, the role ARN, the LoggingConfiguration, or the TracingConfiguration must be specified',
    );
  const definition = optionalText(body, 'definition') ?? machine.current.definition;
  const given = optionalText(body, 'roleArn');
  const roleArn = given === undefined ? machine.current.roleArn : checkRole(given);
  checkSettings(body);
  checkDefinition(definition, machine.type);
  const { name, type, arn: stateMachineArn } = machine;
  const settings = { ...machine.current.settings, ...settingsOf(body) };
  const revision: Omit<Revision, 'number'> = {
    revisionId: randomUUID(),
    stateMachineArn,
    name,
    identity: machine.current.identity,
    type,
    definition,
    roleArn,
    creationDate: engine.clock.now(),
    settings,
  };
  machine.current = engine.catalogue.addRevision(revision);
  engine.catalogue.saveMachine(machine);
  const version =
    body.publish === true ? publish(engine, machine, optionalText(body, 'versionDescription')) : undefined;
  await engine.committed();
  return {
    updateDate: seconds(revision.creationDate),
    revisionId: revision.revisionId,
    ...(version !== undefined && { stateMachineVersionArn: version }),
  };
};

/** The ARN of an alias stands for the version that most of its executions start. */
const describeStateMachine: Action = async (engine, body) => {
  const arn = withoutAlias(engine, requiredArn(body, 'stateMachineArn', 'stateMachine'));
  const [base, number] = splitVersion(arn);
  const machine = findMachine(engine, base);
  const version = number === undefined ? undefined : machine.versions.find((each) => each.number === number);
  if (number !== undefined && version === undefined)
    throw new ApiError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`);
  const revision = version?.revision ?? machine.current;
  return {
    stateMachineArn: arn,
    name: machine.name,
    status: machine.status,
    creationDate: seconds(version?.creationDate ?? machine.creationDate),
    ...(version?.description !== undefined && { description: version.description }),
    ...described(revision, body),
  };
};

function withoutAlias(engine: Engine, arn: string): string {
  const [base, name] = splitAlias(arn);
  const routes = name === undefined ? undefined : engine.catalogue.machines.get(base)?.aliases?.[name]?.routes;
  const [first, second] = routes ?? [];
  if (first === undefined) return arn;
  return `${base}:${second !== undefined && second.weight > first.weight ? second.version : first.version}`;
}

/** "If called with includedData = METADATA_ONLY, the returned definition will be {}." */
const described = (
  { definition, roleArn, type, revisionId, settings }: Revision,
  { includedData }: JsonObject,
): JsonObject => ({
  definition: includedData === 'METADATA_ONLY' ? '{}' : definition,
  roleArn,
  type,
  revisionId,
  loggingConfiguration: { level: 'OFF', includeExecutionData: false },
  tracingConfiguration: { enabled: false },
  ...settings,
});

const describeStateMachineForExecution: Action = async (engine, body) => {
  const arn = requiredArn(body, 'executionArn', 'execution');
  const { revision, ...from } = isChild(arn) ? await machineOfChild(engine, arn) : await revisionOf(engine, arn);
  if (revision === undefined) throw new ApiError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
  const { type: _, ...rest } = described(revision, body);
  return {
    stateMachineArn: revision.stateMachineArn,
    name: revision.name,
    updateDate: seconds(revision.creationDate),
    ...rest,
    ...from,
  };
};

async function revisionOf(engine: Engine, executionArn: string): Promise<{ revision: Revision | undefined }> {
  const view = await engine.look(executionArn);
  return { revision: view && engine.catalogue.revision(view.summary.revision) };
}

const listStateMachines: Action = async (engine, body) => {
  const all = [...engine.catalogue.machines.values()];
  const { items, nextToken } = page(all, body, ({ creationDate, name }) => [creationDate, name]);
  return {
    stateMachines: items.map(({ arn, name, type, creationDate }) => ({
      stateMachineArn: arn,
      name,
      type,
      creationDate: seconds(creationDate),
    })),
    ...(nextToken !== undefined && { nextToken }),
  };
};

/** Nothing new can be started; executions that run fail when they would go on. Express executions are not waited for. */
const deleteStateMachine: Action = async (engine, body) => {
  const arn = unqualified(requiredArn(body, 'stateMachineArn', 'stateMachine'));
  const machine = engine.catalogue.machines.get(arn);
  if (machine) engine.deletions.begin(machine);
  await engine.committed();
  return {};
};

export const stateMachineActions: Record<string, Action> = {
  CreateStateMachine: createStateMachine,
  UpdateStateMachine: updateStateMachine,
  DescribeStateMachine: describeStateMachine,
  DescribeStateMachineForExecution: describeStateMachineForExecution,
  ListStateMachines: listStateMachines,
  DeleteStateMachine: deleteStateMachine,
};
