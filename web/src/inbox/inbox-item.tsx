import { clsx } from 'clsx';
import {
  ChevronDown,
  ChevronRight,
  ClockArrowUp,
  Headset,
  MessageCircleQuestion,
  ShieldQuestion,
  Undo2,
} from 'lucide-react';
import { type MouseEvent, memo } from 'react';
import type { WaitingApproval } from 'vigil-client';
import { Approval } from '../calls/approval';
import { approvalPlace } from '../calls/approval-draft';
import { AssignedTo } from '../calls/assignment';
import { Question } from '../calls/question';
import { Sentence } from '../calls/sentence';
import { ConversationLink } from '../home/conversation-link';
import { withDraft } from '../hooks/drafts';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { rich } from '../languages/rich';
import { TakeOver, takeOverWords } from '../members/take-over';
import { isTakenByOther, isTakeOver } from '../rows/take-over';
import { Button } from '../ui/button';
import { Moment } from '../ui/moment';
import { Receipt, useHeld } from '../ui/receipt';
import { agentName } from '../words/agents';
import { questionText } from '../words/fields';
import { personName } from '../words/person';
import { sourceWords } from '../words/sources';
import { toolWords } from '../words/words';
import { isQuestion } from './together';

/** What can be done with an item besides its decision. The same object in each rendering. */
export interface ItemActions {
  select(id: string, toThere: boolean): void;
  unfold(id: string, isOpen: boolean): void;
  snooze(id: string): void;
  bringBack(id: string): void;
  focused(id: string): void;
}

export interface InboxItemProps {
  item: WaitingApproval;
  isNew: boolean;
  isSelected: boolean;
  /** The keys are about it. */
  isCurrent: boolean;
  /** It shows its form, not only a line. */
  isOpen: boolean;
  /** It is put off until then. */
  until?: string;
  /** Somebody else has decided about it, or it has ended. It stays because the user writes in it. */
  isGone: boolean;
  actions: ItemActions;
}

/** The element of an item, by its callback. */
export const itemSelector = (id: string): string => `[data-waits="${CSS.escape(id)}"]`;

/**
 * An approval or a question: a line, or its form. Of another person's conversation there is no more than the tool shows to approvers.
 * There may be hundreds, so one is rendered again only if it has changed, and drawn only while it is on the screen.
 */
export const InboxItem = memo(function InboxItem({
  item,
  isNew,
  isSelected,
  isCurrent,
  isOpen,
  until,
  isGone,
  actions,
}: InboxItemProps) {
  const { me, store } = useVigil();
  const { conversationId, callback, owner, agent, inPlaceOf, givenBack, messages = [] } = item;
  const { id } = callback;
  const held = useHeld(id);
  // Nothing can be done with it any more, but to take it back.
  const isOver = held !== undefined || isGone;
  const prompt = questionText(callback);
  const isForTaker = isTakeOver(item);
  const Icon = isForTaker ? Headset : isQuestion(item) ? MessageCircleQuestion : ShieldQuestion;
  const title = isForTaker ? takeOverWords(callback, me.user) : toolWords(callback);
  const Form = isQuestion(item) ? Question : Approval;
  const Fold = isOpen ? ChevronDown : ChevronRight;
  // A click on what is no control, and does not mark a text, unfolds a line.
  const unfold = ({ target }: MouseEvent) => {
    const isControl = (target as Element).closest('a, button, input, label, textarea, select, summary');
    if (!isControl && !isOpen && getSelection()?.isCollapsed !== false) actions.unfold(id, true);
  };
  const discard = () =>
    store.setState(({ drafts }) => ({ drafts: withDraft(drafts, approvalPlace(conversationId, callback), undefined) }));
  return (
    <li
      data-row={id}
      className={clsx(
        '[content-visibility:auto]',
        isOpen ? '[contain-intrinsic-size:auto_9rem]' : '[contain-intrinsic-size:auto_4.5rem]',
      )}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: its button unfolds it as well. */}
      <article
        data-waits={isGone || held?.status === 'done' ? undefined : id}
        // What it is about comes first: the amount and its receiver, before the kind of item.
        aria-label={`${prompt} · ${title}`}
        aria-current={isCurrent ? 'true' : undefined}
        tabIndex={-1}
        onFocus={() => actions.focused(id)}
        onClick={unfold}
        className={clsx(
          'scroll-my-20 rounded-xl border text-sm outline-offset-[-2px]',
          isSelected
            ? 'border-accent bg-mine'
            : isTakenByOther(item, me.user)
              ? 'border-line bg-raised'
              : 'border-wait-line bg-wait-ground',
          isCurrent && 'ring-2 ring-accent ring-inset',
          !isOpen && 'cursor-pointer',
        )}
      >
        <header className="flex items-start gap-1 py-1 pr-1 pl-1.5">
          {until === undefined && !isOver ? (
            <label className="grid size-8 shrink-0 cursor-pointer place-items-center pointer-coarse:size-11">
              <input
                type="checkbox"
                aria-label={t('Select: {prompt}', { prompt })}
                checked={isSelected}
                onChange={({ nativeEvent }) => actions.select(id, (nativeEvent as globalThis.MouseEvent).shiftKey)}
                className="size-4 accent-(--fill)"
              />
            </label>
          ) : (
            <span className={until === undefined ? 'size-8 shrink-0 pointer-coarse:size-11' : 'w-2'} />
          )}
          <div className="flex min-w-0 grow flex-wrap items-baseline gap-x-2 gap-y-0.5 py-1.5 pointer-coarse:py-3">
            <span className="flex min-w-0 items-baseline gap-x-2">
              <Icon aria-hidden className="size-4 shrink-0 translate-y-0.5 text-wait" />
              <h3 className="min-w-0 font-medium [overflow-wrap:anywhere]">{title}</h3>
            </span>
            {isNew && (
              <span className="rounded-full bg-fill px-1.5 font-semibold text-[0.6875rem] text-white leading-4">
                {t('New')}
              </span>
            )}
            <span className="min-w-0 text-muted text-xs [overflow-wrap:anywhere]">
              {owner === me.user
                ? rich('{agent} in {conversation}', {
                    agent: agentName(agent),
                    conversation: <ConversationLink id={conversationId} />,
                  })
                : t('{agent}, for {owner}', { agent: agentName(agent), owner: personName(owner) })}
              {inPlaceOf && `, ${t('in the place of {name}', { name: personName(inPlaceOf) })}`}
              {callback.createdAt && (
                <>
                  {', '}
                  {isForTaker && !callback.assigned ? (
                    rich('waits since {moment}', { moment: <Moment at={callback.createdAt} /> })
                  ) : (
                    <Moment at={callback.createdAt} />
                  )}
                </>
              )}
              {until && (
                <>
                  {' · '}
                  {rich('back {moment}', { moment: <Moment at={until} /> })}
                </>
              )}
            </span>
            {!isOpen && !isForTaker && <AssignedTo callback={callback} />}
          </div>
          {isOver ? null : until === undefined ? (
            <Button
              look="quiet"
              icon
              className="pointer-coarse:size-11"
              onClick={() => actions.snooze(id)}
              aria-label={t('Snooze: {prompt}', { prompt })}
              title={t('Snooze (S)')}
            >
              <ClockArrowUp aria-hidden className="size-4" />
            </Button>
          ) : (
            <Button className="pointer-coarse:h-11" onClick={() => actions.bringBack(id)}>
              <Undo2 aria-hidden className="size-4" /> {t('Bring back')}
            </Button>
          )}
          <Button
            look="quiet"
            icon
            className="pointer-coarse:size-11"
            aria-expanded={isOpen}
            onClick={() => actions.unfold(id, !isOpen)}
            aria-label={t('Form: {prompt}', { prompt })}
          >
            <Fold aria-hidden className="size-4" />
          </Button>
        </header>
        {isOpen ? (
          <div className="pointer-coarse:[&_:is(button,input,select,summary)]:min-h-11">
            {givenBack && (
              <p className="px-3 pb-2 text-muted text-xs [overflow-wrap:anywhere]">
                {givenBack.by === me.user
                  ? rich('You had asked: “{question}”', { question: <bdi>{givenBack.question}</bdi> })
                  : rich('{name} had asked: “{question}”', {
                      name: personName(givenBack.by, givenBack.name),
                      question: <bdi>{givenBack.question}</bdi>,
                    })}
                {givenBack.answer && (
                  <> {rich('The agent’s answer: “{answer}”', { answer: <bdi>{givenBack.answer}</bdi> })}</>
                )}
              </p>
            )}
            {messages.length > 0 && <Messages messages={messages} />}
            {isForTaker ? (
              <TakeOver item={item} />
            ) : (
              <Form
                id={conversationId}
                callback={callback}
                owner={owner}
                refused={isGone && !held ? goneWords() : undefined}
                elsewhere
              />
            )}
          </div>
        ) : (
          <div className="flex flex-col gap-1 px-3 pb-2.5">
            <p className="line-clamp-2 whitespace-pre-wrap text-base [overflow-wrap:anywhere]">
              <Sentence {...callback} fields={callback.fields ?? []} />
            </p>
            {held && <Receipt held={held} />}
          </div>
        )}
        {isGone && !held && (
          <Button look="quiet" className="mx-3 mb-3" onClick={discard}>
            {t('Discard')}
          </Button>
        )}
      </article>
    </li>
  );
});

const goneWords = (): string =>
  `${t('Somebody else has decided about it, or it has ended.')} ${t('What you had typed was not used.')}`;

/** As plain text: somebody else's words are not laid out as the page's own. */
function Messages({ messages }: { messages: NonNullable<WaitingApproval['messages']> }) {
  return (
    <details className="px-3 pb-3">
      <summary className="cursor-pointer text-muted text-xs">{t('The conversation before it')}</summary>
      <ol className="mt-2 flex max-h-80 flex-col gap-2 overflow-y-auto border-wait-line border-l-2 pl-3">
        {messages.map(({ seq, author, role, text, sources }) => (
          <li key={seq}>
            <p className="text-faint text-xs">
              {role === 'user' ? t('the user') : agentName(author)}
              {sources?.length ? `, ${t('words from {sources}', { sources: sourceWords(sources) })}` : ''}
            </p>
            <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
          </li>
        ))}
      </ol>
    </details>
  );
}
