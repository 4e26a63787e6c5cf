import { GitFork } from 'lucide-react';
import type { Message } from '../../../core/schemas';
import { goTo } from '../state/use-place';
import { useVigil } from '../state/use-vigil';

/** "Try again from here": the step that wrote this message is made anew in another conversation; this one stays. */
export function MessageMenu({ id, message: { runId, step } }: { id: string; message: Message }) {
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
      className="inline-flex items-center gap-1 rounded-md px-1.5 py-0.5 text-xs text-muted opacity-0 transition-opacity hover:bg-line/60 focus-visible:opacity-100 group-hover:opacity-100 [@media(hover:none)]:opacity-100"
    >
      <GitFork aria-hidden className="size-3.5" /> Try again from here
    </button>
  );
}
