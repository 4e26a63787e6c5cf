import { useEffect, useSyncExternalStore } from 'react';
import { useVigil } from './use-vigil';

/**
 * The address names the open conversation, so that it can be reloaded, opened in another tab and reached by the back
 * button.
 */
const placeIn = (hash: string) => /^#\/c\/([A-Za-z0-9_-]{1,64})(?:\/m\/(\d{1,10}))?$/.exec(hash) ?? [];
const conversationIn = (hash: string): string | undefined => placeIn(hash)[1];
const messageIn = (hash: string): number | undefined => Number(placeIn(hash)[2]) || undefined;

export const homeAddress = '#/';
/** A new conversation, without the home. */
export const newAddress = '#/new';

/** @param seq a message of the conversation. */
export const addressOf = (id: string, seq?: number): string => `#/c/${id}${seq === undefined ? '' : `/m/${seq}`}`;

export const goTo = (id: string | undefined): void => {
  location.hash = id ? addressOf(id) : homeAddress;
};

/** Shows another version of the open conversation in its place: no further step for the back button. */
export function goToVersion(id: string): void {
  history.replaceState({ place: placeKey() }, '', addressOf(id));
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Returns what stays the same while the versions of one conversation are shown. */
export const placeKey = (): string | undefined => history.state?.place ?? openPlace();

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

/** Returns the message that the address names, until it is shown: see `shownMessage`. */
export const useMessage = (): number | undefined => useSyncExternalStore(onHash, () => messageIn(location.hash));

/** Leaves the conversation in the address alone, so that its message can be chosen again. */
export const shownMessage = (id: string): void => history.replaceState(history.state, '', addressOf(id));

/** Whether the home is open: what waits, in all conversations. */
export const useShowsHome = (): boolean =>
  useSyncExternalStore(onHash, () => openPlace() === undefined && location.hash !== newAddress);
