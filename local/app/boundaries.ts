import type { Faults } from './faults';

/**
 * The places where a process can be lost: before and after each invocation, and before and after each record of the embedded
 * engine's journal is on disk. A list of them is kept once somebody asks for one. An entry with a `kind` is a fault that
 * hits the same place in another run, if it is ordered where this list was begun.
 */
export type Boundary =
  | { function: string; nth: number; at: 'before' | 'after' }
  /** `record` is the record's kind. */
  | { transition: number; record: string; at: 'before' | 'after' };

export interface Boundaries {
  /** Begins a list. */
  begin(): void;
  /** What was passed since, in order; nothing where no list was begun. */
  list(): Boundary[];
  /** An invocation begins; what it returns is called at its end. */
  invocation(functionName: string): () => void;
  /** A record is about to be written; what it returns, if anything, is called when it is on disk, before its effects. */
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

  /** Functions by their names, and the journal by none. */
  function count(what: string): number {
    const next = (counts.get(what) ?? 0) + 1;
    counts.set(what, next);
    return next;
  }
}
