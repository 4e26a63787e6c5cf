import type { State } from './state';

/** The states of a state machine, of a branch or of an item processor. */
export interface Block {
  readonly startAt: string;
  readonly states: ReadonlyMap<string, State>;
}

/** A state machine's definition, compiled once and shared by all its executions. */
export interface Program extends Block {
  readonly timeoutSeconds?: number;
}
