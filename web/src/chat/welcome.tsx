import { Hourglass, ListChecks, Moon } from 'lucide-react';
import { useState } from 'react';
import type { DraftFiles } from '../files/draft-files';
import { Home } from '../home/home';
import { newPlace } from '../hooks/drafts';
import { useWaiting } from '../hooks/use-own';
import { agentAddress, goTo } from '../hooks/use-place';
import { useVigil, useVigilState } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { Late, lazily } from '../ui/late';
import { agentName } from '../words/agents';
import { AgentChip } from './agent-chip';
import { AgentChoice, entryAgents } from './agent-choice';
import { Composer } from './composer';

/** Not on AWS. */
const Laptop = lazily(() => import('../panel/laptop'), 'Laptop');

const lastAgent = 'vigil.last-agent';

export interface WelcomeProps {
  /** Whether the home is above it. */
  home: boolean;
  begun: () => void;
}

/** The page without a conversation: what waits, and the agents with which to begin another one, with examples. */
export function Welcome({ home, begun }: WelcomeProps) {
  const { send, clock } = useVigil();
  const agents = entryAgents(useVigilState((state) => state.agents));
  const [name, setName] = useState(() => localStorage.getItem(lastAgent) ?? undefined);
  const agent = agents.find((one) => one.name === name) ?? agents[0];
  const begin = (text: string, files?: DraftFiles): boolean => {
    if (!agent) return false;
    localStorage.setItem(lastAgent, agent.name);
    goTo(send.begin(agent.name, text, files));
    begun();
    return true;
  };
  const waits = useWaiting().waiting.length > 0;
  const begins = (isAlone: boolean) => {
    const Title = isAlone ? 'h1' : 'h2';
    return (
      <>
        <Title className="text-2xl font-semibold tracking-tight">{t('Agents that wait')}</Title>
        {home && isAlone ? (
          <Explained />
        ) : (
          <p className="mt-1.5 max-w-[36rem] text-muted">
            {t(
              'Ask for something that takes a minute or a month. While an agent sleeps or waits for you, nothing runs.',
            )}
          </p>
        )}
        <AgentChoice agents={agents} agent={agent} choose={setName} />
        {agent && (
          <ul
            aria-label={t('Examples for {agent}', { agent: agentName(agent.name) })}
            className="mt-6 flex flex-col items-start gap-2"
          >
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
        {agent && (
          <a
            href={agentAddress(agent.name)}
            className="mt-4 inline-block min-h-6 content-center text-accent text-sm underline underline-offset-2"
          >
            {t('About {agent}', { agent: agentName(agent.name) })}
          </a>
        )}
        {clock && (
          <Late>
            <Laptop clock={clock} className="mt-10 max-w-96 rounded-xl border bg-side" />
          </Late>
        )}
      </>
    );
  };
  return (
    <>
      <div className="grid min-h-0 grow place-items-center overflow-y-auto">
        <div className="w-full max-w-[46rem] px-4 py-10">{home ? <Home>{begins}</Home> : begins(true)}</div>
      </div>
      <Composer
        place={newPlace}
        placeholder={agent ? t('Message {agent}…', { agent: agentName(agent.name) }) : t('Message…')}
        send={begin}
        above={agent && <AgentChip agents={agents} agent={agent} choose={setName} />}
        isQuiet={home && waits}
      />
    </>
  );
}

const lines = () => [
  { Icon: Hourglass, text: t('Ask for what takes a minute, or a month.') },
  { Icon: Moon, text: t('While an agent waits, nothing runs.') },
  { Icon: ListChecks, text: t('Here is what needs you, and what is next.') },
];

/** What the home is for, while it is empty. */
const Explained = () => (
  <ul className="mt-3 flex flex-col gap-1.5 text-muted">
    {lines().map(({ Icon, text }) => (
      <li key={text} className="flex items-center gap-2.5">
        <Icon aria-hidden className="size-4 shrink-0 text-accent" />
        {text}
      </li>
    ))}
  </ul>
);
