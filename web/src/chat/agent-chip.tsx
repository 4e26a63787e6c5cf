import { ChevronDown } from 'lucide-react';
import type { AgentCard } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import { AgentMark } from '../ui/agent-mark';
import { agentName } from '../words/agents';

interface AgentChipProps {
  agents: readonly AgentCard[];
  agent: AgentCard;
  choose: (name: string) => void;
}

/** Says to whom the message goes, and chooses another agent. */
export function AgentChip({ agents, agent, choose }: AgentChipProps) {
  return (
    <label className="relative inline-flex h-8 max-w-full items-center gap-1.5 rounded-lg px-1.5 text-sm hover:bg-line/50 has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:h-11">
      <AgentMark name={agent.name} className="size-5" />
      <span aria-hidden className="truncate font-medium">
        {agentName(agent.name)}
      </span>
      <ChevronDown aria-hidden className="size-3.5 shrink-0 text-faint" />
      <select
        aria-label={t('Agent for the message')}
        value={agent.name}
        onChange={({ target }) => choose(target.value)}
        className="absolute inset-0 w-full cursor-pointer opacity-0"
      >
        {agents.map(({ name }) => (
          <option key={name} value={name}>
            {agentName(name)}
          </option>
        ))}
      </select>
    </label>
  );
}
