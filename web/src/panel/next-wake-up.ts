import type { Timer } from 'vigil-client';
import { useFeed } from 'vigil-client/react';
import { type Shown, useNow, useVigil } from '../hooks/use-vigil';
import { nextMoment } from '../rows/list';

/** Returns the next time at which something continues by itself: this conversation, otherwise any. */
export function useNextWakeUp(conversation: Shown | undefined): string | undefined {
  const { client } = useVigil();
  const now = useNow();
  const timers = useFeed(client.home, (home) => nextMoment(timesOf(home.timers), now));
  const sleepers = useFeed(client.conversations, ({ byId }) =>
    nextMoment(
      [...byId.values()].map(({ until }) => until),
      now,
    ),
  );
  const own = conversation && nextMoment(momentsOf(conversation), now);
  return own ?? nextMoment([sleepers, timers], now);
}

const timesOf = (timers: readonly Pick<Timer, 'status' | 'nextAt'>[]): string[] =>
  timers.filter(({ status }) => status === 'active').map(({ nextAt }) => nextAt);

/** Returns the times at which the conversation continues by itself: the run wakes, a timer fires or a callback expires. */
const momentsOf = ({ run, timers, callbacks }: Shown): (string | undefined)[] => [
  run?.status === 'sleeping' ? run.until : undefined,
  ...timesOf(timers),
  ...callbacks.filter(({ status }) => status === 'pending').map(({ expiresAt }) => expiresAt),
];
