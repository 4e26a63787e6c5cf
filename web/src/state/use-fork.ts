import type { Fork } from '../../../lambdas/api/bodies';
import { goTo } from './use-place';
import { useVigil } from './use-vigil';

/** Forks a conversation and goes to the copy. @returns whether there is one. */
export function useFork(id: string): (from: Fork) => Promise<boolean> {
  const { act, store } = useVigil();
  return async (from) => {
    const copy = await act.fork(id, from);
    // Who has gone elsewhere meanwhile stays there, and finds it in the list.
    if (copy && store.getState().open === id) goTo(copy);
    return copy !== undefined;
  };
}
