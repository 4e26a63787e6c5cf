import type { Alarm, Clock } from 'vigil-stepfunctions';

/**
 * Injects faults on request, to test that nothing is lost or done twice. `at` says when the invocation is hit:
 *
 * - `before`: the handler never runs.
 * - `after`: the handler runs to its end, and its response is lost.
 * - a number: the worker is killed that many (real) milliseconds into the invocation.
 * - `now`: the workers that are running the function are killed at once. No later invocation is hit.
 *
 * `kind` is what the caller sees: the worker crashed, the handler threw, Lambda throttled, or the function timed out.
 * With `kill`, the whole local cloud dies as by kill -9, without a response.
 */
const faultKinds = ['crash', 'error', 'throttle', 'timeout', 'kill'] as const;
type FaultKind = (typeof faultKinds)[number];

/** A fault of a function. */
export interface Fault extends InEffect {
  function: string;
  kind: FaultKind;
  at: 'before' | 'after' | 'now' | number;
  /** The first invocation that it hits, counted from now. */
  nth: number;
  /** The number of consecutive invocations that it hits. */
  times: number;
}

/** A fault with a time hits and counts nothing before it. ISO 8601, by the local clock. */
interface InEffect {
  from?: string;
}

/** Kills the local cloud at a time, at which a move of the clock stops. */
interface TimeFault {
  kind: 'kill';
  from: string;
}

/**
 * Kills the local cloud at a record of the embedded engine's journal: before it is on disk, or after that but before
 * its effects.
 */
interface TransitionFault extends InEffect {
  /** The record that it hits, counted from now. */
  transition: number;
  kind: 'kill';
  at: 'before' | 'after';
}

/**
 * A fault of a function's write to a table. With `lost`, the write is made and its answer does not arrive. With
 * `throttle`, it is refused for lack of capacity. The AWS SDK tries both again, a few times.
 */
export interface WriteFault extends InEffect {
  write: 'lost' | 'throttle';
  /** Without a function, writes of all functions are hit and counted. */
  function?: string;
  /** The first write that it hits, counted from now. */
  nth: number;
  /** The number of consecutive writes that it hits. */
  times: number;
}

type AnyFault = Fault | TransitionFault | WriteFault | TimeFault;

export interface Faults {
  /** Checks and adds a fault. A fault with `now` takes effect at once and is not kept. @throws InvalidFault. */
  add(fault: unknown): AnyFault;
  list(): AnyFault[];
  clear(): void;
  /** Returns the fault for the next invocation of this function, if there is one. */
  take(functionName: string): Fault | undefined;
  /** Returns the fault for the next write of this function, if there is one. */
  takeWrite(functionName: string): WriteFault['write'] | undefined;
  /** Returns the fault for the next record of the journal, if there is one. */
  takeTransition(): TransitionFault | undefined;
  /** Kills the local cloud's process at once. */
  die(): void;
}

/** Names the invalid field and the values that it may have. */
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
  /** Finds a function's own name by any name that people use for it. */
  find: (name: string) => string | undefined;
  /** The names that people use for the functions. */
  names: () => string[];
  die?: () => void;
  /** Kills the workers that are running a function. */
  crash?: (functionName: string) => void;
  clock: Clock;
}

export function orderFaults({ find, names, die = killThisProcess, crash, clock }: FaultsOptions): Faults {
  let ordered: Fault[] = [];
  let transitions: TransitionFault[] = [];
  let writes: WriteFault[] = [];
  let kills: { fault: TimeFault; alarm: Alarm }[] = [];
  const isInEffect = ({ from }: InEffect) => from === undefined || Date.parse(from) <= clock.now();

  return {
    add(input) {
      const given = (typeof input === 'object' && input !== null ? input : {}) as Record<string, unknown>;
      const from = fromOf(given.from);
      if (from && given.kind === 'kill' && !('function' in given) && !('transition' in given)) {
        const fault = { kind: 'kill' as const, ...from };
        kills.push({ fault, alarm: clock.at(Date.parse(fault.from), die) });
        return { ...fault };
      }
      if ('transition' in given) {
        const fault = { ...transitionOf(given), ...from };
        transitions.push(fault);
        return { ...fault };
      }
      if ('write' in given) {
        const fault = { ...writeOf(given), ...from };
        writes.push(fault);
        return { ...fault };
      }
      const fault: Fault = {
        function: functionOf(given.function),
        kind: kindOf(given.kind),
        at: momentOf(given.at),
        nth: countOf('nth', given.nth),
        times: countOf('times', given.times),
        ...from,
      };
      if (fault.at !== 'now') ordered.push(fault);
      else if (from) throw new InvalidFault('from', 'Leave out from if at is "now".');
      else if (fault.kind === 'crash') crash?.(fault.function);
      else throw new InvalidFault('kind', 'kind must be "crash" if at is "now".');
      return { ...fault };
    },
    list: () =>
      [...ordered, ...transitions, ...writes, ...kills.map(({ fault }) => fault)].map((fault) => ({ ...fault })),
    clear() {
      ordered = [];
      transitions = [];
      writes = [];
      for (const { alarm } of kills) alarm.cancel();
      kills = [];
    },
    take(functionName) {
      const fault = nextOf(ordered.filter((one) => one.function === functionName && isInEffect(one)));
      if (fault?.times === 0) ordered = ordered.filter((one) => one !== fault);
      return fault;
    },
    takeWrite(functionName) {
      const fault = nextOf(writes.filter((one) => (!one.function || one.function === functionName) && isInEffect(one)));
      if (fault?.times === 0) writes = writes.filter((one) => one !== fault);
      return fault?.write;
    },
    takeTransition() {
      // Called for each record of the journal, mostly without a fault.
      if (!transitions.length) return undefined;
      const counted = transitions.filter(isInEffect);
      const fault = counted.find(({ transition }) => transition === 1);
      transitions = transitions.filter((one) => one !== fault);
      for (const later of counted) if (later.transition > 1) later.transition -= 1;
      return fault;
    },
    die,
  };

  function writeOf({ write, function: name, nth, times }: Record<string, unknown>): WriteFault {
    if (write !== 'lost' && write !== 'throttle')
      throw new InvalidFault('write', 'write must be "lost" or "throttle".');
    const of = name === undefined ? {} : { function: functionOf(name) };
    return { write, ...of, nth: countOf('nth', nth), times: countOf('times', times) };
  }

  function functionOf(value: unknown): string {
    const found = typeof value === 'string' ? find(value) : undefined;
    if (found) return found;
    throw new InvalidFault('function', `function must be one of: ${names().join(', ')}.`);
  }
}

/** Returns the fault that hits now, with one time less, and counts for those that hit later. */
function nextOf<Counted extends { nth: number; times: number }>(counted: Counted[]): Counted | undefined {
  const fault = counted.find(({ nth }) => nth === 1);
  for (const later of counted) if (later.nth > 1) later.nth -= 1;
  if (fault) fault.times -= 1;
  return fault;
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

function fromOf(from: unknown): { from: string } | undefined {
  if (from === undefined) return undefined;
  if (
    typeof from === 'string' &&
    /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(from) &&
    !Number.isNaN(Date.parse(from))
  )
    return { from };
  throw new InvalidFault('from', 'from must be a time such as "2026-12-14T00:00Z".');
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

/** No handler runs and no buffer is flushed. */
function killThisProcess(): void {
  process.kill(process.pid, 'SIGKILL');
}
