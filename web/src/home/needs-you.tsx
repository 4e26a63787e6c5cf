import { MessageCircleQuestion, ShieldQuestion } from 'lucide-react';
import type { WaitingApproval } from 'vigil-client';
import { sourceWords } from 'vigil-client/shared';
import { Approval } from '../calls/approval';
import { Question } from '../calls/question';
import { useVigil } from '../hooks/use-vigil';
import { Moment } from '../ui/moment';
import { toolWords } from '../words/words';
import { ConversationLink } from './conversation-link';

export interface NeedsYouProps {
  approval: WaitingApproval;
  /** Called when the answer is accepted, before the form disappears. */
  decided: () => void;
}

/** An approval or a question, with its form. Of another person's conversation there is no more than the tool shows to approvers. */
export function NeedsYou({ approval, decided }: NeedsYouProps) {
  const { me } = useVigil();
  const { conversationId, callback, owner, agent, messages = [] } = approval;
  const isQuestion = callback.kind === 'question';
  const Icon = isQuestion ? MessageCircleQuestion : ShieldQuestion;
  const title = toolWords(callback);
  const Form = isQuestion ? Question : Approval;
  return (
    <article aria-label={title} className="rounded-xl border border-wait-line bg-wait-ground text-sm">
      <header className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1 px-3 py-2">
        <Icon aria-hidden className="size-4 shrink-0 self-center text-wait" />
        <h3 className="font-medium">{title}</h3>
        <span className="min-w-0 text-muted text-xs [overflow-wrap:anywhere]">
          {agent}
          {owner === me.user ? (
            <>
              {' in '}
              <ConversationLink id={conversationId} />
            </>
          ) : (
            `, for the user ${owner}`
          )}
          {callback.createdAt && (
            <>
              {', '}
              <Moment at={callback.createdAt} />
            </>
          )}
        </span>
      </header>
      {messages.length > 0 && <Messages messages={messages} />}
      <Form id={conversationId} callback={callback} answersRefused={false} decided={decided} elsewhere />
    </article>
  );
}

/** As plain text: somebody else's words are not laid out as the page's own. */
function Messages({ messages }: { messages: NonNullable<WaitingApproval['messages']> }) {
  return (
    <details className="px-3 pb-3">
      <summary className="cursor-pointer text-muted text-xs">The conversation before it</summary>
      <ol className="mt-2 flex max-h-80 flex-col gap-2 overflow-y-auto border-wait-line border-l-2 pl-3">
        {messages.map(({ seq, author, role, text, sources }) => (
          <li key={seq}>
            <p className="text-faint text-xs">
              {role === 'user' ? 'the user' : author}
              {sources?.length ? `, words from ${sourceWords(sources)}` : ''}
            </p>
            <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
          </li>
        ))}
      </ol>
    </details>
  );
}
