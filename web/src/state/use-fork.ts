import type { Fork } from '../../../lambdas/api/bodies';
import { goTo } from './use-place';
import { useVigil } from './use-vigil';

/** Forks a conversation and opens the copy. @returns whether it worked. */
export function useFork(id: string): (from: Fork) => Promise<boolean> {
  const { act, store } = useVigil();
  return async (from) => {
    const copy = await act.fork(id, from);
    // If the user has opened another conversation meanwhile, that one stays open. The copy is in the list.
    if (copy && store.getState().open === id) goTo(copy);
    return copy !== undefined;
  };
}
