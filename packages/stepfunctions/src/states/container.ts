import type { Branch, Children, TaskWait } from '../execution/execution';
import type { Progress, State } from '../execution/state';
import type { Transition } from '../execution/transition';
import type { Failure } from '../language/errors';
import type { Json } from '../language/json';
import type { Steps } from '../language/steps';

/** A state with threads inside: Parallel and Map. The interpreter has removed the child from `running` when it calls. */
export interface ContainerState extends State {
  /** The child's output lies in `children.results`. */
  childSucceeded(transition: Transition, branch: Branch, children: Children, index: number): Steps<Progress>;
  /** A progress other than waiting makes the interpreter abort the other children. */
  childFailed(
    transition: Transition,
    branch: Branch,
    children: Children,
    index: number,
    failure: Failure,
  ): Steps<Progress>;
  /** Begins as many children as may run. */
  proceed?(transition: Transition, branch: Branch, children: Children): Steps<Progress>;
  /** The answer to a request of the state's own: what an item reader reads, or that a result has been written. */
  requestSucceeded?(transition: Transition, branch: Branch, output: Json, asked: TaskWait): Steps<Progress>;
  requestFailed?(transition: Transition, branch: Branch, failure: Failure, asked: TaskWait): Progress;
}

export const isContainer = (state: State): state is ContainerState => 'childSucceeded' in state;
