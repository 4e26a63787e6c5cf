import { RotateCcw } from 'lucide-react';
import type { ConversationSummary } from 'vigil-client';
import { useNow, useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { canRetry } from '../rows/list';
import { Button } from '../ui/button';
import { Moment } from '../ui/moment';
import { Receipt, useHeld } from '../ui/receipt';
import { StatusDot } from '../ui/status-dot';
import { agentName } from '../words/agents';
import { standing } from '../words/words';
import { ConversationLink } from './conversation-link';

export interface RunRowProps {
  conversation: ConversationSummary;
}

/** A run that works or has failed. A failed one says why, and can be retried here. */
export function RunRow({ conversation }: RunRowProps) {
  const { act, held } = useVigil();
  const now = useNow(60_000);
  const { id, agent, status, reason, updatedAt } = conversation;
  const title = conversation.title || t('a conversation');
  const receipt = useHeld(id);
  const retry = () => void held.atOnce(id, t('Started again'), () => act.retry(id));
  return (
    <li data-row={id} className="flex items-start gap-2.5 py-2 pr-2 pl-3 text-sm">
      <span className="grid h-5 w-4 shrink-0 place-items-center">
        <StatusDot of={conversation} />
      </span>
      <span className="min-w-0 grow">
        <ConversationLink id={id} />
        {reason && <span className="mt-0.5 line-clamp-3 text-bad [overflow-wrap:anywhere]">{reason}</span>}
        <span className="block text-faint text-xs">
          {standing(conversation, now)} · {agentName(agent)} · <Moment at={updatedAt} />
        </span>
      </span>
      {receipt && <Receipt held={receipt} />}
      {!receipt && canRetry(conversation) && (
        <Button
          onClick={retry}
          aria-label={status === 'limited' ? t('Continue: {title}', { title }) : t('Try again: {title}', { title })}
        >
          <RotateCcw aria-hidden className="size-3.5" /> {status === 'limited' ? t('Continue') : t('Try again')}
        </Button>
      )}
    </li>
  );
}
