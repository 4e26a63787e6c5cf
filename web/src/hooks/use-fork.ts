import type { Fork } from 'vigil-client/shared';
import { goToVersion } from './use-place';
import { useVigil } from './use-vigil';

/** Forks a conversation and shows the copy in its place. @returns whether it worked. */
export function useFork(id: string): (from: Fork) => Promise<boolean> {
  const { act, store } = useVigil();
  return async (from) => {
    const copy = await act.fork(id, from);
    // If the user has opened another conversation meanwhile, that one stays open. The copy is in the list.
    if (copy && store.getState().open === id) {
      store.setState({ turned: { to: copy } });
      goToVersion(copy);
    }
    return copy !== undefined;
  };
}
