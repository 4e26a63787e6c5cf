import { clsx } from 'clsx';
import type { AgentCard } from 'vigil-client/shared';
import { useVigil, useVigilState } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { AgentMark } from '../ui/agent-mark';
import { Trouble } from '../ui/trouble';
import { agentName } from '../words/agents';

/** Returns the agents to offer: those with examples, which can reach the others, or all if none has examples. */
export function entryAgents(all: AgentCard[]): AgentCard[] {
  const chosen = all.filter(({ examples }) => examples.length > 0);
  return chosen.length > 0 ? chosen : all;
}

export interface AgentChoiceProps {
  agents: AgentCard[];
  agent?: AgentCard;
  choose: (name: string) => void;
}

export function AgentChoice({ agents, agent, choose }: AgentChoiceProps) {
  const { store, readAgents } = useVigil();
  const reading = useVigilState(({ agentsReading }) => agentsReading);
  const again = () => {
    store.setState({ agentsReading: { is: 'loading' } });
    void readAgents();
  };
  if (agents.length > 0)
    return (
      <fieldset className="mt-8 grid gap-2.5 sm:grid-cols-2">
        <legend className="sr-only">{t('Choose an agent')}</legend>
        {agents.map((one) => (
          <Card key={one.name} card={one} chosen={one.name === agent?.name} choose={choose} />
        ))}
      </fieldset>
    );
  if (reading.is === 'failed')
    return (
      <Trouble title={t('The agents could not be loaded')} problem={reading.problem} retry={again}>
        {t('Your text stays here until they are.')}
      </Trouble>
    );
  return (
    <div role="status" aria-label={t('Loading the agents')} className="mt-8 grid gap-2.5 sm:grid-cols-2">
      {[1, 2, 3, 4].map((place) => (
        <div key={place} className="h-20 animate-breathe rounded-xl bg-line/50" />
      ))}
    </div>
  );
}

interface CardProps {
  card: AgentCard;
  chosen: boolean;
  choose: (name: string) => void;
}

function Card({ card: { name, purpose }, chosen, choose }: CardProps) {
  return (
    <label
      className={clsx(
        'cursor-pointer rounded-xl border px-3.5 py-3 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-accent',
        chosen ? 'border-accent bg-raised' : 'border-line hover:border-faint',
      )}
    >
      <input type="radio" name="agent" className="sr-only" checked={chosen} onChange={() => choose(name)} />
      <span className="flex items-center gap-2 font-semibold text-sm">
        <AgentMark name={name} />
        <span>{agentName(name)}</span>
      </span>
      <span className="mt-1 block text-xs text-muted">{purpose}</span>
    </label>
  );
}
