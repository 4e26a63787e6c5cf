import { errorOutput, findCatcher } from '../execution/catch';
import type { StateOutput } from '../execution/data-flow';
import type { Branch } from '../execution/execution';
import { dataLimit, failureOf, tooLarge } from '../execution/failure';
import { nextAttempt } from '../execution/retry';
import { type Progress, waits } from '../execution/state';
import { HistoryFull, type Transition } from '../execution/transition';
import { errorNames, type Failure } from '../language/errors';
import { type JsonObject, jsonText, longerThan } from '../language/json';
import { breathe, type Steps } from '../language/steps';
import { endBranch, failBranch, finish, recordAborts, release } from './endings';

/** Takes every step that can be taken now; afterwards each branch waits or has ended. */
export function* settle(transition: Transition): Steps<void> {
  const { execution, deleted, pending } = transition;
  if (deleted && pending.length > 0 && execution.outcome === undefined) {
    const cause = `State machine ${execution.identity.stateMachineName} has been deleted.`;
    finish(transition, 'FAILED', { error: errorNames.runtime, cause });
  }
  for (let next = transition.pending.shift(); next !== undefined; next = transition.pending.shift()) {
    if (transition.execution.outcome !== undefined || detached(next.branch)) continue;
    yield* breathe();
    try {
      yield* advance(
        transition,
        next.branch,
        next.progress === 'enter' ? yield* enterState(transition, next.branch) : next.progress,
      );
    } catch (error) {
      if (!(error instanceof HistoryFull)) throw error;
      finish(transition, 'FAILED', { error: error.error, cause: error.detail });
    }
  }
}

/** A branch whose container has gone on without it. */
function detached(branch: Branch): boolean {
  for (let each: Branch = branch; each.parent !== undefined; each = each.parent.branch) {
    const { waiting } = each.parent.branch;
    if (waiting?.kind !== 'children' || waiting.children.running.get(each.parent.index) !== each) return true;
  }
  return false;
}

function* enterState(transition: Transition, branch: Branch): Steps<Progress> {
  const { state } = branch;
  branch.attempts = [];
  branch.enteredTime = transition.time;
  branch.entered = transition.event(branch, `${state.type}StateEntered`, () => ({
    name: state.name,
    input: jsonText(branch.input),
    inputDetails: { truncated: false },
  }));
  return yield* work(transition, branch);
}

/** Begins the present state's work: after its entry, and once more after each back-off. */
export function* work(transition: Transition, branch: Branch): Steps<Progress> {
  branch.waiting = undefined;
  branch.kept = undefined;
  branch.mapRun = undefined;
  try {
    return yield* branch.state.enter(transition, branch);
  } catch (error) {
    return { kind: 'failed', failure: failureOf(branch, error) };
  }
}

/** Goes on from what a state came to, through as many states as do not wait. */
function* advance(transition: Transition, branch: Branch, from: Progress): Steps<void> {
  let progress = from;
  while (progress.kind !== 'waits') {
    if (progress.kind === 'failed') {
      progress = yield* recover(transition, branch, progress.failure);
      continue;
    }
    let leaving: StateOutput & { next: string | undefined };
    try {
      leaving = yield* leave(transition, branch, progress);
    } catch (error) {
      progress = { kind: 'failed', failure: failureOf(branch, error) };
      continue;
    }
    exitState(transition, branch, leaving);
    if (leaving.next === undefined) return yield* endBranch(transition, branch, leaving.output);
    branch.state = branch.block.states.get(leaving.next)!;
    branch.input = leaving.output;
    yield* breathe();
    progress = yield* enterState(transition, branch);
  }
}

function* leave(
  transition: Transition,
  branch: Branch,
  progress: Progress,
): Steps<StateOutput & { next: string | undefined }> {
  const result = progress.kind === 'result' ? progress.result : undefined;
  const leaving =
    progress.kind === 'output'
      ? progress
      : { ...(yield* branch.state.flow.output(transition.scope(branch), result)), next: branch.state.next };
  if (longerThan(leaving.output, dataLimit)) throw tooLarge(branch.state.name);
  return leaving;
}

function exitState(transition: Transition, branch: Branch, { output, assigned }: StateOutput): void {
  branch.waiting = undefined;
  transition.event(branch, `${branch.state.type}StateExited`, () => ({
    name: branch.state.name,
    output: jsonText(output),
    outputDetails: { truncated: false },
    ...(assigned && { assignedVariables: assignedTexts(assigned), assignedVariablesDetails: { truncated: false } }),
  }));
  if (assigned) branch.variables.values = { ...branch.variables.values, ...assigned };
}

const assignedTexts = (assigned: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(assigned).map(([name, value]) => [name, jsonText(value)]));

/** A Map or Parallel state that has failed says so, unless by a States.Runtime error, which ends the execution at once. */
function recordFailure(transition: Transition, branch: Branch, { error }: Failure): void {
  if (error === errorNames.runtime || (branch.state.type !== 'Map' && branch.state.type !== 'Parallel')) return;
  transition.event(branch, `${branch.state.type}StateFailed`);
}

/** A JSONata expression that has failed has an event of its own. */
function recordEvaluation(transition: Transition, branch: Branch, failure: Failure): void {
  const { error, cause, location } = failure;
  if (!failure.evaluation) return;
  transition.event(branch, 'EvaluationFailed', () => ({
    state: branch.state.name,
    ...(error !== undefined && { error }),
    ...(cause !== undefined && { cause }),
    ...(location !== undefined && { location }),
  }));
}

/** Retriers, then catchers, then the state around it. */
function* recover(transition: Transition, branch: Branch, failure: Failure): Steps<Progress> {
  const { state } = branch;
  branch.failure = failure;
  recordEvaluation(transition, branch, failure);
  recordAborts(transition, branch, failure);
  release(transition, branch);
  const delay =
    state.retriers.length === 0 ? undefined : nextAttempt(state.retriers, branch.attempts, failure, transition.random);
  if (delay !== undefined) {
    branch.waiting = { kind: 'retry', at: transition.time + delay };
    return waits;
  }
  const { previous } = branch;
  recordFailure(transition, branch, failure);
  const catcher = findCatcher(state.catchers, failure);
  if (catcher !== undefined) {
    try {
      const caught = yield* catcher.output(transition.scope(branch), errorOutput(failure));
      if (longerThan(caught.output, dataLimit)) throw tooLarge(state.name);
      return { kind: 'output', ...caught, next: catcher.next };
    } catch (error) {
      // The state fails once more, by its catcher.
      const inCatcher = failureOf(branch, error);
      branch.previous = previous;
      recordEvaluation(transition, branch, inCatcher);
      recordFailure(transition, branch, inCatcher);
      yield* failBranch(transition, branch, inCatcher);
      return waits;
    }
  }
  yield* failBranch(transition, branch, failure);
  return waits;
}
