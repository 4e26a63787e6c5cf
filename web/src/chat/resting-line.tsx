import { AlarmClock, Moon, Square, Sunrise } from 'lucide-react';
import { type Shown, useLeft, useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { restingOf } from '../rows/resting';
import { activeOf } from '../rows/timers';
import { notify } from '../state/vigil-state';
import { Button } from '../ui/button';
import { Moment } from '../ui/moment';
import { countdown } from '../words/words';

export interface RestingLineProps {
  conversation: Shown;
  /** Stops the run that is asleep. */
  stop?: () => void;
  /** Wakes it before its time. */
  wake?: () => void;
}

/** Says above the message field when a conversation that rests goes on, and how far that is away. */
export function RestingLine({ conversation, stop, wake }: RestingLineProps) {
  const { clock, store } = useVigil();
  const resting = restingOf(conversation);
  const left = useLeft(resting?.at ?? '');
  if (!resting) return null;
  const { of, at, since } = resting;
  const timer = of === 'timer' ? activeOf(conversation.timers)[0] : undefined;
  const Icon = timer ? AlarmClock : Moon;
  return (
    <div data-resting={of} className="mx-auto w-full max-w-[46rem] px-4 pb-2">
      <div className="overflow-hidden rounded-xl border border-line bg-raised text-sm">
        <div className="flex min-h-10 flex-wrap items-center gap-x-2 py-1 pr-1.5 pl-3.5">
          <p className="flex min-w-0 grow basis-60 items-baseline gap-2 py-1">
            <Icon aria-hidden className="mt-0.5 size-4 shrink-0 self-start text-sleep" />
            <span className="flex flex-wrap gap-x-2">
              <strong className="font-semibold">{headOf(timer?.rule, of, left)}</strong>
              <Moment at={at} className="whitespace-nowrap text-muted" />
            </span>
          </p>
          <span className="ml-auto flex">
            {clock && left > 0 && (
              <Button
                look="quiet"
                className="px-2 text-xs"
                title={t('Moves this laptop’s clock')}
                onClick={() => clock.move({ to: at }).catch((error: Error) => notify(store, error.message))}
              >
                {t('Move the clock there')}
              </Button>
            )}
            {wake && left > 0 && (
              <Button look="quiet" className="px-2 text-xs" onClick={wake}>
                <Sunrise aria-hidden className="size-3" /> {t('Wake now')}
              </Button>
            )}
            {stop && (
              <Button look="quiet" className="px-2 text-xs" onClick={stop}>
                <Square aria-hidden className="size-3 fill-current" /> {t('Stop')}
              </Button>
            )}
          </span>
        </div>
        {since && <Progress of={Date.parse(at) - Date.parse(since)} left={left} />}
      </div>
    </div>
  );
}

function headOf(rule: string | undefined, of: 'run' | 'timer', left: number): string {
  const time = countdown(left);
  if (of === 'run') return left > 0 ? t('Asleep · wakes in {time}', { time }) : t('Waking up');
  if (left <= 0) return t('Due now');
  return rule ? t('Comes again in {time}', { time }) : t('Comes in {time}', { time });
}

/** The words say the same. */
function Progress({ of, left }: { of: number; left: number }) {
  const share = of > 0 ? Math.min(1, Math.max(0, 1 - left / of)) : 1;
  return (
    <svg aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 1" className="block h-0.5 w-full bg-line">
      <rect width={share * 100} height={1} className="fill-sleep" />
    </svg>
  );
}
