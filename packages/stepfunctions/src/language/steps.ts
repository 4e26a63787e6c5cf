/**
 * A computation that pauses from time to time, so that a long one does not hold up everything else in this process. It yields
 * the promises that it waits for.
 */
export type Steps<T> = Generator<Promise<unknown>, T, unknown>;

/** The longest time that a computation may run without a pause, milliseconds. */
const longestTurn = 20;
let turnBegan = 0;

/** Lets others have a turn where this computation has had a long one. */
export function* breathe(): Steps<void> {
  if (performance.now() - turnBegan < longestTurn) return;
  yield new Promise((resolve) => setImmediate(resolve));
  turnBegan = performance.now();
}

/**
 * Runs a computation to its end without a pause, for one that is known to be short.
 *
 * @example
 * ```ts
 * import { driveAtOnce } from 'vigil-stepfunctions/interpreter';
 *
 * // `start` and `apply` are such computations.
 * function* sum(...numbers: number[]): Generator<Promise<unknown>, number, unknown> {
 *   return numbers.reduce((a, b) => a + b, 0);
 * }
 * driveAtOnce(sum(1, 2, 3)); // → 6
 * ```
 */
export function driveAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const next = steps.next();
    if (next.done) return next.value;
  }
}

/** Runs a computation to its end: at once where it is a short one, which spares most executions every tick of the event loop. */
export function drive<T>(steps: Steps<T>): T | Promise<T> {
  turnBegan = performance.now();
  const first = steps.next();
  return first.done ? first.value : finish(steps, first.value);
}

async function finish<T>(steps: Steps<T>, pending: Promise<unknown>): Promise<T> {
  let waitingFor = pending;
  for (;;) {
    const settled = await waitingFor.then(
      (value) => () => steps.next(value),
      (error: unknown) => () => steps.throw(error),
    );
    const next = settled();
    if (next.done) return next.value;
    waitingFor = next.value;
  }
}
