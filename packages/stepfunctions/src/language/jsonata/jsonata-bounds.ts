import { getHeapStatistics } from 'node:v8';
import type { Expression } from './evaluator';

/** The limits of one evaluation. The counts come out the same whenever it is made again; its time does not. */
const bounds = {
  /** About a second's work. */
  steps: 500_000,
  /** The maximum nesting of an expression's steps, on AWS. */
  depth: 100,
  /** AWS bounds the memory of what a step comes to: it takes an array of 873,782 numbers, and no longer one. */
  memory: 873_782 * 8,
  /** By how much this process may grow meanwhile, in bytes. */
  heap: 512 * 1024 * 1024,
  /** Of all large values that it makes, in bytes: they may be alive at the same time. */
  largeValues: 256 * 1024 * 1024,
};
/** From this size on a value is a large one. */
const large = 64 * 1024;
/** The memory that a match of a regular expression counts for. */
const matchMemory = 256;

/** Returns the error of the memory limit, in the words of AWS. */
export const memoryExceeded = () =>
  new Error('Expression evaluation memory limit exceeded: Check for excessive memory usage');

/** Returns the error of the limits of steps and time, in the words of AWS. */
export const timeExceeded = () => new Error('Expression evaluation timeout: Check for infinite loop');

/** The evaluation has taken more steps than it was given. */
export class TooManySteps extends Error {
  override readonly name = 'TooManySteps';
}

/** The process has grown too much. Unlike the other bounds, this one may come out otherwise the next time. */
export class HeapExceeded extends Error {
  override readonly name = 'HeapExceeded';
}

const heapSize = () => getHeapStatistics().used_heap_size;
/** Each step may make a value of the largest size. */
const stepsPerLook = 64;

/** jsonata calls what is bound to these before and after each step. */
const beforeStep = Symbol.for('jsonata.__evaluate_entry') as unknown as string;
const afterStep = Symbol.for('jsonata.__evaluate_exit') as unknown as string;

/** The progress of the evaluation under way. There is one at a time. */
let count = { steps: 0, depth: 0, largeValues: 0, most: bounds.steps, heap: 0 };

/** Begins the count of an evaluation. */
export function beginCount(mostSteps = bounds.steps): void {
  const heap = mostSteps < bounds.steps ? 0 : heapSize();
  count = { steps: 0, depth: 0, largeValues: 0, most: mostSteps, heap };
}

function countStep(): void {
  count.steps += 1;
  count.depth += 1;
  if (count.heap > 0 && count.steps % stepsPerLook === 0 && heapSize() - count.heap > bounds.heap)
    throw new HeapExceeded();
  if (count.steps > count.most) throw count.most < bounds.steps ? new TooManySteps() : timeExceeded();
  if (count.depth > bounds.depth)
    throw new Error(
      'Stack overflow error: Check for non-terminating recursive function. Consider rewriting as tail-recursive. ' +
        `Depth=${count.depth} max=${bounds.depth}`,
    );
}

interface Node {
  type: string;
}

function leaveStep(node: Node, _input: unknown, _frame: unknown, result: unknown): void {
  count.depth -= 1;
  const size = memory(result);
  if (size > bounds.memory) throw memoryExceeded();
  // What a variable or a path gives was there before.
  if (size > large && node.type !== 'variable' && node.type !== 'path') countMemory(size);
}

function countMemory(size: number): void {
  count.largeValues += size;
  if (count.largeValues > bounds.largeValues) throw memoryExceeded();
}

/** Without what lies inside: that was a result of its own. */
function memory(value: unknown): number {
  if (Array.isArray(value)) return value.length * 8;
  return typeof value === 'string' ? value.length : 0;
}

/** A match of a regular expression is a step, too, and leaves an object behind. */
export function countMatch(): void {
  count.steps += 1;
  if (count.steps > count.most) throw count.most < bounds.steps ? new TooManySteps() : timeExceeded();
  countMemory(matchMemory);
}

/** The maximum number of values in an evaluation's lists, including lists that no step returns. */
export const longestList = bounds.memory / 8;

/** Refuses what a function would make before it makes it. */
export function checkMemory(size: number): void {
  if (size > bounds.memory) throw memoryExceeded();
}

/** Has each evaluation of the expression counted. */
export function bound(expression: Expression): void {
  expression.assign(beforeStep, countStep);
  expression.assign(afterStep, leaveStep);
}
