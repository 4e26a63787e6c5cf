import { useDraft } from '../hooks/drafts';
import { t } from '../languages/catalogue';
import { Button } from '../ui/button';
import { Late, lazily } from '../ui/late';
import { Receipt } from '../ui/receipt';
import type { AskedProps } from './approval';
import { TimeLeft } from './time-left';
import { useAnswer } from './use-answer';

// The home has questions, and loads before any conversation.
const Markdown = lazily<'Markdown', { text: string }>(() => import('../markdown/markdown'), 'Markdown');

/** The form that answers a question inside its call's card. */
export function Question({ id, callback, refused }: Omit<AskedProps, 'owner'>) {
  const [text, setText] = useDraft(`${id} ${callback.id}`, '');
  const { held, answer } = useAnswer({ id, callback });
  const answerable = text.trim() !== '' && !held && refused === undefined;

  return (
    <form
      className="flex flex-col gap-2.5 px-3 pb-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (answerable) answer({ answer: text.trim() });
      }}
    >
      <div className="text-base">
        <Late meanwhile={<p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{callback.prompt}</p>}>
          <Markdown text={callback.prompt} />
        </Late>
      </div>
      {refused && <p className="text-muted">{refused}</p>}
      {held ? (
        <Receipt held={held} />
      ) : (
        <div data-row="" className="flex flex-wrap items-center gap-2">
          <input
            value={text}
            onChange={({ target }) => setText(target.value)}
            aria-label={t('Answer: {prompt}', { prompt: callback.prompt })}
            placeholder={t('Your answer…')}
            className="h-8 min-w-40 grow rounded-lg border border-line bg-raised px-2.5 outline-none placeholder:text-faint focus:border-accent"
          />
          <Button look="strong" type="submit" disabled={!answerable}>
            {t('Answer')}
          </Button>
          <TimeLeft until={callback.expiresAt} />
        </div>
      )}
    </form>
  );
}
