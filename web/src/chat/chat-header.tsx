import { CodeXml, Ellipsis } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import type { PeopleState } from 'vigil-client/shared';
import { pageActionOf, pageKeys } from '../actions/page-keys';
import { type PanelPlace, useInspectToggle } from '../hooks/use-inspect';
import { addressOf, agentAddress } from '../hooks/use-place';
import { useStandstill } from '../hooks/use-standstill';
import { type Shown, useNow, useSummary, useVigil, useVigilState } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { ConversationMenu } from '../list/conversation-menu';
import { Present } from '../members/presence';
import { shownTimer } from '../rows/timers';
import { Button } from '../ui/button';
import { PanelToggle } from '../ui/panel-toggle';
import { StatusDot } from '../ui/status-dot';
import { agentName } from '../words/agents';
import { shownStatus } from '../words/rule-words';

export interface ChatHeaderProps {
  id: string;
  conversation: Shown | undefined;
  state: PeopleState;
  panel: boolean;
  togglePanel: () => void;
}

export function ChatHeader({ id, conversation, state, panel, togglePanel }: ChatHeaderProps) {
  const { me } = useVigil();
  const now = useNow();
  const standstill = useStandstill(id);
  const beginning = useVigilState(({ unsent }) => unsent.find((one) => one.conversationId === id && one.agent));
  // The answer to a change is in the list before the push of the whole.
  const listed = useSummary(id);
  const status = conversation && shownStatus(conversation, shownTimer(conversation.timers), now);
  const isMine = conversation?.takenBy !== undefined && conversation.takenBy.user === me.user;
  const title = listed?.title || conversation?.title || beginning?.text || t('New conversation');
  return (
    <header className="flex items-center gap-2 border-b border-line px-4 py-2.5">
      <div className="min-w-0 grow">
        <h1 className="truncate text-left [unicode-bidi:plaintext] font-semibold leading-snug">{title}</h1>
        <p className="flex min-w-0 items-center gap-1.5 text-xs text-muted">
          {status && <StatusDot of={status.dot} />}
          <span className="truncate">
            {conversation ? (
              <a
                href={agentAddress(conversation.agent)}
                title={t('What this agent is')}
                className="inline-block min-h-6 content-center hover:underline"
              >
                {agentName(conversation.agent)}
              </a>
            ) : beginning?.agent ? (
              agentName(beginning.agent)
            ) : (
              '…'
            )}
            {status && ` · ${isMine ? t('you have taken over') : status.words}`}
            {standstill && ` · ${t('no sign for {seconds} s', { seconds: standstill.seconds })}`}
          </span>
          {conversation?.parentId && (
            <a href={addressOf(conversation.parentId)} className="shrink-0 text-accent underline underline-offset-2">
              {t('task of another conversation')}
            </a>
          )}
        </p>
      </div>
      <Present id={id} state={state} />
      {conversation && (
        <ConversationMenu conversation={listed ?? conversation} align="end">
          <Button look="quiet" icon aria-label={t('More about this conversation')}>
            <Ellipsis aria-hidden className="size-4" />
          </Button>
        </ConversationMenu>
      )}
      <InspectToggle panel={panel} togglePanel={togglePanel} />
      <PanelToggle panel={panel} toggle={togglePanel} of="run" />
    </header>
  );
}

/** For developers: shows how the agent works, or the page as other users see it. */
function InspectToggle(place: PanelPlace) {
  const { may, inspects, toggle } = useInspectToggle(place);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!may || pageActionOf(event) !== 'inspect') return;
    event.preventDefault();
    toggle();
  });
  useEffect(() => {
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  if (!may) return null;
  const keys = pageKeys.inspect.label();
  return (
    <Button
      look="quiet"
      icon
      onClick={toggle}
      aria-label={t('Inspect')}
      aria-pressed={inspects}
      title={inspects ? t('As users see it ({keys})', { keys }) : t('How the agent works ({keys})', { keys })}
      className={inspects ? 'bg-line/60 text-ink' : undefined}
    >
      <CodeXml aria-hidden className="size-4" />
    </Button>
  );
}
