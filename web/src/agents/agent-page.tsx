import { Bot } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';
import { Loading } from '../chat/loading';
import { useInspect } from '../hooks/use-inspect';
import { agentAddress, newAddress } from '../hooks/use-place';
import { useRead } from '../hooks/use-read';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { AgentMark } from '../ui/agent-mark';
import { Trouble } from '../ui/trouble';
import { agentName } from '../words/agents';
import type { Agent } from './agent-facts';
import { AgentFacts } from './agent-facts';
import { ToolLine, ToolView } from './tool-view';

/** Shows what an agent is for, what it may do, and within which limits. */
export function AgentPage({ name }: { name: string }) {
  const { agent: read } = useVigil();
  const { may, inspects } = useInspect();
  const { value, reading, again } = useRead(useCallback(() => read(name), [read, name]));
  if (reading.is === 'failed')
    return <Trouble isAlone title={t('This agent cannot be shown')} problem={reading.problem} retry={again} />;
  if (!value || may === undefined) return <Loading />;
  const { purpose, instructions, tools, handOffs, delegates } = value;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section aria-label={agentName(name)} tabIndex={0} className="min-h-0 grow overflow-y-auto -outline-offset-2">
      <div className="mx-auto flex max-w-[56rem] flex-col gap-8 px-4 py-10">
        <header>
          <p className="flex items-center gap-1.5 text-muted text-sm">
            <Bot aria-hidden className="size-4" /> {t('Agent')}
          </p>
          <h1 className="flex items-center gap-2.5 font-semibold text-2xl tracking-tight [overflow-wrap:anywhere]">
            <AgentMark name={name} className="size-8" /> {agentName(name)}
          </h1>
          <p className="mt-1.5 max-w-[36rem] text-muted">{purpose}</p>
          <p className="mt-3">
            <a href={newAddress} className="text-accent text-sm underline underline-offset-2">
              {t('New conversation')}
            </a>
          </p>
        </header>
        {inspects && <AgentFacts agent={value} />}
        <Others title={t('May hand the conversation over to')} names={handOffs} />
        <Others title={t('May give tasks to')} names={delegates} />
        {inspects && instructions !== undefined && (
          <Part title={t('Instructions')}>
            <p className="whitespace-pre-wrap rounded-xl border border-line bg-raised px-4 py-3 text-xs [overflow-wrap:anywhere]">
              {instructions}
            </p>
          </Part>
        )}
        <Part
          title={
            inspects ? t('{count, plural, one {# tool} other {# tools}}', { count: tools.length }) : t('What it can do')
          }
        >
          <ul className={inspects ? 'flex flex-col gap-3' : 'flex list-disc flex-col gap-1 pl-5'}>
            {tools.map((tool) =>
              inspects ? <ToolView key={tool.name} tool={tool} /> : <ToolLine key={tool.name} tool={tool} />,
            )}
          </ul>
        </Part>
      </div>
    </section>
  );
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-2 font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function Others({ title, names }: { title: string; names: Agent['handOffs'] }) {
  if (names.length === 0) return null;
  return (
    <Part title={title}>
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {names.map((name) => (
          <li key={name}>
            <a href={agentAddress(name)} className="text-accent text-sm underline underline-offset-2">
              {agentName(name)}
            </a>
          </li>
        ))}
      </ul>
    </Part>
  );
}
