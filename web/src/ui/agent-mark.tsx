import { clsx } from 'clsx';
import { agentIcon, agentName } from '../words/agents';

/** The sign of an agent: its icon, or the initial of its name. */
export function AgentMark({ name, className = 'size-6' }: { name: string; className?: string }) {
  const Icon = agentIcon(name);
  return (
    <span
      aria-hidden
      className={clsx(
        'grid shrink-0 place-items-center rounded-full bg-mine font-semibold text-accent text-xs',
        className,
      )}
    >
      {Icon ? <Icon className="size-[60%]" /> : [...agentName(name)][0]}
    </span>
  );
}
