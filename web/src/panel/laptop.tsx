import { clsx } from 'clsx';
import { useState } from 'react';
import { type Shown, useNow, useVigil, useVigilState } from '../hooks/use-vigil';
import { nextMoment } from '../rows/list';
import { type Clock, tomorrowAt } from '../state/clock';
import { notify } from '../state/vigil-state';
import { Button } from '../ui/button';
import { day, moment, span } from '../words/words';
import { StandIns } from './stand-ins';

export interface LaptopProps {
  clock: Clock;
  conversation?: Shown;
  className?: string;
}

/** The local cloud's controls: moves the clock, and names the stand-ins. */
export function Laptop({ clock, conversation, className }: LaptopProps) {
  const { store } = useVigil();
  const now = useNow();
  const offset = useVigilState((state) => state.offset);
  const [moving, setMoving] = useState(false);
  const sleepers = useVigilState(({ list }) =>
    nextMoment(
      [...list.values()].map(({ until }) => until),
      now,
    ),
  );
  const own = conversation && nextMoment(momentsOf(conversation), now);
  const next = own ?? sleepers;

  async function move(to: Parameters<Clock['move']>[0]): Promise<void> {
    setMoving(true);
    await clock.move(to).catch((error: Error) => notify(store, error.message));
    setMoving(false);
  }
  return (
    <section aria-label="This laptop" className={clsx('border-line px-4 py-3 text-sm', className)}>
      <p className="flex items-baseline justify-between gap-2">
        <Seconds />
        <span className="text-faint text-xs">{offset > 1_000 ? `${span(offset)} ahead` : 'real time'}</span>
      </p>
      <div className="mt-2 flex gap-1.5 *:grow *:whitespace-nowrap *:px-2 *:text-xs">
        <Button disabled={moving} onClick={() => void move({ advance: 'PT1H' })}>
          +1 h
        </Button>
        <Button disabled={moving} onClick={() => void move({ to: tomorrowAt(8, now) })}>
          tomorrow 8:00
        </Button>
        <Button
          disabled={moving || !next}
          title={next ? `To ${moment(next, now)}` : 'Nothing is scheduled'}
          onClick={() => next && void move({ to: next })}
        >
          next wake-up
        </Button>
      </div>
      <StandIns />
    </section>
  );
}

/** Returns the times at which the conversation continues by itself: the run wakes, a timer fires or a callback expires. */
const momentsOf = ({ run, timers, callbacks }: Shown): (string | undefined)[] => [
  run?.status === 'sleeping' ? run.until : undefined,
  ...timers.filter(({ status }) => status === 'active').map(({ nextAt }) => nextAt),
  ...callbacks.filter(({ status }) => status === 'pending').map(({ expiresAt }) => expiresAt),
];

/** Alone, because it is rendered each second. */
function Seconds() {
  const now = useNow(1_000);
  const iso = new Date(now).toISOString();
  return (
    <time dateTime={iso} className="font-medium tabular-nums">
      {day(now, now)}, {moment(iso, now, true)}
    </time>
  );
}
