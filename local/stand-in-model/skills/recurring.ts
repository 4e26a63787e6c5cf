import { readJobs, recurs } from '../recurrence';
import { inWords } from '../times';
import { type PastCall, type Turn, timesIn } from '../turn';
import { clockFailed, nowIn } from './clock';
import { namingWords, planOf } from './reminder-plan';
import { goOn } from './reminders';
import type { Saying, Skill } from './skill';

/** Reminders that recur: arranged, delivered when they are due, listed and cancelled. */
export const recurring: Skill = {
  offers: 'repeat it every day, every Monday or every two hours until you cancel it',
  needs: ['current_time', 'repeat', 'reminder', 'list_timers', 'cancel_timer'],
  answer(turn) {
    const due = whatIsDue(turn);
    if (due) return { calls: [{ name: 'reminder', arguments: { message: due } }] };
    // It has been seen to, and the rest is sleeping and reminding.
    if (turn.callsSince.some(({ name }) => name === 'schedule')) return undefined;
    const { command } = planOf(turn);
    if (command) return command === 'list' ? list(turn) : cancel(turn);
    return recurs(turn.said) ? arrange(turn) : undefined;
  },
};

interface Timer {
  id: string;
  text?: string;
  rule?: string;
  nextAt: string;
}

/** What a timer has put into the conversation and nobody has been told yet. */
function whatIsDue({ happenings }: Turn): string | undefined {
  const due: string[] = [];
  for (const happening of happenings) {
    if ('due' in happening) due.push(happening.due);
    else if ('call' in happening && happening.call.name === 'reminder') {
      const told = due.indexOf(String(happening.call.arguments.message));
      if (told >= 0) due.splice(told, 1);
    }
  }
  return due[0];
}

function arrange(turn: Turn): Saying {
  const clock = turn.callsSince.find(({ name, result }) => name === 'current_time' && result !== undefined);
  if (!clock) return { calls: [{ name: 'current_time', arguments: {} }] };
  const now = nowIn(clock);
  if (!now) return { text: clockFailed(clock) };
  const { jobs } = readJobs(turn.said, now);
  const made = turn.callsSince.filter(({ name }) => name === 'repeat');
  if (made.length === 0) {
    const text = jobs.map(({ words }) => `I will remind you ${words}.`).join(' ');
    const calls = jobs.map(({ task, cron, everySeconds }) => ({
      name: 'repeat',
      arguments: { task, cron, time_zone: null, every_seconds: everySeconds },
    }));
    return { text, calls };
  }
  return goOn(turn, made.map(outcome).join(' '));
}

function outcome({ failed, result = '' }: PastCall): string {
  if (failed) return `I could not arrange that. ${result}`;
  const [next] = timesIn(result);
  return next ? `The next time is ${inWords(next)}.` : 'It is arranged.';
}

function list(turn: Turn): Saying {
  const timers = timersIn(turn);
  if (typeof timers === 'string') return goOn(turn, timers);
  if (!timers) return { calls: [{ name: 'list_timers', arguments: {} }] };
  return goOn(turn, inventory(timers) || (planOf(turn).open.length ? '' : 'You have no reminders.'));
}

function cancel(turn: Turn): Saying {
  const timers = timersIn(turn);
  if (typeof timers === 'string') return goOn(turn, timers);
  if (!timers) return { calls: [{ name: 'list_timers', arguments: {} }] };
  const done = turn.callsSince.filter(({ name }) => name === 'cancel_timer');
  if (done.length > 0) {
    const textOf = (call: PastCall) => timers.find(({ id }) => id === call.arguments.timer_id)?.text ?? 'It';
    const words = done.map((call) =>
      call.failed ? `That did not work. ${call.result}` : `Cancelled: ${textOf(call)}`,
    );
    return goOn(turn, words.join(' '));
  }
  const chosen = meant(timers, turn.said);
  if (chosen.length > 0)
    return { calls: chosen.map(({ id }) => ({ name: 'cancel_timer', arguments: { timer_id: id } })) };
  return goOn(turn, `I found no such reminder. ${inventory(timers) || 'There is none.'}`);
}

/** Those that a word of the message names; all of them if it says so; the only one if it says nothing more. */
function meant(timers: Timer[], said: string): Timer[] {
  if (/\b(?:all|every(?:thing)?|both)\b/i.test(said)) return timers;
  const words = namingWords(said);
  const named = timers.filter(({ text = '' }) => words.some((word) => text.toLowerCase().includes(word)));
  return named.length === 0 && words.length === 0 && timers.length === 1 ? timers : named;
}

const inventory = (timers: Timer[]): string =>
  timers
    .map(({ text, rule, nextAt }) => `“${text}” comes next on ${inWords(new Date(nextAt))}${rule ? ` (${rule})` : ''}.`)
    .join(' ');

/** What list_timers told since the user spoke; in words when it could not. */
function timersIn({ callsSince }: Turn): Timer[] | string | undefined {
  const listed = callsSince.find(({ name, result }) => name === 'list_timers' && result !== undefined);
  if (!listed) return undefined;
  if (listed.failed) return `I could not look that up. ${listed.result}`;
  return (JSON.parse(listed.result!) as { timers: Timer[] }).timers;
}
