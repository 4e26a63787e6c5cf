import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import { read } from './turn';

const naming = /^You name conversations\b/;
/** Words that begin a request and say nothing about its subject. */
const opening = /^(?:(?:hi|hello|hey|please|kindly|can you|could you|would you|i want to|i would like to)\b[\s,!.]*)+/i;
const mostWords = 6;

/** Returns a title if that is what the request asks for: the first words of the user's message. */
export function titleFor({ messages }: ChatCompletionCreateParams): string | undefined {
  const [instructions, last] = [messages[0]?.content, messages.at(-1)?.content];
  if (typeof instructions !== 'string' || !naming.test(instructions)) return undefined;
  const said = String(read(String(last ?? ''))?.user ?? '');
  const words = said
    .replace(/^\/\w+\s*/, '')
    .replace(opening, '')
    .split(/\s+/)
    .filter(Boolean);
  const title = words
    .slice(0, mostWords)
    .join(' ')
    .replace(/[\s.,:;!?]+$/, '');
  return title.charAt(0).toUpperCase() + title.slice(1);
}
