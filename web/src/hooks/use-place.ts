import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { filterAddress, filterIn, type HomeFilter } from '../rows/home-filter';
import { useVigil } from './use-vigil';

/**
 * The address names the open conversation, so that it can be reloaded, opened in another tab and reached by the back
 * button.
 */
const placeIn = (hash: string) => /^#\/c\/([A-Za-z0-9_-]{1,64})(?:\/m\/(\d{1,10})|\/replay\/.*)?$/.exec(hash) ?? [];
const conversationIn = (hash: string): string | undefined => placeIn(hash)[1];
const messageIn = (hash: string): number | undefined => Number(placeIn(hash)[2]) || undefined;

/** A moment of a run: the step, and the moment's place in it. */
export interface ReplayPlace {
  runId: string;
  step: number;
  nth: number;
}

const replay = /^#\/c\/[A-Za-z0-9_-]{1,64}\/replay\/([\w-]{1,64})(?:\/(\d{1,6})(?:\.(\d{1,6}))?)?$/;

export function replayIn(hash: string): ReplayPlace | undefined {
  const [, runId, step = 1, nth = 1] = replay.exec(hash) ?? [];
  return runId === undefined ? undefined : { runId, step: Number(step), nth: Number(nth) };
}

export const replayAddress = (id: string, { runId, step, nth }: ReplayPlace): string =>
  `#/c/${id}/replay/${runId}/${step}.${nth}`;

const agentIn = (hash: string): string | undefined => /^#\/agents\/([a-z][a-z0-9-]{0,49})$/.exec(hash)?.[1];
export const agentAddress = (name: string): string => `#/agents/${name}`;

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
export const useShowsHome = (): boolean => useSyncExternalStore(onHash, () => filterIn(location.hash) !== undefined);

/** Returns what the home shows, and a function that changes it: no further step for the back button. */
export function useHomeFilter(): [HomeFilter, (to: HomeFilter) => void] {
  const hash = useSyncExternalStore(onHash, () => location.hash);
  const filter = useMemo(() => filterIn(hash) ?? {}, [hash]);
  return [filter, showAtHome];
}

function showAtHome(filter: HomeFilter): void {
  history.replaceState(history.state, '', filterAddress(filter));
  dispatchEvent(new HashChangeEvent('hashchange'));
}

const isKnown = (hash: string): boolean =>
  openPlace() !== undefined || hash === newAddress || agentIn(hash) !== undefined || filterIn(hash) !== undefined;

/** Whether the address leads nowhere. */
export const useLeadsNowhere = (): boolean => useSyncExternalStore(onHash, () => !isKnown(location.hash));

/** Returns the agent whose page is open. */
export const useAgentPlace = (): string | undefined => useSyncExternalStore(onHash, () => agentIn(location.hash));

/** The moment that is shown, while the address still names the one before. */
let ahead: string | undefined;
let moving: ReturnType<typeof setTimeout> | undefined;
const followers = new Set<() => void>();

/** Shows another moment at once. The address follows when the user rests: a browser ignores addresses that change too often. */
export function moveReplay(id: string, place: ReplayPlace): void {
  ahead = replayAddress(id, place);
  clearTimeout(moving);
  moving = setTimeout(() => ahead && location.replace(ahead), 250);
  for (const follow of followers) follow();
}

function onMoment(changed: () => void): () => void {
  const arrived = () => {
    // Another address was opened meanwhile.
    clearTimeout(moving);
    ahead = undefined;
    changed();
  };
  followers.add(changed);
  const leave = onHash(arrived);
  return () => {
    followers.delete(changed);
    leave();
  };
}

/** Returns the moment that is shown, and follows it. */
export function useReplayPlace(): ReplayPlace | undefined {
  const hash = useSyncExternalStore(onMoment, () => ahead ?? location.hash);
  return useMemo(() => replayIn(hash), [hash]);
}
