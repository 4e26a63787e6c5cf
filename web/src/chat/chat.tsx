import { Eye } from 'lucide-react';
import { useRef } from 'react';
import { stopRun } from '../actions/stop-run';
import { useWatchForStandstill } from '../hooks/use-standstill';
import { useConversation, useVigil, useVigilState } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { Typing, useMarkRead } from '../members/presence';
import type { TakeOverLineProps } from '../members/take-over-line';
import { PeopleProvider, usePeopleOf } from '../members/use-people';
import { isActive } from '../rows/list';
import { openQuestion, openTakeOver } from '../rows/transcript';
import { Announcer } from '../ui/announcer';
import { Late, lazily } from '../ui/late';
import { Nowhere } from '../ui/nowhere';
import { Trouble } from '../ui/trouble';
import { wordsOf } from '../words/problem-words';
import { ChatHeader } from './chat-header';
import { Composer, focusField } from './composer';
import { Loading } from './loading';
import { RestingLine } from './resting-line';
import { RunEnd } from './run-end';
import { Transcript } from './transcript';
import { Unreadable } from './unreadable';

const MemberNotices = lazily<'MemberNotices', { id: string }>(
  () => import('../members/member-notices'),
  'MemberNotices',
);

const TakeOverLine = lazily<'TakeOverLine', TakeOverLineProps>(
  () => import('../members/take-over-line'),
  'TakeOverLine',
);

export interface ChatProps {
  id: string;
  panel: boolean;
  togglePanel: () => void;
  find: () => void;
}

/** The middle of the page: one conversation. */
export function Chat({ id, panel, togglePanel, find }: ChatProps) {
  const { follow, send, act, client } = useVigil();
  const { status, conversation, error, people: state } = useConversation(id);
  const people = usePeopleOf(conversation, state);
  useMarkRead(conversation);
  const starts = useVigilState(({ unsent }) => unsent.some((one) => one.conversationId === id));
  const field = useRef<HTMLTextAreaElement>(null);
  const run = conversation?.run;
  const isLeaving = useVigilState(({ leaving }) => leaving === id);
  const joins = useVigilState(({ joining }) => joining.has(id)) && isActive(run) && !conversation?.takenBy;
  useWatchForStandstill(conversation);

  if (status === 'gone' && isLeaving) return <Loading />;
  if (status === 'gone')
    return (
      <Nowhere
        title={t('Conversation not found')}
        problem={t(
          'It was deleted, it belongs to another user, or it is no longer shared with you. Your conversations are in the list.',
        )}
        find={find}
      />
    );
  // Pushed rows are only part of a conversation that could not be read.
  if (status === 'failed')
    return (
      <Trouble isAlone title={t('Could not be loaded')} problem={wordsOf(error)} retry={() => void follow.read(id)} />
    );

  const active = isActive(run);
  const stop = () => stopRun(act, id, run);
  const sleeps = run?.status === 'sleeping';
  // The line with the button disappears when the run has stopped.
  const stopAsleep = () => {
    focusField(field.current);
    stop();
  };
  const wake = () => {
    focusField(field.current);
    void act.wake(id, run!.until!);
  };
  const question = conversation && openQuestion(conversation);
  const mayWrite = people.role !== 'watcher';
  const handOff = conversation && openTakeOver(conversation.callbacks);
  const talksTo = people.all.find(
    ({ user, isMe }) => !isMe && (user === conversation?.takenBy?.user || user === people.owner.user),
  );
  const forPeople = talksTo ? t('Message to {name}…', { name: talksTo.name }) : t('Message to the people…');
  return (
    <PeopleProvider value={people}>
      <ChatHeader id={id} conversation={conversation} state={state} panel={panel} togglePanel={togglePanel} />
      {conversation || starts ? <Transcript id={id} conversation={conversation} reads={state.reads} /> : <Loading />}
      {conversation && (
        <div className="mx-auto w-full max-w-[46rem] px-4">
          <Unreadable parts={conversation.unreadable} />
        </div>
      )}
      {conversation && <RunEnd conversation={conversation} left={() => focusField(field.current)} />}
      {conversation && (
        <RestingLine conversation={conversation} {...(sleeps && mayWrite && { stop: stopAsleep, wake })} />
      )}
      {(people.asking.length > 0 || people.isOffered) && (
        <Late>
          <MemberNotices id={id} />
        </Late>
      )}
      {conversation && (handOff || joins) && (
        <Late>
          <TakeOverLine conversation={conversation} callback={handOff} />
        </Late>
      )}
      <Typing state={state} />
      {!mayWrite && <Watching owner={people.owner.name} isTask={conversation?.parentId !== undefined} />}
      {mayWrite && (
        <Composer
          place={id}
          field={field}
          placeholder={
            handOff
              ? forPeople
              : question
                ? t('Answer {agent}…', { agent: run?.agent ?? conversation.agent })
                : t('Message…')
          }
          send={(text, files, to) => {
            send.say(id, text, files, to);
            return true;
          }}
          takeBack={() => send.takeBack(id)}
          // While it sleeps, it is stopped from the line above.
          stop={active && !sleeps ? stop : undefined}
          stopsAtEscape={run?.status === 'running'}
          people={people.isShared ? people.all : undefined}
          isForPeople={handOff !== undefined}
          types={people.isShared ? () => client.conversation(id).typing() : undefined}
        />
      )}
      {conversation && status === 'ready' && <Announcer key={id} conversation={conversation} />}
    </PeopleProvider>
  );
}

/** In the place of the message field, for those who only read. */
const Watching = ({ owner, isTask }: { owner: string; isTask: boolean }) => (
  <p
    data-watching
    className="mx-4 mb-4 flex items-center justify-center gap-2 rounded-2xl border border-line px-4 py-2.5 text-center text-muted text-sm sm:mx-auto sm:w-[44rem] sm:max-w-[calc(100%-2rem)]"
  >
    <Eye aria-hidden className="size-4 shrink-0" />
    {isTask
      ? t('You watch the work of a sub-agent. Write in the conversation that asked for it.')
      : t('You watch this conversation. {name} can let you write.', { name: owner })}
  </p>
);
