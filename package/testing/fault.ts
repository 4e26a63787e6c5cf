import { checkOptions, fields, number, oneOf, optional, rule, text } from '../../core/base/schemas/definition';

/** A fault that happens in a story, once it is ordered. `function` is a function's name, such as `CallModel` or a tool's. */
export type Fault = FunctionFault | WriteFault | TimeFault;

/** The next invocation of a function fails, or the next ones. */
export interface FunctionFault {
  function: string;
  /**
   * The caller's view: the process died, the handler threw, Lambda throttled, or the function timed out. With `kill`,
   * the whole cloud dies as by kill -9.
   */
  kind: 'crash' | 'error' | 'throttle' | 'timeout' | 'kill';
  /**
   * `before` (the default): the handler never runs. `after`: it runs to its end, and its answer is lost. A number: it
   * dies that many milliseconds into the invocation. `now`: processes that run it are killed at once (`crash` only).
   */
  at?: 'before' | 'after' | 'now' | number;
  /** The first invocation that it hits, counted from now. Default 1. */
  nth?: number;
  /** The number of consecutive invocations that it hits. Default 1. */
  times?: number;
  /** By the moved clock. Earlier invocations are neither hit nor counted. */
  from?: Date | string;
}

/** The whole cloud dies at a time by the moved clock, as by kill -9. A move of the clock stops there. */
export interface TimeFault {
  kind: 'kill';
  /** With a time zone, such as `2026-12-14T00:00Z`. */
  from: Date | string;
}

/** The next write of a function to a table fails, or the next ones. The AWS SDK tries again, a few times. */
export interface WriteFault {
  /** `lost`: the write is made, and its answer does not arrive. `throttle`: it is refused for lack of capacity. */
  write: 'lost' | 'throttle';
  /** By default, the writes of all functions. */
  function?: string;
  /** The first write that it hits, counted from now. Default 1. */
  nth?: number;
  /** The number of consecutive writes that it hits. Default 1. */
  times?: number;
  /** By the moved clock. Earlier writes are neither hit nor counted. */
  from?: Date | string;
}

const atOne = rule(
  (value) => ['before', 'after', 'now'].includes(String(value)) || typeof value === 'number',
  'must be "before", "after", "now" or a number of milliseconds',
);
const time = rule(
  (value) =>
    value instanceof Date
      ? !Number.isNaN(+value)
      : /T.*(Z|[+-]\d\d:\d\d)$/.test(String(value)) && !Number.isNaN(Date.parse(String(value))),
  'must be a Date, or a time with its zone such as "2026-12-14T00:00Z"',
);
const functionFault = fields<FunctionFault>({
  function: text,
  kind: oneOf('crash', 'error', 'throttle', 'timeout', 'kill'),
  at: optional(atOne),
  nth: optional(number),
  times: optional(number),
  from: optional(time),
});
const writeFault = fields<WriteFault>({
  write: oneOf('lost', 'throttle'),
  function: optional(text),
  nth: optional(number),
  times: optional(number),
  from: optional(time),
});

const timeFault = fields<TimeFault>({ kind: oneOf('kill'), from: time });

const ruleOf = (fault: object) => {
  if ('write' in fault) return writeFault;
  return 'from' in fault && !('function' in fault) ? timeFault : functionFault;
};

/** @throws ConfigurationError that names the field: a fault that never happens would prove nothing. */
export const checkFault = (fault: Fault): void => checkOptions('fault', fault, ruleOf(Object(fault)));
