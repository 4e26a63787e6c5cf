import type { Failure } from '../language/errors';
import type { Json } from '../language/json';
import type { Steps } from '../language/steps';
import type { Catcher } from './catch';
import type { DataFlow, StateOutput } from './data-flow';
import type { Branch } from './execution';
import type { Retrier } from './retry';
import type { Transition } from './transition';

export type StateType = 'Pass' | 'Task' | 'Choice' | 'Wait' | 'Succeed' | 'Fail' | 'Parallel' | 'Map';

/** The result of entering a state, or of continuing in it. */
export type Progress =
  /** The state has its result; output processing follows. */
  | { kind: 'result'; result: Json | undefined }
  /** The state has decided its output and successor itself. */
  | ({ kind: 'output'; next: string | undefined } & StateOutput)
  /** The state failed on purpose. */
  | { kind: 'failed'; failure: Failure }
  /** The branch waits; the state has noted for what. */
  | { kind: 'waits' };

/** A state, compiled. What it does stands in the file of its type. */
export interface State {
  readonly name: string;
  readonly type: StateType;
  /** The state that follows; undefined ends the branch. */
  readonly next: string | undefined;
  readonly flow: DataFlow;
  readonly retriers: readonly Retrier[];
  readonly catchers: readonly Catcher[];
  /** Begins the state's work, also again after a retry. */
  enter(transition: Transition, branch: Branch): Steps<Progress>;
}

export const waits: Progress = { kind: 'waits' };
