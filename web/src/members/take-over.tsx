import { useRef, useState } from 'react';
import type { Callback } from 'vigil-client';
import { AssignButton } from '../calls/assignment';
import { TimeLeft } from '../calls/time-left';
import { goTo } from '../hooks/use-place';
import { useNow, useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { rich } from '../languages/rich';
import { type Assignable, deciderName, deciderWords } from '../rows/deciders';
import { Button } from '../ui/button';
import { Moment } from '../ui/moment';
import { personName } from '../words/person';

/** Returns who is asked to take a conversation over, or who has. */
export function takeOverWords(callback: Callback, me: string): string {
  const { assigned } = callback;
  if (!assigned)
    return t('Somebody of {group} is asked to take this conversation over', { group: deciderWords(callback) });
  return assigned.to === me
    ? t('You have taken this conversation over')
    : t('{name} has taken this conversation over', { name: personName(assigned.to, assigned.toName) });
}

/** In the inbox: why the agent asks for a person, and the buttons that take the conversation over. Nothing is approved here. */
export function TakeOver({ item }: { item: Assignable }) {
  const { act, me } = useVigil();
  const [busy, setBusy] = useState(false);
  const assigning = useRef<HTMLButtonElement>(null);
  const { conversationId, callback } = item;
  const isMine = callback.assigned?.to === me.user;
  const claim = async () => {
    setBusy(true);
    const isTaken = await act.takeOver(conversationId, callback.id);
    setBusy(false);
    if (isTaken) goTo(conversationId);
  };
  return (
    <div className="flex flex-col gap-2.5 px-3 pb-3">
      <div className="text-base">
        <ReasonOfAgent callback={callback} />
      </div>
      <Escalates callback={callback} />
      <div data-take-over className="flex flex-wrap items-center gap-2">
        {!callback.assigned && (
          <Button look="strong" disabled={busy} onClick={() => void claim()}>
            {t('Take over')}
          </Button>
        )}
        {isMine && (
          <Button look="strong" onClick={() => goTo(conversationId)}>
            {t('Open the conversation')}
          </Button>
        )}
        <AssignButton ref={assigning} item={item} disabled={busy} />
        {isMine && <ReleaseButton item={item} />}
        <TimeLeft until={callback.expiresAt} />
      </div>
    </div>
  );
}

/** As a quotation: they are a model's words. */
export const ReasonOfAgent = ({ callback: { prompt } }: { callback: Pick<Callback, 'prompt'> }) => (
  <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{rich('“{reason}”', { reason: <bdi>{prompt}</bdi> })}</p>
);

/** Says from when others may take it over as well, if that is to come. */
function Escalates({ callback: { steps, dueStep = 0, assigned } }: { callback: Callback }) {
  const now = useNow();
  const { escalatesTo, escalatesAt } = steps?.[dueStep] ?? {};
  if (assigned || !escalatesTo || !escalatesAt || Date.parse(escalatesAt) <= now) return null;
  return (
    <p className="text-muted text-xs">
      {rich('From {moment}, {group} may take it over, too', {
        moment: <Moment at={escalatesAt} />,
        group: deciderName(escalatesTo),
      })}
    </p>
  );
}

/** Leaves the conversation to the next person of the group. */
export function ReleaseButton({ item: { conversationId, callback } }: { item: Assignable }) {
  const { act } = useVigil();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const release = async () => {
    setBusy(true);
    setProblem(await act.release(conversationId, callback.id));
    setBusy(false);
  };
  return (
    <>
      <Button look="quiet" disabled={busy} onClick={() => void release()}>
        {t('Release')}
      </Button>
      {problem && (
        <p role="alert" className="order-last basis-full text-bad text-sm">
          {problem}
        </p>
      )}
    </>
  );
}
