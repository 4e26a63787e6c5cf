import { clsx } from 'clsx';
import { CornerDownRight, Ellipsis } from 'lucide-react';
import { memo } from 'react';
import type { ConversationSummary, OwnTimer } from 'vigil-client';
import { addressOf } from '../hooks/use-place';
import { t } from '../languages/catalogue';
import { waitsForYou } from '../rows/list';
import { StatusDot } from '../ui/status-dot';
import { agentName } from '../words/agents';
import { shownStatus } from '../words/rule-words';
import { clockTime, day, isSameDay } from '../words/words';
import { ConversationMenu } from './conversation-menu';

export interface ListEntryProps {
  conversation: ConversationSummary;
  /** Its next timer. */
  timer?: OwnTimer;
  current: boolean;
  /** It has news that the user has not seen. */
  unread: boolean;
  /** A moment of this day; the current one if the conversation is due. */
  now: number;
  chosen: () => void;
}

/** An entry of the list. There may be hundreds, so one is rendered again only if it or the day has changed. */
export const ListEntry = memo(function ListEntry({
  conversation,
  timer,
  current,
  unread,
  now,
  chosen,
}: ListEntryProps) {
  const { id, title, agent, status, parentId } = conversation;
  const shownTitle = title || t('New conversation');
  const waits = waitsForYou(conversation);
  const { dot, words } = shownStatus(conversation, timer, now);
  return (
    <div className="group relative">
      <a
        href={addressOf(id)}
        onClick={chosen}
        aria-current={current ? 'page' : undefined}
        className={clsx(
          'block rounded-lg px-2.5 py-2 transition-colors',
          current ? 'bg-raised shadow-sm ring-1 ring-line' : 'hover:bg-line/50',
        )}
      >
        <span className="flex items-center gap-2">
          <StatusDot of={dot} />
          {parentId && (
            <CornerDownRight role="img" aria-label={t('Sub-agent')} className="size-3.5 shrink-0 text-faint" />
          )}
          <span
            className={clsx(
              'min-w-0 grow truncate text-sm',
              (current || waits) && 'font-medium',
              unread && 'font-semibold',
            )}
          >
            {shownTitle}
          </span>
          {unread && (
            <span className="size-2 shrink-0 rounded-full bg-accent forced-colors:bg-[Highlight]">
              <span className="sr-only">{t('Unread')}</span>
            </span>
          )}
          <Changed at={conversation.updatedAt} now={now} />
        </span>
        <span className="block truncate pr-6 pl-4 text-xs text-faint">
          <span className={clsx(waits && 'font-medium text-wait', status === 'failed' && 'text-bad')}>{words}</span>
          {` · ${agentName(agent)}`}
        </span>
      </a>
      <ConversationMenu conversation={conversation} align="end">
        <button
          type="button"
          aria-label={t('More about {title}', { title: shownTitle })}
          className="absolute right-1.5 bottom-1.5 grid size-6 place-items-center rounded-md text-faint hover:bg-line hover:text-ink focus-visible:opacity-100 data-[state=open]:opacity-100 [@media(hover:hover)]:opacity-0 [@media(hover:hover)]:group-focus-within:opacity-100 [@media(hover:hover)]:group-hover:opacity-100"
        >
          <Ellipsis aria-hidden className="size-4" />
        </button>
      </ConversationMenu>
    </div>
  );
});

function Changed({ at, now }: { at: string; now: number }) {
  const ms = Date.parse(at);
  const today = isSameDay(ms, now);
  return (
    <time dateTime={at} className="shrink-0 text-xs text-faint tabular-nums">
      {today ? clockTime(ms) : day(ms, now).replace(/^\S+ /, '')}
    </time>
  );
}
