import { clsx } from 'clsx';
import { Check, CheckCheck, Clock3 } from 'lucide-react';
import type { Message } from '../../../core/schemas';
import type { Unsent } from '../state/outbox';
import { useVigil, useVigilState } from '../state/use-vigil';

/**
 * What a person said: as its row has it, or as it was written here until there is one. Both are this one component under one
 * key, so that nothing moves when the row arrives.
 */
export function UserMessage({ message, unsent }: { message?: Message; unsent?: Unsent }) {
  const refused = unsent?.status === 'refused';
  const text = message?.text ?? unsent?.text ?? '';
  return (
    <article
      aria-label="You"
      className="mt-2.5 flex flex-col items-end gap-0.5 first:mt-0"
      data-message={message?.seq ?? 'unsent'}
    >
      <Speaker author={message?.author} />
      <p
        className={clsx(
          'max-w-[85%] whitespace-pre-wrap rounded-2xl rounded-br-md bg-mine px-3.5 py-2 transition-opacity [overflow-wrap:anywhere]',
          unsent && !refused && 'opacity-60',
          refused && 'ring-1 ring-bad/50',
        )}
      >
        {text}
      </p>
      {refused ? <Refused unsent={unsent} /> : <Progress message={message} />}
    </article>
  );
}

/** In a sub-agent's conversation it is the agent that asks who speaks here. */
function Speaker({ author }: { author?: string }) {
  const isAgent = useVigilState(({ agents }) => agents.some(({ name }) => name === author));
  return isAgent ? <span className="px-1 text-xs font-medium text-muted">{author}</span> : null;
}

function Progress({ message }: { message?: Message }) {
  const [Icon, words] = !message
    ? [Clock3, 'not stored yet']
    : message.status === 'pending'
      ? [Check, 'stored, not read yet']
      : [CheckCheck, 'read by the agent'];
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
      Not sent: {unsent.problem}{' '}
      <button type="button" className={link} onClick={() => send.again(unsent.clientMessageId)}>
        retry
      </button>
      {' · '}
      <button type="button" className={link} onClick={() => send.drop(unsent.clientMessageId)}>
        discard
      </button>
    </p>
  );
}
