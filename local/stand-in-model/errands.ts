import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import { clip, clipStart } from '../../core/base/text/clip';
import { commandsIn } from './commands';
import { readWishes, requestWords } from './reminders/wishes';
import { type Json, read } from './turn';

/** Words that begin a request and say nothing about its subject. */
const opening =
  /^(?:(?:hi|hello|hey|please|kindly|can you|could you|would you|i (?:want|need|would like)(?: to)?|i[’']d like(?: to)?)\b[\s,!.]*)+/i;
const mostWords = 7;
/** Words before which a sentence can end without another sense. */
const joints =
  /^(?:about|after|and|at|because|before|but|by|during|for|from|if|in|into|on|or|over|so|that|to|until|when|where|which|while|who|with)$/i;
const lineCharacters = 120;
const summaryCharacters = 1_500;

/** Does what Vigil asks of a model besides turns, by the beginning of the instructions. Undefined for a turn. */
export function errand({ messages }: ChatCompletionCreateParams): string | undefined {
  const [instructions, given] = [messages[0]?.content, messages.at(-1)?.content].map((one) => String(one ?? ''));
  if (/^You name conversations\b/.test(instructions!)) return titleOf(String(read(given!)?.user ?? ''));
  if (/^You summarise the earlier part of a conversation\b/.test(instructions!)) return summaryOf(given!);
  return undefined;
}

/** Returns what a conversation is about: of commands their words, of reminders their subjects, otherwise the first words. */
function titleOf(said: string): string {
  const words = said.trimStart().startsWith('/')
    ? commandsIn(said).map(wordsOf).find(Boolean)
    : requestWords.test(said)
      ? subjectsOf(said)
      : undefined;
  const title = words || firstWords(said.replace(/^\/[\w-]*\s*/, ''));
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** `/call opening_hours {"day": "Sunday"}` is about "opening hours: Sunday". */
function wordsOf({ rest }: { rest: string }): string {
  const given: Json = read(rest);
  const name = given ? rest.slice(0, rest.indexOf('{')) : firstWords(rest);
  const values = Object.values(given ?? {}).filter((value) => /^(?:string|number)$/.test(typeof value));
  return [name.trim().replaceAll('_', ' '), values.join(', ')].filter(Boolean).join(': ');
}

/** The subjects of requested reminders, without their times. */
const subjectsOf = (said: string): string =>
  [...new Set(readWishes(clip(said, { characters: summaryCharacters }), new Date()).map(({ message }) => message))]
    .map((message) => message.replace(/^(?:Time to|You wanted to be reminded of) /, '').replace(/[.?!]$/, ''))
    .filter(Boolean)
    .join(', ');

function firstWords(said: string): string {
  const [sentence = ''] = said.replace(opening, '').split(/(?<=[.!?…])\s|\n/);
  const words = sentence.split(/\s+/).filter(Boolean);
  const fits = words.length <= mostWords;
  const joint = words.slice(0, mostWords + 1).findLastIndex((word, at) => at > 1 && joints.test(word));
  const title = words.slice(0, fits ? words.length : joint > 0 ? joint : mostWords).join(' ');
  return title.replace(/[\s.,:;!?]+$/, '') + (fits || joint > 0 ? '' : '…');
}

/** Shortens each line of the conversation, and keeps the latest ones. */
function summaryOf(given: string): string {
  const lines = given.split('\n').filter((line) => line.startsWith('"'));
  const short = lines.map((line) =>
    clip(String(JSON.parse(line)).replace(/\s+/g, ' '), { characters: lineCharacters }, ' …'),
  );
  return clipStart(short.join('\n'), summaryCharacters);
}
