import { requestWords } from './second-person';
import { readTimes } from './times';

const sentenceEnds = /[;\n]+|(?<=[.!?])\s+|,?\s*\b(?:and|then|also)\s+(?:then\s+|also\s+)?(?=remind me\b)/i;
const joint = /(,?\s+and\s+(?:then\s+)?|,\s+)/i;
const bullet = /^\s*(?:[-*•]|\d+[.)])\s+/;

/**
 * Parts a message into what is wished for: at sentences, lines and "and remind me"; at "and" and commas only where both
 * sides name a time of their own.
 */
export function clauses(text: string, now: Date): string[] {
  const hasTime = (part: string) => readTimes(part, now).times.length > 0;
  const sentences: string[] = [];
  for (const raw of text.split(sentenceEnds)) {
    const part = raw.replace(bullet, '').trim();
    const isHeading = part.endsWith(':') && !hasTime(part);
    if (isHeading || !/[\p{L}\p{N}\uE000]/u.test(part)) continue;
    // A sentence without a time and without a request goes with the one before it.
    const loose = sentences.length > 0 && !hasTime(part) && !requestWords.test(part);
    sentences.push(loose ? `${sentences.pop()} ${part}` : part);
  }
  return sentences.flatMap((sentence) => joined(sentence.split(joint), hasTime));
}

/** @param pieces alternately a piece and the joint after it. */
function joined(pieces: string[], hasTime: (part: string) => boolean): string[] {
  const parts: string[] = [];
  for (let index = 0; index < pieces.length; index += 2) {
    const piece = pieces[index] ?? '';
    const last = parts.at(-1);
    if (last === undefined || (hasTime(piece) && hasTime(last))) parts.push(piece);
    else parts.push(`${parts.pop()}${pieces[index - 1]}${piece}`);
  }
  return parts;
}
