import { GitFork } from 'lucide-react';
import type { Message } from '../../../core/schemas';
import { goTo } from '../state/use-place';
import { useVigil } from '../state/use-vigil';

/** "Try again from here": the step that wrote this message is made anew in another conversation; this one stays. */
export function ForkButton({ id, message: { runId, step } }: { id: string; message: Message }) {
  const { act } = useVigil();
  if (!runId || !step) return null;
  const fork = async () => {
    const copy = await act.fork(id, { runId, step });
    if (copy) goTo(copy);
  };
  return (
    <button
      type="button"
      onClick={() => void fork()}
      title="In a new conversation; this one stays as it is"
      className="-top-7 absolute right-0 inline-flex items-center gap-1 rounded-md border border-line bg-raised px-2 py-0.5 text-muted text-xs opacity-0 shadow-sm transition-opacity hover:text-ink focus-visible:opacity-100 group-hover:opacity-100 [@media(hover:none)]:static [@media(hover:none)]:mt-1 [@media(hover:none)]:border-0 [@media(hover:none)]:bg-transparent [@media(hover:none)]:p-0 [@media(hover:none)]:opacity-100 [@media(hover:none)]:shadow-none"
    >
      <GitFork aria-hidden className="size-3.5" /> Try again from here
    </button>
  );
}
