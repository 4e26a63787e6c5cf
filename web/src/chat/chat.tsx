import { useRef } from 'react';
import { wordsOf } from 'vigil-client/shared';
import { stopRun } from '../actions/stop-run';
import { useWatchForStandstill } from '../hooks/use-standstill';
import { useConversation, useVigil, useVigilState } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { isActive } from '../rows/list';
import { openQuestion } from '../rows/transcript';
import { Announcer } from '../ui/announcer';
import { Nowhere } from '../ui/nowhere';
import { Trouble } from '../ui/trouble';
import { ChatHeader } from './chat-header';
import { Composer, focusField } from './composer';
import { Loading } from './loading';
import { RestingLine } from './resting-line';
import { RunEnd } from './run-end';
import { Transcript } from './transcript';
import { Unreadable } from './unreadable';

export interface ChatProps {
  id: string;
  panel: boolean;
  togglePanel: () => void;
  find: () => void;
}

/** The middle of the page: one conversation. */
export function Chat({ id, panel, togglePanel, find }: ChatProps) {
  const { follow, send, act } = useVigil();
  const { status, conversation, error } = useConversation(id);
  const starts = useVigilState(({ unsent }) => unsent.some((one) => one.conversationId === id));
  const field = useRef<HTMLTextAreaElement>(null);
  const run = conversation?.run;
  useWatchForStandstill(conversation);

  if (status === 'gone')
    return (
      <Nowhere
        title={t('Conversation not found')}
        problem={t('It was deleted, or it belongs to another user. Your conversations are in the list.')}
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
  return (
    <>
      <ChatHeader id={id} conversation={conversation} panel={panel} togglePanel={togglePanel} />
      {conversation || starts ? <Transcript id={id} conversation={conversation} /> : <Loading />}
      {conversation && (
        <div className="mx-auto w-full max-w-[46rem] px-4">
          <Unreadable what="conversation" field={conversation.unreadable} />
        </div>
      )}
      {conversation && <RunEnd conversation={conversation} left={() => focusField(field.current)} />}
      {conversation && <RestingLine conversation={conversation} {...(sleeps && { stop: stopAsleep, wake })} />}
      <Composer
        place={id}
        field={field}
        placeholder={question ? t('Answer {agent}…', { agent: run?.agent ?? conversation.agent }) : t('Message…')}
        send={(text, files) => {
          send.say(id, text, files);
          return true;
        }}
        takeBack={() => send.takeBack(id)}
        // While it sleeps, it is stopped from the line above.
        stop={active && !sleeps ? stop : undefined}
        stopsAtEscape={run?.status === 'running'}
      />
      {conversation && status === 'ready' && <Announcer key={id} conversation={conversation} />}
    </>
  );
}
