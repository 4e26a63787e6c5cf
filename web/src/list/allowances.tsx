import type { ReactNode, RefObject } from 'react';
import type { Allowance, UserUsage } from 'vigil-client/shared';
import { useRead } from '../hooks/use-read';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { locale } from '../languages/locale';
import { ListDialog } from '../ui/dialog';
import { Trouble } from '../ui/trouble';
import { costWords, count, dollars, savedWords } from '../words/words';

export interface AllowancesProps {
  close: () => void;
  opener: RefObject<HTMLElement | null>;
}

/** Shows what the user has used of each limit. */
export function Allowances({ close, opener }: AllowancesProps) {
  const { act } = useVigil();
  const { value, reading, again } = useRead(act.usage);
  return (
    <ListDialog title={t('What you use')} close={close} opener={opener} className="w-[30rem] max-w-[calc(100vw-2rem)]">
      <div className="min-h-24 overflow-y-auto px-5 py-3" aria-busy={reading.is === 'loading'}>
        {reading.is === 'failed' && (
          <Trouble title={t('Could not be loaded')} problem={reading.problem} retry={again} />
        )}
        {value &&
          reading.is === 'ready' &&
          periods.map((per) => (
            <Period key={per} title={periodWords(per)} entries={value.usage.filter((entry) => entry.per === per)}>
              {per === 'month' && <Saved cached={value.cached} />}
            </Period>
          ))}
      </div>
    </ListDialog>
  );
}

const periods = ['day', 'month', 'now'] as const;

function periodWords(per: Allowance['per']): string {
  switch (per) {
    case 'day':
      return t('Today (UTC)');
    case 'month':
      return t('This month');
    case 'now':
      return t('At once');
  }
}

function allowanceWords(what: Allowance['what']): string {
  switch (what) {
    case 'steps':
      return t('Steps of agents');
    case 'tokens':
      return t('Tokens');
    case 'costMicrodollars':
      return t('Cost of the models');
    case 'runs':
      return t('Active runs');
    case 'subAgents':
      return t('Active sub-agents');
    case 'conversations':
      return t('Conversations');
    case 'timers':
      return t('Open timers');
    case 'connections':
      return t('Open pages');
  }
}

function Period({ title, entries, children }: { title: string; entries: Allowance[]; children?: ReactNode }) {
  return (
    <section className="py-1.5">
      <h3 className="mb-1 font-semibold text-muted text-xs">{title}</h3>
      <dl className="grid grid-cols-[1fr_auto] gap-y-1 text-sm">
        {entries.map(({ what, used, most, unpricedCalls }) => (
          <div key={what} className="contents">
            <dt className="text-muted">{allowanceWords(what)}</dt>
            <dd className="text-right tabular-nums">{usedWords({ what, used, most, unpricedCalls })}</dd>
          </div>
        ))}
        {children}
      </dl>
    </section>
  );
}

/** What the caches of models did, if anything. */
function Saved({ cached: { inputTokens, savedMicrodollars } }: Pick<UserUsage, 'cached'>) {
  if (inputTokens === 0 && savedMicrodollars === 0) return null;
  return (
    <div className="contents">
      <dt className="text-muted">{t('Caching of requests')}</dt>
      <dd className="text-right tabular-nums">
        {t('{count} tokens read · {saved}', { count: count(inputTokens), saved: savedWords(savedMicrodollars) })}
      </dd>
    </div>
  );
}

function usedWords({
  what,
  used,
  most,
  unpricedCalls,
}: Pick<Allowance, 'what' | 'used' | 'most' | 'unpricedCalls'>): string {
  const words = what === 'costMicrodollars' ? costWords(used, { unpricedCalls }) : inWords(what, used);
  return most === undefined ? words : t('{used} of {most}', { used: words, most: inWords(what, most) });
}

/** Exact, because a limit is. */
const inWords = (what: Allowance['what'], amount: number): string =>
  what === 'costMicrodollars' ? dollars(amount) : amount.toLocaleString(locale());
