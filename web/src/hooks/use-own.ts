import { useMemo } from 'react';
import { useApprovals, useClient, useFeed } from 'vigil-client/react';
import { splitSnoozed } from '../kept/snoozed';
import { isTakenByOther } from '../rows/take-over';
import { withoutDeleted } from '../state/held';
import { useNow, useVigil, useVigilState } from './use-vigil';

/** Returns what the user has and what waits for them, without conversations that they have just deleted. */
export function useOwn() {
  const { conversations, home } = useClient();
  const list = useFeed(conversations, ({ byId }) => byId);
  const timers = useFeed(home, ({ timers }) => timers);
  const { approvals } = useApprovals();
  const held = useVigilState((state) => state.held);
  return useMemo(() => withoutDeleted({ list, timers, approvals }, held), [list, timers, approvals, held]);
}

/** Returns what waits for the user now, what they have put off, and the conversations that a colleague has taken over. */
export function useWaiting() {
  const { approvals } = useOwn();
  const { me } = useVigil();
  const snoozed = useVigilState((state) => state.snoozed);
  const now = useNow();
  return useMemo(() => {
    const taken = approvals.filter((one) => isTakenByOther(one, me.user));
    const own = approvals.filter((one) => !taken.includes(one));
    return { ...splitSnoozed(own, snoozed, now), taken };
  }, [approvals, snoozed, now, me.user]);
}
