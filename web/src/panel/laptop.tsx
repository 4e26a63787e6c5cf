import { clsx } from 'clsx';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { type Shown, useNow, useVigil, useVigilState } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { type Clock, toldOf, tomorrowAt } from '../state/clock';
import { Button } from '../ui/button';
import { day, moment, span } from '../words/words';
import { useNextWakeUp } from './next-wake-up';
import { StandIns } from './stand-ins';

export interface LaptopProps {
  clock: Clock;
  conversation?: Shown;
  className?: string;
}

const kept = 'vigil.clock-hint';

/** The local cloud's controls: moves the clock, and names the stand-ins. After the first move they are one line. */
export function Laptop({ clock, conversation, className }: LaptopProps) {
  const { store } = useVigil();
  const now = useNow();
  const offset = useVigilState((state) => state.offset);
  const movingTo = useVigilState((state) => state.movingTo);
  const next = useNextWakeUp(conversation);
  const [hint, setHint] = useState(() => localStorage.getItem(kept));
  const [isFolded, setFolded] = useState(hint === 'used');
  const keep = (what: 'used' | 'closed') => {
    localStorage.setItem(kept, what);
    setHint(what);
  };

  const isMoving = movingTo !== undefined;
  const controls = useRef<HTMLDivElement>(null);
  const isPressed = useRef(false);
  const foldsAtRest = useRef(false);
  useLayoutEffect(() => {
    // Before the buttons of the open controls are seen, or have the focus: they would be gone a moment later.
    if (!isMoving && foldsAtRest.current) {
      foldsAtRest.current = false;
      setFolded(true);
      if (!isFolded) return;
    }
    // The focused button has been replaced.
    if (isPressed.current && document.activeElement === document.body)
      controls.current?.querySelector('button')?.focus();
    if (!isMoving) isPressed.current = false;
  }, [isMoving, isFolded]);

  function told(moved: Promise<void>): Promise<void> {
    isPressed.current = true;
    return toldOf(store, moved);
  }
  function move(to: Parameters<Clock['move']>[0]): void {
    const isFirst = hint !== 'used';
    void told(clock.move(to)).then(() => {
      // A move that was over at once has not been seen as one.
      if (!foldsAtRest.current) return;
      foldsAtRest.current = false;
      setFolded(true);
    });
    if (!isFirst) return;
    foldsAtRest.current = true;
    keep('used');
  }
  const standing = offset > 1_000 ? t('{time} ahead', { time: span(offset) }) : t('real time');
  const toNext = (
    <Button
      className="px-2 text-xs"
      disabled={!next}
      title={next ? t('To {moment}', { moment: moment(next, now) }) : t('Nothing is scheduled')}
      onClick={() => next && move({ to: next })}
    >
      {t('next wake-up')}
    </Button>
  );
  const stop = (
    <Button className="px-2 text-xs" onClick={() => void told(clock.stop())}>
      {t('Stop the clock')}
    </Button>
  );
  const moving = movingTo && (
    <span role="status" className="min-w-0 truncate px-2 text-muted text-xs">
      {t('Moving to {moment}', { moment: moment(movingTo, now) })}
    </span>
  );
  if (isFolded)
    return (
      <section aria-label={t('This laptop')} className={clsx('border-line px-2 py-1.5 text-sm', className)}>
        <div ref={controls} className="flex items-center justify-between gap-1">
          {movingTo ? (
            moving
          ) : (
            <button
              type="button"
              aria-expanded={false}
              onClick={() => setFolded(false)}
              className="flex h-8 min-w-0 items-center gap-1.5 rounded-lg px-2 hover:bg-line/60"
            >
              {/* What finds no place beside the time wraps below it, unseen, rather than being cut. */}
              <span className="flex h-5 min-w-0 flex-wrap items-baseline gap-x-1.5 overflow-hidden">
                <Seconds />
                <span className="whitespace-nowrap text-faint text-xs">{standing}</span>
              </span>
              <ChevronDown aria-hidden className="size-3.5 shrink-0 text-faint" />
              <span className="sr-only">{t('More about this laptop')}</span>
            </button>
          )}
          {movingTo ? stop : next && toNext}
        </div>
      </section>
    );
  return (
    <section aria-label={t('This laptop')} className={clsx('border-line px-4 py-3 text-sm', className)}>
      {hint === null && next && !isMoving && <Hint close={() => keep('closed')} />}
      <p className="flex items-center justify-between gap-2">
        <Seconds />
        <span className="ml-auto text-faint text-xs">{standing}</span>
        {hint === 'used' && (
          <Button
            look="quiet"
            icon
            className="-my-1 -mr-2 size-7"
            onClick={() => setFolded(true)}
            aria-label={t('Fold this laptop')}
          >
            <ChevronUp aria-hidden className="size-3.5" />
          </Button>
        )}
      </p>
      {movingTo ? (
        <div key="moving" ref={controls} className="mt-2 -ml-2 flex items-center justify-between gap-2">
          {moving}
          {stop}
        </div>
      ) : (
        <div key="still" ref={controls} className="mt-2 flex gap-1.5 *:grow *:whitespace-nowrap *:px-2 *:text-xs">
          <Button onClick={() => move({ advance: 'PT1H' })}>+1 h</Button>
          <Button onClick={() => move({ to: tomorrowAt(8, now) })}>{t('tomorrow 8:00')}</Button>
          {toNext}
        </div>
      )}
      <StandIns />
    </section>
  );
}

/** Points at the clock when something is scheduled for the first time. */
const Hint = ({ close }: { close: () => void }) => (
  <div
    role="note"
    className="relative mb-3 flex animate-appear items-center gap-2 rounded-lg bg-fill py-1 pr-1 pl-3 text-white"
  >
    <p className="grow font-medium">{t('No need to wait: move the clock')}</p>
    <button
      type="button"
      onClick={close}
      aria-label={t('Close the hint')}
      className="grid size-7 shrink-0 place-items-center rounded-md hover:bg-fill-strong pointer-coarse:size-11"
    >
      <X aria-hidden className="size-4" />
    </button>
    <span aria-hidden className="absolute -bottom-1 left-6 size-2.5 rotate-45 bg-fill" />
  </div>
);

/** Alone, because it is rendered each second. */
function Seconds() {
  const now = useNow(1_000);
  const iso = new Date(now).toISOString();
  return (
    <time dateTime={iso} className="whitespace-nowrap font-medium tabular-nums">
      {day(now, now)}, {moment(iso, now, true)}
    </time>
  );
}
