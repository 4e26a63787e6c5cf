import type { Engine } from '../engine/engine';
import type { Entry } from '../engine/entry';
import type { Revision } from '../engine/machines';
import type { ChildRun } from '../execution/execution';
import type { HistoryEvent } from '../execution/history';
import type { MapRun } from '../execution/map-run';
import { type JsonObject, jsonText } from '../language/json';
import { ApiError, validationFailed } from './api-error';
import { findRun, runsOf } from './map-runs';
import { optionalText, page, seconds } from './request';

/** The child executions of distributed maps: they run inside their parent, and are described out of its journal. */
interface Child {
  entry: Entry;
  run: MapRun;
  child: ChildRun;
}

/** `…:execution:machine/label:name` is a child's ARN. */
export const isChild = (executionArn: string): boolean => executionArn.split(':')[6]?.includes('/') === true;

/** A child's name ends in its parent's number. Throws ExecutionDoesNotExist. */
async function findChild(engine: Engine, arn: string): Promise<Child> {
  const entry = engine.executions.bySerial.get(Number.parseInt(arn.slice(-12), 16));
  for (const run of entry ? await runsOf(engine, entry) : []) {
    const child = run.children.find(({ own }) => own.arn === arn);
    if (child) return { entry: entry!, run, child };
  }
  throw new ApiError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
}

function statusOf({ failure, stop }: ChildRun, run: MapRun): string {
  if (stop === undefined) return run.status === 'RUNNING' ? 'RUNNING' : 'ABORTED';
  return failure ? 'FAILED' : 'SUCCEEDED';
}

/** Returns the fields that lists and descriptions have in common. A child that was aborted ended with its run. */
function summary(child: ChildRun, run: MapRun): JsonObject {
  const { own } = child;
  const status = statusOf(child, run);
  const stop = child.stop ?? run.stopTime;
  return {
    executionArn: own.arn,
    stateMachineArn: own.stateMachineArn,
    mapRunArn: run.arn,
    name: own.name,
    status,
    startDate: seconds(own.startTime),
    ...(status !== 'RUNNING' && stop !== undefined && { stopDate: seconds(stop) }),
    redriveCount: child.redrives ?? 0,
  };
}

/** The revision that a child runs a part of, and the Map state that started it. */
export async function machineOfChild(
  engine: Engine,
  arn: string,
): Promise<{ revision: Revision; mapRunArn: string; label: string }> {
  const { entry, run } = await findChild(engine, arn);
  return { revision: entry.revision, mapRunArn: run.arn, label: run.label };
}

export async function describeChild(engine: Engine, arn: string, included: boolean): Promise<JsonObject> {
  const { run, child } = await findChild(engine, arn);
  const { own, output, failure } = child;
  const described = summary(child, run);
  const lost = described.status === 'FAILED' || described.status === 'ABORTED';
  return {
    ...described,
    ...(included && { input: jsonText(own.input) }),
    inputDetails: { included },
    ...(output !== undefined && {
      ...(included && { output: jsonText(output) }),
      outputDetails: { included },
    }),
    ...(failure?.error !== undefined && { error: failure.error }),
    ...(failure?.cause !== undefined && { cause: failure.cause }),
    // Its parent is redriven, and the run with it.
    ...(lost
      ? { redriveStatus: 'REDRIVABLE_BY_MAP_RUN' }
      : {
          redriveStatus: 'NOT_REDRIVABLE',
          redriveStatusReason: `Execution is ${String(described.status)} and cannot be redriven`,
        }),
  };
}

export async function childEvents(engine: Engine, arn: string): Promise<readonly HistoryEvent[]> {
  const { entry } = await findChild(engine, arn);
  return await engine.executions.reader.childHistory(entry, arn);
}

/** The children of a run, newest first. */
export async function listChildren(engine: Engine, body: JsonObject): Promise<JsonObject> {
  if (body.stateMachineArn !== undefined)
    throw validationFailed('Must provide either a State Machine ARN or a Map Run ARN, not both');
  const { run } = await findRun(engine, body);
  const status = optionalText(body, 'statusFilter');
  const wanted = run.children
    .map((child) => summary(child, run))
    .filter((each) => status === undefined || each.status === status);
  const { items, nextToken } = page([...wanted.entries()], body, ([index]) => [-index]);
  return { executions: items.map(([, each]) => each), ...(nextToken !== undefined && { nextToken }) };
}
