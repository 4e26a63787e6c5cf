import { readFileSync } from 'node:fs';
import vm from 'node:vm';
import type jsonata from 'jsonata';
import { deepest } from '../json';
import { LinearRegExp } from '../regular-expression';
import {
  beginCount,
  bound,
  countMatch,
  HeapExceeded,
  longestList,
  memoryExceeded,
  TooManySteps,
  timeExceeded,
} from './jsonata-bounds';

/**
 * jsonata, in a context of its own and without its promises: an evaluation has ended when the call returns, and V8 can interrupt it.
 * (Interrupted within a promise, it would take a process along that uses AsyncLocalStorage.) Its regular expressions are matched
 * without backtracking.
 */

/** An evaluation that takes longer fails: nothing else of this process runs meanwhile. */
const longest = 8_000;
/** The limit for an evaluation that is made again, and once took less: the machine may be busier now. */
const longestAgain = 10 * longest;
/** Simple expressions come to an end within so many steps, without an alarm: that costs more than most evaluations. */
const fewSteps = 2_000;
/** Longer texts are parsed with an alarm. */
const shortSource = 1_000;

class CountedRegExp extends LinearRegExp {
  override exec(text: string) {
    countMatch();
    return super.exec(text);
  }
}

/** Those of expressions and of pictures of times have flags; the others are jsonata's own. */
function RegExpThere(pattern: string | LinearRegExp, flags?: string) {
  return flags === undefined && typeof pattern === 'string' ? new RegExp(pattern) : new CountedRegExp(pattern, flags);
}

interface Context {
  module: { exports: typeof jsonata };
  job: () => unknown;
}

const context = vm.createContext({
  module: { exports: {} },
  exports: {},
  RegExp: RegExpThere,
  Promise: { all: (list: unknown) => list },
}) as unknown as Context & vm.Context;
const file = require.resolve('jsonata');
const source = readFileSync(file, 'utf8');
const atOnce = source.replaceAll(/\basync (?=function\b|\()|\bawait /g, '');
// Among larger integers a range finds no next one, and never ends.
vm.runInContext(atOnce.replaceAll(/Number\.isInteger\((?=[lr]hs\))/g, 'Number.isSafeInteger('), context, {
  filename: file,
});

// A list may grow without a step in between, and V8 ends the process where it grows too long.
const boundPush = vm.runInContext(
  `(function (longest, exceeded) {
    const push = Array.prototype.push;
    Array.prototype.push = function (...values) {
      if (this.length + values.length > longest) throw exceeded();
      return push.apply(this, values);
    };
  })`,
  context,
) as (longest: number, exceeded: () => Error) => void;
boundPush(longestList, memoryExceeded);

// JSONata's numbers are those of JavaScript: an integer that has more digits can be handed on, and nothing else.
vm.runInContext(
  `BigInt.prototype.toJSON = function () { throw new Error('The integer ' + this + ' has more digits than a number of JSONata'); }`,
  context,
);

const script = new vm.Script('job()');

/** Runs a job that ends within so many milliseconds, or throws Expired. */
function interrupted<T>(job: () => T, timeout: number): T {
  context.job = job;
  try {
    return script.runInContext(context, { timeout }) as T;
  } catch (error) {
    throw (error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? new Expired() : error;
  }
}

class Expired extends Error {}

/** Parses an expression. Throws jsonata's own error. */
export function parse(source: string): Expression {
  const job = () => context.module.exports(source) as unknown as Expression;
  if (source.length <= shortSource) return job();
  let expression: Expression;
  try {
    expression = interrupted(job, longest);
  } catch (error) {
    // How deep the parser comes depends on Node.
    throw (error as Error).name === 'RangeError' ? tooDeep() : error;
  }
  checkDepth(expression.ast());
  return expression;
}

const tooDeep = () => new Error(`The parts of an expression may nest to a depth of ${deepest}, and not deeper`);

/** Whatever reads an expression goes down into its parts. None that nests so deeply could be evaluated. */
function checkDepth(root: object): void {
  let level = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) throw tooDeep();
    level = level.flatMap((node) => Object.values(node).filter((part) => typeof part === 'object' && part !== null));
  }
}

/** Here it gives the value itself. */
export interface Expression extends Omit<jsonata.Expression, 'evaluate'> {
  evaluate(input: unknown, bindings: Record<string, unknown>): unknown;
}

/** The reason for stopping an evaluation that might succeed another time. */
export type Stop = 'time' | 'memory';

/** The evaluations of a transition that were stopped, by their number. */
export type Stops = Readonly<Record<number, Stop>>;

/** Makes the evaluations of a transition, and remembers those that were stopped. */
export class Evaluations {
  private last = 0;
  readonly stopped: Record<number, Stop> = {};

  /** @param known those that were stopped when the transition was first made; undefined when that is now */
  constructor(
    private readonly known?: Stops,
    readonly limit = longest,
  ) {}

  /**
   * Throws the error of AWS where the evaluation goes beyond its bounds, or once did.
   *
   * @param limit what it may take, milliseconds
   */
  evaluate(expression: Compiled, bindings: Record<string, unknown>, limit = this.limit): unknown {
    if (expression.simple) {
      try {
        return evaluate(expression, bindings, fewSteps);
      } catch (error) {
        if (!(error instanceof TooManySteps)) throw error;
      }
    }
    this.last += 1;
    const before = this.known?.[this.last];
    if (before !== undefined) throw stopError(before);
    try {
      return evaluate(expression, bindings, undefined, this.known ? longestAgain : limit);
    } catch (error) {
      const stop = error instanceof Expired ? 'time' : error instanceof HeapExceeded ? 'memory' : undefined;
      if (stop === undefined) throw error;
      this.stopped[this.last] = stop;
      throw stopError(stop);
    }
  }
}

const stopError = (stop: Stop) => (stop === 'time' ? timeExceeded() : memoryExceeded());

export interface Compiled {
  expression: Expression;
  /** Takes few steps, each of which is a small one, unless its data are large. */
  simple: boolean;
}

/** Throws jsonata's own error where the text does not parse. */
export function compileExpression(source: string): Compiled {
  const expression = parse(source);
  bound(expression);
  return { expression, simple: isSimple(expression.ast()) };
}

function evaluate({ expression }: Compiled, bindings: Record<string, unknown>, mostSteps?: number, timeout?: number) {
  beginCount(mostSteps);
  const job = () => expression.evaluate({}, bindings);
  return timeout === undefined ? job() : interrupted(job, timeout);
}

/** Nodes that can repeat themselves, or make much out of little. */
const heavyNodes = new Set([
  'lambda',
  'bind',
  'regex',
  'apply',
  'partial',
  'transform',
  'descendant',
  'parent',
  'sort',
]);
/** Functions whose work is in proportion to their arguments. */
const lightFunctions = new Set(
  (
    'abs average base64decode base64encode boolean ceil count exists floor hash join keys length lookup lowercase max merge millis ' +
    'min not now number parse power random round sqrt string substring substringAfter substringBefore sum trim type uppercase uuid'
  ).split(' '),
);

interface Node {
  type?: string;
  value?: unknown;
  procedure?: Node;
}

function isSimple(node: object): boolean {
  const { type, value, procedure } = node as Node;
  if (type !== undefined && heavyNodes.has(type)) return false;
  if (type === 'binary' && value === '..') return false;
  if (type === 'function' && !(procedure?.type === 'variable' && lightFunctions.has(String(procedure.value))))
    return false;
  return Object.values(node).every((part) => typeof part !== 'object' || part === null || isSimple(part));
}
