import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import { read } from './turn';

const naming = /^You name conversations\b/;
/** Words that begin a request and say nothing about its subject. */
const opening = /^(?:(?:hi|hello|hey|please|kindly|can you|could you|would you|i want to|i would like to)\b[\s,!.]*)+/i;
const mostWords = 7;
/** Words that a title cannot end with. */
const dangling = /\s+(?:a|about|after|an|and|at|by|for|from|in|into|my|of|on|or|the|to|with|your)$/i;

/** Returns a title if that is what the request asks for: the first words of the user's first sentence. */
export function titleFor({ messages }: ChatCompletionCreateParams): string | undefined {
  const [instructions, last] = [messages[0]?.content, messages.at(-1)?.content];
  if (typeof instructions !== 'string' || !naming.test(instructions)) return undefined;
  const said = String(read(String(last ?? ''))?.user ?? '');
  const [sentence = ''] = said
    .replace(/^\/\w+\s*/, '')
    .replace(opening, '')
    .split(/(?<=[.!?…])\s|\n/);
  let title = sentence.split(/\s+/).filter(Boolean).slice(0, mostWords).join(' ');
  while (dangling.test(title)) title = title.replace(dangling, '');
  title = title.replace(/[\s.,:;!?]+$/, '');
  return title.charAt(0).toUpperCase() + title.slice(1);
}
