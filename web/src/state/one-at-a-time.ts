/**
 * Does a piece of work whenever it is asked to, one at a time and with a rest after each: what is asked for meanwhile is done
 * once more afterwards, however often it was asked for. So it neither starves nor overtakes itself.
 */
export function oneAtATime(work: () => Promise<void>, restMs: number): () => void {
  let busy = false;
  let again = false;
  async function begin(): Promise<void> {
    busy = true;
    do {
      again = false;
      await work();
      await new Promise((resolve) => setTimeout(resolve, restMs));
    } while (again);
    busy = false;
  }
  return () => {
    if (busy) again = true;
    else void begin();
  };
}
