import { useDraft } from '../hooks/drafts';
import { t } from '../languages/catalogue';
import { Button } from '../ui/button';
import { Late, lazily } from '../ui/late';
import { AnswersRefused, type AskedProps } from './approval';
import { TimeLeft } from './time-left';
import { useAnswer } from './use-answer';

// The home has questions, and loads before any conversation.
const Markdown = lazily<'Markdown', { text: string }>(() => import('../markdown/markdown'), 'Markdown');

/** The form that answers a question inside its call's card. */
export function Question({ id, callback, answersRefused, decided, elsewhere }: Omit<AskedProps, 'owner'>) {
  const [text, setText] = useDraft(`${id} ${callback.id}`, '');
  const { busy, problem, answer } = useAnswer({ id, callback, decided, elsewhere }, () => setText(undefined));
  const answerable = text.trim() !== '' && !busy && !answersRefused;

  return (
    <form
      className="flex flex-col gap-2.5 px-3 pb-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (answerable) void answer({ answer: text.trim() });
      }}
    >
      <div className="text-base">
        <Late meanwhile={<p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{callback.prompt}</p>}>
          <Markdown text={callback.prompt} />
        </Late>
      </div>
      <AnswersRefused answersRefused={answersRefused} />
      {problem && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
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
    </form>
  );
}
