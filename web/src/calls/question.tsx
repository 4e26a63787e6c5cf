import { useState } from 'react';
import { useDraft } from '../state/drafts';
import { useVigil } from '../state/use-vigil';
import { Button } from '../ui/button';
import { Markdown } from '../ui/markdown';
import { type AskedProps, Unheard } from './approval';
import { TimeLeft } from './time-left';

/** A question of a tool's, answered where it stands. */
export function Question({ id, callback, unheard, decided }: AskedProps) {
  const { act } = useVigil();
  const [text, setText] = useDraft(`${id} ${callback.id}`, '');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const answerable = text.trim() !== '' && !busy && !unheard;

  async function answer(): Promise<void> {
    if (!answerable) return;
    setBusy(true);
    const wrong = await act.answer(id, callback.id, { answer: text.trim() });
    setBusy(false);
    setProblem(wrong);
    if (wrong) return;
    setText(undefined);
    decided();
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
      <Unheard unheard={unheard} />
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
        <Button look="strong" type="submit" disabled={!answerable}>
          Answer
        </Button>
        <TimeLeft until={callback.expiresAt} />
      </div>
    </form>
  );
}
