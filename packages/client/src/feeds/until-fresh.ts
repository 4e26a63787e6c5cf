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
    try {
      for (let first = brought; isStale; first = undefined) {
        isStale = false;
        await work(first);
      }
    } finally {
      // At once, or a request that comes now is lost.
      working = undefined;
    }
  }

  return (brought) => {
    isStale = true;
    working ??= workOn(brought);
    return working;
  };
}
