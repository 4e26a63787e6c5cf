import { RotateCcw, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { type Shown, useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { useMayWrite, useOwns } from '../members/use-people';
import { canRetry } from '../rows/list';
import { hasDone } from '../rows/run-words';
import { Button } from '../ui/button';
import { Confirm } from '../ui/confirm';
import { AddToDataset } from './feedback';

export interface RunEndProps {
  conversation: Shown;
  /** Called before this element disappears, so that the focus can move. */
  left: () => void;
}

/** Says why a run did not end as done, and offers to retry it or undo its effects. */
export function RunEnd({ conversation: { id, run, calls, messages }, left }: RunEndProps) {
  const { act } = useVigil();
  const [busy, setBusy] = useState(false);
  const [undoing, setUndoing] = useState(false);
  const take = async (step: (id: string) => Promise<boolean>) => {
    setBusy(true);
    if (await step(id)) left();
    setBusy(false);
  };
  const mayWrite = useMayWrite();
  const owns = useOwns();
  const mayUndo = owns && hasDone(calls);
  const confirmUndo = undoing && (
    <Confirm
      title={t('Undo what it did?')}
      text={t(
        'Effects of this run that can be undone are undone, newest first. After that, the run cannot be retried.',
      )}
      action={t('Undo it')}
      confirm={() => void take(act.stop)}
      close={() => setUndoing(false)}
    />
  );
  const undo = (
    <Button look="quiet" disabled={busy} onClick={() => setUndoing(true)}>
      <Undo2 aria-hidden className="size-3.5" /> {t('Undo what it did…')}
    </Button>
  );
  if (run?.status === 'cancelled' && run.reason)
    return (
      <div className="mx-auto w-full max-w-[46rem] px-4 pb-2 text-sm text-muted">
        <p>{t('Stopped. {reason}', { reason: run.reason })}</p>
        {run.stoppedBy !== undefined && mayUndo && undo}
        {confirmUndo}
      </div>
    );
  if (!run || !canRetry(run)) return null;
  const limited = run.status === 'limited';
  const last = messages.findLast(({ status }) => status !== 'pending' && status !== 'streaming');
  return (
    <div className="mx-auto w-full max-w-[46rem] px-4 pb-3">
      <div
        data-row=""
        role="alert"
        className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border border-bad/30 bg-bad-ground py-2 pr-2 pl-4 text-sm"
      >
        <p className="min-w-48 grow basis-0 [overflow-wrap:anywhere]">
          <strong className="font-semibold text-bad">
            {limited
              ? t('Stopped at its limit.')
              : run.failedStep
                ? t('It failed in step {step}.', { step: run.failedStep })
                : t('It failed.')}
          </strong>{' '}
          {run.reason}
        </p>
        {mayWrite && (
          <div className="ml-auto flex flex-wrap items-center gap-2">
            {last && <AddToDataset id={id} message={last} />}
            {mayUndo && undo}
            {(owns || limited || !hasDone(calls)) && (
              <Button disabled={busy} onClick={() => void take(act.retry)}>
                <RotateCcw aria-hidden className="size-3.5" /> {limited ? t('Continue') : t('Try again')}
              </Button>
            )}
          </div>
        )}
      </div>
      {confirmUndo}
    </div>
  );
}
