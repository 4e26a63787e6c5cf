import { errorNames, type Failure, StateFailure } from '../language/errors';
import { type Json, type JsonObject, longerThan } from '../language/json';
import type { Steps } from '../language/steps';
import { errorOutput, findCatcher } from '../states/catch';
import { isContainer } from '../states/container';
import type { StateOutput } from '../states/data-flow';
import { nextAttempt } from '../states/retry';
import { type Progress, waits } from '../states/state';
import type { Branch, Outcome } from './execution';
import { jsonText } from './history';
import { HistoryFull, type Transition } from './transition';

/** "Maximum input or output size for a task, state, or execution": 256 KiB of UTF-8 text. */
export const dataLimit = 262_144;

/** Takes every step that can be taken now; afterwards each branch waits or has ended. */
export function* settle(transition: Transition): Steps<void> {
  for (let next = transition.pending.shift(); next !== undefined; next = transition.pending.shift()) {
    if (transition.execution.outcome !== undefined || detached(next.branch)) continue;
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
    progress = yield* enterState(transition, branch);
  }
}

function* leave(
  transition: Transition,
  branch: Branch,
  progress: Progress,
): Steps<StateOutput & { next: string | undefined }> {
  if (progress.kind === 'output') return progress;
  const result = progress.kind === 'result' ? progress.result : undefined;
  const processed = yield* branch.state.flow.output(transition.scope(branch), result);
  if (longerThan(processed.output, dataLimit)) throw tooLarge(branch.state.name);
  return { ...processed, next: branch.state.next };
}

export const tooLarge = (what: string) =>
  new StateFailure(
    errorNames.dataLimitExceeded,
    `The state/task '${what}' returned a result with a size exceeding the maximum number of bytes service limit.`,
    { bare: true },
  );

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

/** A branch has reached its end: the execution's, or one of a container's children. */
function* endBranch(transition: Transition, branch: Branch, output: Json): Steps<void> {
  if (branch.parent === undefined) return finish(transition, 'SUCCEEDED', {}, jsonText(output));
  const { branch: container, index } = branch.parent;
  if (container.waiting?.kind !== 'children' || !isContainer(container.state)) return;
  const { children } = container.waiting;
  children.running.delete(index);
  children.results[index] = output;
  if (!branch.events.silent) container.previous = branch.previous;
  const { state } = container;
  yield* tellParent(transition, container, state.childSucceeded(transition, container, children, index));
}

/** What a container makes of a child's end; it goes on later in this transition. */
function* tellParent(transition: Transition, container: Branch, steps: Steps<Progress>): Steps<void> {
  let progress: Progress;
  try {
    progress = yield* steps;
  } catch (error) {
    progress = { kind: 'failed', failure: failureOf(container, error) };
  }
  if (progress.kind === 'waits') return;
  // Whatever else goes on inside is over now, not when the container's turn comes.
  release(transition, container);
  transition.pending.push({ branch: container, progress });
}

/** Retriers, then catchers, then whoever stands above. */
function* recover(transition: Transition, branch: Branch, failure: Failure): Steps<Progress> {
  const { state } = branch;
  release(transition, branch);
  if (failure.evaluation) {
    transition.event(branch, 'EvaluationFailed', () => ({
      state: state.name,
      ...(failure.error !== undefined && { error: failure.error }),
      ...(failure.cause !== undefined && { cause: failure.cause }),
      ...(failure.location !== undefined && { location: failure.location }),
    }));
    // A map whose items cannot be made has failed as a map; one whose output cannot be made has not.
    if (state.type === 'Map' && !/^(Output|Assign)/.test(failure.location ?? ''))
      transition.event(branch, 'MapStateFailed');
  }
  const delay =
    state.retriers.length === 0 ? undefined : nextAttempt(state.retriers, branch.attempts, failure, transition.random);
  if (delay !== undefined) {
    branch.waiting = { kind: 'retry', at: transition.time + delay };
    return waits;
  }
  const catcher = findCatcher(state.catchers, failure);
  if (catcher !== undefined) {
    try {
      const caught = yield* catcher.output(transition.scope(branch), errorOutput(failure));
      if (longerThan(caught.output, dataLimit)) throw tooLarge(state.name);
      return { kind: 'output', ...caught, next: catcher.next };
    } catch (error) {
      return yield* failBranch(transition, branch, failureOf(branch, error));
    }
  }
  return yield* failBranch(transition, branch, failure);
}

function* failBranch(transition: Transition, branch: Branch, failure: Failure): Steps<Progress> {
  if (branch.parent === undefined) {
    finish(transition, 'FAILED', failure);
    return waits;
  }
  const { branch: container, index } = branch.parent;
  if (container.waiting?.kind !== 'children' || !isContainer(container.state)) return waits;
  const { children } = container.waiting;
  children.running.delete(index);
  if (!branch.events.silent) container.previous = branch.previous;
  yield* tellParent(
    transition,
    container,
    container.state.childFailed(transition, container, children, index, failure),
  );
  return waits;
}

/** Lets go of what the branch's present state has under way. */
export function release(transition: Transition, branch: Branch): void {
  const { waiting } = branch;
  branch.waiting = undefined;
  if (waiting?.kind === 'task') {
    if (transition.execution.tasks.delete(waiting.task))
      transition.effects.push({ kind: 'cancel', task: waiting.task });
  } else if (waiting?.kind === 'children') {
    for (const child of waiting.children.running.values()) release(transition, child);
    waiting.children.running.clear();
  }
}

/** Ends the execution, whatever is still under way in it. */
export function finish(
  transition: Transition,
  status: Outcome['status'],
  { error, cause }: Failure,
  output?: string,
): void {
  const { execution, time } = transition;
  release(transition, execution.root);
  const type = {
    SUCCEEDED: 'ExecutionSucceeded',
    FAILED: 'ExecutionFailed',
    TIMED_OUT: 'ExecutionTimedOut',
    ABORTED: 'ExecutionAborted',
  }[status];
  transition.event(execution.root, type, () =>
    output !== undefined
      ? { output, outputDetails: { truncated: false } }
      : { ...(error !== undefined && { error }), ...(cause !== undefined && { cause }) },
  );
  execution.outcome = { status, time, output, error, cause };
  transition.effects.push({ kind: 'finished', outcome: execution.outcome });
}

/** Turns what a state threw into its failure; what is no failure of a state is a defect of the engine and is thrown on. */
export function failureOf(branch: Branch, error: unknown): Failure {
  if (!(error instanceof StateFailure) || error instanceof HistoryFull) throw error;
  const { location, evaluation, bare } = error.options;
  const where = `An error occurred while executing the state '${branch.state.name}' (entered at the event id #${branch.entered}). `;
  return { error: error.error, cause: (bare ? '' : where) + error.detail, location, evaluation };
}
