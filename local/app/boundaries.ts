import type { Faults } from './faults';

/**
 * Records the boundaries at which a process can be lost: before and after each invocation, and before and after each
 * record of the embedded engine's journal is on disk. Recording begins on request. A boundary with a `kind` added is a
 * fault that hits the same place in another run, if it is ordered where the recording began.
 */
export type Boundary =
  | { function: string; nth: number; at: 'before' | 'after' }
  /** `record` is the kind of the record. */
  | { transition: number; record: string; at: 'before' | 'after' };

export interface Boundaries {
  /** Begins a new list. */
  begin(): void;
  /** Returns the boundaries passed since `begin`, in order; empty without a `begin`. */
  list(): Boundary[];
  /** Marks the start of an invocation. Call the returned function at its end. */
  invocation(functionName: string): () => void;
  /**
   * Marks a record that is about to be written. Call the returned function, if there is one, when the record is on
   * disk, before its effects.
   */
  transition(record: string): (() => void) | undefined;
}

const nothing = () => undefined;

export function watchBoundaries(faults: Pick<Faults, 'takeTransition' | 'die'>): Boundaries {
  let passed: Boundary[] | undefined;
  let counts = new Map<string, number>();

  return {
    begin() {
      passed = [];
      counts = new Map();
    },
    list: () => [...(passed ?? [])],
    invocation(functionName) {
      const list = passed;
      if (!list) return nothing;
      const nth = count(functionName);
      list.push({ function: functionName, nth, at: 'before' });
      return () => void list.push({ function: functionName, nth, at: 'after' });
    },
    transition(record) {
      const fault = faults.takeTransition();
      if (fault?.at === 'before') faults.die();
      const list = passed;
      if (!list) return fault?.at === 'after' ? faults.die : undefined;
      const transition = count('');
      list.push({ transition, record, at: 'before' });
      return () => {
        list.push({ transition, record, at: 'after' });
        if (fault?.at === 'after') faults.die();
      };
    },
  };

  /** Counts functions by name, and journal records under ''. */
  function count(what: string): number {
    const next = (counts.get(what) ?? 0) + 1;
    counts.set(what, next);
    return next;
  }
}
