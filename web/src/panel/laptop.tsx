import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import { useFeed } from 'vigil-client/react';
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
  const { client, store } = useVigil();
  const now = useNow();
  const offset = useVigilState((state) => state.offset);
  const movingTo = useVigilState((state) => state.movingTo);
  const sleepers = useFeed(client.conversations, ({ byId }) =>
    nextMoment(
      [...byId.values()].map(({ until }) => until),
      now,
    ),
  );
  const own = conversation && nextMoment(momentsOf(conversation), now);
  const next = own ?? sleepers;

  const isMoving = movingTo !== undefined;
  const controls = useRef<HTMLDivElement>(null);
  const isPressed = useRef(false);
  useEffect(() => {
    // The focused button has been replaced.
    if (isPressed.current && document.activeElement === document.body)
      controls.current?.querySelector('button')?.focus();
    if (!isMoving) isPressed.current = false;
  }, [isMoving]);

  function told(moved: Promise<void>): void {
    isPressed.current = true;
    moved.catch((error: Error) => notify(store, error.message));
  }
  const move = (to: Parameters<Clock['move']>[0]) => told(clock.move(to));
  return (
    <section aria-label="This laptop" className={clsx('border-line px-4 py-3 text-sm', className)}>
      <p className="flex items-baseline justify-between gap-2">
        <Seconds />
        <span className="text-faint text-xs">{offset > 1_000 ? `${span(offset)} ahead` : 'real time'}</span>
      </p>
      {movingTo ? (
        <div key="moving" ref={controls} className="mt-2 flex items-center justify-between gap-2">
          <span role="status" className="text-muted text-xs">
            Moving to {moment(movingTo, now)}
          </span>
          <Button className="px-2 text-xs" onClick={() => told(clock.stop())}>
            Stop the clock
          </Button>
        </div>
      ) : (
        <div key="still" ref={controls} className="mt-2 flex gap-1.5 *:grow *:whitespace-nowrap *:px-2 *:text-xs">
          <Button onClick={() => move({ advance: 'PT1H' })}>+1 h</Button>
          <Button onClick={() => move({ to: tomorrowAt(8, now) })}>tomorrow 8:00</Button>
          <Button
            disabled={!next}
            title={next ? `To ${moment(next, now)}` : 'Nothing is scheduled'}
            onClick={() => next && move({ to: next })}
          >
            next wake-up
          </Button>
        </div>
      )}
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
