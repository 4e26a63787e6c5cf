import type { Message } from '../../../core/schemas';
import { Markdown } from '../ui/markdown';
import { Moment } from '../ui/moment';
import { MessageMenu } from './message-menu';

export interface AgentMessageProps {
  id: string;
  message: Message;
  /** Another one spoke before: who this is stands above. */
  named: boolean;
}

/** An answer: it grows by whole sentences, and says so if it was cut off. */
export function AgentMessage({ id, message, named }: AgentMessageProps) {
  const { author, text, status, createdAt } = message;
  return (
    <article aria-label={author} data-message={message.seq} data-status={status} className="group">
      {named && (
        <header className="mt-2 mb-0.5 flex h-7 items-center gap-2">
          <span className="text-sm font-semibold">{author}</span>
          <Moment at={createdAt} className="text-xs text-faint" />
          <MessageMenu id={id} message={message} />
        </header>
      )}
      {text.trim() !== '' && <Markdown text={text} />}
      <Ending status={status} empty={text.trim() === ''} />
    </article>
  );
}

function Ending({ status, empty }: { status: Message['status']; empty: boolean }) {
  switch (status) {
    case 'pending':
    case 'streaming':
      return (
        <span role="img" aria-label="writing" className="mt-1 inline-flex h-5 items-center gap-1">
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
      return <p className="mt-1 text-xs text-faint">{empty ? 'Stopped before it said anything.' : '— stopped here'}</p>;
    case 'error':
      return (
        <p className="mt-1 text-xs text-bad">{empty ? 'Broke off before it said anything.' : '— broke off here'}</p>
      );
    case 'complete':
      return null;
  }
}
