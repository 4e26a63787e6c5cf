import { type ReactNode, useId } from 'react';
import { useHomeFilter } from '../hooks/use-place';
import { useVigil } from '../hooks/use-vigil';
import type { InboxProps } from '../inbox/inbox';
import { useNewSince } from '../inbox/use-new-since';
import { t } from '../languages/catalogue';
import { partOf } from '../rows/home-filter';
import type { HomeState } from '../rows/home-rows';
import { Button } from '../ui/button';
import { Late, lazily } from '../ui/late';
import { HomeCounts } from './home-counts';
import { HomeKinds } from './home-kinds';
import type { RunRowProps } from './run-row';
import type { UpcomingRowProps } from './upcoming-row';
import type { HomeContent } from './use-home-rows';

interface HomePartProps {
  title: string;
  children: ReactNode;
}

/** One part of the home: its title and its rows, in one frame. */
function HomePart({ title, children }: HomePartProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-6">
      <h2 id={id} className="mb-2 font-semibold text-muted text-xs">
        {title}
      </h2>
      <ul aria-labelledby={id} className="flex flex-col divide-y divide-line rounded-xl border border-line bg-raised">
        {children}
      </ul>
    </section>
  );
}

const Inbox = lazily<'Inbox', InboxProps>(() => import('../inbox/inbox'), 'Inbox');
const UpcomingRow = lazily<'UpcomingRow', UpcomingRowProps>(() => import('./upcoming-row'), 'UpcomingRow');
const RunRow = lazily<'RunRow', RunRowProps>(() => import('./run-row'), 'RunRow');

export interface HomePartsProps {
  content: HomeContent;
}

/** The filters and the parts of the home. */
export function HomeParts({ content }: HomePartsProps) {
  const { me } = useVigil();
  const [filter, change] = useHomeFilter();
  const { all, rows, shown } = content;
  const isNew = useNewSince(all.needsYou, me.user);
  const isFiltered = Object.keys(filter).length > 0;
  const only = filter.show && partOf(filter.show);
  const shows = (state: HomeState) => (only ?? state) === state && shown[state].length > 0;
  const isNothing = (['needsYou', 'upcoming', 'running', 'failed'] as const).every((state) => !shows(state));
  return (
    <>
      <HomeCounts all={all} rows={rows} filter={filter} change={change} />
      <HomeKinds content={content} change={change} />
      {isNothing && (
        <p className="flex flex-col items-center gap-2 py-8 text-center text-faint text-sm">
          {t('Nothing here.')}
          {isFiltered && <Button onClick={() => change({})}>{t('Show all')}</Button>}
        </p>
      )}
      {shows('needsYou') && (
        <Late>
          <Inbox
            // What is put off is another list.
            key={filter.show === 'snoozed' ? 'snoozed' : 'waiting'}
            items={shown.needsYou}
            isSnoozed={filter.show === 'snoozed'}
            isNew={isNew}
          />
        </Late>
      )}
      {shows('upcoming') && (
        <HomePart title={t('Upcoming')}>
          {shown.upcoming.map((one) => (
            <Late key={one.key}>
              <UpcomingRow upcoming={one} />
            </Late>
          ))}
        </HomePart>
      )}
      {shows('running') && (
        <HomePart title={t('Running')}>
          {shown.running.map((one) => (
            <Late key={one.id}>
              <RunRow conversation={one} />
            </Late>
          ))}
        </HomePart>
      )}
      {shows('failed') && (
        <HomePart title={t('Failed')}>
          {shown.failed.map((one) => (
            <Late key={one.id}>
              <RunRow conversation={one} />
            </Late>
          ))}
        </HomePart>
      )}
    </>
  );
}
