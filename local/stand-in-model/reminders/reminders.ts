import { courtesy, told } from '../forms';
import { next } from '../transcripts/play';
import { type Call, call, type PastCall, read, type Saying, type Turn } from '../turn';
import { cancels, namesIt, questions } from './arranged';
import { inWords, isoSeconds, wallTime } from './times';
import { corrected, isWish, readWishes, requestWords, type Wish } from './wishes';

const needs = ['current_time', 'schedule', 'reminder', 'remind_later', 'repeat', 'list_timers', 'cancel_timer'];
const corrects = /^(?:no\b|actually|make (?:it|that)|change|move|rather|sorry|wait|i mean|postpone|delay)|\binstead\b/i;

const asking = (name: string, input?: object): Saying => ({ calls: [call(name, input)] });
const reminding = (message: string): Saying => asking('reminder', { message });
const sleepingFor = ({ at, isLocal }: Wish): Saying => asking('schedule', { at: isoSeconds(at, isLocal) });
/** A rule is read in the user's time zone, if there is one. */
const when = ({ at, rule, isLocal }: Wish): string =>
  rule ? `${rule.words}${rule.isByClock && !isLocal ? ' UTC' : ''}` : `on ${inWords(at, isLocal)}`;
const promise = (wish: Wish): string => `I will remind you ${when(wish)}: ${wish.message}`;
/** Says something, and sleeps if there is a time to sleep until. */
const goOn = (wish: Wish | undefined, ...words: (string | undefined)[]): Saying | undefined => {
  const text = [...new Set(words), wish && promise(wish)].filter(Boolean).join(' ');
  return wish ? { text, ...sleepingFor(wish) } : text ? { text } : undefined;
};

/** Plays the reminder agent: reads the time, creates timers or sleeps, reminds, and says that it is done. */
export function remind(turn: Turn): Saying | undefined {
  if (!needs.every((tool) => turn.tools.has(tool))) return undefined;
  // Only read: a request is never longer.
  const said = turn.said.slice(0, 1_500);
  const done = turn.replies.flat();
  const last = done.at(-1);
  const { due, wish, open } = standing(turn);
  if (due !== undefined) return reminding(due);
  if (last?.failed) return goOn(open, told([last]));
  if (last?.name === 'reminder') return open ? sleepingFor(open) : { text: 'Done: I have reminded you.' };
  if (last?.name === 'schedule' && wish) return open ? sleepingFor(open) : reminding(wish.message);
  const isGone = open && cancels.test(said) && namesIt(said, open.message);
  if (isGone) return { text: 'All right, I will not remind you of that.' };
  for (const [form, replies] of questions(open ? '' : 'You have no reminders.')) {
    const asked = form.exec(said);
    const saying = asked && next(replies(asked, turn), turn);
    if (saying) return saying.calls ? saying : goOn(open, saying.text);
  }
  const clock = done.find(({ name }) => name === 'current_time');
  // Whether a message is a request does not depend on the time, but what it requests does.
  if (!clock && (isWish(said, new Date(0)) || (open && corrects.test(said)))) return asking('current_time');
  if (!clock) return goOn(open, courtesy(said) ?? (open && 'I have no answer to that.'));
  // All times are the user's, written as if they were UTC.
  const { now: utc, local } = read(clock.result);
  const isLocal = local !== undefined;
  const now = wallTime(local ?? utc);
  const { slept, timers, remarks } = understand(said, { now, isLocal }, open, turn);
  const made = done.filter(({ name }) => name === 'repeat' || name === 'remind_later');
  if (timers.length > 0 && made.length === 0)
    return { text: [...remarks, ...timers.map(promise)].join(' '), calls: timers.map((one) => timerFor(one, now)) };
  const isPast = slept && slept.at < now;
  if (isPast) return { text: 'That time has passed, so I remind you now.', ...reminding(slept.message) };
  const times = made.map(({ result }) => read(result)?.next);
  const outcomes = times.map((at) => (at ? `The next time is ${inWords(wallTime(at), isLocal)}.` : 'It is arranged.'));
  return goOn(slept, ...(made.length > 0 ? outcomes : remarks));
}

/**
 * Returns the reminder that is due and not delivered yet, the one that it sleeps for, and whether that wait was
 * interrupted.
 */
function standing({ due, recent, talk }: Turn): { due?: string; wish?: Wish; open?: Wish } {
  const isTold = ({ name, arguments: given }: PastCall) => name === 'reminder' && due.includes(String(given.message));
  const untold = due[recent.filter(isTold).length];
  const wait = recent.findLast(({ name }) => name === 'schedule');
  if (!wait) return { due: untold };
  const at = String(wait.arguments.at);
  const wish = { at: wallTime(at), isLocal: !at.endsWith('Z'), dated: true, timed: true, message: '' };
  wish.message = talk.flatMap(({ text }) => text.split(promise(wish)).slice(1)).at(-1) ?? '';
  return { due: untold, wish, open: wait.result.startsWith('Interrupted') ? wish : undefined };
}

/** Returns what a message requests. A single reminder is slept for, if nothing else is. Timers take all others. */
function understand(
  said: string,
  { now, isLocal }: { now: Date; isLocal: boolean },
  open: Wish | undefined,
  { calls }: Turn,
) {
  const isMoved = open && corrects.test(said) && !requestWords.test(said);
  const moved = isMoved ? corrected(open, said, now) : undefined;
  if (moved || !isWish(said, now)) return { slept: moved ? { ...moved, isLocal } : open, timers: [], remarks: [] };
  // "Again in ten minutes", "snooze": the subject is that of the last reminder.
  const last = calls.findLast(({ name, failed }) => name === 'reminder' && !failed)?.arguments.message;
  const subject = String((/\b(?:again|snooze)\b/i.test(said) && last) || 'You wanted to be reminded now.');
  const wishes = readWishes(said, now).map((one) => ({ ...one, isLocal, message: one.message || subject }));
  const remarks = wishes.some(({ isAssumed }) => isAssumed) ? ['You named no time, so I take an hour from now.'] : [];
  const once = wishes.filter(({ rule }) => !rule);
  const slept = open ?? (once.length === 1 ? once[0] : undefined);
  return { slept, timers: wishes.filter((one) => one !== slept), remarks };
}

function timerFor({ message, rule, at, isLocal }: Wish, now: Date): Call {
  const seconds = Math.max(1, Math.ceil((+at - +now) / 1_000));
  if (!rule && isLocal) return call('remind_later', { message, delay_seconds: null, at: isoSeconds(at, true) });
  if (!rule) return call('remind_later', { message, delay_seconds: seconds, at: null });
  return call('repeat', { task: message, cron: rule.cron, time_zone: null, every_seconds: rule.everySeconds });
}
