import type { Branch, Execution, Identity, TaskWait } from '../execution/execution';
import { dataLimit, failureOf } from '../execution/failure';
import type { HistorySink } from '../execution/history';
import type { Limits } from '../execution/map-run';
import type { Program } from '../execution/program';
import type { Progress } from '../execution/state';
import { type Effect, Transition } from '../execution/transition';
import { bounded, errorNames, type Failure, StateFailure } from '../language/errors';
import { type Json, type JsonObject, longerThan, parseJson } from '../language/json';
import type { Stops } from '../language/jsonata/evaluator';
import type { Steps } from '../language/steps';
import { isContainer } from '../states/container';
import { isTask } from '../states/task/task';
import { ringAlarms } from './alarms';
import { finish } from './endings';
import { settle } from './interpreter';
import { redrive } from './redrive';
import { updateMapRun } from './update-map-run';

/** Everything that can happen to an execution. These, in order, are all that is ever kept of it: the rest follows. */
/**
 * `stopped`: which evaluations were stopped, where it has happened before. `deleted`: the state machine is being deleted,
 * so that the execution ends where it would go on.
 */
export type Input = Happened & { stopped?: Stops; deleted?: true };

type Happened =
  | { kind: 'succeeded'; task: number; output: Json }
  /** `call`: the service has not taken the task on. */
  | { kind: 'failed'; task: number; error?: string; cause?: string; call?: true }
  /** The service has taken on a task that waits for its token or for a job. */
  | { kind: 'submitted'; task: number; output: Json }
  /** An activity's task has found its activity. */
  | { kind: 'scheduled'; task: number }
  /** A worker has taken an activity's task. */
  | { kind: 'started'; task: number; worker?: string }
  | { kind: 'heartbeat'; task: number }
  /** A time that the execution waited for has come. */
  | { kind: 'alarm' }
  | { kind: 'stop'; error?: string; cause?: string }
  | { kind: 'redrive' }
  /** A run of a distributed map has other limits from now on. */
  | { kind: 'mapRun'; arn: string; limits: Limits }
  /** The engine cannot go on with it: a defect, which must not take the other executions along. */
  | { kind: 'abandon'; cause: string };

/**
 * Starts an execution, and returns what the world has to do about it. `variables` are those that it has from the beginning:
 * none, but in a test of a single state.
 *
 * @example
 * ```ts
 * import { compileProgram, driveAtOnce, start } from 'vigil-stepfunctions/interpreter';
 *
 * const pay = { Type: 'Task', Resource: 'arn:aws:lambda:us-east-1:123456789012:function:pay', End: true };
 * const program = compileProgram({ StartAt: 'Pay', States: { Pay: pay } });
 * const at = Date.parse('2030-01-07T09:00:00Z');
 * const ids = { arn: 'arn', name: 'one', stateMachineArn: 'arn', stateMachineName: 'machine', roleArn: 'role' };
 * const identity = { ...ids, serial: 1, region: 'us-east-1', input: '{}', startTime: at, seed: 'seed' };
 * const { effects } = driveAtOnce(start(program, identity));
 * effects.map(({ kind }) => kind); // → ['dispatch']
 * ```
 */
export function* start(
  program: Program,
  identity: Identity,
  history?: HistorySink,
  variables: JsonObject = {},
): Steps<{ execution: Execution; effects: Effect[] }> {
  const events = { last: 0, silent: false };
  const root: Branch = {
    block: program,
    events,
    item: identity.item,
    variables: { values: variables },
    state: program.states.get(program.startAt)!,
    input: parseJson(identity.input),
    previous: 0,
    entered: 0,
    enteredTime: 0,
    attempts: [],
  };
  const execution: Execution = {
    identity,
    program,
    events,
    root,
    lastId: 0,
    tasks: new Map(),
    time: identity.startTime,
    timeoutAt: timeoutOf(program, identity),
    redriveCount: 0,
    mapRuns: [],
  };
  const transition = new Transition(execution, identity.startTime, history, identity.stopped);
  transition.event(root, 'ExecutionStarted', () => ({
    input: identity.input,
    inputDetails: { truncated: false },
    roleArn: identity.roleArn,
    ...(identity.versionArn !== undefined && { stateMachineVersionArn: identity.versionArn }),
    ...(identity.aliasArn !== undefined && { stateMachineAliasArn: identity.aliasArn }),
  }));
  // The first state's entry follows no event, says AWS's history.
  root.previous = 0;
  transition.pending.push({ branch: root, progress: 'enter' });
  yield* settle(transition);
  execution.stopped = transition.stopped;
  return { execution, effects: transition.effects };
}

/** "Maximum execution time: five minutes", of an Express execution. */
const longestExpress = 300;

function timeoutOf({ timeoutSeconds }: Program, { startTime, express }: Identity): number | undefined {
  const seconds = express ? Math.min(timeoutSeconds ?? longestExpress, longestExpress) : timeoutSeconds;
  return seconds === undefined ? undefined : startTime + seconds * 1000;
}

/**
 * Whether the input still concerns the execution: a late answer, or one to a task that has timed out, does not.
 *
 * @example
 * ```ts
 * import { applies, compileProgram, driveAtOnce, start } from 'vigil-stepfunctions/interpreter';
 *
 * const pay = { Type: 'Task', Resource: 'arn:aws:lambda:us-east-1:123456789012:function:pay', End: true };
 * const program = compileProgram({ StartAt: 'Pay', States: { Pay: pay } });
 * const at = Date.parse('2030-01-07T09:00:00Z');
 * const ids = { arn: 'arn', name: 'one', stateMachineArn: 'arn', stateMachineName: 'machine', roleArn: 'role' };
 * const identity = { ...ids, serial: 1, region: 'us-east-1', input: '{}', startTime: at, seed: 'seed' };
 * const { execution } = driveAtOnce(start(program, identity));
 * applies(execution, { kind: 'succeeded', task: 1, output: null }); // → true
 * applies(execution, { kind: 'succeeded', task: 7, output: null }); // → false
 * ```
 */
export function applies(execution: Execution, input: Input): boolean {
  if (input.kind === 'redrive')
    return !input.deleted && execution.outcome !== undefined && execution.outcome.status !== 'SUCCEEDED';
  if (execution.outcome !== undefined) return false;
  if (!('task' in input)) return true;
  const waiting = execution.tasks.get(input.task)?.waiting;
  // Told again after a restart, it is nothing new.
  if (input.kind === 'scheduled') return waiting?.kind === 'task' && waiting.scheduled === false;
  return waiting !== undefined;
}

/**
 * Lets something happen to an execution, which changes in place; returns what the world has to do about it. `time` is in
 * milliseconds since the epoch.
 *
 * @example
 * ```ts
 * import { apply, compileProgram, driveAtOnce, start } from 'vigil-stepfunctions/interpreter';
 *
 * const pay = { Type: 'Task', Resource: 'arn:aws:lambda:us-east-1:123456789012:function:pay', End: true };
 * const program = compileProgram({ StartAt: 'Pay', States: { Pay: pay } });
 * const at = Date.parse('2030-01-07T09:00:00Z');
 * const ids = { arn: 'arn', name: 'one', stateMachineArn: 'arn', stateMachineName: 'machine', roleArn: 'role' };
 * const identity = { ...ids, serial: 1, region: 'us-east-1', input: '{}', startTime: at, seed: 'seed' };
 * const { execution } = driveAtOnce(start(program, identity));
 * driveAtOnce(apply(execution, { kind: 'succeeded', task: 1, output: { paid: true } }, at + 1_000));
 * execution.outcome?.output; // → '{"paid":true}'
 * ```
 */
export function* apply(execution: Execution, input: Input, time: number, history?: HistorySink): Steps<Effect[]> {
  const transition = new Transition(execution, time, history, input.stopped, input.deleted);
  execution.time = time;
  const branch = 'task' in input ? execution.tasks.get(input.task) : undefined;
  if (branch?.waiting?.kind === 'task') {
    const progress = yield* taskInput(transition, branch, branch.waiting, input);
    if (progress !== undefined) transition.pending.push({ branch, progress });
  } else if (input.kind === 'alarm') yield* ringAlarms(transition);
  else if (input.kind === 'stop') finish(transition, 'ABORTED', input);
  else if (input.kind === 'redrive') redrive(transition);
  else if (input.kind === 'mapRun') yield* updateMapRun(transition, input.arn, input.limits);
  else if (input.kind === 'abandon') finish(transition, 'FAILED', { error: errorNames.runtime, cause: input.cause });
  yield* settle(transition);
  execution.stopped = transition.stopped;
  return transition.effects;
}

/** Undefined where the task goes on as before. */
function* taskInput(
  transition: Transition,
  branch: Branch,
  waiting: TaskWait,
  input: Input,
): Steps<Progress | undefined> {
  const { state } = branch;
  const events = isTask(state) ? state.events : undefined;
  switch (input.kind) {
    case 'heartbeat':
      beat(transition, waiting);
      return undefined;
    case 'scheduled':
      schedule(transition, branch, waiting);
      return undefined;
    case 'started':
      // An older engine's journal does not say that it was scheduled.
      if (waiting.scheduled === false) schedule(transition, branch, waiting);
      waiting.started = true;
      beat(transition, waiting);
      events?.started(transition, branch, input.worker);
      return undefined;
    case 'submitted':
      waiting.submitted = input.output;
      events?.submitted(transition, branch, input.output);
      return undefined;
    case 'succeeded':
      transition.execution.tasks.delete(waiting.task);
      branch.waiting = undefined;
      return yield* succeeded(transition, branch, input.output, waiting);
    case 'failed': {
      transition.execution.tasks.delete(waiting.task);
      branch.waiting = undefined;
      const failure = bounded({ error: input.error, cause: input.cause });
      if (isContainer(state) && state.requestFailed) return state.requestFailed(transition, branch, failure, waiting);
      // What was never scheduled is a fault of the state, not of a task.
      if (waiting.scheduled === false)
        return {
          kind: 'failed',
          failure: failureOf(branch, new StateFailure(String(input.error), String(input.cause))),
        };
      if (input.call && waiting.submitted === undefined) events?.notSubmitted(transition, branch, failure);
      else events?.failed(transition, branch, failure);
      return { kind: 'failed', failure };
    }
    default:
      return undefined;
  }
}

/** The next heartbeat is awaited from now on. */
function beat({ time }: Transition, waiting: TaskWait): void {
  const { heartbeatSeconds } = waiting.request;
  if (heartbeatSeconds !== undefined) waiting.heartbeatAt = time + heartbeatSeconds * 1000;
}

function schedule(transition: Transition, branch: Branch, waiting: TaskWait): void {
  waiting.scheduled = true;
  if (isTask(branch.state)) branch.state.events.scheduled(transition, branch, waiting.request);
}

function* succeeded(transition: Transition, branch: Branch, output: Json, asked: TaskWait): Steps<Progress> {
  const { state } = branch;
  if (isTask(state)) {
    if (!longerThan(output, dataLimit)) {
      state.events.succeeded(transition, branch, output);
      return { kind: 'result', result: output };
    }
    const { kind, service, arn } = state.resource;
    const failure: Failure = {
      error: errorNames.dataLimitExceeded,
      cause: `The state/task '${kind === 'service' ? service : arn}' returned a result with a size exceeding the maximum number of bytes service limit.`,
    };
    state.events.failed(transition, branch, failure);
    return { kind: 'failed', failure };
  }
  if (!isContainer(state) || !state.requestSucceeded) throw new Error(`State ${state.name} asked for nothing`);
  try {
    return yield* state.requestSucceeded(transition, branch, output, asked);
  } catch (error) {
    const failure = failureOf(branch, error);
    if (failure.error === errorNames.itemReaderFailed && state.requestFailed)
      return state.requestFailed(transition, branch, failure, asked);
    return { kind: 'failed', failure };
  }
}
