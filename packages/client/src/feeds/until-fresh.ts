/**
 * Returns a function that does the work. Requests during it lead to it once more, however many there are.
 *
 * @param work gets what the request that began it has brought.
 */
export function untilFresh<Brought = undefined>(
  work: (brought?: Brought) => Promise<void>,
): (brought?: Brought) => Promise<void> {
  let working: Promise<void> | undefined;
  let isStale = false;

  async function workOn(brought?: Brought): Promise<void> {
    isStale = false;
    await work(brought);
    while (isStale) {
      isStale = false;
      await work();
    }
  }

  return (brought) => {
    isStale = true;
    working ??= workOn(brought).finally(() => {
      working = undefined;
    });
    return working;
  };
}
