import type { Shown } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { openOf } from '../rows/timers';
import { Moment } from '../ui/moment';
import { useRows } from '../ui/receipt';
import { TimerButtons } from '../ui/timer-buttons';
import { ruleWords, timerWords } from '../words/rule-words';
import { Section } from './section';

/** The open timers of the conversation. */
export function Timers({ conversation: { id, timers, role } }: { conversation: Shown }) {
  const open = useRows(openOf(timers), ({ id: timerId }) => timerId);
  if (open.length === 0) return null;
  return (
    <Section title={t('Timers')}>
      <ul className="flex flex-col gap-1.5">
        {open.map((timer) => (
          <li key={timer.id} data-row={timer.id} className="flex items-start gap-2 text-sm">
            <span className="min-w-0 grow">
              <span className="block truncate">{timerWords(timer)}</span>
              <span className="block text-faint text-xs">
                {timer.status === 'paused' ? t('paused') : <Moment at={timer.nextAt} />}
                {timer.rule && <span title={timer.rule}> · {ruleWords(timer)}</span>}
              </span>
            </span>
            {!role && <TimerButtons timer={{ ...timer, conversationId: id }} />}
          </li>
        ))}
      </ul>
    </Section>
  );
}
