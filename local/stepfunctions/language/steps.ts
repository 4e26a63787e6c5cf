/**
 * A computation that may have to wait, for JSONata only: its evaluator is asynchronous, everything else here is not.
 * It yields the promises that it waits for and is given what they resolve to.
 */
export type Steps<T> = Generator<Promise<unknown>, T, unknown>;

/** Waits inside a computation: `const value = yield* awaiting(promise)`. */
export function* awaiting<T>(promise: Promise<T>): Steps<T> {
  return (yield promise) as T;
}

/** Runs a computation to its end: at once where nothing waits, which spares JSONPath executions every tick of the event loop. */
export function drive<T>(steps: Steps<T>): T | Promise<T> {
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
