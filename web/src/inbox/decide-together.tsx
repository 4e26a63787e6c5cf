import { type RefObject, useEffect, useRef, useState } from 'react';
import type { WaitingApproval } from 'vigil-client';
import { DecisionFields } from '../calls/decision-fields';
import { fieldsBelow, Sentence } from '../calls/sentence';
import { decisionOf } from '../calls/use-answer';
import { useNow, useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { Button } from '../ui/button';
import { Dialog, DialogHead } from '../ui/dialog';
import { agentName } from '../words/agents';
import { questionText } from '../words/fields';
import { personName } from '../words/person';
import { reasonWords } from '../words/sources';
import { toolWords } from '../words/words';
import { OutcomeSign } from './outcome-sign';
import { sumWords, together, type Verdict } from './together';
import { useDecisions } from './use-decisions';
import { countOf, type Outcome } from './use-one-by-one';

export interface DecideTogetherProps {
  verdict: Verdict;
  items: readonly WaitingApproval[];
  close: () => void;
  /** Gets the focus afterwards, if what had it is gone. */
  opener: RefObject<HTMLElement | null>;
}

/** Shows each decision of several and their sum, makes them one after another, and says what has become of each. */
export function DecideTogether({ verdict, items, close, opener }: DecideTogetherProps) {
  const { held, me, store } = useVigil();
  const now = useNow();
  // What is on the screen is what is decided, whatever comes meanwhile.
  const [{ included, left }] = useState(() => together(items, verdict, store.getState().drafts, now));
  const [reason, setReason] = useState('');
  const { outcomes, isRunning, decide, stop } = useDecisions(included, verdict);
  const sum = verdict === 'approve' ? sumWords(included) : undefined;
  const stored = countOf(outcomes, 'stored');
  const unknown = countOf(outcomes, 'unknown');
  const isBegun = outcomes.size > 0;
  const closing = useRef<HTMLButtonElement>(null);
  const isOver = isBegun && !isRunning;
  useEffect(() => {
    // The button that had the focus is gone.
    if (isOver) closing.current?.focus();
  }, [isOver]);
  const start = () => {
    const why = reason.trim() || undefined;
    const isOne = included.length === 1 && left.length === 0;
    // One alone is decided in its own place, where it can be taken back; without a connection, each of them is, until it is sent.
    if (!isOne && (isBegun || !held.isOffline())) return void decide(why);
    const isApproval = verdict === 'approve';
    const answer = isApproval ? { approved: true } : { approved: false, reason: why };
    for (const one of included) {
      const asked = { id: one.conversationId, callback: one.callback };
      held.begin(...decisionOf(asked, answer, isApproval ? sumWords([one]) : undefined), !isOne);
    }
    close();
  };
  const leave = () => (isRunning ? stop() : close());
  const count = included.length;
  const missing = count - outcomes.size;
  return (
    <Dialog
      label={verdict === 'approve' ? t('Approve together') : t('Deny together')}
      close={leave}
      opener={opener}
      isSudden
      className="w-[38rem] max-w-[calc(100vw-1rem)] max-sm:mb-2"
    >
      <form
        className="flex max-h-[85dvh] flex-col"
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <DialogHead
          title={titleOf(verdict, count)}
          about={sum && count > 1 ? t('{count} decisions, together {sum}.', { count, sum }) : undefined}
          close={leave}
        />
        <div className="min-h-0 grow overflow-y-auto px-5 py-3 text-sm" data-together>
          <ol className="flex flex-col divide-y divide-line">
            {included.map(({ callback, agent, owner }) => (
              <li
                key={callback.id}
                className="flex gap-3 py-2.5 [contain-intrinsic-size:auto_4rem] [content-visibility:auto]"
              >
                <OutcomeSign outcome={outcomes.get(callback.id)} />
                <div className="flex min-w-0 grow flex-col gap-1.5">
                  <p className="whitespace-pre-wrap text-base [overflow-wrap:anywhere]">
                    <Sentence {...callback} fields={callback.fields ?? []} />
                  </p>
                  <DecisionFields fields={fieldsBelow(callback, callback.fields ?? [])} />
                  <p className="text-muted text-xs">
                    {toolWords(callback)} ·{' '}
                    {owner === me.user
                      ? agentName(agent)
                      : t('{agent}, for {owner}', { agent: agentName(agent), owner: personName(owner) })}
                  </p>
                  {callback.reason && <p className="text-wait text-xs">{reasonWords(callback)}</p>}
                  <OutcomeWords outcome={outcomes.get(callback.id)} verdict={verdict} />
                </div>
              </li>
            ))}
          </ol>
          {left.length > 0 && (
            <section aria-labelledby="left-out" className="mt-3 rounded-lg bg-side px-3 py-2">
              <h3 id="left-out" className="font-medium">
                {t('{count, plural, one {One stays} other {# stay}} in the list', { count: left.length })}
              </h3>
              <ul className="mt-1 flex flex-col gap-1 text-muted text-xs">
                {left.map(({ one: { callback }, why }) => (
                  <li key={callback.id} className="[overflow-wrap:anywhere]">
                    <span className="line-clamp-2">{questionText(callback)}</span>{' '}
                    <span className="text-ink">{why}</span>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
        <footer className="flex flex-col gap-2 border-line border-t px-5 py-3 pointer-coarse:[&_:is(button,input)]:min-h-11">
          {verdict === 'deny' && count > 0 && !isBegun && (
            <input
              data-autofocus
              value={reason}
              onChange={({ target }) => setReason(target.value)}
              maxLength={2_000}
              aria-label={t('Reason for all of them, for the model')}
              placeholder={t('Reason, for the model (optional)')}
              className="h-8 rounded-lg border border-line bg-raised px-2.5 text-sm outline-none placeholder:text-faint focus:border-accent"
            />
          )}
          <p role="status" className="text-muted text-sm empty:hidden">
            {isBegun && `${progressWords(verdict, { stored, count, unknown })}${isRunning ? '…' : '.'}`}
          </p>
          <div className="flex flex-wrap justify-end gap-2">
            {isRunning ? (
              <Button onClick={stop}>{t('Stop after this one')}</Button>
            ) : (
              <Button ref={closing} onClick={close}>
                {isBegun || count === 0 ? t('Close') : t('Keep waiting')}
              </Button>
            )}
            {!isBegun && count > 0 && (
              <Button look={verdict === 'approve' ? 'strong' : 'danger'} type="submit" data-autofocus>
                {buttonOf(verdict, count, sum)}
              </Button>
            )}
            {isOver && (unknown > 0 || missing > 0) && (
              <Button look="strong" type="submit">
                {unknown > 0 ? t('Try {count} again', { count: unknown }) : t('Go on with {count}', { count: missing })}
              </Button>
            )}
          </div>
        </footer>
      </form>
    </Dialog>
  );
}

function titleOf(verdict: Verdict, count: number): string {
  if (verdict === 'approve')
    return t('{count, plural, =0 {Nothing to approve here} one {Approve this?} other {Approve #?}}', { count });
  return t('{count, plural, =0 {Nothing to deny here} one {Deny this?} other {Deny #?}}', { count });
}

function buttonOf(verdict: Verdict, count: number, sum: string | undefined): string {
  if (verdict === 'deny') return t('{count, plural, one {Deny} other {Deny #}}', { count });
  if (sum === undefined) return t('{count, plural, one {Approve} other {Approve #}}', { count });
  return t('{count, plural, one {Approve {sum}} other {Approve # · {sum}}}', { count, sum });
}

interface Progress {
  stored: number;
  count: number;
  unknown: number;
}

function progressWords(verdict: Verdict, { stored, count, unknown }: Progress): string {
  const done =
    verdict === 'approve'
      ? t('{stored} of {count} approved', { stored, count })
      : t('{stored} of {count} denied', { stored, count });
  return unknown > 0 ? `${done}, ${t('{count} without an answer', { count: unknown })}` : done;
}

function OutcomeWords({ outcome, verdict }: { outcome: Outcome | undefined; verdict: Verdict }) {
  const isApproval = verdict === 'approve';
  switch (outcome?.is) {
    case undefined:
    case 'sending':
      return null;
    case 'stored':
      return <p className="text-good text-xs">{isApproval ? t('Approved') : t('Denied')}</p>;
    case 'late':
      return <p className="text-bad text-xs">{notDone(isApproval, `${outcome.words}.`)}</p>;
    case 'refused':
      return <p className="text-bad text-xs [overflow-wrap:anywhere]">{notDone(isApproval, outcome.words)}</p>;
    case 'unknown': {
      const { words } = outcome;
      return (
        <p className="text-bad text-xs">
          {isApproval
            ? t('No answer, so it may be approved or not: {words}', { words })
            : t('No answer, so it may be denied or not: {words}', { words })}
        </p>
      );
    }
  }
}

const notDone = (isApproval: boolean, words: string): string =>
  isApproval ? t('Not approved: {words}', { words }) : t('Not denied: {words}', { words });
