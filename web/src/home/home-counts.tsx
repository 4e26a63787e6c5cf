import { clsx } from 'clsx';
import { useClient, useFeed } from 'vigil-client/react';
import { t } from '../languages/catalogue';
import type { HomeFilter } from '../rows/home-filter';
import { agentsIn, type HomeRows, type HomeState } from '../rows/home-rows';
import { agentName } from '../words/agents';
import { costWords, dollars } from '../words/words';

const tones: Record<HomeState, string> = {
  needsYou: 'text-wait',
  upcoming: 'text-sleep',
  running: 'text-accent',
  failed: 'text-bad',
};

function stateWords(state: HomeState): string {
  switch (state) {
    case 'needsYou':
      return t('Needs you');
    case 'upcoming':
      return t('Upcoming');
    case 'running':
      return t('Running');
    case 'failed':
      return t('Failed');
  }
}

export interface HomeCountsProps {
  all: HomeRows;
  rows: HomeRows;
  filter: HomeFilter;
  change: (to: HomeFilter) => void;
}

/** Shows the count of each state, which is a filter as well, and what the month has cost. */
export function HomeCounts({ all, rows, filter, change }: HomeCountsProps) {
  const agents = agentsIn(all);
  const { agent, show: only } = filter;
  const show = (to: HomeState | undefined) => change({ ...filter, show: to });
  const chooseAgent = (to: string | undefined) => change({ ...filter, agent: to });
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2">
      <fieldset className="flex flex-wrap gap-1.5 sm:gap-2">
        <legend className="sr-only">{t('Show only')}</legend>
        {(Object.keys(tones) as HomeState[]).map((state) => (
          <button
            key={state}
            type="button"
            aria-pressed={only === state}
            onClick={() => show(only === state ? undefined : state)}
            className={clsx(
              'flex h-8 items-center gap-1 rounded-full border px-2 text-sm transition-colors sm:gap-1.5 sm:px-3 pointer-coarse:h-11',
              only === state ? 'border-accent bg-mine font-medium' : 'border-line bg-raised hover:border-faint',
            )}
          >
            {stateWords(state)}
            <span className={clsx('font-semibold tabular-nums', rows[state].length > 0 ? tones[state] : 'text-faint')}>
              {rows[state].length}
            </span>
          </button>
        ))}
      </fieldset>
      {(agents.length > 1 || agent !== undefined) && (
        <select
          aria-label={t('Agent')}
          value={agent ?? ''}
          onChange={({ target }) => chooseAgent(target.value || undefined)}
          className="h-8 rounded-full border border-line bg-raised px-2.5 text-sm pointer-coarse:h-11"
        >
          <option value="">{t('All agents')}</option>
          {[...new Set([...agents, ...(agent ? [agent] : [])])].map((one) => (
            <option key={one} value={one}>
              {agentName(one)}
            </option>
          ))}
        </select>
      )}
      <Spent />
    </div>
  );
}

function Spent() {
  const usage = useFeed(useClient().home, ({ usage }) => usage);
  const month = usage.find(({ per, what }) => per === 'month' && what === 'costMicrodollars');
  if (!month) return null;
  const { used, most, unpricedCalls } = month;
  if (used === 0 && most === undefined) return null;
  const cost = costWords(used, { unpricedCalls });
  return (
    <p className="ml-auto text-muted text-sm tabular-nums">
      {most === undefined
        ? t('{cost} for models this month', { cost })
        : t('{cost} of {most} for models this month', { cost, most: dollars(most) })}
    </p>
  );
}
