import { errorNames, type Failure } from '../language/errors';
import type { Json } from '../language/json';
import type { Steps } from '../language/steps';
import { isContainer } from '../states/container';
import type { Progress, StateType } from '../states/state';
import type { Branch, Outcome } from './execution';
import { failureOf } from './failure';
import { jsonText } from './history';
import type { Transition } from './transition';

/** A branch has reached its end: the execution's, or one of a container's children. */
export function* endBranch(transition: Transition, branch: Branch, output: Json): Steps<void> {
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

/** Nobody has caught the failure of the branch's present state. */
export function* failBranch(transition: Transition, branch: Branch, failure: Failure): Steps<void> {
  // "A States.Runtime error … always causes the execution to fail": no state around it has a say, or an event.
  if (branch.parent === undefined || (failure.error === errorNames.runtime && !branch.events.silent)) {
    transition.execution.root.previous = branch.previous;
    finish(transition, 'FAILED', failure);
    return;
  }
  const { branch: container, index } = branch.parent;
  if (container.waiting?.kind !== 'children' || !isContainer(container.state)) return;
  const { children } = container.waiting;
  children.running.delete(index);
  if (!branch.events.silent) container.previous = branch.previous;
  if (!children.tolerated) for (const sibling of children.running.values()) recordAbort(transition, sibling);
  yield* tellParent(
    transition,
    container,
    container.state.childFailed(transition, container, children, index, failure),
  );
}

/** The states that AWS says it has aborted, where a sibling's failure ends them. */
const abortable = new Set<StateType>(['Task', 'Wait', 'Parallel', 'Map']);

/** Such an event stands beside the chain: the next one does not follow it. */
function recordAbort(transition: Transition, branch: Branch): void {
  const { waiting, previous, state, parent } = branch;
  if (branch.events.silent || waiting === undefined) return;
  if (waiting.kind === 'children')
    for (const child of waiting.children.running.values()) recordAbort(transition, child);
  if (abortable.has(state.type)) transition.event(branch, `${state.type}StateAborted`);
  const container = parent?.branch.state;
  if (container?.type === 'Map') {
    transition.event(branch, 'MapIterationAborted', () => ({ name: container.name, index: parent!.index }));
  }
  branch.previous = previous;
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
