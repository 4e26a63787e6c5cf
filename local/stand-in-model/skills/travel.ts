import type { PastCall } from '../turn';
import { courtesy } from './courtesies';
import type { Saying, Skill } from './skill';
import { type TravelWish, wishOf } from './travel-wish';

const pagesToRead = 2;
const asksForHelp = /\b(?:what (?:can|do) you|who are you|how do(?:es)? (?:you|this|it) work)\b/i;

/** The travel agent: asks where and when, searches, reads two pages, and makes a plan of what they say. */
export const travel: Skill = {
  offers: 'plan a trip from what the search finds',
  example: 'Try: "Plan three days in Kyoto in May."',
  needs: ['internet_search', 'scrape_website'],
  answer(turn) {
    if (asksForHelp.test(turn.said)) return undefined;
    const phrase = /the line "([^"]+)"/.exec(turn.instructions)?.[1] ?? '';
    const wish = wishOf(turn.talk);
    const planned = phrase !== '' && turn.talk.some(({ by, text }) => by === 'assistant' && text.includes(phrase));
    const changed = turn.talk.at(-1)?.by === 'user' ? wishOf([turn.talk.at(-1)!]) : wish;
    if (
      planned &&
      turn.callsSince.length === 0 &&
      !changed.where &&
      !changed.when &&
      changed.days === wishOf([]).days
    ) {
      return { text: `${courtesy(turn.said) ?? 'Name another place or time, and I will plan that.'}\n\n${phrase}` };
    }
    return ask(wish) ?? research(wish as Required<TravelWish>, turn.callsSince, phrase);
  },
};

function ask({ where, when }: TravelWish): Saying | undefined {
  const label = 'I am the stand-in model, so I keep it simple.';
  if (!where && !when) return { text: `${label} Where would you like to go, and when?` };
  if (!where) return { text: 'Where would you like to go?' };
  if (!when) return { text: `${label} When would you like to be in ${where}, and for how many days?` };
  return undefined;
}

function research(wish: Required<TravelWish>, calls: PastCall[], phrase: string): Saying {
  const { where } = wish;
  const search = calls.find(({ name }) => name === 'internet_search');
  if (!search) {
    const query = `${where} sights food`;
    return {
      text: `${where}, ${wish.when}: let me look.`,
      calls: [{ name: 'internet_search', arguments: { query, results: null } }],
    };
  }
  if (search.failed) return { text: `I could not search. ${search.result} Shall I try again?` };
  const found = resultsIn(search.result ?? '');
  const about = found.filter(({ title, link }) => `${title} ${link}`.toLowerCase().includes(where.toLowerCase()));
  if (about.length === 0) {
    const instead = found[0]?.snippet ?? '';
    return { text: `I found nothing about ${where}. ${instead} Where would you like to go instead?` };
  }
  const reads = calls.filter(({ name }) => name === 'scrape_website');
  if (reads.length > 0) return { text: plan(wish, reads, about, phrase) };
  const calledFor = about
    .slice(0, pagesToRead)
    .map(({ link }) => ({ name: 'scrape_website', arguments: { url: link } }));
  return { calls: calledFor };
}

interface Result {
  title: string;
  link: string;
  snippet: string;
}

export const resultsIn = (list: string): Result[] =>
  [...list.matchAll(/^\d+\. (.+)\n {3}(https?:\/\/\S+)(?:\n {3}(.+))?/gm)].map(
    ([, title = '', link = '', snippet = '']) => ({
      title,
      link,
      snippet,
    }),
  );

/** A line of the first page for each day, one of the second for each evening. */
function plan({ where, when, days }: Required<TravelWish>, reads: PastCall[], found: Result[], phrase: string): string {
  const [byDay, byNight] = reads.map((read) => ({ link: String(read.arguments.url), lines: linesOf(read) }));
  const line = (from: typeof byDay, index: number) => {
    const text = from?.lines[index % Math.max(1, from.lines.length)];
    return text && from.lines.length > 0 ? `${text} (${from.link})` : undefined;
  };
  const perDay = days * 2 <= (byDay?.lines.length ?? 0) ? 2 : 1;
  const plans = Array.from({ length: days }, (_, day) =>
    [
      `Day ${day + 1}`,
      ...Array.from({ length: perDay }, (_part, part) => line(byDay, day * perDay + part)).map(
        (text, part) => text && `${['Morning', 'Afternoon'][part]}: ${text}`,
      ),
      line(byNight, day) && `Evening: ${line(byNight, day)}`,
    ]
      .filter(Boolean)
      .join('\n'),
  );
  const unread = reads
    .filter(({ failed }) => failed)
    .map((read) => `I could not read ${read.arguments.url}. ${read.result}`);
  const more = found.slice(pagesToRead).map(({ title, link }) => `- ${title}: ${link}`);
  return [
    `${where}, ${when}, ${days} ${days === 1 ? 'day' : 'days'}. I am the stand-in model: this is cut together from what I read.`,
    ...plans,
    ...unread,
    more.length > 0 ? `More to read:\n${more.join('\n')}` : '',
    phrase,
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** What is inside the fence of a page, without its heading and what is no sentence. */
function linesOf({ failed, result = '' }: PastCall): string[] {
  if (failed) return [];
  return result
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^[^#<].{25,300}[.!]$/.test(line) && !/untrusted|stand-in/i.test(line));
}
