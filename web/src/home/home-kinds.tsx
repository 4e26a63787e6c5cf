import { clsx } from 'clsx';
import { asksFor } from 'vigil-client/shared';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import type { HomeFilter } from '../rows/home-filter';
import { isTakeOver } from '../rows/take-over';
import type { HomeContent } from './use-home-rows';

interface HomeKindsProps {
  content: HomeContent;
  change: (to: HomeFilter) => void;
}

/** Narrows down what needs the user, by kind and by whose it is. Only what makes a difference is offered. */
export function HomeKinds({ content, change }: HomeKindsProps) {
  const { me } = useVigil();
  const { filter, rows, snoozed } = content;
  const questions = rows.needsYou.filter(({ callback }) => asksFor(callback.kind, 'answer')).length;
  const approvals = rows.needsYou.filter(({ callback }) => asksFor(callback.kind, 'decision')).length;
  const takeOvers = rows.needsYou.filter(isTakeOver).length;
  const reminders = rows.upcoming.filter(({ kind }) => kind === 'timer').length;
  const mine = rows.needsYou.filter(({ owner }) => owner === me.user).length;
  const others = rows.needsYou.length - mine;
  const kinds = (
    [
      ['approvals', t('Approvals {count}', { count: approvals }), approvals],
      ['questions', t('Questions {count}', { count: questions }), questions],
      ['takeovers', t('Take-overs {count}', { count: takeOvers }), takeOvers],
      ['reminders', t('Reminders {count}', { count: reminders }), reminders],
    ] as const
  ).filter(([name, , count]) => count > 0 || filter.show === name);
  const people = (
    [
      ['mine', t('Mine {count}', { count: mine }), mine],
      ['others', t('Others’ {count}', { count: others }), others],
    ] as const
  ).filter(([name, , count]) => count > 0 || filter.whose === name);
  const isPutOff = snoozed.length > 0 || filter.show === 'snoozed';
  const kindsMatter = kinds.length > 1 || kinds.some(([name]) => name === filter.show);
  const peopleMatter = people.length > 1 || filter.whose !== undefined;
  if (!kindsMatter && !peopleMatter && !isPutOff) return null;
  const chip = (isOn: boolean, words: string, toggle: () => void) => (
    <button
      key={words}
      type="button"
      aria-pressed={isOn}
      onClick={toggle}
      className={clsx(
        'h-7 rounded-full px-2.5 text-xs transition-colors pointer-coarse:h-11 pointer-coarse:px-3.5',
        isOn ? 'bg-mine font-semibold text-accent' : 'text-muted hover:bg-line/60 hover:text-ink',
      )}
    >
      {words}
    </button>
  );
  const showOnly = (show: HomeFilter['show']) => () =>
    change({ ...filter, show: filter.show === show ? undefined : show });
  return (
    <fieldset className="mt-2 flex flex-wrap items-center gap-1">
      <legend className="sr-only">{t('Narrow down')}</legend>
      {kindsMatter && kinds.map(([name, words]) => chip(filter.show === name, words, showOnly(name)))}
      {kindsMatter && peopleMatter && <span aria-hidden className="mx-1 h-4 w-px bg-line" />}
      {peopleMatter &&
        people.map(([name, words]) =>
          chip(filter.whose === name, words, () =>
            change({ ...filter, whose: filter.whose === name ? undefined : name }),
          ),
        )}
      {isPutOff && (
        <span className="ml-auto">
          {chip(filter.show === 'snoozed', t('{count} snoozed', { count: snoozed.length }), showOnly('snoozed'))}
        </span>
      )}
    </fieldset>
  );
}
