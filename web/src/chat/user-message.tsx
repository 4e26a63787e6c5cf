import { clsx } from 'clsx';
import { Ban, Check, CheckCheck, Clock3, Pencil, Users } from 'lucide-react';
import { useState } from 'react';
import type { Message } from 'vigil-client';
import { FileList } from '../files/file-list';
import { filesOfMessage } from '../files/shown-files';
import { foldPlace } from '../hooks/use-fold';
import { useVigil, useVigilState } from '../hooks/use-vigil';
import type { Unsent } from '../kept/unsent';
import { t } from '../languages/catalogue';
import { CopyButton } from '../markdown/copy-button';
import { Face } from '../members/face';
import { useMayWrite, usePeople } from '../members/use-people';
import { type People, partsOf, type Who } from '../members/who';
import { WordsOfPerson } from '../members/words-of-person';
import type { ReadBy } from '../rows/read-by';
import type { Place } from '../rows/version-places';
import { Fold } from '../ui/fold';
import { Moment } from '../ui/moment';
import { agentName } from '../words/agents';
import { personName } from '../words/person';
import { EditMessage, editPlace } from './edit-message';
import { AddToDataset, hasOwnFeedback } from './feedback';
import { GuardLines } from './guard-lines';
import { MessageActions, wordedAction } from './message-actions';
import { VersionArrows } from './version-arrows';

export interface UserMessageProps {
  id: string;
  message?: Message;
  unsent?: Unsent;
  /** The step that read it, if a fork can replace the message there. */
  from?: ReadBy;
  place?: Place;
}

/**
 * A user's message: its row, or the unsent text until there is one. Both use this component under one key, so nothing
 * moves when the row arrives.
 */
export function UserMessage({ id, message, unsent, from, place }: UserMessageProps) {
  const { store } = useVigil();
  const seq = message?.seq ?? 0;
  const isAgent = useVigilState(({ agents }) => agents.some(({ name }) => name === message?.author));
  // An unfinished edit is still there when the user returns.
  const [editing, setEditing] = useState(() => store.getState().drafts.has(editPlace(id, seq)));
  const [edited, setEdited] = useState(false);
  const people = usePeople();
  const mayWrite = useMayWrite();
  const { me } = useVigil();
  const other = isAgent ? undefined : authorOf(message, people, me.user);
  const isMention = names(message, people);
  const isAside = (message?.aside ?? unsent?.to) !== undefined;
  const refused = unsent?.status === 'refused';
  const text = message?.text ?? unsent?.text ?? '';
  const files = filesOfMessage(message, unsent);
  const close = () => {
    setEditing(false);
    setEdited(true);
  };
  return (
    <article
      aria-label={other?.name ?? t('You')}
      className={clsx('group mt-2.5 flex flex-col first:mt-0', other ? 'items-start' : 'items-end')}
      data-by={other && 'other'}
      data-message={message?.seq ?? 'unsent'}
    >
      {/* In a sub-agent's conversation, the requesting agent is the author. */}
      {isAgent && message && <span className="px-1 text-xs font-medium text-muted">{agentName(message.author)}</span>}
      {other && message && <Said by={other} at={message.createdAt} isAside={isAside} />}
      {!other && isAside && <ToPeople />}
      {files.length > 0 && (
        <div className={clsx('mb-1 w-full max-w-[85%]', unsent && !refused && 'opacity-60')}>
          <FileList conversationId={message && id} files={files} isOwn={!other} />
        </div>
      )}
      {editing && from && (
        <EditMessage id={id} seq={seq} text={text} hasFiles={files.length > 0} from={from} close={close} />
      )}
      {!(editing && from) && text !== '' && (
        <Fold
          place={foldPlace(id, message ?? unsent ?? {})}
          text={text}
          most={720}
          shown={360}
          className={clsx(
            'max-w-[85%] rounded-2xl px-3.5 py-2 transition-opacity',
            other ? 'rounded-tl-md border border-line bg-raised' : 'rounded-br-md bg-mine',
            isAside && 'border border-faint border-dashed',
            isMention && 'ring-2 ring-wait-line',
            unsent && !refused && 'opacity-60',
            refused && 'ring-1 ring-bad/50',
          )}
        >
          <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:plaintext]">
            <WordsOfPerson text={text} mentions={message?.mentions ?? unsent?.mentions} />
          </p>
        </Fold>
      )}
      {refused && <Refused unsent={unsent} />}
      <GuardLines guards={message?.guards} className="mt-1 max-w-[85%] px-1" />
      {!refused && !editing && (
        <span className={clsx('flex items-center gap-1', other && '-mb-2')}>
          {message && (
            <MessageActions isShown={hasOwnFeedback(message, me.user)}>
              {from && !isAgent && !other && mayWrite && <EditButton edit={() => setEditing(true)} focused={edited} />}
              {text !== '' && <CopyButton label={t('Copy message')} content={() => ({ text })} />}
              <AddToDataset id={id} message={message} />
            </MessageActions>
          )}
          {place && <VersionArrows id={id} {...place} />}
          {unsent?.problem && (
            <span role="status" className="text-muted text-xs">
              {t('Not sent yet: {problem} Retrying.', { problem: unsent.problem })}
            </span>
          )}
          {!other && <Progress message={message} />}
        </span>
      )}
    </article>
  );
}

/** Whether a message names its reader. Who talks to a person that has taken over is heard by them, also without a name. */
function names(message: Message | undefined, people: People | undefined): boolean {
  const mine = people?.all.filter(({ isMe }) => isMe) ?? [];
  const isHeard = mine.some(({ user }) => message?.mentions?.includes(user));
  return isHeard && partsOf(message!.text, mine).some(({ user }) => user !== undefined);
}

/** Returns who has written a message, unless it is the reader. */
function authorOf(message: Message | undefined, people: People | undefined, me: string): Who | undefined {
  if (!message || message.author === me) return undefined;
  const { author, authorName, sources } = message;
  // What a machine has begun for its user is theirs.
  const isOther = sources?.includes('member') || (people && (people.isShared || people.role !== 'owner'));
  if (!isOther) return undefined;
  const known = people?.all.find(({ user }) => user === author);
  return { user: author, name: known?.name ?? personName(author, authorName), isMe: false };
}

function Said({ by, at, isAside }: { by: Who; at: string; isAside: boolean }) {
  return (
    <p className="mb-1 flex max-w-full items-center gap-2">
      <Face {...by} />
      <span className="min-w-0 truncate font-semibold text-sm">{by.name}</span>
      <Moment at={at} className="shrink-0 text-faint text-xs" />
      {isAside && <ToPeople />}
    </p>
  );
}

const ToPeople = () => (
  <span title={t('No agent answers it')} className="inline-flex items-center gap-1 px-1 pb-0.5 text-muted text-xs">
    <Users aria-hidden className="size-3" /> {t('to people only')}
  </span>
);

/**
 * @param focused whether it reappears after an abandoned edit, and takes the focus back.
 */
function EditButton({ edit, focused }: { edit: () => void; focused: boolean }) {
  return (
    <button
      type="button"
      // biome-ignore lint/a11y/noAutofocus: it had the focus before.
      autoFocus={focused}
      onClick={edit}
      title={t('Makes another version; this one stays')}
      className={wordedAction}
    >
      <Pencil aria-hidden className="size-3" /> {t('Edit and ask again')}
    </button>
  );
}

function progressOf(message: Message | undefined) {
  if (!message) return [Clock3, t('not stored yet')] as const;
  // The agent reads it with the next message to it.
  if (message.aside && message.readBySeq === undefined) return [Check, t('stored')] as const;
  if (message.status === 'pending') return [Check, t('stored, not read yet')] as const;
  // A stop closes messages that were not read. The answer to a call's question is read with the call.
  if (message.readBySeq === undefined && message.callId === undefined)
    return [Ban, t('stopped before it was read')] as const;
  return [CheckCheck, t('read by the agent')] as const;
}

function Progress({ message }: { message?: Message }) {
  const [Icon, words] = progressOf(message);
  return (
    <span title={words} className="h-4 px-1 text-faint">
      <Icon aria-hidden className="size-3.5" />
      <span className="sr-only">{words}</span>
    </span>
  );
}

function Refused({ unsent }: { unsent: Unsent }) {
  const { send } = useVigil();
  const link = 'font-medium underline underline-offset-2';
  return (
    <p role="alert" className="max-w-[85%] text-right text-xs text-bad">
      {t('Not sent: {problem}', { problem: unsent.problem })}{' '}
      <button type="button" className={link} onClick={() => send.again(unsent.clientMessageId)}>
        {t('retry')}
      </button>
      {' · '}
      <button type="button" className={link} onClick={() => send.drop(unsent.clientMessageId)}>
        {t('discard')}
      </button>
    </p>
  );
}
