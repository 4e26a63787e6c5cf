import type { Timer } from 'vigil-client';
import { useLeft } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { TimerButtons } from '../ui/timer-buttons';
import { countdown } from '../words/words';

/** The timer that a call has made, while it lives: how long until it comes, and what can be done with it. */
export function TimerLine({ id, timer }: { id: string; timer: Timer }) {
  const ms = useLeft(timer.nextAt);
  const isPaused = timer.status === 'paused';
  return (
    <div className="flex flex-wrap items-center gap-x-2 px-3 pb-1.5 sm:pl-9.5">
      <p className="mr-auto py-1 text-muted text-xs">
        {isPaused
          ? t('Does not come while it is paused')
          : ms > 0
            ? t('In {span}', { span: countdown(ms) })
            : t('Due now')}
        {timer.fired > 0 && ` · ${t('{count, plural, one {came once} other {came # times}}', { count: timer.fired })}`}
      </p>
      <span className="-mx-2 flex">
        <TimerButtons timer={{ ...timer, conversationId: id }} worded />
      </span>
    </div>
  );
}
