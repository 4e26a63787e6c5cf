import { randomUUID } from 'node:crypto';
import { type Summary, summaryOf } from '../engine/archive';
import type { Engine } from '../engine/engine';
import { type Entry, executionArn } from '../engine/entry';
import { type Alias, identityOf, type Revision } from '../engine/machines';
import { placeOf } from '../engine/names';
import type { JsonObject } from '../language/json';
import { ApiError, typeNotSupported, validationFailed } from './api-error';
import { describeChild, isChild, listChildren } from './child-executions';
import { findExecution, lookUp } from './find-execution';
import { findActive, findMachine, machineArn, splitAlias, splitVersion } from './find-machine';
import { type Action, checkJson, checkName, optionalText, pageOf, requiredArn, seconds } from './request';

export interface Startable {
  revision: Revision;
  versionArn?: string;
  aliasArn?: string;
}

/** The revision that the ARN of a state machine, a version or an alias starts. */
export function startable(engine: Engine, arn: string): Startable {
  const [owner, alias] = splitAlias(arn);
  const routes = alias === undefined ? undefined : engine.catalogue.machines.get(owner)?.aliases?.[alias]?.routes;
  if (routes) return { ...startable(engine, `${owner}:${drawn(routes)}`), aliasArn: arn };
  const [base, number] = splitVersion(arn);
  const machine = findMachine(engine, base);
  if (number === undefined) return { revision: machine.current };
  const version = machine.versions.find((each) => each.number === number);
  if (version === undefined) throw new ApiError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`);
  return { revision: version.revision, versionArn: arn };
}

/** One of an alias's versions, by their weights. */
function drawn(routes: Alias['routes']): number {
  const [first, second] = routes;
  return second === undefined || Math.random() * 100 < first!.weight ? first!.version : second.version;
}

/**
 * Starts an execution, idempotently by name: while one of that name runs with the same input, it is the answer. Express
 * executions may share a name.
 * @param startedBy the task that asks, where one does: its repeated call finds the execution that it has started
 */
export async function startExecution(
  engine: Engine,
  target: string,
  name: string,
  input: string,
  startedBy?: string,
): Promise<Entry> {
  // A test case of the mock configuration stands behind a #.
  const [arn = '', testCase] = target.split('#');
  const { revision, versionArn, aliasArn } = startable(engine, arn);
  if (revision.type === 'EXPRESS') {
    const { entry, ended } = engine.startExpress(revision, name, input);
    // Nobody waits for it.
    ended.catch(() => undefined);
    return entry;
  }
  if (testCase !== undefined && !engine.options.mocks?.has(revision.name, testCase)) {
    throw new ApiError(
      'InvalidArn',
      `Invalid Arn: 'The mock configuration has no test case ${testCase} for ${revision.name}'`,
    );
  }
  const identity = identityOf(revision);
  const existing = engine.find(identity, name);
  if (existing !== undefined && startedBy !== undefined && existing.startedBy === startedBy) return existing;
  findActive(engine, revision.stateMachineArn);
  if (existing !== undefined) {
    const same = existing.status === 'RUNNING' && (await engine.executions.reader.startBody(existing)).input === input;
    if (!same) throw new ApiError('ExecutionAlreadyExists', `Execution Already Exists: '${executionArn(existing)}'`);
    return existing;
  }
  if (await engine.archive?.has(identity, name)) {
    throw new ApiError('ExecutionAlreadyExists', `Execution Already Exists: '${executionArn({ revision, name })}'`);
  }
  // Another call may have taken the name, or deleted the state machine, while this one looked.
  if (engine.find(identity, name) !== undefined || engine.catalogue.isDeleted(revision))
    return startExecution(engine, target, name, input, startedBy);
  return engine.start(revision, name, input, { startedBy, testCase, versionArn, aliasArn });
}

const start: Action = async (engine, body) => {
  const arn = requiredArn(body, 'stateMachineArn', 'stateMachine');
  const name = checkName(optionalText(body, 'name') ?? randomUUID());
  const input = checkJson(optionalText(body, 'input') ?? '{}', 'InvalidExecutionInput', 'input');
  const entry = await startExecution(engine, arn, name, input);
  return { executionArn: executionArn(entry), startDate: seconds(entry.startTime) };
};

/** Stopping what has ended already changes nothing. */
const stopExecution: Action = async (engine, body) => {
  const arn = requiredArn(body, 'executionArn', 'execution');
  const view = await lookUp(engine, arn);
  const entry = engine.byArn(arn);
  const [error, cause] = [optionalText(body, 'error'), optionalText(body, 'cause')];
  if (entry) await new Promise((resolve) => engine.executions.tell(entry, { kind: 'stop', error, cause }, resolve));
  return { stopDate: seconds(view.summary.stopTime) };
};

const describeExecution: Action = async (engine, body) => {
  const arn = requiredArn(body, 'executionArn', 'execution');
  const withData = body.includedData !== 'METADATA_ONLY';
  if (isChild(arn)) return await describeChild(engine, arn, withData);
  const view = await lookUp(engine, arn);
  const [input, outcome] = [await view.input(), await view.outcome()];
  const { summary } = view;
  const status = outcome?.status ?? 'RUNNING';
  return {
    executionArn: arn,
    stateMachineArn: machineArn(engine, summary.machine),
    ...(summary.versionArn !== undefined && { stateMachineVersionArn: summary.versionArn }),
    ...(summary.aliasArn !== undefined && { stateMachineAliasArn: summary.aliasArn }),
    name: summary.name,
    status,
    startDate: seconds(summary.startTime),
    ...(outcome && { stopDate: seconds(outcome.time) }),
    ...(withData && { input }),
    inputDetails: { included: withData },
    ...(outcome?.output !== undefined && {
      ...(withData && { output: outcome.output }),
      outputDetails: { included: withData },
    }),
    ...(outcome?.error !== undefined && { error: outcome.error }),
    ...(outcome?.cause !== undefined && { cause: outcome.cause }),
    redriveCount: summary.redrives ?? 0,
    ...(summary.redriveTime !== undefined && { redriveDate: seconds(summary.redriveTime) }),
    ...redrivable(engine, summary),
  };
};

/** "if your original execution … in the last 14 days" */
const redrivePeriod = 14 * 86_400_000;

/** Whether the execution can be redriven, and why not, in the words of the API's documentation. */
function redrivable({ clock, catalogue }: Engine, { status, stopTime, revision: number }: Summary): JsonObject {
  const revision = catalogue.revision(number);
  const reason =
    status === 'RUNNING' || status === 'SUCCEEDED'
      ? `Execution is ${status} and cannot be redriven`
      : clock.now() - stopTime > redrivePeriod
        ? 'Execution redrivable period exceeded'
        : revision === undefined || catalogue.isDeleted(revision)
          ? 'State machine is in DELETING status'
          : undefined;
  return reason === undefined
    ? { redriveStatus: 'REDRIVABLE' }
    : { redriveStatus: 'NOT_REDRIVABLE', redriveStatusReason: reason };
}

/** Newest first, as on AWS. */
const listExecutions: Action = async (engine, body) => {
  if (body.mapRunArn !== undefined) return await listChildren(engine, body);
  if (body.stateMachineArn === undefined) throw validationFailed('Must provide a State Machine ARN or Map Run ARN');
  const arn = requiredArn(body, 'stateMachineArn', 'stateMachine');
  const [base, number] = splitVersion(arn);
  const [owner, alias] = splitAlias(base);
  const machine = findMachine(engine, owner);
  if (machine.type === 'EXPRESS') throw typeNotSupported();
  await engine.committed();
  const [status, redriven] = [optionalText(body, 'statusFilter'), optionalText(body, 'redriveFilter')];
  const wanted = (each: Summary) =>
    (status === undefined || each.status === status) &&
    (redriven === undefined || (redriven === 'REDRIVEN') === (each.redrives !== undefined)) &&
    (number === undefined || each.versionArn === arn) &&
    (alias === undefined || each.aliasArn === arn);
  const { items, nextToken } = await pageOf(
    (after) => engine.list(identityOf(machine.current), after as [number, number] | undefined),
    body,
    wanted,
    placeOf,
  );
  return { executions: items.map((each) => listed(machine.arn, each)), ...(nextToken !== undefined && { nextToken }) };
};

const listed = (
  stateMachineArn: string,
  { name, status, startTime, stopTime, versionArn, aliasArn, redrives, redriveTime }: Summary,
): JsonObject => ({
  executionArn: `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`,
  stateMachineArn,
  ...(versionArn !== undefined && { stateMachineVersionArn: versionArn }),
  ...(aliasArn !== undefined && { stateMachineAliasArn: aliasArn }),
  name,
  status,
  startDate: seconds(startTime),
  ...(status !== 'RUNNING' && { stopDate: seconds(stopTime) }),
  redriveCount: redrives ?? 0,
  ...(redriveTime !== undefined && { redriveDate: seconds(redriveTime) }),
});

/** Lets a failed execution go on from where it failed. */
const redriveExecution: Action = async (engine, body) => {
  const arn = requiredArn(body, 'executionArn', 'execution');
  const entry = findExecution(engine, arn);
  const check = () => {
    const { redriveStatusReason: reason } = redrivable(engine, summaryOf(entry));
    if (typeof reason === 'string') throw new ApiError('ExecutionNotRedrivable', reason);
  };
  check();
  const applied = await new Promise<boolean>((resolve) => engine.executions.tell(entry, { kind: 'redrive' }, resolve));
  // Another redrive was first.
  if (!applied) check();
  return { redriveDate: seconds(entry.redriveTime as number) };
};

export const executionActions: Record<string, Action> = {
  StartExecution: start,
  StopExecution: stopExecution,
  DescribeExecution: describeExecution,
  ListExecutions: listExecutions,
  RedriveExecution: redriveExecution,
};
