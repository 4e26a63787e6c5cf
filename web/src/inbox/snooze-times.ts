import { t } from '../languages/catalogue';

const hourMs = 3_600_000;

/** Returns the times to choose from, in the reader's time zone. */
export function snoozeTimes(now: number): { words: string; at: number }[] {
  const date = new Date(now);
  const on = (days: number, hour: number) =>
    new Date(date.getFullYear(), date.getMonth(), date.getDate() + days, hour).getTime();
  const evening = on(0, 18);
  // Monday is 1. On a Monday, it is the next one.
  const toMonday = (8 - date.getDay()) % 7 || 7;
  return [
    { words: t('In an hour'), at: now + hourMs },
    ...(evening > now + hourMs ? [{ words: t('This evening'), at: evening }] : []),
    { words: t('Tomorrow'), at: on(1, 8) },
    ...(toMonday > 1 ? [{ words: t('Next Monday'), at: on(toMonday, 8) }] : []),
  ];
}
