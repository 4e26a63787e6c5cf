import { useState } from 'react';
import type { Callback } from '../../../core/schemas';
import { useVigil } from '../state/use-vigil';
import { Button } from '../ui/button';
import { Markdown } from '../ui/markdown';
import { TimeLeft } from './time-left';

/** A question of a tool's, answered where it stands. */
export function Question({ id, callback }: { id: string; callback: Callback }) {
  const { act } = useVigil();
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function answer(): Promise<void> {
    if (!text.trim() || busy) return;
    setBusy(true);
    const wrong = await act.answer(id, callback.id, { answer: text.trim() });
    setProblem(wrong);
    if (wrong) setBusy(false);
  }

  return (
    <form
      className="flex flex-col gap-2.5 px-3 pb-3"
      onSubmit={(event) => {
        event.preventDefault();
        void answer();
      }}
    >
      <div className="text-base">
        <Markdown text={callback.prompt} />
      </div>
      {problem && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <input
          value={text}
          onChange={({ target }) => setText(target.value)}
          aria-label={`Answer: ${callback.prompt}`}
          placeholder="Your answer…"
          className="h-8 min-w-40 grow rounded-lg border border-line bg-raised px-2.5 outline-none placeholder:text-faint focus:border-accent"
        />
        <Button look="strong" type="submit" disabled={busy || !text.trim()}>
          Answer
        </Button>
        <TimeLeft until={callback.expiresAt} />
      </div>
    </form>
  );
}
