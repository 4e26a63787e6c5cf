import type { Branch, ChildRun, Children, MapItem } from './execution';
import type { Transition } from './transition';

/** Counts of items or executions by their status. */
export interface Tally {
  pending: number;
  running: number;
  succeeded: number;
  failed: number;
  aborted: number;
}

/** The number of iterations that run at a time, and the number that may fail. */
export interface Limits {
  maxConcurrency?: number;
  toleratedFailureCount?: number;
  toleratedFailurePercentage?: number;
}

/** A distributed map's run: what the API tells of it. */
export interface MapRun {
  readonly arn: string;
  readonly label: string;
  readonly startTime: number;
  stopTime?: number;
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'ABORTED';
  limits: Limits;
  readonly items: Tally;
  /** Its child executions: fewer than the items where those are batched. */
  readonly executions: Tally;
  redriveCount: number;
  redriveTime?: number;
  /** Its child executions that have begun, by the index of their item. */
  children: readonly ChildRun[];
}

const nothing = (): Tally => ({ pending: 0, running: 0, succeeded: 0, failed: 0, aborted: 0 });

export const newMapRun = (fields: Pick<MapRun, 'arn' | 'label' | 'startTime'>): MapRun => ({
  ...fields,
  status: 'RUNNING',
  limits: {},
  items: nothing(),
  executions: nothing(),
  redriveCount: 0,
  children: [],
});

/** Batches count with all that is in them. */
export const sizeOf = (items: readonly MapItem[]): number => items.reduce((sum, { size = 1 }) => sum + size, 0);

/** The iterations are known, and none has begun. */
export function tellItems(run: MapRun, items: readonly MapItem[], limits: Limits): void {
  run.limits = limits;
  run.items.pending = sizeOf(items);
  run.executions.pending = items.length;
}

/** An iteration has gone from one state to another. */
export function moved(run: MapRun, item: MapItem, from: keyof Tally, to: keyof Tally): void {
  for (const [tally, size] of [
    [run.items, item.size ?? 1],
    [run.executions, 1],
  ] as const) {
    tally[from] -= size;
    tally[to] += size;
  }
}

/** The run has ended; what was still under way is aborted with it. */
export function endRun(run: MapRun, status: MapRun['status'], time: number): void {
  run.status = status;
  run.stopTime = time;
  for (const tally of [run.items, run.executions]) {
    tally.aborted += tally.running;
    tally.running = 0;
  }
}

/** The iterations that failed or were aborted go on. */
export function redriveRun(transition: Transition, branch: Branch, { items, running, runs }: Children): void {
  const { mapRun: run } = branch;
  if (run === undefined) return;
  run.status = 'RUNNING';
  run.stopTime = undefined;
  run.redriveCount += 1;
  run.redriveTime = transition.time;
  for (const [tally, again] of [
    [run.items, sizeOf([...running.keys()].map((index) => items[index]!))],
    [run.executions, running.size],
  ] as const)
    Object.assign(tally, { running: again, failed: 0, aborted: 0 });
  for (const [index, child] of running) {
    const told = runs?.[index];
    if (told === undefined) continue;
    const redriveCount = (told.redrives ?? 0) + 1;
    Object.assign(told, { failure: undefined, stop: undefined, redrives: redriveCount });
    transition.event(child, 'ExecutionRedriven', () => ({ redriveCount }));
  }
  transition.event(branch, 'MapRunRedriven', () => ({ mapRunArn: run.arn, redriveCount: run.redriveCount }));
}

/** Returns the number of iterations that may fail, out of `length`. */
export function tolerance({ toleratedFailureCount, toleratedFailurePercentage }: Limits, length: number): number {
  if (toleratedFailureCount === undefined && toleratedFailurePercentage === undefined) return 0;
  return Math.min(toleratedFailureCount ?? length, ((toleratedFailurePercentage ?? 100) * length) / 100);
}

/** The number of child executions that run at a time if nothing sets it. */
export const mostAtATime = 10_000;
