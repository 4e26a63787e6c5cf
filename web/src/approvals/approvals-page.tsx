import { ShieldQuestion } from 'lucide-react';
import { useRef } from 'react';
import type { WaitingApproval } from '../../../core/views/approvals';
import { Approval } from '../calls/approval';
import { sourceWords } from '../state/sources';
import { useVigilState } from '../state/use-vigil';
import { plain } from '../state/words';
import { Moment } from '../ui/moment';
import { Trouble } from '../ui/trouble';

/** What waits for the user's decision in conversations of other people. */
export function ApprovalsPage() {
  const approvals = useVigilState((state) => state.approvals);
  const reading = useVigilState((state) => state.approvalsReading);
  const title = useRef<HTMLHeadingElement>(null);
  return (
    <div className="min-h-0 grow overflow-y-auto">
      <div className="mx-auto w-full max-w-[46rem] px-4 py-8">
        <h1 ref={title} tabIndex={-1} className="font-semibold text-2xl tracking-tight outline-none">
          Approvals for others
        </h1>
        <p className="mt-1.5 text-muted">
          Agents of other people wait for your decision. The first decision holds, and Vigil records who made it.
        </p>
        {reading.is === 'failed' && <Trouble title="Could not be loaded" problem={reading.problem} />}
        {reading.is === 'ready' && approvals.length === 0 && (
          <p className="py-10 text-center text-faint text-sm">Nothing waits for you.</p>
        )}
        <ul aria-busy={reading.is === 'loading'} className="mt-6 flex flex-col gap-4">
          {approvals.map((approval) => (
            <li key={approval.callback.id}>
              {/* The focused button is removed with its card. */}
              <Waiting approval={approval} decided={() => title.current?.focus()} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function Waiting({ approval, decided }: { approval: WaitingApproval; decided: () => void }) {
  const { conversationId, callback, owner, agent, messages = [] } = approval;
  return (
    <article aria-label={callback.tool} className="rounded-xl border border-wait-line bg-wait-ground text-sm">
      <header className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1 px-3 py-2">
        <ShieldQuestion aria-hidden className="size-4 shrink-0 self-center text-wait" />
        <h2 className="font-medium">{plain(callback.tool ?? '')}</h2>
        <span className="min-w-0 text-muted text-xs [overflow-wrap:anywhere]">
          {agent}, for the user {owner}
          {callback.createdAt && (
            <>
              {', '}
              <Moment at={callback.createdAt} />
            </>
          )}
        </span>
      </header>
      {messages.length > 0 && <Messages messages={messages} />}
      <Approval id={conversationId} callback={callback} answersRefused={false} decided={decided} forOther />
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
