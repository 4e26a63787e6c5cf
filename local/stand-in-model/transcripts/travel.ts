import { courtesy } from '../forms';
import { call, type PastCall, type Turn } from '../turn';
import { found, type Replies, type Results } from './script';

const phrase = 'PLAN COMPLETE';
const label = 'I am the stand-in model: this plan quotes the pages that I read.';

/** Asks where and when, searches, reads two pages, and makes a plan from their sentences. */
export const plan: Replies = ({ input }, { talk }) => {
  const { where, when, days } = wishIn(talk);
  const news = wishIn(talk.filter(({ by }) => by === 'user').slice(-1));
  const isPlanned = talk.some(({ by, text }) => by === 'assistant' && text.includes(phrase));
  if (isPlanned && !news.where && !news.when && !news.stay) return [`${courtesy(input) ?? 'Where else?'}\n\n${phrase}`];
  if (!where) return [`Where would you like to go${when ? '' : ', and when'}?`];
  if (!when) return [`When would you like to be in ${where}, and for how many days?`];
  const about = (results: Results) => found(results).filter(({ title, link }) => RegExp(where, 'i').test(title + link));
  return [
    // What "next week" is, only the clock can tell.
    ...(/^(?:this|next)\b/.test(when) ? [[call('current_time')]] : []),
    [call('internet_search', { query: `${where} sights food`, results: null })],
    (results) => {
      const pages = about(results).slice(0, 2);
      if (pages.length > 0) return pages.map(({ link }) => call('scrape_website', { url: link }));
      return `I found nothing about ${where}. ${found(results)[0]?.snippet ?? ''} Where would you like to go instead?`;
    },
    (_, calls) => {
      const [byDay = [], byNight = []] = calls.filter(({ name }) => name === 'scrape_website').map(linesOf);
      const line = (lines: string[], day: number) => lines[day % lines.length] ?? 'as you like.';
      const planOf = (day: number) => `Day ${day + 1}\nMorning: ${line(byDay, day)}\nEvening: ${line(byNight, day)}`;
      const plans = Array.from({ length: days }, (_one, day) => planOf(day));
      return [`${where}, ${when}, ${days} ${days === 1 ? 'day' : 'days'}. ${label}`, ...plans, phrase].join('\n\n');
    },
  ];
};

/** Returns the sentences of a page, each with its address. */
const linesOf = ({ result, arguments: { url } }: PastCall): string[] =>
  (result.match(/^(?!.*(?:stand-in|assistants))[^#<\n].{25,300}[.!]$/gm) ?? []).map((text) => `${text} (${url})`);

const month = '(?:January|February|March|April|May|June|July|August|September|October|November|December)';
const season = `(?:[Ii]n|early|mid|late|next)(?: the)? (?:${month}|spring|summer|autumn|winter)`;
const time = RegExp(`\\b(?:${season}|(?:this|next) (?:week(?:end)?|month|\\w+day))\\b`, 'g');
const name = '(\\p{Lu}[\\p{L}’-]+(?: \\p{Lu}[\\p{L}’-]+)*)';
/** A place follows these words, or begins an answer; in lower case only if it is the whole answer. */
const places = `\\b(?:[Tt]o|[Ii]n|visit|it) (?!${month})${name}|^(?!Hello|Hi|Yes|No|Thanks|In\\b|To\\b|${month})${name}(?=,|\\.?$)|^(\\p{L}+),? (?:then|please)$`;
const stay = /\b(an?|one|two|three|four|five|six|seven|\d+)[ -](?:long )?(day|night|week(?:end)?)s?\b/gi;
const numbers = 'zero a two three four five six seven'.split(' ');

/** Returns what the traveller wants. The last statement on each point counts. */
function wishIn(talk: Turn['talk']): { where: string; when?: string; days: number; stay?: string } {
  const said = talk.flatMap(({ by, text }) => (by === 'user' ? text : [])).join('\n');
  const where = [...said.matchAll(RegExp(places, 'gmu'))].at(-1)?.slice(1).find(Boolean) ?? '';
  const [named, count = 'three', unit = 'day'] = [...said.matchAll(stay)].at(-1) ?? [];
  const counted = Number(count) || Math.max(1, numbers.indexOf(count.toLowerCase()));
  const days = unit === 'weekend' ? 2 : Math.min(7, unit === 'week' ? 7 : counted);
  return { where: where.charAt(0).toUpperCase() + where.slice(1), when: said.match(time)?.at(-1), days, stay: named };
}
