import { useRef, useState } from 'react';
import type { Callback } from 'vigil-client';

/** What has become of one item. */
export type Outcome =
  | { is: 'sending' | 'stored' }
  /** Somebody else was first, or it has ended. */
  | { is: 'late'; words: string }
  | { is: 'refused'; words: string }
  /** There was no answer, so nobody here knows whether it is stored. */
  | { is: 'unknown'; words: string };

/** The outcomes by the callbacks' ids. What is not sent has none. */
export type Outcomes = ReadonlyMap<string, Outcome>;

export const countOf = (outcomes: Outcomes, is: Outcome['is']): number =>
  [...outcomes.values()].filter((one) => one.is === is).length;

/**
 * Sends a request for each of several items, one after another. One that fails does not hold up the others.
 */
export function useOneByOne<Item extends { callback: Pick<Callback, 'id'> }>(items: readonly Item[]) {
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map());
  const [isRunning, setRunning] = useState(false);
  const known = useRef(new Map<string, Outcome>());
  const isBusy = useRef(false);
  const isStopped = useRef(false);

  function settle(id: string, outcome: Outcome): void {
    known.current.set(id, outcome);
    setOutcomes(new Map(known.current));
  }

  /**
   * @param send sends one, and returns what has become of it. `before` is the outcome of an earlier request.
   * @param isDue whether one with this outcome is sent again.
   */
  async function sendAll(
    send: (one: Item, before: Outcome | undefined) => Promise<Outcome>,
    isDue: (before: Outcome) => boolean,
  ): Promise<Outcomes> {
    if (isBusy.current) return known.current;
    isBusy.current = true;
    isStopped.current = false;
    setRunning(true);
    for (const one of items) {
      const { id } = one.callback;
      const before = known.current.get(id);
      if (before && !isDue(before)) continue;
      if (isStopped.current) break;
      settle(id, { is: 'sending' });
      settle(id, await send(one, before));
    }
    isBusy.current = false;
    setRunning(false);
    return known.current;
  }

  return {
    outcomes,
    isRunning,
    sendAll,
    /** Sends no further one. */
    stop: () => {
      isStopped.current = true;
    },
  };
}
