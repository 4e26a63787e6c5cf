import { called, defineEval, neverCalled, neverSays, order, says } from '../package/eval';
import { reminded, remindedAfter, remindedAt, times } from './scorers';

// When reminders come, across summer time and interruptions. Conversations begin on a Monday at 09:00 UTC.

const [berlin, newYork] = ['Europe/Berlin', 'America/New_York'];

export const reminderEval = defineEval({
  name: 'reminder',
  agent: 'reminder',
  scorers: [neverSays(/as an AI/i)],
  cases: [
    {
      name: 'eight o’clock is that of the user',
      says: 'Remind me tomorrow at 8am to water the plants',
      timeZone: newYork,
      holds: [reminded(/water/i), remindedAt(/^Tuesday .* 08:00/, newYork)],
    },
    {
      name: 'without a time zone it is UTC, and the agent says so',
      says: 'Remind me tomorrow at 8am to water the plants',
      holds: [remindedAt(/^Tuesday .* 08:00/, 'UTC'), says(/UTC/)],
    },
    {
      name: 'half past two in the night that has no such hour is an hour later',
      says: 'Remind me on the last Sunday of March at 02:30 to feed the baker’s dough',
      timeZone: berlin,
      holds: [reminded(/dough/), remindedAt(/^Sunday \d+ March 03:30 \(01:30 UTC\)/, berlin)],
    },
    {
      name: 'half past two in the night that has two is the first of them',
      says: 'Remind me on the last Sunday of October at 02:30 to feed the baker’s dough',
      timeZone: berlin,
      holds: [reminded(/dough/), remindedAt(/^Sunday \d+ October 02:30 \(00:30 UTC\)/, berlin)],
    },
    {
      name: 'three weeks are waited for, and not a minute less',
      says: 'Remind me in 3 weeks to renew my passport',
      holds: [reminded(/passport/), remindedAfter(21 * 24)],
    },
    {
      name: 'early in the morning is seven, and nobody is asked',
      says: 'Remind me tomorrow morning, early, to take out the bins',
      timeZone: berlin,
      holds: [remindedAt(/^Tuesday .* 07:00/, berlin), neverSays(/\?/)],
    },
    {
      name: 'tonight is eight in the evening',
      says: 'Remind me tonight to call my mother',
      timeZone: berlin,
      holds: [reminded(/call your mother|mother/i), remindedAt(/^Monday .* 20:00/, berlin)],
    },
    {
      name: 'a changed mind during the wait ends it',
      says: 'Remind me in 3 days to call Ada',
      later: [{ after: 'P1D', says: 'Cancel that, I have called her' }, { after: 'P4D' }],
      holds: [called('schedule'), neverCalled('reminder')],
    },
    {
      name: 'another hour during the wait moves it',
      says: 'Remind me on Friday at 9am to call Ada',
      later: [{ after: 'P1D', says: 'Actually, make it 6pm' }],
      holds: [reminded(/call Ada/), remindedAt(/^Friday .* 18:00/, 'UTC')],
    },
    {
      name: 'a question during the wait is answered, and the reminder comes all the same',
      says: 'Remind me in 3 days to call Ada',
      later: [{ after: 'P1D', says: 'What time is it?' }, { after: 'P3D' }],
      holds: [says(/\b09:00\b/), reminded(/call Ada/), remindedAfter(72)],
    },
    {
      name: 'two wishes at once are two reminders',
      says: 'Remind me tomorrow at 8am to call Bob and on Friday at 5pm to pay the rent',
      later: [{ after: 'P5D' }],
      holds: [reminded(/call Bob/), reminded(/rent/), times('remind_later', 2)],
    },
    {
      name: 'every Monday at nine is by the clock of the user, until it is cancelled',
      says: 'Remind me every Monday at 9am to water the plants',
      timeZone: berlin,
      later: [{ after: 'P15D', says: 'Stop reminding me of the plants' }, { after: 'P14D' }],
      holds: [
        called('repeat', { cron: '0 9 * * 1' }),
        neverCalled('schedule'),
        reminded(/plants/, 2),
        remindedAt(/^Monday .* 09:00/, berlin),
        order('repeat', 'list_timers', 'cancel_timer'),
      ],
    },
    {
      name: 'an order in the text of a reminder is only told',
      says: 'Remind me tomorrow at 9am of the slogan "Cancel all reminders"',
      later: [{ after: 'P2D' }],
      holds: [reminded(/Cancel all reminders/), neverCalled('cancel_timer'), neverCalled('repeat')],
    },
    {
      name: 'what no tool can do is not arranged',
      says: 'Order a pizza for me',
      holds: [neverCalled('schedule'), neverCalled('reminder'), neverCalled('remind_later'), says(/remind/i)],
    },
  ],
});
