import { clauses } from './clauses';
import { inSecondPerson, requestWords } from './second-person';
import { type Moment, readTimes } from './times';

/** One thing that somebody wants to be told, and when. */
export interface Wish {
  /** What the reminder will say. Empty when the message named no subject. */
  message: string;
  at: Date;
  dated: boolean;
  timed: boolean;
  /** In words, when the message named no time and one was chosen for it. */
  assumed?: string;
}

const withoutTimeMs = 3_600_000;

/** Whether a message asks for a reminder: it says so, or it names a time and something to do. */
export function isWish(text: string, now: Date): boolean {
  if (requestWords.test(text)) return true;
  const masked = mask(text).text;
  if (readTimes(masked, now).times.length === 0 || /\?\s*$/.test(text)) return false;
  return /\bagain\b/i.test(text) || Boolean(readWish(masked, now)?.message);
}

/** The wishes of one message, in the order in which they were said. */
export function readWishes(said: string, now: Date): Wish[] {
  const { text, unmask } = mask(said);
  const wishes = clauses(text, now)
    .map((clause) => readWish(clause, now))
    .filter((wish) => wish !== undefined);
  for (const [index, wish] of wishes.entries()) {
    const before = wishes[index - 1];
    // "tomorrow at 8 and at 9": the second hour is of the same day.
    if (before?.dated && !wish.dated && wish.timed && !wish.assumed) wish.at = onDayOf(before.at, wish.at);
  }
  // "at 8 and at 11 to take my pills": the subject is said once.
  const named = wishes.filter(({ message }) => message);
  return wishes.map((wish, index) => {
    const subject = wish.message || (wishes.slice(index).find(({ message }) => message) ?? named.at(-1))?.message;
    return { ...wish, message: unmask(subject ?? '') };
  });
}

/** What a later message changes about a wish: its day, its hour, or both. Nothing when it names no time. */
export function corrected(wish: Wish, correction: string, now: Date): Wish | undefined {
  const time = choose(readTimes(mask(correction).text, now));
  if (!time) return undefined;
  const { at, dated, timed } = time;
  if (time.relative || dated === timed) return { ...wish, at, dated, timed, assumed: undefined };
  const moved = timed ? onDayOf(wish.at, at) : onDayOf(at, wish.at);
  return { ...wish, at: moved > now ? moved : at, dated: true, timed: true, assumed: undefined };
}

const onDayOf = (day: Date, hour: Date): Date =>
  new Date(`${day.toISOString().slice(0, 10)}${hour.toISOString().slice(10)}`);

function readWish(clause: string, now: Date): Wish | undefined {
  const { text, times } = readTimes(clause, now);
  const time = choose({ text, times });
  const message = inSecondPerson(time ? cutOut(text, times, time) : text);
  if (time) return { message, at: time.at, dated: time.dated, timed: time.timed };
  if (!message) return undefined;
  return {
    message,
    at: new Date(now.getTime() + withoutTimeMs),
    dated: false,
    timed: true,
    assumed: 'an hour from now',
  };
}

/**
 * Which of a clause's times is the reminder's: the one right after "remind me", else the first with an hour, else the
 * first. A day and an hour that stand apart ("tomorrow … at 8") belong together.
 */
function choose({ text, times }: { text: string; times: Moment[] }): Moment | undefined {
  const asked = requestWords.exec(text);
  const first = times.find(
    ({ index }) => asked && /^[\s\w]{0,8}$/.test(text.slice(asked.index + asked[0].length, index)),
  );
  const chosen = first ?? times.find(({ timed, relative }) => timed || relative) ?? times[0];
  if (!chosen || chosen.relative || (chosen.dated && chosen.timed)) return chosen;
  const rest = times.filter((time) => time !== chosen && !time.relative && time.dated !== time.timed);
  const other = rest.find((time) => time.timed !== chosen.timed);
  if (!other) return chosen;
  const at = chosen.timed ? onDayOf(other.at, chosen.at) : onDayOf(chosen.at, other.at);
  return { ...chosen, at, dated: true, timed: true };
}

function cutOut(text: string, times: Moment[], chosen: Moment): string {
  const both = chosen.dated && chosen.timed;
  const gone = times.filter((time) => time.index === chosen.index || (both && time.dated !== time.timed));
  return gone
    .toSorted((a, b) => b.index - a.index)
    .reduce((rest, { index, length }) => {
      return `${rest.slice(0, index).replace(/\b(at|on|in|by|from|until|for)(\s+the)?\s*$/i, '')} ${rest.slice(index + length)}`;
    }, text);
}

/** Hides links and quoted words, so that nothing in them is read as a time or cut apart. */
function mask(text: string): { text: string; unmask(masked: string): string } {
  const hidden: string[] = [];
  const masked = text.replace(
    /https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]]|"[^"\n]+"|“[^”\n]+”/g,
    (word) => `\uE000${hidden.push(word) - 1}\uE001`,
  );
  return {
    text: masked,
    unmask: (rest) => rest.replace(/\uE000(\d+)\uE001/g, (_all, index: string) => hidden[Number(index)] ?? ''),
  };
}
