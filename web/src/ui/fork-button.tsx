import { clsx } from 'clsx';
import { GitFork } from 'lucide-react';
import { useState } from 'react';
import { useFork } from '../state/use-fork';

export interface ForkButtonProps {
  id: string;
  /** The message or call whose step is made again. */
  of: { runId?: string; step?: number };
  className?: string;
}

/** "Try again from here": makes the step again in a fork. This conversation is unchanged. */
export function ForkButton({ id, of: { runId, step }, className }: ForkButtonProps) {
  const fork = useFork(id);
  const [busy, setBusy] = useState(false);
  if (!runId || !step) return null;
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
      title="In a new conversation; this one stays as it is"
      className={clsx('inline-flex items-center gap-1 text-muted text-xs hover:text-ink', className)}
    >
      <GitFork aria-hidden className="size-3.5" /> Try again from here
    </button>
  );
}

/** On a message: shown on hover and focus, and always on touch devices. */
export const besideMessage = clsx(
  'rounded-md border border-line bg-raised px-2 py-0.5 opacity-0 shadow-sm transition-opacity',
  'focus-visible:opacity-100 group-hover:opacity-100',
  '[@media(hover:none)]:static [@media(hover:none)]:mt-1 [@media(hover:none)]:border-0 [@media(hover:none)]:bg-transparent',
  '[@media(hover:none)]:p-0 [@media(hover:none)]:opacity-100 [@media(hover:none)]:shadow-none',
);
