import { clsx } from 'clsx';
import { DatabaseZap, ThumbsDown, ThumbsUp } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import type { Message } from 'vigil-client';
import type { GiveFeedback } from 'vigil-client/shared';
import { useInspect } from '../hooks/use-inspect';
import { useModule } from '../hooks/use-module';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { useMayWrite } from '../members/use-people';
import { Button } from '../ui/button';
import { wordedAction } from './message-actions';

type Verdict = 'up' | 'down';

/** Returns what the user thinks of a message, and a function that says it. */
function useFeedback(id: string, { seq, feedback = [] }: Pick<Message, 'seq' | 'feedback'>) {
  const { act, me } = useVigil();
  const [busy, setBusy] = useState(false);
  const { verdict, reason, dataset } = feedback.find(({ user }) => user === me.user) ?? {};
  const own: GiveFeedback = { verdict, reason, dataset };
  /** Keeps what is not named. A reason belongs to a verdict or a mark. */
  async function give(change: GiveFeedback): Promise<boolean> {
    const next = { ...own, ...change };
    setBusy(true);
    const done = await act.feedback(id, seq, next.verdict || next.dataset ? next : {});
    setBusy(false);
    return done;
  }
  return { own, give, busy };
}

export interface FeedbackProps {
  id: string;
  message: Message;
}

/** Thumbs on a reply, and a field for the reason once one is given. */
export function Feedback({ id, message }: FeedbackProps) {
  const isThere = useModule('feedback');
  const mayWrite = useMayWrite();
  const { own, give, busy } = useFeedback(id, message);
  const [asks, setAsks] = useState(false);
  if (!isThere || !mayWrite || message.callId !== undefined) return null;
  const press = async (verdict: Verdict) => {
    const isTakenBack = own.verdict === verdict;
    // A reason for one is none for the other.
    const done = await give({ verdict: isTakenBack ? undefined : verdict, reason: undefined });
    if (done) setAsks(!isTakenBack);
  };
  return (
    <>
      <span className="inline-flex gap-0.5">
        {thumbs().map(([verdict, label, icon]) => (
          <Thumb
            key={verdict}
            {...{ label, icon, busy }}
            pressed={own.verdict === verdict}
            press={() => press(verdict)}
          />
        ))}
      </span>
      {asks && own.verdict && (
        <Reason
          reason={own.reason}
          close={() => setAsks(false)}
          send={async (reason) => {
            if (await give({ reason })) setAsks(false);
          }}
        />
      )}
    </>
  );
}

const thumbs = () =>
  [
    ['up', t('Good reply'), ThumbsUp],
    ['down', t('Bad reply'), ThumbsDown],
  ] as const;

interface ThumbProps {
  label: string;
  icon: typeof ThumbsUp;
  pressed: boolean;
  busy: boolean;
  press: () => Promise<void>;
}

const Thumb = ({ label, icon: Icon, pressed, busy, press }: ThumbProps) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    aria-pressed={pressed}
    disabled={busy}
    onClick={() => void press()}
    className={clsx(
      'inline-flex size-7 shrink-0 items-center justify-center rounded-md hover:bg-line/60 hover:text-ink',
      pressed ? 'text-accent' : 'text-muted',
    )}
  >
    <Icon aria-hidden className={clsx('size-3.5', pressed && 'fill-current')} />
  </button>
);

interface ReasonProps {
  reason: string | undefined;
  close: () => void;
  send: (reason: string | undefined) => Promise<void>;
}

function Reason({ reason = '', close, send }: ReasonProps) {
  const [text, setText] = useState(reason);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send(text.trim() || undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    // Escape would otherwise stop the run.
    event.preventDefault();
    close();
  };
  return (
    <form onSubmit={submit} className="flex min-w-0 grow flex-wrap items-center gap-2 py-1">
      <input
        // biome-ignore lint/a11y/noAutofocus: the user has just opened this field.
        autoFocus
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
        maxLength={1_000}
        aria-label={t('Why? No agent reads it')}
        placeholder={t('Why? No agent reads it (optional)')}
        className="h-8 min-w-40 grow rounded-lg border border-line bg-raised px-2.5 text-sm outline-none placeholder:text-faint focus:border-accent"
      />
      <Button type="submit">{t('Send')}</Button>
      <Button look="quiet" onClick={close}>
        {t('Close')}
      </Button>
    </form>
  );
}

/** Marks a message, for those who write agents: `vigil eval pull --marked` reads its conversation. */
export function AddToDataset({ id, message, className = wordedAction }: FeedbackProps & { className?: string }) {
  const isThere = useModule('feedback');
  const mayWrite = useMayWrite();
  const { inspects } = useInspect();
  const { own, give, busy } = useFeedback(id, message);
  if (!isThere || !mayWrite || !inspects || message.status === 'pending' || message.status === 'streaming') return null;
  return (
    <button
      type="button"
      aria-pressed={own.dataset === true}
      disabled={busy}
      onClick={() => void give({ dataset: own.dataset ? undefined : true })}
      title={t('Marks it for the command vigil eval pull')}
      className={className}
    >
      <DatabaseZap aria-hidden className={clsx('size-3.5', own.dataset && 'text-accent')} />{' '}
      {own.dataset ? t('In the dataset') : t('Add to dataset')}
    </button>
  );
}

/** Whether the user has said anything of a message, so that it stays in sight. */
export const hasOwnFeedback = ({ feedback = [] }: Message, user: string): boolean =>
  feedback.some((one) => one.user === user);
