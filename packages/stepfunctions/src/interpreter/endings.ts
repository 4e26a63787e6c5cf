import type { Branch, Outcome } from '../execution/execution';
import { failureOf } from '../execution/failure';
import type { EventDetails } from '../execution/history';
import { endRun } from '../execution/map-run';
import type { Progress, StateType } from '../execution/state';
import type { Transition } from '../execution/transition';
import { errorNames, type Failure, handedUp } from '../language/errors';
import { type Json, jsonText } from '../language/json';
import type { Steps } from '../language/steps';
import { isContainer } from '../states/container';
import { keep } from './redrive';

/** A branch has reached its end: the execution's, or one of a container's children. */
export function* endBranch(transition: Transition, branch: Branch, output: Json): Steps<void> {
  if (branch.parent === undefined) return finish(transition, 'SUCCEEDED', {}, jsonText(output));
  const { branch: container, index } = branch.parent;
  if (container.waiting?.kind !== 'children' || !isContainer(container.state)) return;
  const { children } = container.waiting;
  children.running.delete(index);
  children.results[index] = output;
  if (branch.events !== container.events)
    transition.event(branch, 'ExecutionSucceeded', () => ({
      output: jsonText(output),
      outputDetails: { truncated: false },
    }));
  if (branch.events === container.events) container.previous = branch.previous;
  const { state } = container;
  yield* tellParent(transition, container, state.childSucceeded(transition, container, children, index));
}

/** Handles a child's end in its container, which continues later in this transition. */
export function* tellParent(transition: Transition, container: Branch, steps: Steps<Progress>): Steps<void> {
  let progress: Progress;
  try {
    progress = yield* steps;
  } catch (error) {
    progress = { kind: 'failed', failure: failureOf(container, error) };
  }
  if (progress.kind === 'waits') return;
  if (progress.kind === 'failed') {
    keep(container);
    recordAborts(transition, container, progress.failure);
  }
  // Whatever else goes on inside is over now, not when the container's turn comes.
  release(transition, container);
  transition.pending.push({ branch: container, progress });
}

/** Nobody has caught the failure of the branch's present state. */
export function* failBranch(transition: Transition, failed: Branch, failure: Failure): Steps<void> {
  // "A States.Runtime error … always causes the execution to fail": no state around it has a say, or an event.
  const branch = failure.error === errorNames.runtime ? rootOf(failed) : failed;
  if (branch.parent === undefined) {
    finish(transition, 'FAILED', failure);
    return;
  }
  if (branch !== failed) {
    keep(branch);
    release(transition, branch);
  }
  const { branch: container, index } = branch.parent;
  if (container.waiting?.kind !== 'children' || !isContainer(container.state)) return;
  const { children } = container.waiting;
  const child = branch.events !== container.events;
  children.running.delete(index);
  children.lost ??= new Map();
  children.lost.set(index, branch);
  if (child) {
    branch.previous = branch.events.last;
    transition.event(branch, 'ExecutionFailed', () => reasonOf(failure));
  } else container.previous = branch.previous;
  const { state } = container;
  const goesOn = state.childFailed(transition, container, children, index, handedUp(failure));
  yield* tellParent(transition, container, goesOn);
  // AWS says that it aborts the task whose failure has ended its branch, too.
  if (branch.state.type === 'Task' && container.waiting === undefined && !child)
    recordStateAbort(transition, branch, branch.previous);
}

/** The branch that is the whole execution, or a distributed map's child execution, that this one belongs to. */
function rootOf(branch: Branch): Branch {
  let root = branch;
  while (root.parent !== undefined && root.parent.branch.events === root.events) root = root.parent.branch;
  return root;
}

const reasonOf = ({ error, cause }: Failure): EventDetails => ({
  ...(error !== undefined && { error }),
  ...(cause !== undefined && { cause }),
});

/** The states that AWS says it has aborted, where a sibling's failure ends them. */
const abortable = new Set<StateType>(['Task', 'Wait', 'Parallel', 'Map']);

/** Tells of what else runs inside a state that fails. A States.Runtime error ends the execution, which tells of nothing. */
export function recordAborts(transition: Transition, container: Branch, failure: Failure): void {
  if (failure.error === errorNames.runtime || container.waiting?.kind !== 'children') return;
  for (const each of container.waiting.children.running.values()) recordAbort(transition, each, container.previous);
}

/** Such events follow the failure that is the reason, and nothing follows them. */
function recordAbort(transition: Transition, branch: Branch, reason: number): void {
  const { waiting, parent } = branch;
  // A distributed map's children are told of by its run.
  if (parent && branch.events !== parent.branch.events) return;
  const container = parent?.branch.state;
  branch.previous = reason;
  if (container?.type === 'Map')
    transition.event(branch, 'MapIterationAborted', () => ({ name: container.name, index: parent!.index }));
  // It has not entered its first state yet.
  if (waiting === undefined) return;
  if (waiting.kind === 'children')
    for (const child of waiting.children.running.values()) recordAbort(transition, child, reason);
  recordStateAbort(transition, branch, reason);
}

function recordStateAbort(transition: Transition, branch: Branch, reason: number): void {
  branch.previous = reason;
  if (branch.mapRun?.status === 'RUNNING') transition.event(branch, 'MapRunAborted');
  if (abortable.has(branch.state.type)) transition.event(branch, `${branch.state.type}StateAborted`);
}

/** Lets go of what the branch's present state has under way. */
export function release(transition: Transition, branch: Branch): void {
  const { waiting } = branch;
  branch.waiting = undefined;
  if (branch.mapRun?.status === 'RUNNING') endRun(branch.mapRun, 'ABORTED', transition.time);
  if (waiting?.kind === 'task') {
    if (transition.execution.tasks.delete(waiting.task))
      transition.effects.push({ kind: 'cancel', task: waiting.task });
  } else if (waiting?.kind === 'children') {
    for (const child of waiting.children.running.values()) {
      release(transition, child);
      if (child.events !== branch.events) transition.event(child, 'ExecutionAborted', () => ({}));
    }
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
  if (status !== 'SUCCEEDED') keep(execution.root);
  release(transition, execution.root);
  const type = {
    SUCCEEDED: 'ExecutionSucceeded',
    FAILED: 'ExecutionFailed',
    TIMED_OUT: 'ExecutionTimedOut',
    ABORTED: 'ExecutionAborted',
  }[status];
  // A failure follows whatever was last; what comes from outside follows no event, says AWS's history.
  if (status !== 'SUCCEEDED') execution.root.previous = status === 'FAILED' ? execution.events.last : 0;
  transition.event(execution.root, type, () =>
    output !== undefined ? { output, outputDetails: { truncated: false } } : reasonOf({ error, cause }),
  );
  execution.outcome = { status, time, output, error, cause };
  transition.effects.push({ kind: 'finished', outcome: execution.outcome });
}
