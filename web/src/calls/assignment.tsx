import { UserRound } from 'lucide-react';
import { type RefObject, useState } from 'react';
import type { Callback } from 'vigil-client';
import type { Assignment } from 'vigil-client/shared';
import { showDialog } from '../actions/page-dialog';
import { useNow, useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { type Assignable, hasApprovers } from '../rows/deciders';
import { Button } from '../ui/button';
import { personName } from '../words/person';
import { wordsOf } from '../words/problem-words';

/** Returns who is asked to decide about an approval, and by whom, unless they have taken it themselves. */
function assignedWords({ to, toName, by, byName }: Assignment, me: string): string {
  const name = personName(to, toName);
  const other = personName(by, byName);
  if (to === me) return by === me ? t('Assigned to you') : t('Assigned to you by {name}', { name: other });
  return by === to || by === me
    ? t('Assigned to {name}', { name })
    : t('Assigned to {name} by {by}', { name, by: other });
}

/** Says who is asked to decide. Nothing, if nobody is. */
export function AssignedTo({ callback: { assigned } }: { callback: Callback }) {
  const { me } = useVigil();
  if (!assigned) return null;
  return (
    <span className="inline-flex min-w-0 items-baseline gap-1.5 text-muted text-xs">
      <UserRound aria-hidden className="size-3.5 shrink-0 self-center" />
      <bdi className="min-w-0 [overflow-wrap:anywhere]">{assignedWords(assigned, me.user)}</bdi>
    </span>
  );
}

interface TakeBackProps {
  item: Assignable;
  /** Gets the focus when the button is gone. */
  next: RefObject<HTMLElement | null>;
}

/** Who is asked to decide, and the button that takes it back. */
export function AssignmentLine({ item, next }: TakeBackProps) {
  const { act } = useVigil();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { conversationId, callback } = item;
  if (!callback.assigned) return null;
  const takeBack = async () => {
    setBusy(true);
    const wrong = await act.assign(conversationId, callback.id, undefined).then(() => undefined, wordsOf);
    setBusy(false);
    setProblem(wrong);
    if (!wrong) next.current?.focus();
  };
  return (
    <div className="flex flex-wrap items-center gap-x-2">
      <AssignedTo callback={callback} />
      <Button look="quiet" className="h-6 px-1.5 text-xs" onClick={() => void takeBack()} disabled={busy}>
        {t('Take back')}
      </Button>
      {problem && (
        <p role="alert" className="basis-full text-bad text-xs">
          {problem}
        </p>
      )}
    </div>
  );
}

interface AssignButtonProps {
  item: Assignable;
  disabled: boolean;
  ref: RefObject<HTMLButtonElement | null>;
}

/** Asks whom to assign an approval to. Nothing, if its owner alone decides. */
export function AssignButton({ item, disabled, ref }: AssignButtonProps) {
  const now = useNow();
  if (!hasApprovers(item.callback, now)) return null;
  return (
    <Button
      ref={ref}
      look="quiet"
      disabled={disabled}
      onClick={() => showDialog({ is: 'assign', items: [item], opener: ref })}
    >
      {t('Assign…')}
    </Button>
  );
}
