import { useVigilState } from '../hooks/use-vigil';

const parts = [
  {
    is: 'model',
    does: 'Type /call, /say, /result or /hand-off to play the model yourself. To use a real one:',
    command: 'OPENAI_API_KEY=sk-… npm start',
  },
  {
    is: 'search',
    does: 'To search the web:',
    command: 'SERPER_API_KEY=… npm start',
  },
] as const;

/** On a laptop: the model and the search in use, and how to replace stand-ins by the real ones. */
export function StandIns() {
  const names = useVigilState(({ standIns }) => standIns);
  return (
    <div className="mt-3 flex flex-col gap-1.5 text-faint text-xs empty:hidden">
      {parts.map(({ is, does, command }) => {
        const name = names[is];
        if (!name) return null;
        const isStandIn = name.includes('stand-in');
        return (
          <p key={is} className="first-letter:uppercase">
            {isStandIn ? `${name}. ${does} ` : `${is}: ${name}`}
            {isStandIn && <code className="inline-block font-mono text-muted [overflow-wrap:anywhere]">{command}</code>}
          </p>
        );
      })}
    </div>
  );
}
