import type { Timer } from 'vigil-client';
import { type TimerForm, timerChange, timerForm } from './timer-form';

const now = Date.parse('2026-11-27T12:00:00Z');
const timer = (more: Partial<Timer>) =>
  ({ kind: 'repeat', text: 'Stretch', nextAt: '2026-11-28T09:00:00Z', status: 'active', ...more }) as Timer;
const changed = (rule: string | undefined, form: Partial<TimerForm>) => {
  const one = timer({ rule });
  return timerChange(one, { ...timerForm(one), ...form }, now);
};

test.each<[string, Partial<TimerForm>]>([
  ['0 9 * * *', { how: 'daily', time: '09:00' }],
  ['5 18 * * 1-5', { how: 'weekdays', time: '18:05' }],
  ['0 9 * * 7', { how: 'weekly', weekday: 0 }],
  ['0 8 3 * *', { how: 'monthly', date: 3, time: '08:00' }],
  ['every 7200 seconds', { how: 'interval', every: 2, unit: 'H' }],
  ['every 604800 seconds', { how: 'interval', every: 7, unit: 'D' }],
  ['every 90 seconds', { how: 'same' }],
  ['0 9 1 * 1', { how: 'same' }],
  ['*/15 * * * *', { how: 'same' }],
])('the rule %s is a form, which changes nothing by itself (R255)', (rule, form) => {
  expect(timerForm(timer({ rule }))).toMatchObject(form);
  expect(changed(rule, {})).toEqual({});
});

test.each<[string | undefined, Partial<TimerForm>, object]>([
  ['0 9 * * *', { text: ' Walk ' }, { text: 'Walk' }],
  ['0 9 * * *', { text: ' ' }, { problem: 'Say what it is about.' }],
  ['0 9 * * *', { time: '07:05' }, { cron: '5 7 * * *' }],
  ['0 9 * * *', { time: '' }, { problem: 'Enter a time.' }],
  ['0 9 * * *', { how: 'weekly', weekday: 3 }, { cron: '0 9 * * 3' }],
  ['0 9 * * *', { how: 'monthly', date: 32 }, { problem: 'Enter a day from 1 to 31.' }],
  ['0 9 * * *', { how: 'interval', every: 3, unit: 'D' }, { every: 'P3D' }],
  ['every 60 seconds', { every: 5 }, { every: 'PT5M' }],
  ['every 60 seconds', { every: 0.5 }, { problem: 'Enter a whole number.' }],
  [undefined, { at: '2026-11-30T10:30' }, { at: '2026-11-30T10:30:00.000Z' }],
  [undefined, { at: '2026-11-20T10:30' }, { problem: 'Enter a time that is still to come.' }],
  [undefined, { at: '' }, { problem: 'Enter a day and a time.' }],
])('a timer by %s with %j asks for %j (R255)', (rule, form, change) => expect(changed(rule, form)).toEqual(change));
