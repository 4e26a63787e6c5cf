import { randomUUID } from 'node:crypto';
import type { Engine } from '../engine/engine';
import { type Entry, executionArn } from '../engine/entry';
import type { Revision } from '../engine/machines';
import { ApiError } from './api-error';
import { type Action, checkJson, checkName, optionalText, page, requiredArn, seconds } from './request';
import { findMachine, splitVersion } from './state-machines';

/** Throws ExecutionDoesNotExist. */
export function findExecution(engine: Engine, arn: string): Entry {
  const entry = engine.byArn(arn);
  if (entry === undefined) throw new ApiError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
  return entry;
}

/** The revision that a state machine's or a version's ARN starts. */
export function startable(engine: Engine, arn: string): { revision: Revision; versionArn?: string } {
  const [base, number] = splitVersion(arn);
  const machine = findMachine(engine, base);
  if (number === undefined) return { revision: machine.current };
  const version = machine.versions.find((each) => each.number === number);
  if (version === undefined) throw new ApiError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`);
  return { revision: version.revision, versionArn: arn };
}

/**
 * Starts an execution, idempotently by name: while one of that name runs with the same input, it is the answer.
 * @param startedBy the task that asks, where one does: its repeated call finds the execution that it has started
 */
export async function startExecution(
  engine: Engine,
  arn: string,
  name: string,
  input: string,
  startedBy?: string,
): Promise<Entry> {
  const { revision, versionArn } = startable(engine, arn);
  const existing = engine.find(revision.name, name);
  if (existing !== undefined) {
    if (startedBy !== undefined && existing.startedBy === startedBy) return existing;
    const same = existing.status === 'RUNNING' && (await engine.executions.startBody(existing)).input === input;
    if (!same) throw new ApiError('ExecutionAlreadyExists', `Execution Already Exists: '${executionArn(existing)}'`);
    return existing;
  }
  return engine.start(revision, name, input, { startedBy, versionArn });
}

const start: Action = async (engine, body) => {
  const arn = requiredArn(body, 'stateMachineArn', 'stateMachine');
  const name = checkName(optionalText(body, 'name') ?? randomUUID());
  const input = checkJson(optionalText(body, 'input') ?? '{}', 'InvalidExecutionInput', 'input');
  const entry = await startExecution(engine, arn, name, input);
  return { executionArn: executionArn(entry), startDate: seconds(entry.startTime) };
};

const stopExecution: Action = async (engine, body) => {
  const entry = findExecution(engine, requiredArn(body, 'executionArn', 'execution'));
  const stopped = new Promise((resolve) =>
    engine.executions.tell(
      entry,
      { kind: 'stop', error: optionalText(body, 'error'), cause: optionalText(body, 'cause') },
      resolve,
    ),
  );
  await stopped;
  return { stopDate: seconds(entry.stopTime ?? engine.clock.now()) };
};

const describeExecution: Action = async (engine, body) => {
  const entry = findExecution(engine, requiredArn(body, 'executionArn', 'execution'));
  const { input } = await engine.executions.startBody(entry);
  const outcome = await engine.executions.outcome(entry);
  const withData = body.includedData !== 'METADATA_ONLY';
  return {
    executionArn: executionArn(entry),
    stateMachineArn: entry.revision.stateMachineArn,
    ...(entry.versionArn !== undefined && { stateMachineVersionArn: entry.versionArn }),
    name: entry.name,
    status: outcome?.status ?? 'RUNNING',
    startDate: seconds(entry.startTime),
    ...(outcome && { stopDate: seconds(outcome.time) }),
    ...(withData && { input }),
    inputDetails: { included: withData },
    ...(outcome?.output !== undefined && {
      ...(withData && { output: outcome.output }),
      outputDetails: { included: withData },
    }),
    ...(outcome?.error !== undefined && { error: outcome.error }),
    ...(outcome?.cause !== undefined && { cause: outcome.cause }),
    redriveCount: entry.redrives ?? 0,
    redriveStatus: redriveStatus(entry),
    ...(entry.status === 'SUCCEEDED' && { redriveStatusReason: 'Execution is SUCCEEDED and cannot be redriven' }),
    ...(entry.status === 'RUNNING' && { redriveStatusReason: 'Execution is RUNNING and cannot be redriven' }),
  };
};

const redriveStatus = ({ status }: Entry) =>
  status === 'RUNNING' || status === 'SUCCEEDED' ? 'NOT_REDRIVABLE' : 'REDRIVABLE';

/** Newest first, as on AWS. */
const listExecutions: Action = async (engine, body) => {
  const arn = requiredArn(body, 'stateMachineArn', 'stateMachine');
  const [base, number] = splitVersion(arn);
  const machine = findMachine(engine, base);
  await engine.committed();
  const status = optionalText(body, 'statusFilter');
  const found = engine
    .executionsOf(machine.name)
    .filter(
      (entry) =>
        (status === undefined || entry.status === status) && (number === undefined || entry.versionArn === arn),
    )
    .reverse();
  const { items, nextToken } = page(found, body);
  return {
    executions: items.map((entry) => ({
      executionArn: executionArn(entry),
      stateMachineArn: entry.revision.stateMachineArn,
      ...(entry.versionArn !== undefined && { stateMachineVersionArn: entry.versionArn }),
      name: entry.name,
      status: entry.status,
      startDate: seconds(entry.startTime),
      ...(entry.stopTime !== undefined && { stopDate: seconds(entry.stopTime) }),
      ...(entry.redrives !== undefined && { redriveCount: entry.redrives }),
    })),
    ...(nextToken !== undefined && { nextToken }),
  };
};

/** Lets a failed execution go on from where it failed. */
const redriveExecution: Action = async (engine, body) => {
  const arn = requiredArn(body, 'executionArn', 'execution');
  const entry = findExecution(engine, arn);
  if (redriveStatus(entry) !== 'REDRIVABLE') {
    throw new ApiError('ExecutionNotRedrivable', `Execution is ${entry.status} and cannot be redriven`);
  }
  await new Promise((resolve) => engine.executions.tell(entry, { kind: 'redrive' }, resolve));
  return { redriveDate: seconds(engine.clock.now()) };
};

export const executionActions: Record<string, Action> = {
  StartExecution: start,
  StopExecution: stopExecution,
  DescribeExecution: describeExecution,
  ListExecutions: listExecutions,
  RedriveExecution: redriveExecution,
};
