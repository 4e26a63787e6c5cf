import { X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ItemView } from '../chat/item-view';
import { Loading } from '../chat/loading';
import { PastContext } from '../hooks/past';
import { goTo } from '../hooks/use-place';
import { useConversation, useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { transcript } from '../rows/transcript';
import { Button } from '../ui/button';
import { PanelToggle } from '../ui/panel-toggle';
import { StatusDot } from '../ui/status-dot';
import { Trouble } from '../ui/trouble';
import { wordsOf } from '../words/problem-words';
import { moment as momentWords, standing } from '../words/words';
import type { Rows } from './moments';
import { ReplayControls } from './replay-controls';
import { type Replayed, type ReplayProps, useMove, useReplay } from './use-replay';

export interface ReplayViewProps extends ReplayProps {
  panel: boolean;
  togglePanel: () => void;
}

/** In place of a conversation: one of its runs, moment by moment, with the rows as they were. Nothing can be changed. */
export function Replay({ panel, togglePanel, ...props }: ReplayViewProps) {
  const { id } = props;
  const { follow } = useVigil();
  const { status, error } = useConversation(id);
  const replayed = useReplay(props);
  const move = useMove(props, replayed?.moments);
  if (status === 'gone')
    return (
      <Trouble
        isAlone
        title={t('Conversation not found')}
        problem={t('It was deleted, or it belongs to another user.')}
      />
    );
  if (status === 'failed')
    return (
      <Trouble isAlone title={t('Could not be loaded')} problem={wordsOf(error)} retry={() => void follow.read(id)} />
    );
  if (status !== 'ready') return <Loading />;
  if (!replayed)
    return (
      <Trouble
        isAlone
        title={t('Nothing to replay')}
        problem={t('This conversation has no such run, or the run has not made a step.')}
      >
        <a href={`#/c/${id}`} className="text-accent underline underline-offset-2">
          {t('Back to the conversation')}
        </a>
      </Trouble>
    );
  const { conversation, moment, steps, rows } = replayed;
  const now = Date.parse(moment.at);
  return (
    <PastContext value={now}>
      <header className="border-wait-line border-b bg-wait-ground px-4 py-2.5">
        <div className="flex items-center gap-2">
          <div className="min-w-0 grow">
            <h1 className="truncate font-semibold leading-snug">
              {t('Replay: step {step} of {steps}', { step: moment.step, steps })}
            </h1>
            <p className="flex min-w-0 items-center gap-1.5 text-muted text-xs">
              <StatusDot of={conversation} />
              <span className="truncate tabular-nums">
                {standing(conversation, now)} · <time dateTime={moment.at}>{whenWords(moment.at)}</time> ·{' '}
                {conversation.title}
              </span>
            </p>
          </div>
          <Button onClick={() => goTo(id)} title={t('Escape')}>
            <X aria-hidden className="size-4" /> {t('Back to now')}
          </Button>
          <PanelToggle panel={panel} toggle={togglePanel} of="step" />
        </div>
        <ReplayControls replayed={replayed} move={move} close={() => goTo(id)} />
        <Unknown replayed={replayed} />
      </header>
      <RowsThen id={id} rows={rows} />
    </PastContext>
  );
}

/** With its date, because a replay may be of last year. */
const whenWords = (at: string): string => momentWords(at, Date.parse(at) - 400 * 86_400_000, true);

/** Lists what the rows do not tell. */
function Unknown({ replayed: { rows, moment } }: { replayed: Replayed }) {
  const isWriting = rows.messages.some(({ status, createdAt }) => status === 'streaming' && createdAt <= moment.at);
  const notes = [
    isWriting && t('The words of a reply are kept when it is complete, not as they came.'),
    rows.messages.some(({ amended }) => amended) && t('Edited messages have their latest text.'),
  ].filter((note) => note !== false);
  return notes.length > 0 && <p className="mt-1 text-muted text-xs">{notes.join(' ')}</p>;
}

/** The number of items shown at first, and of those added on each request. */
const atOnce = 100;

/** The transcript as its reader saw it. Each moment shows its end. */
function RowsThen({ id, rows }: { id: string; rows: Rows }) {
  const items = useMemo(() => transcript(rows, []), [rows]);
  const [atMost, setAtMost] = useState(atOnce);
  const scroller = useRef<HTMLElement>(null);
  const before = items.length - atMost;
  useEffect(() => {
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [rows]);
  return (
    <section
      ref={scroller}
      aria-label={t('Messages then')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
      tabIndex={0}
      className="min-h-0 grow overflow-y-auto -outline-offset-2"
    >
      <div className="mx-auto flex max-w-[46rem] flex-col gap-2.5 px-4 pt-6 pb-8">
        {before > 0 && (
          <Button look="quiet" className="self-center" onClick={() => setAtMost(atMost + atOnce)}>
            {t('Show {shown} of {hidden} earlier items', { shown: Math.min(atOnce, before), hidden: before })}
          </Button>
        )}
        {items.slice(-atMost).map((item) => (
          <ItemView key={item.key} id={id} item={item} />
        ))}
      </div>
    </section>
  );
}
