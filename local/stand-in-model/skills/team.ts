import type { PastCall } from '../turn';
import { topicsIn } from './bank-wish';
import { courtesy } from './courtesies';
import type { Saying, Skill } from './skill';
import { resultsIn } from './travel';

// The chat team: a host that hands over, a researcher, a calculator, and the way back that every specialist has.

const toHost = 'hand_off_to_chat';
const about: [agent: string, wish: (said: string) => boolean][] = [
  [
    'reminder',
    (said) =>
      /\bremind(?:er|ers)?\b|\bwake me\b|\bevery (?:day|week|month|hour|mon|tue|wed|thu|fri|sat|sun)/i.test(said),
  ],
  ['bank', (said) => [...topicsIn(said, false)].length > 0],
  ['travel', (said) => /\b(?:trip|travel|holiday|vacation|itinerary)\b/i.test(said)],
  ['calculator', (said) => expressionIn(said) !== undefined],
  [
    'researcher',
    (said) =>
      /\b(?:search|look up|find out|research|who (?:is|was)|what (?:is|are|was)|tell me about|where is)\b/i.test(said),
  ],
];
const fact =
  /^(?:please )?remember (?:that )?(.{3,400})$|^((?:I am|I'm|I love|I like|I hate|I live|my \w+ is)\b.{3,300})$/i;
const aboutMe = /\bwhat do you (?:know|remember) (?:about|of) me\b|\bdo you remember\b/i;

const host: Skill = {
  offers:
    'bring in whoever can remind you, reckon, search the web, plan a trip or look after your money, and remember what you tell me',
  example: 'Try: "What is 12 % of 340?" or "Remember that I am vegetarian."',
  needs: ['hand_off_to_calculator', 'hand_off_to_researcher', 'remember', 'recall'],
  answer(turn) {
    const { said, callsSince } = turn;
    const told = callsSince.find(({ name }) => name === 'remember' || name === 'recall');
    if (told) return { text: told.name === 'remember' ? remembered(told) : recalled(told) };
    const [, first, second] = fact.exec(said.trim()) ?? [];
    const known = first ?? second;
    if (known) return { calls: [{ name: 'remember', arguments: { fact: `The user says: ${known}` } }] };
    if (aboutMe.test(said)) return { calls: [{ name: 'recall', arguments: { query: said, limit: null } }] };
    const [agent] = about.find(([name, wishes]) => wishes(said) && turn.tools.includes(`hand_off_to_${name}`)) ?? [];
    // Whoever has been asked already and gave it back has nothing to say to it.
    const handedBefore = callsSince.some(({ name }) => name === `hand_off_to_${agent}`);
    return agent && !handedBefore ? handOver(`hand_off_to_${agent}`, said) : undefined;
  },
};

const calculator: Skill = {
  offers: 'calculate',
  needs: ['run_code'],
  answer({ said, callsSince }) {
    const ran = callsSince.find(({ name }) => name === 'run_code');
    if (ran) return { text: ran.failed ? `I could not reckon that. ${ran.result}` : `It is ${numberIn(ran)}.` };
    const code = expressionIn(said);
    return code ? { calls: [{ name: 'run_code', arguments: { code } }] } : undefined;
  },
};

const researcher: Skill = {
  offers: 'look things up',
  needs: ['internet_search', 'scrape_website', 'note_down'],
  answer({ said, callsSince }) {
    if (!about.at(-1)![1](said)) return undefined;
    const search = callsSince.find(({ name }) => name === 'internet_search');
    if (!search)
      return { calls: [{ name: 'internet_search', arguments: { query: said.slice(0, 300), results: null } }] };
    const [best] = search.failed ? [] : resultsIn(search.result ?? '');
    if (!best) return { text: `I found nothing about that. ${search.failed ? search.result : ''}`.trim() };
    const page = callsSince.find(({ name }) => name === 'scrape_website');
    if (!page) return { calls: [{ name: 'scrape_website', arguments: { url: best.link } }] };
    return { text: `${best.snippet} (${best.title}: ${best.link})` };
  },
};

/** Behind a host, what nobody here has an answer to goes back to it, once. */
export const handBack: Skill = {
  needs: [toHost],
  answer({ said, callsSince }) {
    const back = callsSince.some(({ name }) => name === toHost);
    return said && !back && !courtesy(said) ? handOver(toHost, said) : undefined;
  },
};

export const team: Skill[] = [host, calculator, researcher];

const handOver = (name: string, said: string): Saying => ({
  calls: [{ name, arguments: { reason: said.slice(0, 200) || 'Something else.' } }],
});

const remembered = (call: PastCall): string => (call.failed ? `I could not. ${call.result}` : 'I will remember that.');

function recalled({ failed, result }: PastCall): string {
  if (failed) return `I could not look. ${result}`;
  const { memories = [] } = JSON.parse(result ?? '{}') as { memories?: { text: string }[] };
  if (memories.length === 0) return 'You have told me nothing about that yet.';
  return `You have told me: ${memories.map(({ text }) => text.replace(/^The user says: /, '')).join('; ')}.`;
}

/** "What is 12 % of 340?", "2 * (3 + 4)": as JavaScript; nothing where there is nothing to reckon. */
export function expressionIn(said: string): string | undefined {
  const percent = /([\d.]+)\s*(?:%|percent) (?:of|on) ([\d.]+)/i.exec(said);
  if (percent) return `${percent[1]} / 100 * ${percent[2]}`;
  const [found] =
    /[\d(][\d\s.()+\-*/×÷^]*[+\-*/×÷^][\d\s.()+\-*/×÷^]*[\d)]/.exec(said.replace(/\d{4}-\d\d-\d\d/g, '')) ?? [];
  return found?.replaceAll('×', '*').replaceAll('÷', '/').replaceAll('^', '**').trim();
}

const numberIn = ({ result = '{}' }: PastCall): string => {
  const { value } = JSON.parse(result) as { value: unknown };
  return typeof value === 'number' ? String(Math.round(value * 1e6) / 1e6) : JSON.stringify(value);
};
