import { useEffect, useSyncExternalStore } from 'react';
import { useVigil } from './use-vigil';

/**
 * The address names the open conversation, so that it can be reloaded, opened in another tab and reached by the back
 * button.
 */
const conversationIn = (hash: string): string | undefined => /^#\/c\/([A-Za-z0-9_-]{1,64})$/.exec(hash)?.[1];

export const approvalsAddress = '#/approvals';

export const addressOf = (id: string): string => `#/c/${id}`;

export const goTo = (id: string | undefined): void => {
  location.hash = id ? addressOf(id) : '#/';
};

function onHash(changed: () => void): () => void {
  addEventListener('hashchange', changed);
  return () => removeEventListener('hashchange', changed);
}

/** Returns the open conversation's id, and follows it. */
export function usePlace(): string | undefined {
  const { follow } = useVigil();
  const id = useSyncExternalStore(onHash, () => conversationIn(location.hash));
  useEffect(() => follow.open(id), [follow, id]);
  return id;
}

/** Whether the approvals of other people's conversations are open. */
export const useShowsApprovals = (): boolean => useSyncExternalStore(onHash, () => location.hash === approvalsAddress);
