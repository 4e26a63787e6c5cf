/**
 * Faults on demand, to see that nothing is lost or done twice. `at` says when the invocation is hit:
 *
 * - `before`: the handler never runs. `after`: it runs to its end, and its answer is lost.
 * - a number: the worker is killed that many (real) milliseconds into the invocation.
 *
 * `kind` says what the caller is told: the worker crashed, the handler threw, Lambda throttled, the time was up.
 */
export const FAULT_KINDS = ['crash', 'error', 'throttle', 'timeout'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  function: string;
  kind: FaultKind;
  at: 'before' | 'after' | number;
  /** How many more invocations it hits. */
  times: number;
}

export interface Faults {
  /** Checks what came over the wire; throws `InvalidFault`. */
  add(fault: unknown): Fault;
  list(): Fault[];
  clear(): void;
  /** The fault that the next invocation of this function meets, if one is ordered. */
  take(functionName: string): Fault | undefined;
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

const MAX_TIMES = 10_000;
const MAX_MILLISECONDS = 900_000;

/** `find` gives a function's own name by whatever a person calls it; `names` lists what they may call it. */
export function orderFaults(find: (name: string) => string | undefined, names: () => string[]): Faults {
  let ordered: Fault[] = [];

  return {
    add(input) {
      const given = (typeof input === 'object' && input !== null ? input : {}) as Record<string, unknown>;
      const fault: Fault = {
        function: functionOf(given.function),
        kind: kindOf(given.kind),
        at: momentOf(given.at),
        times: timesOf(given.times),
      };
      ordered.push(fault);
      return { ...fault };
    },
    list: () => ordered.map((fault) => ({ ...fault })),
    clear() {
      ordered = [];
    },
    take(functionName) {
      const fault = ordered.find((one) => one.function === functionName);
      if (!fault) return undefined;
      fault.times -= 1;
      if (fault.times === 0) ordered = ordered.filter((one) => one !== fault);
      return fault;
    },
  };

  function functionOf(value: unknown): string {
    const found = typeof value === 'string' ? find(value) : undefined;
    if (found) return found;
    throw new InvalidFault('function', `function must be one of: ${names().join(', ')}.`);
  }
}

function kindOf(value: unknown): FaultKind {
  const kind = FAULT_KINDS.find((one) => one === value);
  if (kind) return kind;
  throw new InvalidFault('kind', `kind must be one of: ${FAULT_KINDS.join(', ')}.`);
}

function momentOf(value: unknown = 'before'): Fault['at'] {
  if (value === 'before' || value === 'after') return value;
  if (typeof value === 'number' && value >= 0 && value <= MAX_MILLISECONDS) return value;
  throw new InvalidFault('at', `at must be "before", "after", or milliseconds from 0 to ${MAX_MILLISECONDS}.`);
}

function timesOf(value: unknown = 1): number {
  if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_TIMES) return Number(value);
  throw new InvalidFault('times', `times must be a whole number from 1 to ${MAX_TIMES}.`);
}
