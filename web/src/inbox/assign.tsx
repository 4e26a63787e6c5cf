import { type RefObject, useEffect, useRef, useState } from 'react';
import { RequestFailed } from 'vigil-client';
import { asksFor } from 'vigil-client/shared';
import { useRead } from '../hooks/use-read';
import { useNow, useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { memberships, type Person } from '../people/people';
import { type Assignable, assignees, type Me } from '../rows/deciders';
import { isTakeOver } from '../rows/take-over';
import type { Reading } from '../state/vigil-state';
import { Button } from '../ui/button';
import { Dialog, DialogHead } from '../ui/dialog';
import { questionText } from '../words/fields';
import { personName } from '../words/person';
import { OutcomeSign } from './outcome-sign';
import { outcomeOf } from './use-decisions';
import { countOf, type Outcome, useOneByOne } from './use-one-by-one';

export interface AssignProps {
  items: readonly Assignable[];
  close: () => void;
  /** Gets the focus afterwards, if what had it is gone. */
  opener: RefObject<HTMLElement | null>;
  /** Called when all are assigned. */
  done?: () => void;
}

/** Asks who should decide, and says what has become of each if there are several. */
export function Assign({ items, close, opener, done }: AssignProps) {
  const { act, me, session } = useVigil();
  const now = useNow();
  const { outcomes, isRunning, sendAll, stop } = useOneByOne(items);
  const { value: others = [], reading } = useRead(session.people?.withIds ?? nobody);
  const closing = useRef<HTMLButtonElement>(null);
  const count = items.length;
  const stored = countOf(outcomes, 'stored');
  const isOver = outcomes.size > 0 && !isRunning && [...outcomes.values()].every((one) => !isDue(one));
  useEffect(() => {
    // The button that had the focus is gone.
    if (isOver) closing.current?.focus();
  }, [isOver]);

  const { name: holder, isOther } = holderOf(items, me.user);
  const [takes, setTakes] = useState(false);
  const isHandOver = items.every(isTakeOver);
  const send = ({ conversationId, callback: { id, kind, assigned } }: Assignable, to: string): Promise<void> => {
    if (!asksFor(kind, 'take-over') || !assigned) return act.assign(conversationId, id, to);
    if (assigned.to === me.user) return act.passOn(conversationId, id, to);
    return act.assign(conversationId, id, to, takes ? assigned.to : undefined);
  };
  const assign = async (to: Choice) => {
    const all = await sendAll(
      (one) =>
        send(one, to.user).then(
          () => ({ is: 'stored' }),
          (error: unknown) => assignmentOutcome(error, to.name, isTakeOver(one)),
        ),
      isDue,
    );
    if (countOf(all, 'stored') < count) return;
    done?.();
    // One alone says so itself.
    if (count === 1) close();
  };
  const leave = () => {
    stop();
    close();
  };
  return (
    <Dialog label={t('Assign')} close={leave} opener={opener} className="w-96 max-w-[calc(100vw-1rem)] max-sm:mb-2">
      <DialogHead
        title={t('{count, plural, one {Assign to…} other {Assign # to…}}', { count })}
        about={
          isHandOver
            ? t('They have the conversation until they give it back, and are notified.')
            : t('They are notified. Others may still decide.')
        }
        close={leave}
      />
      <div className="flex max-h-[75dvh] flex-col gap-2 overflow-y-auto p-4 pointer-coarse:[&_:is(button,input)]:min-h-11">
        {isOther && !isOver && (
          <label className="flex items-center gap-2.5 rounded-lg border border-wait-line bg-wait-ground px-3 py-2 text-sm">
            <input
              type="checkbox"
              checked={takes}
              onChange={({ target }) => setTakes(target.checked)}
              className="size-4 shrink-0 accent-(--fill)"
            />
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {t('{name} has this conversation. Take it from them', { name: holder })}
            </span>
          </label>
        )}
        {!isOver && (
          <People
            choices={assignees(
              [{ ...me, name: t('Me') }, ...others.filter(({ user }) => user !== me.user)],
              items,
              now,
            )}
            asksForId={!session.people}
            reading={reading}
            me={me.user}
            disabled={isRunning || (isOther && !takes)}
            choose={(to) => void assign(to)}
          />
        )}
        {count > 1 && outcomes.size > 0 && (
          <ol className="flex flex-col divide-y divide-line text-sm">
            {items.map(({ callback }) => (
              <li key={callback.id} className="flex gap-3 py-2">
                <OutcomeSign outcome={outcomes.get(callback.id)} />
                <div className="min-w-0 grow [overflow-wrap:anywhere]">
                  <p className="line-clamp-2">{questionText(callback)}</p>
                  <p className="text-bad text-xs empty:hidden">{problemWords(outcomes.get(callback.id))}</p>
                </div>
              </li>
            ))}
          </ol>
        )}
        {count === 1 && (
          <p role="alert" className="text-bad text-sm [overflow-wrap:anywhere] empty:hidden">
            {problemWords(outcomes.get(items[0]!.callback.id))}
          </p>
        )}
        {count > 1 && (
          <p role="status" className="text-muted text-sm empty:hidden">
            {outcomes.size > 0 && t('{stored} of {count} assigned.', { stored, count })}
          </p>
        )}
        {isOver && (
          <Button ref={closing} onClick={close} className="self-end">
            {t('Close')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

/** It may be tried again, also with another person. To ask the same person twice changes nothing. */
const isDue = ({ is }: Outcome): boolean => is === 'refused' || is === 'unknown';

/** Returns the colleague who has the one conversation that is assigned. */
function holderOf([one, ...more]: readonly Assignable[], me: string) {
  const { to = me, toName } = (one && more.length === 0 && isTakeOver(one) && one.callback.assigned) || {};
  return { name: personName(to, toName), isOther: to !== me };
}

function assignmentOutcome(error: unknown, name: string, isTakenOver: boolean): Outcome {
  if (isTakenOver && error instanceof RequestFailed && error.status === 409)
    return { is: 'refused', words: t('somebody else has taken it over meanwhile, or it waits no more.') };

  if (error instanceof RequestFailed && error.errors?.some(({ path }) => path === 'to'))
    return {
      is: 'refused',
      words: isTakenOver
        ? t('{name} cannot take it over, or has not looked at their approvals in the last 30 days.', { name })
        : t('{name} cannot decide about this now, or has not looked at their approvals in the last 30 days.', { name }),
    };
  return outcomeOf(error);
}

function problemWords(outcome: Outcome | undefined): string | undefined {
  switch (outcome?.is) {
    case 'late':
      return t('Not assigned: {words}', { words: `${outcome.words}.` });
    case 'refused':
      return t('Not assigned: {words}', { words: outcome.words });
    case 'unknown':
      return t('No answer, so it may be assigned or not: {words}', { words: outcome.words });
    default:
      return undefined;
  }
}

interface Choice extends Me {
  name: string;
}

const nobody = async (): Promise<readonly (Person & { user: string })[]> => [];

interface PeopleProps {
  choices: readonly Choice[];
  /** The page does not know who there is. */
  asksForId: boolean;
  reading: Reading;
  me: string;
  disabled: boolean;
  choose: (to: Choice) => void;
}

/** The user, the people whom the page knows, and a field for the id of somebody else. */
function People({ choices, asksForId, reading, me, disabled, choose }: PeopleProps) {
  const [typed, setTyped] = useState('');
  const user = typed.trim();
  return (
    <>
      {choices.map((one) => (
        <Button key={one.user} disabled={disabled} onClick={() => choose(one)} className="h-auto min-h-8 py-1">
          <bdi className="min-w-0 grow text-left [overflow-wrap:anywhere]">{one.name}</bdi>
          {one.user !== me && (
            <span className="min-w-0 font-normal text-muted text-xs">
              {memberships({ groups: one.groups, claims: one.claims as Person['claims'] })}
            </span>
          )}
        </Button>
      ))}
      {reading.is === 'failed' && <p className="text-bad text-sm">{reading.problem}</p>}
      {!asksForId && reading.is === 'ready' && choices.every((one) => one.user === me) && (
        <p className="text-muted text-sm">{t('Nobody else of this browser’s people can decide about it.')}</p>
      )}
      {asksForId && (
        <form
          className="flex gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (user && !disabled) choose({ user, name: user, groups: [], claims: {} });
          }}
        >
          <input
            data-autofocus
            aria-label={t('User’s id')}
            placeholder={t('User’s id')}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            maxLength={128}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            className="h-8 min-w-0 grow rounded-lg border border-line bg-raised px-2.5 text-sm outline-none placeholder:text-faint focus:border-accent"
          />
          <Button type="submit" disabled={disabled || user === ''}>
            {t('Assign')}
          </Button>
        </form>
      )}
    </>
  );
}
