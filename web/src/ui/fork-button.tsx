import { GitFork } from 'lucide-react';
import { useState } from 'react';
import { useFork } from '../hooks/use-fork';
import { t } from '../languages/catalogue';
import { useMayWrite } from '../members/use-people';

export interface ForkButtonProps {
  id: string;
  /** The message or call whose step is made again. */
  of: { runId?: string; step?: number };
  className: string;
}

/** "Try again from here": makes the step again in a fork, which is shown as another version. */
export function ForkButton({ id, of: { runId, step }, className }: ForkButtonProps) {
  const fork = useFork(id);
  const [busy, setBusy] = useState(false);
  const mayWrite = useMayWrite();
  if (!runId || !step || !mayWrite) return null;
  const again = async () => {
    setBusy(true);
    await fork({ runId, step });
    setBusy(false);
  };
  return (
    <button
      type="button"
      disabled={busy}
      onClick={() => void again()}
      title={t('Makes another version; this one stays')}
      className={className}
    >
      <GitFork aria-hidden className="size-3.5" /> {t('Try again from here')}
    </button>
  );
}
