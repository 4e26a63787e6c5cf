import { useMemo } from 'react';
import { useApprovals, useClient, useFeed } from 'vigil-client/react';
import { splitSnoozed } from '../kept/snoozed';
import { withoutRemoved } from '../state/removals';
import { useNow, useVigilState } from './use-vigil';

/** Returns what the user has and what waits for them, without conversations that they have just deleted. */
export function useOwn() {
  const { conversations, home } = useClient();
  const list = useFeed(conversations, ({ byId }) => byId);
  const timers = useFeed(home, ({ timers }) => timers);
  const { approvals } = useApprovals();
  const removing = useVigilState((state) => state.removing);
  return useMemo(() => withoutRemoved({ list, timers, approvals }, removing), [list, timers, approvals, removing]);
}

/** Returns what waits for the user now, and what they have put off. */
export function useWaiting() {
  const { approvals } = useOwn();
  const snoozed = useVigilState((state) => state.snoozed);
  const now = useNow();
  return useMemo(() => splitSnoozed(approvals, snoozed, now), [approvals, snoozed, now]);
}
