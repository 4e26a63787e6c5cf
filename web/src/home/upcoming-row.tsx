import { BellRing, Moon, Repeat, Wrench, X } from 'lucide-react';
import { useState } from 'react';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { rich } from '../languages/rich';
import type { Upcoming } from '../rows/home-rows';
import { Button } from '../ui/button';
import { Confirm } from '../ui/confirm';
import { Moment } from '../ui/moment';
import { Receipt, useHeld } from '../ui/receipt';
import { TimerButtons } from '../ui/timer-buttons';
import { agentName } from '../words/agents';
import { ruleWords, timerWords } from '../words/rule-words';
import { ConversationLink } from './conversation-link';

const icons = { once: BellRing, repeat: Repeat, tool: Wrench };

export interface UpcomingRowProps {
  upcoming: Upcoming;
}

/** A timer, or a run that sleeps. Both can be cancelled here. */
export function UpcomingRow({ upcoming }: UpcomingRowProps) {
  const { act, held } = useVigil();
  const receipt = useHeld(upcoming.key);
  const [asks, setAsks] = useState(false);
  const { at } = upcoming;
  const timer = upcoming.kind === 'timer' ? upcoming.timer : undefined;
  const id = timer?.conversationId ?? upcoming.conversation!.id;
  const title = upcoming.conversation?.title || t('a conversation');
  const what = timer ? timerWords(timer) : title;
  const Icon = timer ? icons[timer.kind] : Moon;
  return (
    <li data-row={upcoming.key} className="flex items-start gap-2.5 py-2 pr-2 pl-3 text-sm">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-sleep" />
      <span className="min-w-0 grow">
        <span className="line-clamp-2 [overflow-wrap:anywhere]">{timer ? what : <ConversationLink id={id} />}</span>
        <span className="block text-faint text-xs">
          {timer?.status === 'paused' ? (
            t('paused')
          ) : timer ? (
            <Moment at={at} />
          ) : (
            rich('asleep until {moment}', { moment: <Moment at={at} /> })
          )}
          {timer?.rule && <span title={timer.rule}> · {ruleWords(timer)}</span>}
          {timer && (
            <>
              {' · '}
              <ConversationLink id={id} />
            </>
          )}
          {!timer && ` · ${agentName(upcoming.conversation!.agent)}`}
        </span>
      </span>
      {timer ? (
        <TimerButtons timer={timer} />
      ) : receipt ? (
        <Receipt held={receipt} />
      ) : (
        // A stop undoes effects, so it is confirmed. A timer has done nothing yet.
        <Button look="quiet" icon onClick={() => setAsks(true)} aria-label={t('Cancel: {what}', { what })}>
          <X aria-hidden className="size-4" />
        </Button>
      )}
      {asks && (
        <Confirm
          title={t('Stop this run?')}
          text={t('It will not continue when it is due. Its effects are undone where possible.')}
          action={t('Stop it')}
          confirm={() => void held.atOnce(id, t('Stopped'), () => act.stop(id))}
          close={() => setAsks(false)}
        />
      )}
    </li>
  );
}
