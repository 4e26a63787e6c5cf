import type { Vigil } from '../state/vigil';

/** A link to a conversation: its id, and the secret that lets people in. */
export interface JoinLink {
  id: string;
  secret: string;
}

const pattern = /^#\/join\/([A-Za-z0-9_-]{1,64})\/([A-Za-z0-9_-]{1,100})$/;
/** The storage of the tab has the link while its reader signs in. */
const place = 'vigil.join';

export const joinAddress = (id: string, secret: string): string => `${location.origin}/#/join/${id}/${secret}`;

/** Takes a link out of the address before anything else sees it: its secret stays neither there nor in the history. */
export function takeJoin(): void {
  const [, id, secret] = pattern.exec(location.hash) ?? [];
  if (!id || !secret) return;
  sessionStorage.setItem(place, JSON.stringify({ id, secret }));
  history.replaceState(null, '', `${location.pathname}${location.search}#/`);
}

/** Uses the link that was taken, once. */
export async function joinTaken(vigil: Vigil): Promise<void> {
  const kept = sessionStorage.getItem(place);
  if (kept === null) return;
  sessionStorage.removeItem(place);
  const { joinBy } = await import('./join-by');
  await joinBy(vigil, JSON.parse(kept) as JoinLink);
}
