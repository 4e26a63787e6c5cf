/**
 * Runs the work on request, one run at a time, with a pause after each. Requests during a run lead to one more run,
 * however many there are. So the work neither starves nor overlaps.
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
