import { clsx } from 'clsx';
import { ChevronRight } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import type { Callback, Message } from 'vigil-client';
import { asksFor, filesIn } from 'vigil-client/shared';
import { GuardLines } from '../chat/guard-lines';
import { FileList } from '../files/file-list';
import { usePast } from '../hooks/past';
import { addressOf } from '../hooks/use-place';
import { useNow, useSummary, useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { ReasonOfAgent } from '../members/take-over';
import { usePeople } from '../members/use-people';
import { type CallState, mainArgument, seenBy } from '../rows/call-state';
import { canRetry } from '../rows/list';
import type { CallCard } from '../rows/transcript';
import { personName } from '../words/person';
import { plainValue } from '../words/plain-facts';
import { timerWords } from '../words/rule-words';
import { toolWords } from '../words/words';
import { Approval, type AskedProps } from './approval';
import { AssignedTo } from './assignment';
import { CallDetails } from './call-details';
import { looksOf } from './call-looks';
import { Decided } from './decided';
import { DecisionFields } from './decision-fields';
import { LastFailure } from './failed-attempts';
import { OutsideWords } from './outside-words';
import { Question } from './question';
import { fieldsBelow, Sentence } from './sentence';
import { TimerLine } from './timer-line';

export interface CallCardProps {
  id: string;
  card: CallCard;
}

/** One tool call: its name, its main argument, its state and the files that it made. It opens to show input and output. */
export function CallCardView({ id, card }: CallCardProps) {
  const { call, callback, note } = card;
  const { me } = useVigil();
  const past = usePast();
  const now = useNow();
  const people = usePeople();
  const state = seenBy(me, card.state, now, people);
  const { Icon, tone, words, moving } = {
    ...looksOf(state, now),
    ...(note && { words: returnedWords(note, me.user) }),
  };
  const files = filesIn(call.result);
  const isTakeOver = asksFor(callback?.kind, 'take-over');
  const isApproval = asksFor(callback?.kind, 'decision');
  const asks = state.is === 'approval' || state.is === 'question';
  return (
    <Collapsible.Root
      // It has buttons that go.
      data-row={asks || state.is === 'timed' ? call.id : undefined}
      data-call={call.tool}
      data-state-of-call={state.is}
      data-callback={callback?.id}
      className={clsx('rounded-xl border text-sm', asks ? 'border-wait-line bg-wait-ground' : 'border-line bg-raised')}
    >
      <div className="flex items-center">
        <Collapsible.Trigger className="group flex min-w-0 grow items-center gap-2.5 rounded-xl px-3 py-2 text-left">
          <Icon aria-hidden className={clsx('size-4 shrink-0', tone, moving && 'animate-breathe')} />
          {/* On narrow screens the state goes below the name. */}
          <span className="flex min-w-0 grow flex-wrap items-baseline gap-x-2.5">
            <span className="min-w-0 max-w-full truncate font-medium">
              <bdi>{toolWords(call)}</bdi>
            </span>
            {/* The form below shows the arguments. */}
            {!asks && !isTakeOver && (
              <Argument input={state.is === 'timed' ? timerWords(state.timer) : call.arguments} now={now} />
            )}
            <span className={clsx('ml-auto min-w-0 text-xs', tone)}>{words}</span>
          </span>
          <ChevronRight
            aria-hidden
            className="size-3.5 shrink-0 text-faint transition-transform group-data-[state=open]:rotate-90"
          />
        </Collapsible.Trigger>
        {callback?.conversationId && (
          <a
            href={addressOf(callback.conversationId)}
            className="shrink-0 py-2 pr-3 text-accent text-xs underline underline-offset-2"
          >
            {t('its conversation')}
          </a>
        )}
      </div>
      {state.is === 'timed' && past === undefined && (people?.role ?? 'owner') === 'owner' && (
        <TimerLine id={id} timer={state.timer} />
      )}
      {(state.is === 'retrying' || state.is === 'running') && state.failed && (
        <div className="px-3 pb-2">
          <LastFailure failed={state.failed} />
        </div>
      )}
      <GuardLines guards={call.guards} className="px-3 pb-2" />
      {files.length > 0 && (
        <div className="px-3 pb-2.5">
          <FileList conversationId={id} files={files} />
        </div>
      )}
      {callback && isTakeOver && <HandedOver callback={callback} note={note} />}
      {callback?.assigned && isApproval && !asks && (
        <div className="px-3 pb-2">
          <AssignedTo callback={callback} />
        </div>
      )}
      {callback && isApproval && !asks && <Decided id={id} callback={callback} />}
      <Asked id={id} state={state} />
      <Collapsible.Content>
        <CallDetails id={id} card={card} />
      </Collapsible.Content>
    </Collapsible.Root>
  );
}

function Argument({ input, now }: { input: unknown; now: number }) {
  const main = mainArgument(input);
  if (!main) return null;
  return <span className="min-w-0 grow basis-24 truncate text-muted">{plainValue(main.value, now)}</span>;
}

function returnedWords({ author, authorName }: Message, me: string): string {
  return author === me ? t('given back by you') : t('given back by {name}', { name: personName(author, authorName) });
}

/** Why the agent has asked for a person, and the note with which they have given the conversation back. */
const HandedOver = ({ callback, note }: { callback: Callback; note?: Message }) => (
  <div className="flex flex-col gap-1 px-3 pb-2.5">
    <ReasonOfAgent callback={callback} />
    {note && (
      <p dir="auto" className="line-clamp-4 whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">
        {t('The note: {note}', { note: note.text })}
      </p>
    )}
  </div>
);

/** The form for a callback that the user has to answer. */
function Asked({ id, state }: Pick<AskedProps, 'id'> & { state: CallState }) {
  const { me } = useVigil();
  const owner = usePeople()?.owner.user ?? me.user;
  const answersRefused = canRetry(useSummary(id));
  const past = usePast();
  if (state.is !== 'approval' && state.is !== 'question') return null;
  const { callback } = state;
  if (past !== undefined)
    return (
      <div className="flex flex-col gap-2 px-3 pb-2.5">
        <p className="[overflow-wrap:anywhere]">
          <Sentence {...callback} fields={callback.fields ?? []} />
        </p>
        {callback.reason && <OutsideWords id={id} callback={callback} canTrust={false} />}
        <DecisionFields fields={fieldsBelow(callback, callback.fields ?? [])} />
      </div>
    );
  const Form = state.is === 'approval' ? Approval : Question;
  return (
    <Form
      key={callback.id}
      id={id}
      callback={callback}
      owner={owner}
      refused={answersRefused ? t('The run has stopped. Continue it below, and it asks again.') : undefined}
    />
  );
}
