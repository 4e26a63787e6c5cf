import { clsx } from 'clsx';
import type { Message } from 'vigil-client';
import { LastFailure } from '../calls/failed-attempts';
import { FileList } from '../files/file-list';
import { filesOfMessage } from '../files/shown-files';
import { foldPlace } from '../hooks/use-fold';
import { useVigil, useVigilState } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { CopyButton } from '../markdown/copy-button';
import { Markdown } from '../markdown/markdown';
import type { Place } from '../rows/version-places';
import { Fold } from '../ui/fold';
import { ForkButton } from '../ui/fork-button';
import { Moment } from '../ui/moment';
import { agentName } from '../words/agents';
import { forPeople } from '../words/end-phrase';
import { AddToDataset, Feedback, hasOwnFeedback } from './feedback';
import { GuardLines } from './guard-lines';
import { Citations, HostedUses } from './hosted-lines';
import { MessageActions, wordedAction } from './message-actions';
import { RecalledLine } from './recalled-line';
import { VersionArrows } from './version-arrows';

/** The author of the messages and calls that follow. */
export function Speaker({ author, at }: { author: string; at: string }) {
  return (
    <p className="mt-2 -mb-1 flex items-baseline gap-2">
      <span className="text-sm font-semibold">{agentName(author)}</span>
      <Moment at={at} className="text-xs text-faint" />
    </p>
  );
}

interface AgentMessageProps {
  id: string;
  message: Message;
  /** Whether its calls follow. The actions then take no room between. */
  hasCalls?: boolean;
  /** Whether nothing follows. It is then shown whole. */
  isLatest?: boolean;
  place?: Place;
}

/** A reply. It grows sentence by sentence, and says so if it was cut off. */
export function AgentMessage({ id, message, hasCalls, isLatest, place }: AgentMessageProps) {
  const { author, status, seq, amended, failedAttempts } = message;
  const text = useVigilState(({ agents }) => forPeople(message, agents));
  const { me } = useVigil();
  const failed = status === 'streaming' ? failedAttempts?.at(-1) : undefined;
  return (
    <article aria-label={agentName(author)} data-message={seq} data-status={status} className="group relative">
      <RecalledLine id={id} message={message} />
      <HostedUses message={message} />
      {text.trim() !== '' && (
        <Fold
          place={foldPlace(id, message)}
          text={text}
          isGrowing={status === 'streaming'}
          isWhole={isLatest}
          most={2_400}
          shown={1_200}
        >
          <Markdown text={text} growing={status === 'streaming'} />
        </Fold>
      )}
      <FileList conversationId={id} files={filesOfMessage(message)} />
      <Citations citations={message.citations} />
      <GuardLines guards={message.guards} isReply className="mt-1" />
      {failed && (
        <div className="mt-1">
          <p className="font-medium text-bad text-xs">
            {t('Attempt {attempt} to reach the model failed.', { attempt: failed.attempt })}
          </p>
          <LastFailure failed={failed} />
        </div>
      )}
      <Ending status={status} empty={text.trim() === ''} unreached={message.failedAttempts !== undefined} />
      {amended && (
        <p title={t('The agent has edited this message')} className="mt-1 text-xs text-faint">
          {t('edited')}
        </p>
      )}
      <div
        className={clsx(
          'flex items-center gap-1',
          hasCalls &&
            !place &&
            '[@media(hover:hover)]:-top-7 rounded-md bg-page [@media(hover:hover)]:absolute [@media(hover:hover)]:right-0',
        )}
      >
        {place && <VersionArrows id={id} {...place} />}
        {status !== 'streaming' && (
          <MessageActions isShown={hasOwnFeedback(message, me.user)}>
            {text.trim() !== '' && <CopyButton label={t('Copy message')} content={() => ({ text })} />}
            <ForkButton id={id} of={message} className={wordedAction} />
            <AddToDataset id={id} message={message} />
            <Feedback id={id} message={message} />
          </MessageActions>
        )}
      </div>
    </article>
  );
}

/** @param unreached whether attempts to reach the model have failed. */
function Ending({ status, empty, unreached }: { status: Message['status']; empty: boolean; unreached: boolean }) {
  // The last attempt is above, with why it failed.
  if (status === 'error' && empty && unreached) return null;
  switch (status) {
    case 'pending':
    case 'streaming':
      return (
        <span role="img" aria-label={t('writing')} className="mt-1 inline-flex h-5 items-center gap-1">
          {[0, 1, 2].map((dot) => (
            <span
              key={dot}
              className="size-1.5 animate-breathe rounded-full bg-accent"
              style={{ animationDelay: `${dot * 160}ms` }}
            />
          ))}
        </span>
      );
    case 'cancelled':
      return (
        <p className="mt-1 text-xs text-faint">{empty ? t('Stopped before it said anything.') : t('— stopped here')}</p>
      );
    case 'error':
      return (
        <p className="mt-1 text-xs text-bad">
          {empty ? t('Interrupted before it said anything.') : t('— interrupted here')}
        </p>
      );
    case 'complete':
      return null;
  }
}
