import { RotateCcw } from 'lucide-react';
import { canRetry } from '../state/run-words';
import { type Shown, useVigil } from '../state/use-vigil';
import { Button } from '../ui/button';

/** A run that ended otherwise than done says why, and how it can go on. */
export function RunEnd({ conversation: { id, run } }: { conversation: Shown }) {
  const { act } = useVigil();
  if (run?.status === 'cancelled' && run.reason)
    return <p className="mx-auto w-full max-w-[46rem] px-4 pb-2 text-sm text-muted">Stopped. {run.reason}</p>;
  if (!run || !canRetry(run)) return null;
  const limited = run.status === 'limited';
  return (
    <div className="mx-auto w-full max-w-[46rem] px-4 pb-3">
      <div
        role="alert"
        className="flex items-center gap-3 rounded-xl border border-bad/30 bg-bad-ground py-2 pr-2 pl-4 text-sm"
      >
        <p className="min-w-0 grow [overflow-wrap:anywhere]">
          <strong className="font-semibold text-bad">{limited ? 'Stopped at its limit.' : 'It failed.'}</strong>{' '}
          {run.reason}
        </p>
        <Button onClick={() => void act.retry(id)}>
          <RotateCcw aria-hidden className="size-3.5" /> {limited ? 'Go on' : 'Try again'}
        </Button>
      </div>
    </div>
  );
}
