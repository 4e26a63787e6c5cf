import { readWishes } from './wishes';

/** Something to be told again and again. */
export interface Job {
  /** What the reminder will say. */
  task: string;
  cron: string | null;
  everySeconds: number | null;
  /** "every day at 08:00 UTC" */
  words: string;
}

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const dayName = '(?:sun|mon|tues|wednes|thurs|fri|satur)day';
const dayNames = `${dayName}s?(?:(?:,? and |, ?| or )(?:every )?${dayName}s?)*`;
const numbers = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const seconds: Record<string, number> = { second: 1, minute: 60, hour: 3_600, day: 86_400, week: 604_800 };
const hours: Record<string, number> = { morning: 9, afternoon: 15, evening: 19, night: 20 };
const defaultHour = 9;
/** A sentence, a line, or "and every …" begins another one. */
const parts =
  /(?<=[.!?;])\s+|\n+|,?\s+and\s+(?:also\s+)?(?=(?:please\s+)?(?:remind me\s+)?(?:(?:every|each|on)\b|daily|hourly|weekly))/i;

interface Period {
  everySeconds?: number;
  /** Day of month, month, day of week, as cron has them. */
  date?: string;
  words: string;
  hour?: number;
}

/** What people say for a period. The first that fits, so the narrow ones come first. */
const periods: [RegExp, (match: string[], now: Date, text: string) => Period | undefined][] = [
  [
    /\b(?:every|each) (\d+|\w+) (second|minute|hour|day|week)s?\b/i,
    ([, count = '', unit = '']) => interval(count, unit),
  ],
  [/\b(?:every|each) (second|minute|hour)\b/i, ([, unit = '']) => interval('1', unit)],
  [/\b(hour|minute)ly\b/i, ([, unit = '']) => interval('1', unit)],
  [/\b(?:(?:every|each|on) )?(?:week|work(?:ing )?)days?\b/i, () => ({ date: '* * 1-5', words: 'every weekday' })],
  [/\b(?:every|each) weekend\b/i, () => ({ date: '* * 6,0', words: 'every Saturday and Sunday' })],
  [
    new RegExp(`\\b(?:every|each) (${dayNames})\\b|\\b(?:on )?(${dayName}s(?:(?:,? and |, ?)${dayName}s)*)\\b`, 'i'),
    ([, one, other]) => onDays(one ?? other ?? ''),
  ],
  [
    /\b(?:every|each) (?:single )?(day|morning|afternoon|evening|night)\b|\bdaily\b/i,
    ([, part = 'day']) => ({
      date: '* * *',
      words: 'every day',
      hour: hours[part.toLowerCase()],
    }),
  ],
  [
    /\b(?:every|each) week\b|\bweekly\b/i,
    (_, now, text) => onDays(new RegExp(dayName, 'i').exec(text)?.[0] ?? days[now.getUTCDay()]!),
  ],
  [
    /\b(?:every|each) month\b|\bmonthly\b/i,
    (_, now, text) => {
      const day = Number(/\b(\d{1,2})(?:st|nd|rd|th)\b/.exec(text)?.[1] ?? now.getUTCDate());
      return day >= 1 && day <= 31 ? { date: `${day} * *`, words: `on day ${day} of every month` } : undefined;
    },
  ],
];

/** Whether a message asks for something again and again. */
export const recurs = (said: string): boolean => periods.some(([form]) => form.test(said));

/** What recurs in a message, and what is left of it. */
export function readJobs(said: string, now: Date): { jobs: Job[]; rest: string } {
  const jobs: Job[] = [];
  const rest: string[] = [];
  for (const part of said.split(parts)) {
    const job = readJob(part, now);
    if (job) jobs.push(job);
    else rest.push(part);
  }
  // "Every day at 8 and every evening to take my pills": the subject is said once.
  const subject = jobs.findLast(({ task }) => task)?.task ?? 'You wanted to be reminded now.';
  return { jobs: jobs.map((job) => ({ ...job, task: job.task || subject })), rest: rest.join('\n') };
}

function readJob(part: string, now: Date): Job | undefined {
  for (const [form, read] of periods) {
    const match = form.exec(part);
    const period = match && read([...match], now, part);
    if (!match || !period) continue;
    // Read as if it were midnight: "at 8" is then eight in the morning, whatever time it is now.
    const midnight = new Date(`${now.toISOString().slice(0, 10)}T00:00:00Z`);
    const left = `${part.slice(0, match.index)} ${part.slice(match.index + match[0].length)}`.replace(
      /\bon the \d{1,2}(?:st|nd|rd|th)\b/i,
      ' ',
    );
    const [wish] = readWishes(left.replace(/\s+/g, ' ').trim(), midnight);
    const task = wish?.message ?? '';
    const { everySeconds, date, words } = period;
    if (everySeconds !== undefined) return { task, cron: null, everySeconds, words };
    const timed = wish?.timed && !wish.assumed;
    const named = timed ? wish.at.getUTCHours() : undefined;
    // "Every evening at 7" is no morning.
    const half = named !== undefined && named < 12 && (period.hour ?? 0) > 12 ? 12 : 0;
    const hour = named === undefined ? (period.hour ?? defaultHour) : named + half;
    const minute = timed ? wish.at.getUTCMinutes() : 0;
    const clock = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
    return { task, cron: `${minute} ${hour} ${date}`, everySeconds: null, words: `${words} at ${clock} UTC` };
  }
  return undefined;
}

function interval(count: string, unit: string): Period | undefined {
  const word = count.toLowerCase();
  const number = word === 'other' ? 2 : /^\d+$/.test(word) ? Number(word) : numbers.indexOf(word);
  if (number < 1) return undefined;
  const one = unit.toLowerCase();
  return { everySeconds: number * seconds[one]!, words: number === 1 ? `every ${one}` : `every ${number} ${one}s` };
}

function onDays(said: string): Period {
  const named = days.flatMap((day, number) => (said.toLowerCase().includes(day) ? [number] : []));
  const inWords = named.map((number) => `${days[number]!.charAt(0).toUpperCase()}${days[number]!.slice(1)}`);
  return { date: `* * ${named.join(',')}`, words: `every ${inWords.join(' and ')}` };
}
