import { X } from 'lucide-react';
import type { Timer } from '../../../core/state/schemas';
import { ruleWords } from '../state/rule-words';
import { type Shown, useVigil } from '../state/use-vigil';
import { plain } from '../state/words';
import { Button } from '../ui/button';
import { Moment } from '../ui/moment';
import { Section } from './section';

/** The active timers of the conversation. */
export function Timers({ conversation: { id, timers } }: { conversation: Shown }) {
  const { act } = useVigil();
  const active = timers
    .filter(({ status }) => status === 'active')
    .sort((a, b) => Date.parse(a.nextAt) - Date.parse(b.nextAt));
  if (active.length === 0) return null;
  return (
    <Section title="Timers">
      <ul className="flex flex-col gap-1.5">
        {active.map((timer) => (
          <li key={timer.id} className="flex items-start gap-2 text-sm">
            <span className="min-w-0 grow">
              <span className="block truncate">{about(timer)}</span>
              <span className="block text-faint text-xs">
                <Moment at={timer.nextAt} />
                {timer.rule && <span title={timer.rule}> · {ruleWords(timer)}</span>}
              </span>
            </span>
            <Button
              look="quiet"
              icon
              onClick={() => void act.cancelTimer(id, timer.id)}
              aria-label={`Cancel: ${about(timer)}`}
            >
              <X aria-hidden className="size-4" />
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const about = ({ text, tool }: Timer): string => text || (tool ? `calls ${plain(tool)}` : 'a message');
