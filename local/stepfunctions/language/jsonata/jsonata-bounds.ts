import type { Expression } from 'jsonata';

/** An expression that takes more steps than this would hold up every other execution: it fails. */
const mostSteps = 500_000;
/** How deep the steps of an expression may nest, on AWS. */
const deepestStep = 100;
/** AWS bounds the memory of what a step comes to: it takes an array of 873,782 numbers, and no longer one. */
const mostMemory = 873_782 * 8;

/** What the memory limit says, in the words of AWS. */
export const memoryExceeded = () =>
  new Error('Expression evaluation memory limit exceeded: Check for excessive memory usage');

/** jsonata calls what is bound to these before and after each step. */
const beforeStep = Symbol.for('jsonata.__evaluate_entry') as unknown as string;
const afterStep = Symbol.for('jsonata.__evaluate_exit') as unknown as string;

/** No variable can have this name. Each evaluation has a count of its own: several of one expression may be under way. */
const countName = ' count';

/** How far one evaluation has come. */
interface Count {
  steps: number;
  depth: number;
}
interface Frame {
  lookup(name: string): Count;
}

function countStep(_node: unknown, _input: unknown, frame: Frame): void {
  const count = frame.lookup(countName);
  count.steps += 1;
  count.depth += 1;
  if (count.steps > mostSteps) throw new Error('Expression evaluation timeout: Check for infinite loop');
  if (count.depth > deepestStep)
    throw new Error(
      'Stack overflow error: Check for non-terminating recursive function. Consider rewriting as tail-recursive. ' +
        `Depth=${count.depth} max=${deepestStep}`,
    );
}

function leaveStep(_node: unknown, _input: unknown, frame: Frame, result: unknown): void {
  frame.lookup(countName).depth -= 1;
  if (memory(result) > mostMemory) throw memoryExceeded();
}

/** Without what lies inside: that was a result of its own. */
function memory(value: unknown): number {
  if (Array.isArray(value)) return value.length * 8;
  return typeof value === 'string' ? value.length : 0;
}

/** Has each evaluation of the expression counted, by what `newCount` binds. */
export function bound(expression: Expression): void {
  expression.assign(beforeStep, countStep);
  expression.assign(afterStep, leaveStep);
}

export const newCount = (): Record<string, Count> => ({ [countName]: { steps: 0, depth: 0 } });
