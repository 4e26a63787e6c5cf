interface Started {
  stop(): Promise<unknown>;
}

/** Returns a function that takes what a test has started, and stops it after that test, the latest first, also if the test fails. */
export function stopAfterEach(): <One extends Started>(one: One) => One {
  const started: Started[] = [];
  afterEach(async () => {
    while (started.length > 0) await started.pop()!.stop();
  });
  return (one) => {
    started.push(one);
    return one;
  };
}
