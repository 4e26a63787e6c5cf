/**
 * Faults on demand, to see that nothing is lost or done twice. `at` says when the invocation is hit:
 *
 * - `before`: the handler never runs. `after`: it runs to its end, and its answer is lost.
 * - a number: the worker is killed that many (real) milliseconds into the invocation.
 * - `now`: the workers that are at work on this function are killed at once. It hits no later invocation.
 *
 * `kind` says what the caller is told: the worker crashed, the handler threw, Lambda throttled, the time was up. With `kill` the
 * whole local cloud dies as by kill -9, and nobody is told anything.
 */
export const faultKinds = ['crash', 'error', 'throttle', 'timeout', 'kill'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** A fault of a function. */
export interface Fault {
  function: string;
  kind: FaultKind;
  at: 'before' | 'after' | 'now' | number;
  /** Which invocation from now on is the first that it hits. */
  nth: number;
  /** How many invocations it hits, one after the other. */
  times: number;
}

/** The local cloud dies at a record of the embedded engine's journal: before it is on disk, or after, with its effects not out. */
export interface TransitionFault {
  /** Which record from now on. */
  transition: number;
  kind: 'kill';
  at: 'before' | 'after';
}

export interface Faults {
  /** Checks what came over the wire; throws `InvalidFault`. One that hits `now` is passed on, and not kept. */
  add(fault: unknown): Fault | TransitionFault;
  list(): (Fault | TransitionFault)[];
  clear(): void;
  /** The fault that the next invocation of this function meets, if one is ordered. */
  take(functionName: string): Fault | undefined;
  /** The fault that the next record of the journal meets. */
  takeTransition(): TransitionFault | undefined;
  /** Ends the process that the local cloud runs in, with no chance to finish anything. */
  die(): void;
}

/** Names the field and what is allowed in it. */
export class InvalidFault extends Error {
  override name = 'InvalidFault';
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

const maxCount = 10_000;
const maxMilliseconds = 900_000;

export interface FaultsOptions {
  /** A function's own name by whatever a person calls it. */
  find: (name: string) => string | undefined;
  /** What they may call the functions. */
  names: () => string[];
  die?: () => void;
  /** Kills the workers that are at work on a function. */
  crash?: (functionName: string) => void;
}

export function orderFaults({ find, names, die = killThisProcess, crash }: FaultsOptions): Faults {
  let ordered: Fault[] = [];
  let transitions: TransitionFault[] = [];

  return {
    add(input) {
      const given = (typeof input === 'object' && input !== null ? input : {}) as Record<string, unknown>;
      if ('transition' in given) {
        const fault = transitionOf(given);
        transitions.push(fault);
        return { ...fault };
      }
      const fault: Fault = {
        function: functionOf(given.function),
        kind: kindOf(given.kind),
        at: momentOf(given.at),
        nth: countOf('nth', given.nth),
        times: countOf('times', given.times),
      };
      if (fault.at !== 'now') ordered.push(fault);
      else if (fault.kind === 'crash') crash?.(fault.function);
      else throw new InvalidFault('kind', 'kind must be "crash" for what is to happen now.');
      return { ...fault };
    },
    list: () => [...ordered, ...transitions].map((fault) => ({ ...fault })),
    clear() {
      ordered = [];
      transitions = [];
    },
    take(functionName) {
      const mine = ordered.filter((one) => one.function === functionName);
      const fault = mine.find(({ nth }) => nth === 1);
      for (const later of mine) if (later.nth > 1) later.nth -= 1;
      if (!fault) return undefined;
      fault.times -= 1;
      if (fault.times === 0) ordered = ordered.filter((one) => one !== fault);
      return fault;
    },
    takeTransition() {
      // Asked for each record of the journal, nearly always in vain.
      if (!transitions.length) return undefined;
      const fault = transitions.find(({ transition }) => transition === 1);
      transitions = transitions.filter((one) => one !== fault);
      for (const later of transitions) if (later.transition > 1) later.transition -= 1;
      return fault;
    },
    die,
  };

  function functionOf(value: unknown): string {
    const found = typeof value === 'string' ? find(value) : undefined;
    if (found) return found;
    throw new InvalidFault('function', `function must be one of: ${names().join(', ')}.`);
  }
}

function kindOf(value: unknown): FaultKind {
  const kind = faultKinds.find((one) => one === value);
  if (kind) return kind;
  throw new InvalidFault('kind', `kind must be one of: ${faultKinds.join(', ')}.`);
}

function momentOf(value: unknown = 'before'): Fault['at'] {
  if (value === 'before' || value === 'after' || value === 'now') return value;
  if (typeof value === 'number' && value >= 0 && value <= maxMilliseconds) return value;
  throw new InvalidFault('at', `at must be "before", "after", "now", or milliseconds from 0 to ${maxMilliseconds}.`);
}

function countOf(field: string, value: unknown = 1): number {
  if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= maxCount) return Number(value);
  throw new InvalidFault(field, `${field} must be a whole number from 1 to ${maxCount}.`);
}

function transitionOf({ transition, kind, at = 'before' }: Record<string, unknown>): TransitionFault {
  if (kind !== 'kill') throw new InvalidFault('kind', 'kind must be "kill" for a transition.');
  if (at !== 'before' && at !== 'after')
    throw new InvalidFault('at', 'at must be "before" or "after" for a transition.');
  return { transition: countOf('transition', transition), kind, at };
}

/** No handler runs and no buffer is written. */
function killThisProcess(): void {
  process.kill(process.pid, 'SIGKILL');
}
