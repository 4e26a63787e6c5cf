import type { Timer } from 'vigil-client';
import type { ChangeTimer } from 'vigil-client/shared';
import { t } from '../languages/catalogue';

/** What a person enters to change a timer. */
export interface TimerForm {
  text: string;
  /** `same`: the rule is one that the form cannot show, and stays. */
  how: 'once' | 'daily' | 'weekdays' | 'weekly' | 'monthly' | 'interval' | 'same';
  /** For `once`: a day and a time in the reader’s zone, as the browser’s field has them. */
  at: string;
  /** "09:00", in the timer’s zone. */
  time: string;
  /** From 0, Sunday. */
  weekday: number;
  /** Of the month. */
  date: number;
  every: number;
  unit: 'M' | 'H' | 'D';
}

const seconds = { D: 86_400, H: 3_600, M: 60 };

/** Returns a time in the reader's zone, as the browser's field has it. */
export const localTime = (time: Date): string =>
  new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

export function timerForm({ text = '', rule, nextAt }: Timer): TimerForm {
  const next = new Date(nextAt);
  const form: TimerForm = {
    text,
    how: 'same',
    at: localTime(next),
    time: '09:00',
    weekday: 1,
    date: 1,
    every: 1,
    unit: 'H',
  };
  if (rule === undefined) return { ...form, how: 'once' };
  const interval = Number(/^every (\d+) seconds$/.exec(rule)?.[1]);
  const unit = (['D', 'H', 'M'] as const).find((one) => interval % seconds[one] === 0);
  if (unit) return { ...form, how: 'interval', unit, every: interval / seconds[unit] };
  const [, minute = '', hour = '', date = '', weekday = ''] =
    /^(\d{1,2}) (\d{1,2}) (\*|\d{1,2}) \* (\*|[0-7]|1-5|mon-fri)$/i.exec(rule.trim()) ?? [];
  if (minute === '' || (date !== '*' && weekday !== '*')) return form;
  const at = { ...form, time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}` };
  if (date !== '*') return { ...at, how: 'monthly', date: Number(date) };
  if (weekday === '*') return { ...at, how: 'daily' };
  return weekday.length > 1 ? { ...at, how: 'weekdays' } : { ...at, how: 'weekly', weekday: Number(weekday) % 7 };
}

/** Returns what the API has to change, or what is wrong with the form, in words. */
export function timerChange(timer: Timer, form: TimerForm, now: number): ChangeTimer | { problem: string } {
  const before = timerForm(timer);
  const text = form.text.trim();
  if (before.text !== '' && text === '') return { problem: t('Say what it is about.') };
  const isSame = (Object.keys(before) as (keyof TimerForm)[]).every(
    (one) => one === 'text' || before[one] === form[one],
  );
  const times = isSame ? {} : timesOf(form, now);
  if ('problem' in times) return times;
  return { ...(text !== before.text && { text }), ...times };
}

function timesOf(
  { how, at, time, weekday, date, every, unit }: TimerForm,
  now: number,
): ChangeTimer | { problem: string } {
  if (how === 'same') return {};
  if (how === 'once') {
    const moment = new Date(at).getTime();
    if (Number.isNaN(moment)) return { problem: t('Enter a day and a time.') };
    return moment > now
      ? { at: new Date(moment).toISOString() }
      : { problem: t('Enter a time that is still to come.') };
  }
  if (how === 'interval') {
    const isWhole = Number.isInteger(every) && every > 0;
    return isWhole
      ? { every: unit === 'D' ? `P${every}D` : `PT${every}${unit}` }
      : { problem: t('Enter a whole number.') };
  }
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(time) ?? [];
  if (minute === undefined) return { problem: t('Enter a time.') };
  if (how === 'monthly' && !(date >= 1 && date <= 31)) return { problem: t('Enter a day from 1 to 31.') };
  const days = { daily: '* * *', weekdays: '* * 1-5', weekly: `* * ${weekday}`, monthly: `${date} * *` }[how];
  return { cron: `${Number(minute)} ${Number(hour)} ${days}` };
}
