import { periodIn, type Rule, ruleOf } from './periods';
import { inSecondPerson } from './second-person';
import { type Moment, readTimes } from './times';

/** A requested reminder and its time: a moment, or a rule. The message is empty if none was named. */
/** `isLocal`: the time is in the user's time zone, written as if it were UTC. */
export type Wish = Pick<Moment, 'at' | 'dated' | 'timed'> & {
  message: string;
  isLocal?: boolean;
  isAssumed?: boolean;
  rule?: Rule;
};

export const requestWords =
  /\b(?:remind|reminder|wake me|ping me|nudge me|alert me|notify me|don['’]t let me forget|remember to|snooze)\b/i;

/** Whether a message requests a reminder: explicitly, or by a time and something to do. */
export function isWish(text: string, now: Date): boolean {
  if (requestWords.test(text) || periodIn(text)) return true;
  const hasTime = readTimes(text, now).times.length > 0 && !/\?\s*$/.test(text);
  return hasTime && (/\bagain\b/i.test(text) || Boolean(readWish(text, now)?.message));
}

export function readWishes(said: string, now: Date): Wish[] {
  const wishes = clauses(said, now).flatMap((clause) => readWish(clause, now) ?? []);
  for (const [index, wish] of wishes.entries()) {
    const before = wishes[index - 1];
    // "tomorrow at 8 and at 9": the second hour is on the same day.
    if (before?.dated && !wish.dated && wish.timed && !wish.isAssumed) wish.at = onDayOf(before.at, wish.at);
  }
  // "at 8 and at 11 to take my pills": the subject applies to both.
  const named = (index: number) => [...wishes.slice(index), ...wishes.toReversed()].find(({ message }) => message);
  return wishes.map((wish, index) => ({ ...wish, message: named(index)?.message ?? '' }));
}

/** Returns a request changed by a later message: its day, its hour or both. Undefined if the message names no time. */
export function corrected(wish: Wish, correction: string, now: Date): Wish | undefined {
  const { at, dated, timed, relative } = choose(readTimes(correction, now)) ?? {};
  if (!at) return undefined;
  const moved = timed ? onDayOf(wish.at, at) : onDayOf(at, wish.at);
  return { ...wish, at: relative || dated === timed || moved <= now ? at : moved };
}
const onDayOf = (day: Date, hour: Date): Date =>
  new Date(`${day.toISOString().slice(0, 10)}${hour.toISOString().slice(10)}`);

function readWish(clause: string, now: Date): Wish | undefined {
  const recurring = periodIn(clause, now);
  const midnight = new Date(`${now.toISOString().slice(0, 10)}T00:00:00Z`);
  const { text, times } = recurring ? readTimes(recurring.rest, midnight) : readTimes(clause, now);
  const time = choose({ text, times });
  const message = inSecondPerson((time?.parts ?? []).reduceRight(without, text));
  if (recurring) return { message, at: now, dated: false, timed: false, rule: ruleOf(recurring.period, time) };
  if (time) return { ...time, message };
  return message ? { message, at: new Date(+now + 3_600_000), dated: false, timed: true, isAssumed: true } : undefined;
}

/**
 * Returns a clause's time: the one right after "remind me", otherwise the first. A day and an hour that are apart
 * ("tomorrow … at 8") are combined.
 */
function choose({ text, times }: { text: string; times: Moment[] }): (Moment & { parts: Moment[] }) | undefined {
  const isAskedFor = RegExp(`${requestWords.source}[\\s\\w]{0,8}$`, 'i');
  const chosen = times.find(({ index }) => isAskedFor.test(text.slice(0, index))) ?? times[0];
  const isOther = (one: Moment) => one.dated === chosen?.timed && one.timed === chosen.dated && !one.relative;
  const other = chosen?.dated === chosen?.timed ? undefined : times.find(isOther);
  if (!chosen || !other) return chosen && { ...chosen, parts: [chosen] };
  const at = chosen.timed ? onDayOf(other.at, chosen.at) : onDayOf(chosen.at, other.at);
  return { ...chosen, at, dated: true, timed: true, parts: times.filter((one) => one === chosen || one === other) };
}
const without = (text: string, { index, length }: Moment): string =>
  `${text.slice(0, index).replace(/\b(at|on|in|by|from|until|for)(\s+the)?\s*$/i, '')} ${text.slice(index + length)}`;

const sentenceEnds = /[;\n]+|(?<=[.!?])\s+|,?\s*\b(?:and|then|also)\s+(?:(?:then|also)\s+)?(?=remind me\b)/i;

/** Splits a message into its requests: sentences, lines, and parts joined by "and" if both name a time. */
function clauses(text: string, now: Date): string[] {
  const hasTime = (part: string) => readTimes(part, now).times.length > 0;
  const parts: string[] = [];
  for (const raw of text.split(sentenceEnds)) {
    const sentence = raw.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').trim();
    if ((sentence.endsWith(':') && !hasTime(sentence)) || !/[\p{L}\p{N}]/u.test(sentence)) continue;
    for (const [index, piece] of sentence.split(/(?<!,)(?=,?\s+and\s)|(?=,\s)/i).entries()) {
      const before = parts.at(-1) ?? '';
      const isWhole = index === 0 && (hasTime(sentence) || requestWords.test(sentence));
      const isTimed = index > 0 && hasTime(piece) && hasTime(before) && !periodIn(before);
      const isNew = !before || isWhole || isTimed || periodIn(piece);
      if (isNew) parts.push(piece.replace(/^,?\s+(?:and\s+)?(?:then\s+)?/i, ''));
      else parts.push(`${parts.pop()}${index === 0 ? ' ' : ''}${piece}`);
    }
  }
  return parts;
}
