import type { Engine } from '../engine/engine';
import { type Entry, executionArn } from '../engine/entry';
import type { Limits, MapRun, Tally } from '../execution/map-run';
import type { JsonObject } from '../language/json';
import { ApiError, validationFailed } from './api-error';
import { findExecution, lookUp } from './find-execution';
import { type Action, page, requiredArn, seconds } from './request';

/** The run and its execution. Its ARN ends in the execution's number. Throws ResourceNotFound. */
export async function findRun(engine: Engine, body: JsonObject): Promise<{ entry: Entry; run: MapRun }> {
  const arn = requiredArn(body, 'mapRunArn', 'mapRun');
  const entry = engine.executions.bySerial.get(Number.parseInt(arn.slice(-12), 16));
  const run = entry && (await runsOf(engine, entry)).find((each) => each.arn === arn);
  if (run === undefined) throw new ApiError('ResourceNotFound', `Resource not found: '${arn}'`);
  return { entry: entry!, run };
}

export const runsOf = async (engine: Engine, entry: Entry): Promise<readonly MapRun[]> =>
  (await engine.executions.reader.history(entry)).execution.mapRuns;

const counts = (tally: Tally, { status }: MapRun): JsonObject => ({
  ...tally,
  timedOut: 0,
  total: Object.values(tally as unknown as Record<string, number>).reduce((sum, each) => sum + each, 0),
  // Told of every run that has ended, also of one that has no ResultWriter.
  resultsWritten: status === 'RUNNING' ? 0 : tally.succeeded + tally.failed,
  failuresNotRedrivable: 0,
  pendingRedrive: 0,
});

/** The `maxConcurrency` that AWS reports for a run without a limit. */
const unbounded = 2 ** 31 - 1;

const describeMapRun: Action = async (engine, body) => {
  const { entry, run } = await findRun(engine, body);
  const { limits, stopTime, redriveTime } = run;
  return {
    mapRunArn: run.arn,
    executionArn: executionArn(entry),
    status: run.status,
    startDate: seconds(run.startTime),
    ...(stopTime !== undefined && { stopDate: seconds(stopTime) }),
    maxConcurrency: limits.maxConcurrency || unbounded,
    toleratedFailurePercentage: limits.toleratedFailurePercentage ?? 0,
    toleratedFailureCount: limits.toleratedFailureCount ?? 0,
    itemCounts: counts(run.items, run),
    executionCounts: counts(run.executions, run),
    redriveCount: run.redriveCount,
    ...(redriveTime !== undefined && { redriveDate: seconds(redriveTime) }),
  };
};

const listMapRuns: Action = async (engine, body) => {
  const arn = requiredArn(body, 'executionArn', 'execution');
  const { summary } = await lookUp(engine, arn);
  const runs = await runsOf(engine, findExecution(engine, arn));
  const { items, nextToken } = page([...runs.entries()], body, ([index]) => [index]);
  return {
    mapRuns: items.map(([, { arn: mapRunArn, label, startTime, stopTime }]) => ({
      executionArn: arn,
      mapRunArn,
      stateMachineArn: `${arn.replace(':execution:', ':stateMachine:').split(':').slice(0, 6).join(':')}:${summary.machine}/${label}`,
      startDate: seconds(startTime),
      ...(stopTime !== undefined && { stopDate: seconds(stopTime) }),
    })),
    ...(nextToken !== undefined && { nextToken }),
  };
};

const names = ['maxConcurrency', 'toleratedFailureCount', 'toleratedFailurePercentage'] as const;

/** Changes the limits of a run that is under way; one that has ended stays as it is. */
const updateMapRun: Action = async (engine, body) => {
  const { entry, run } = await findRun(engine, body);
  const limits: Limits = {};
  for (const name of names) {
    const value = body[name];
    if (value === undefined || value === null) continue;
    if (typeof value !== 'number') throw validationFailed(`${name} must be a number`);
    limits[name] = value;
  }
  if (Object.keys(limits).length === 0)
    throw validationFailed(`At least one of these is required: ${names.join(', ')}`);
  await new Promise((resolve) => engine.executions.tell(entry, { kind: 'mapRun', arn: run.arn, limits }, resolve));
  return {};
};

export const mapRunActions: Record<string, Action> = {
  DescribeMapRun: describeMapRun,
  ListMapRuns: listMapRuns,
  UpdateMapRun: updateMapRun,
};
