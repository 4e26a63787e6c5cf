import { useEffect, useState } from 'react';

export interface CopyButtonProps {
  words: string;
  text: () => string;
}

/** Copies a text, and says so for a moment. */
export function CopyButton({ words, text }: CopyButtonProps) {
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready');
  useEffect(() => {
    if (state === 'ready') return;
    const timer = setTimeout(() => setState('ready'), 2_000);
    return () => clearTimeout(timer);
  }, [state]);
  // A page without https has no clipboard, except on this machine.
  const copy = async () => navigator.clipboard.writeText(text());
  return (
    <button
      type="button"
      onClick={() =>
        void copy().then(
          () => setState('copied'),
          () => setState('refused'),
        )
      }
      className="shrink-0 rounded-md px-1 py-1 text-muted text-xs hover:text-ink"
    >
      {words}
      <span role="status">{state === 'copied' ? ': copied' : state === 'refused' ? ': not allowed' : ''}</span>
    </button>
  );
}
