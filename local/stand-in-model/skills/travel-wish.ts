import type { Turn } from '../turn';

/** What the traveller has said so far. */
export interface TravelWish {
  where?: string;
  /** In their own words. */
  when?: string;
  days: number;
}

const months =
  'january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec';
const times = [
  new RegExp(
    `\\b(?:(?:at the )?(?:end|beginning|middle) of |(?:early|mid|late)[ -])?(?:next |this )?(?:\\d{1,2}(?:st|nd|rd|th)?(?: of)? )?(?:in |on )?(?<!\\bI |\\bit |\\bwe )\\b(?:${months})\\b(?: \\d{1,2}(?:st|nd|rd|th)?\\b)?(?:,? \\d{4})?`,
    'i',
  ),
  /\b(?:in |at )?(?:the |next |this |early |late )?(?:spring|summer|autumn|fall|winter|christmas|easter|new year)\b/i,
  /\b(?:next|this|coming) (?:week(?:end)?|month|year|\w+day)\b|\btomorrow\b|\bin (?:a|one|two|three|\d+) (?:day|week|month)s?\b|\b\d{4}-\d\d-\d\d\b/i,
];
const stays = /\b(?:for )?(a|an|one|two|three|four|five|six|seven|\d{1,2})[ -](day|night|week|weekend)s?\b/i;
const numbers = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven'];
const defaultDays = 3;
const maxDays = 7;

/** After these words a name is where somebody wants to go. */
const destination =
  /\b(?:to|in|visit(?:ing)?|see|around|explore|[Mm]ake it|[Hh]ow about|[Ww]hat about)\s+(\p{Lu}[\p{L}'’-]*(?:[ -]\p{Lu}[\p{L}'’-]*)*)/gu;
const name = /\p{Lu}[\p{L}'’-]+(?:[ -]\p{Lu}[\p{L}'’-]*)*/gu;
const noPlace = new RegExp(
  `^(?:${months}|(?:mon|tues|wednes|thurs|fri|satur|sun)day|spring|summer|autumn|winter|christmas|easter|i|make|i['’]\\w+|we|my|me|it|a|an|the|plan|please|can|could|would|help|book|find|hi|hello|hey|yes|no|not|ok(?:ay)?|thanks?|for|in|on|let['’]?s?|what|where|when|how|next|this|somewhere|anywhere|two|three)$`,
  'i',
);

/** The latest word on each holds. */
export function wishOf(talk: Turn['talk']): TravelWish {
  const wish: TravelWish = { days: defaultDays };
  for (const [index, { by, text }] of talk.entries()) {
    if (by !== 'user') continue;
    const before = talk[index - 1];
    const asked = before?.by === 'assistant' && /\bwhere\b/i.test(before.text);
    wish.where = placeIn(text, asked) ?? wish.where;
    wish.when = times.map((form) => form.exec(text)?.[0].trim()).find(Boolean) ?? wish.when;
    wish.days = daysIn(text) ?? wish.days;
  }
  return wish;
}

/** @param asked whether this answers the question where to. */
function placeIn(text: string, asked: boolean): string | undefined {
  const named = [...text.matchAll(destination)].map(([, place]) => place);
  const any = [...text.matchAll(name)].map(([place]) => place);
  const place = [...named, ...any].find((candidate) => candidate && !noPlace.test(candidate.split(' ')[0]!));
  if (place || !asked) return place;
  // "kyoto, please": whoever is asked where to needs no capital.
  const [, first] = /^\s*(?:to |in |maybe |perhaps )?([\p{L}][\p{L}'’-]{2,30})/u.exec(text) ?? [];
  return first && !noPlace.test(first) ? first.charAt(0).toUpperCase() + first.slice(1) : undefined;
}

function daysIn(text: string): number | undefined {
  const [, count = '', unit = ''] = stays.exec(text) ?? [];
  if (!count) return undefined;
  const number = Number(count) || Math.max(1, numbers.indexOf(count.toLowerCase()));
  const days = /weekend/i.test(unit) ? 2 : /week/i.test(unit) ? number * 7 : number;
  return Math.min(maxDays, Math.max(1, days));
}
