import type { Branch, Execution, Waiting } from '../execution/execution';
import type { Transition } from '../execution/transition';
import { errorNames, type Failure } from '../language/errors';
import type { Steps } from '../language/steps';
import { isTask } from '../states/task/task';
import { finish } from './endings';
import { work } from './interpreter';

/**
 * Returns the next time at which something falls due in the execution, in milliseconds since the epoch; undefined where it waits
 * for others only.
 *
 * @example
 * ```ts
 * import { apply, compileProgram, driveAtOnce, nextAlarm, start } from 'vigil-stepfunctions/interpreter';
 *
 * const program = compileProgram({
 *   StartAt: 'Sleep',
 *   States: { Sleep: { Type: 'Wait', Seconds: 60, Next: 'Greet' }, Greet: { Type: 'Pass', Result: 'Hi', End: true } },
 * });
 * const at = Date.parse('2030-01-07T09:00:00Z');
 * const ids = { arn: 'arn', name: 'one', stateMachineArn: 'arn', stateMachineName: 'machine', roleArn: 'role' };
 * const identity = { ...ids, serial: 1, region: 'us-east-1', input: '{}', startTime: at, seed: 'seed' };
 * const { execution } = driveAtOnce(start(program, identity));
 * nextAlarm(execution)! - at; // → 60_000
 * driveAtOnce(apply(execution, { kind: 'alarm' }, nextAlarm(execution)!));
 * execution.outcome?.output; // → '"Hi"'
 * ```
 */
export function nextAlarm(execution: Execution): number | undefined {
  if (execution.outcome !== undefined) return undefined;
  let next = execution.timeoutAt ?? Number.POSITIVE_INFINITY;
  for (const branch of waitingBranches(execution.root)) next = Math.min(next, dueAt(branch.waiting!));
  return Number.isFinite(next) ? next : undefined;
}

/** Wakes whatever is due, in the order of the times. */
export function* ringAlarms(transition: Transition): Steps<void> {
  const { execution, time } = transition;
  if (execution.timeoutAt !== undefined && execution.timeoutAt <= time) return finish(transition, 'TIMED_OUT', {});
  const due = [...waitingBranches(execution.root)].filter((branch) => dueAt(branch.waiting!) <= time);
  due.sort((a, b) => dueAt(a.waiting!) - dueAt(b.waiting!));
  for (const branch of due) yield* wake(transition, branch);
}

function* wake(transition: Transition, branch: Branch): Steps<void> {
  const waiting = branch.waiting!;
  if (waiting.kind === 'until') transition.pending.push({ branch, progress: { kind: 'result', result: undefined } });
  else if (waiting.kind === 'retry')
    // Nothing is tried again for a state machine that is being deleted.
    transition.pending.push({ branch, progress: transition.deleted ? 'enter' : yield* work(transition, branch) });
  else if (waiting.kind === 'task' && isTask(branch.state)) {
    const heartbeat = (waiting.timeoutAt ?? Number.POSITIVE_INFINITY) > transition.time;
    const failure: Failure = { error: errorNames.timeout, heartbeat };
    branch.state.events.timedOut(transition, branch, failure);
    // The task stays noted until the failure is dealt with, which also tells the service to let go.
    transition.pending.push({ branch, progress: { kind: 'failed', failure } });
  }
}

const never = Number.POSITIVE_INFINITY;

function dueAt(waiting: Waiting): number {
  switch (waiting.kind) {
    case 'until':
    case 'retry':
      return waiting.at;
    case 'task':
      return Math.min(waiting.timeoutAt ?? never, waiting.heartbeatAt ?? never);
    case 'children':
      return never;
  }
}

function* waitingBranches(branch: Branch): Generator<Branch> {
  const { waiting } = branch;
  if (waiting === undefined) return;
  if (waiting.kind === 'children') for (const child of waiting.children.running.values()) yield* waitingBranches(child);
  else yield branch;
}
