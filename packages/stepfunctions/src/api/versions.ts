import type { Engine } from '../engine/engine';
import type { StateMachine } from '../engine/machines';
import { ApiError } from './api-error';
import { findActive, findMachine, splitVersion } from './find-machine';
import { type Action, optionalText, page, requiredArn, seconds } from './request';

/** Publishes the present revision as the next version, unless it is one already. Returns the version's ARN. */
export function publish(engine: Engine, machine: StateMachine, description: string | undefined): string {
  let version = machine.versions.find(({ revision }) => revision === machine.current);
  if (version === undefined) {
    machine.lastVersion += 1;
    version = { number: machine.lastVersion, description, revision: machine.current, creationDate: engine.clock.now() };
    machine.versions.push(version);
    engine.catalogue.saveMachine(machine);
  }
  return `${machine.arn}:${version.number}`;
}

const publishStateMachineVersion: Action = async (engine, body) => {
  const machine = findActive(engine, requiredArn(body, 'stateMachineArn', 'stateMachine'));
  const revisionId = optionalText(body, 'revisionId');
  if (revisionId !== undefined && revisionId !== machine.current.revisionId) {
    throw new ApiError(
      'ConflictException',
      `Failed to publish the State Machine version for revision ${revisionId}. The current State Machine revision is ${machine.current.revisionId}.`,
    );
  }
  const arn = publish(engine, machine, optionalText(body, 'description'));
  await engine.committed();
  const version = machine.versions.find(({ number }) => arn.endsWith(`:${number}`))!;
  return { stateMachineVersionArn: arn, creationDate: seconds(version.creationDate) };
};

const listStateMachineVersions: Action = async (engine, body) => {
  const machine = findMachine(engine, requiredArn(body, 'stateMachineArn', 'stateMachine'));
  const { items, nextToken } = page(machine.versions, body, ({ number }) => [-number]);
  return {
    stateMachineVersions: items.map(({ number, creationDate }) => ({
      stateMachineVersionArn: `${machine.arn}:${number}`,
      creationDate: seconds(creationDate),
    })),
    ...(nextToken !== undefined && { nextToken }),
  };
};

const deleteStateMachineVersion: Action = async (engine, body) => {
  const arn = requiredArn(body, 'stateMachineVersionArn', 'stateMachine');
  const [base, number] = splitVersion(arn);
  if (number === undefined) throw new ApiError('ValidationException', `Invalid State Machine Version ARN: '${arn}'`);
  const machine = engine.catalogue.machines.get(base);
  const users = Object.entries(machine?.aliases ?? {}).filter(([, { routes }]) =>
    routes.some(({ version }) => version === number),
  );
  if (users.length > 0)
    throw new ApiError(
      'ConflictException',
      `Version to be deleted must not be referenced by an alias. Current list of aliases referencing this version: [${users.map(([name]) => name).join(', ')}]`,
    );
  if (machine) {
    machine.versions = machine.versions.filter((version) => version.number !== number);
    engine.catalogue.saveMachine(machine);
    await engine.committed();
  }
  return {};
};

export const versionActions: Record<string, Action> = {
  PublishStateMachineVersion: publishStateMachineVersion,
  ListStateMachineVersions: listStateMachineVersions,
  DeleteStateMachineVersion: deleteStateMachineVersion,
};
