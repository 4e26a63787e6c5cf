/** Returns a function that does its work one call after the other, also after a failed one. */
export function inTurn<Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) {
  let last: Promise<unknown> = Promise.resolve();
  return (...args: Args): Promise<Result> => {
    const done = last.then(() => work(...args));
    last = done.catch(() => undefined);
    return done;
  };
}
