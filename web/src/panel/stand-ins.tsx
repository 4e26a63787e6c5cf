import { useVigilState } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';

const commands = {
  model: 'OPENAI_API_KEY=sk-… npm start',
  search: 'SERPER_API_KEY=… npm start',
} as const;

type Part = keyof typeof commands;

/** What stands in, and what to do for the real one. */
const standInWords = (part: Part, name: string): string =>
  part === 'model'
    ? t('{name}. Type /call, /say, /result or /hand-off to play the model yourself. To use a real one:', { name })
    : t('{name}. To search the web:', { name });

const realWords = (part: Part, name: string): string =>
  part === 'model' ? t('model: {name}', { name }) : t('search: {name}', { name });

/** On a laptop: the model and the search in use, and how to replace stand-ins by the real ones. */
export function StandIns() {
  const names = useVigilState(({ standIns }) => standIns);
  return (
    <div className="mt-3 flex flex-col gap-1.5 text-faint text-xs empty:hidden">
      {(['model', 'search'] as const).map((part) => {
        const name = names[part];
        if (!name) return null;
        const isStandIn = name.includes('stand-in');
        return (
          <p key={part} className="first-letter:uppercase">
            {isStandIn ? standInWords(part, name) : realWords(part, name)}{' '}
            {isStandIn && (
              <code className="inline-block font-mono text-muted [overflow-wrap:anywhere]">{commands[part]}</code>
            )}
          </p>
        );
      })}
    </div>
  );
}
