import { useMemo } from 'react';
import { useApprovals, useClient, useFeed } from 'vigil-client/react';
import { withoutRemoved } from '../state/removals';
import { useVigilState } from './use-vigil';

/** Returns what the user has and what waits for them, without conversations that they have just deleted. */
export function useOwn() {
  const { conversations, home } = useClient();
  const list = useFeed(conversations, ({ byId }) => byId);
  const timers = useFeed(home, ({ timers }) => timers);
  const { approvals } = useApprovals();
  const removing = useVigilState((state) => state.removing);
  return useMemo(() => withoutRemoved({ list, timers, approvals }, removing), [list, timers, approvals, removing]);
}
