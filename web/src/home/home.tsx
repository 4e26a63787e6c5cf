import { clsx } from 'clsx';
import { type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { useHome } from 'vigil-client/react';
import { wordsOf } from 'vigil-client/shared';
import { useOwn } from '../hooks/use-own';
import { type HomeState, homeRows } from '../rows/home-rows';
import { Late, lazily } from '../ui/late';
import { HomeCounts } from './home-counts';
import type { NeedsYouProps } from './needs-you';
import type { RunRowProps } from './run-row';
import type { UpcomingRowProps } from './upcoming-row';

interface HomePartProps {
  title: string;
  /** Whether the rows share one frame. */
  framed?: boolean;
  children: ReactNode;
}

/** One part of the home: its title and its rows. */
function HomePart({ title, framed, children }: HomePartProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-6">
      <h2 id={id} className="mb-2 font-semibold text-muted text-xs">
        {title}
      </h2>
      <ul
        aria-labelledby={id}
        className={clsx(
          'flex flex-col',
          framed ? 'divide-y divide-line rounded-xl border border-line bg-raised' : 'gap-3',
        )}
      >
        {children}
      </ul>
    </section>
  );
}

// Most users have nothing that waits when they come.
const NeedsYou = lazily<'NeedsYou', NeedsYouProps>(() => import('./needs-you'), 'NeedsYou');
const UpcomingRow = lazily<'UpcomingRow', UpcomingRowProps>(() => import('./upcoming-row'), 'UpcomingRow');
const RunRow = lazily<'RunRow', RunRowProps>(() => import('./run-row'), 'RunRow');

/** Shows what waits in all conversations: for the user, for its time, for others and for a retry. Shows nothing while nothing waits. */
export function Home() {
  const { status, error } = useHome();
  const { list, timers, approvals } = useOwn();
  const problem = status === 'failed' ? wordsOf(error) : undefined;
  const [agent, setAgent] = useState<string>();
  const [only, setOnly] = useState<HomeState>();
  const title = useRef<HTMLHeadingElement>(null);
  const all = useMemo(() => homeRows({ list, timers, approvals }), [list, timers, approvals]);
  const rows = useMemo(
    () => (agent ? homeRows({ list, timers, approvals }, agent) : all),
    [all, list, timers, approvals, agent],
  );
  const isEmpty = Object.values(all).every(({ length }) => length === 0);
  if (isEmpty && !problem && agent === undefined && only === undefined) return null;
  const shows = (state: HomeState) => (only ?? state) === state && rows[state].length > 0;
  // A focused button is removed with its row.
  const left = () => title.current?.focus();
  return (
    <section aria-label="Home" className="mb-10">
      <h1 ref={title} tabIndex={-1} className="font-semibold text-2xl tracking-tight outline-none">
        What waits
      </h1>
      <HomeCounts all={all} rows={rows} agent={agent} chooseAgent={setAgent} only={only} show={setOnly} />
      {problem && (
        <p role="alert" className="mt-4 text-bad text-sm">
          Not all of it could be loaded: {problem}
        </p>
      )}
      {(only ? rows[only].length === 0 : isEmpty) && (
        <p className="py-8 text-center text-faint text-sm">Nothing here.</p>
      )}
      {shows('needsYou') && (
        <HomePart title="Needs you">
          {rows.needsYou.map((one) => (
            <li key={one.callback.id}>
              <Late>
                <NeedsYou approval={one} decided={left} />
              </Late>
            </li>
          ))}
        </HomePart>
      )}
      {shows('upcoming') && (
        <HomePart title="Upcoming" framed>
          {rows.upcoming.map((one) => (
            <Late key={one.key}>
              <UpcomingRow upcoming={one} left={left} />
            </Late>
          ))}
        </HomePart>
      )}
      {shows('running') && (
        <HomePart title="Running" framed>
          {rows.running.map((one) => (
            <Late key={one.id}>
              <RunRow conversation={one} left={left} />
            </Late>
          ))}
        </HomePart>
      )}
      {shows('failed') && (
        <HomePart title="Failed" framed>
          {rows.failed.map((one) => (
            <Late key={one.id}>
              <RunRow conversation={one} left={left} />
            </Late>
          ))}
        </HomePart>
      )}
    </section>
  );
}
