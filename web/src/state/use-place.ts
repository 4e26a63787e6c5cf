import { useEffect, useSyncExternalStore } from 'react';
import { useVigil } from './use-vigil';

/**
 * The address names the open conversation, so that it can be reloaded, opened in another tab and reached by the back
 * button.
 */
const conversationIn = (hash: string): string | undefined => /^#\/c\/([A-Za-z0-9_-]{1,64})$/.exec(hash)?.[1];

export const homeAddress = '#/';
/** A new conversation, without the home. */
export const newAddress = '#/new';

export const addressOf = (id: string): string => `#/c/${id}`;

export const goTo = (id: string | undefined): void => {
  location.hash = id ? addressOf(id) : homeAddress;
};

/** Returns the open conversation's id. */
export const openPlace = (): string | undefined => conversationIn(location.hash);

function onHash(changed: () => void): () => void {
  addEventListener('hashchange', changed);
  return () => removeEventListener('hashchange', changed);
}

/** Returns the open conversation's id, and follows it. */
export function usePlace(): string | undefined {
  const { follow } = useVigil();
  const id = useSyncExternalStore(onHash, openPlace);
  useEffect(() => follow.open(id), [follow, id]);
  return id;
}

/** Whether the home is open: what waits, in all conversations. */
export const useShowsHome = (): boolean =>
  useSyncExternalStore(onHash, () => openPlace() === undefined && location.hash !== newAddress);
