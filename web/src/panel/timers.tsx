import { X } from 'lucide-react';
import { Unreadable } from '../chat/unreadable';
import { type Shown, useVigil } from '../hooks/use-vigil';
import { activeOf } from '../rows/timers';
import { Button } from '../ui/button';
import { Moment } from '../ui/moment';
import { ruleWords, timerWords } from '../words/rule-words';
import { Section } from './section';

/** The active timers of the conversation. */
export function Timers({ conversation: { id, timers } }: { conversation: Shown }) {
  const { act } = useVigil();
  const active = activeOf(timers);
  if (active.length === 0) return null;
  return (
    <Section title="Timers">
      <ul className="flex flex-col gap-1.5">
        {active.map((timer) => (
          <li key={timer.id} className="flex items-start gap-2 text-sm">
            <span className="min-w-0 grow">
              <span className="block truncate">{timerWords(timer)}</span>
              <span className="block text-faint text-xs">
                <Moment at={timer.nextAt} />
                {timer.rule && <span title={timer.rule}> · {ruleWords(timer)}</span>}
              </span>
              <Unreadable what="timer" field={timer.unreadable} />
            </span>
            <Button
              look="quiet"
              icon
              onClick={() => void act.cancelTimer(id, timer.id)}
              aria-label={`Cancel: ${timerWords(timer)}`}
            >
              <X aria-hidden className="size-4" />
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
