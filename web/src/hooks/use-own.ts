import { useMemo } from 'react';
import { withoutRemoved } from '../state/removals';
import { useVigilState } from './use-vigil';

/** Returns what the user has and what waits for them, without conversations that they have just deleted. */
export function useOwn() {
  const list = useVigilState((state) => state.list);
  const timers = useVigilState((state) => state.timers);
  const approvals = useVigilState((state) => state.approvals);
  const removing = useVigilState((state) => state.removing);
  return useMemo(() => withoutRemoved({ list, timers, approvals }, removing), [list, timers, approvals, removing]);
}
