import { clsx } from 'clsx';
import { useState } from 'react';
import type { AgentCard } from '../../../core/schemas';
import { goTo } from '../state/use-place';
import { useVigil, useVigilState } from '../state/use-vigil';
import { Composer } from './composer';

const lastAgent = 'vigil.last-agent';

/** A new conversation: whom to talk to, and what one could say. */
export function Welcome({ begun }: { begun: () => void }) {
  const { send } = useVigil();
  const all = useVigilState((state) => state.agents);
  // The others are reached by these, not chosen.
  const chosen = all.filter(({ examples }) => examples.length > 0);
  const agents = chosen.length > 0 ? chosen : all;
  const [name, setName] = useState(() => localStorage.getItem(lastAgent) ?? undefined);
  const agent = agents.find((one) => one.name === name) ?? agents[0];
  const begin = (text: string) => {
    if (!agent) return;
    localStorage.setItem(lastAgent, agent.name);
    goTo(send.begin(agent.name, text));
    begun();
  };
  return (
    <>
      <div className="grid min-h-0 grow place-items-center overflow-y-auto">
        <div className="w-full max-w-[46rem] px-4 py-10">
          <h1 className="text-2xl font-semibold tracking-tight">Agents that wait</h1>
          <p className="mt-1.5 max-w-[36rem] text-muted">
            Ask for something that takes a minute or a month. While an agent sleeps or waits for you, nothing runs.
          </p>
          <Agents agents={agents} agent={agent} choose={setName} />
          {agent && (
            <ul aria-label={`What you could say to ${agent.name}`} className="mt-6 flex flex-col items-start gap-2">
              {agent.examples.slice(0, 3).map((text) => (
                <li key={text} className="max-w-full">
                  <button
                    type="button"
                    onClick={() => begin(text)}
                    className="max-w-full rounded-2xl rounded-bl-md bg-mine px-3.5 py-2 text-left text-sm transition-shadow [overflow-wrap:anywhere] hover:ring-1 hover:ring-accent"
                  >
                    {text}
                  </button>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
      <Composer placeholder={agent ? `Message ${agent.name}…` : 'Message…'} send={begin} />
    </>
  );
}

interface AgentsProps {
  agents: AgentCard[];
  agent?: AgentCard;
  choose: (name: string) => void;
}

function Agents({ agents, agent, choose }: AgentsProps) {
  if (agents.length === 0)
    return (
      <div role="status" aria-label="Loading the agents" className="mt-8 grid gap-2.5 sm:grid-cols-2">
        {[1, 2, 3, 4].map((place) => (
          <div key={place} className="h-20 animate-breathe rounded-xl bg-line/50" />
        ))}
      </div>
    );
  return (
    <fieldset className="mt-8 grid gap-2.5 sm:grid-cols-2">
      <legend className="sr-only">Whom to talk to</legend>
      {agents.map(({ name, purpose }) => (
        <label
          key={name}
          className={clsx(
            'cursor-pointer rounded-xl border px-3.5 py-3 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-accent',
            name === agent?.name ? 'border-accent bg-raised' : 'border-line hover:border-faint',
          )}
        >
          <input
            type="radio"
            name="agent"
            className="sr-only"
            checked={name === agent?.name}
            onChange={() => choose(name)}
          />
          <span className="block text-sm font-semibold">{name}</span>
          <span className="mt-0.5 block text-xs text-muted">{purpose}</span>
        </label>
      ))}
    </fieldset>
  );
}
