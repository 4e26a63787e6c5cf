import { isTooMuch } from './budget';

/** A part of a text that is parsed by itself. */
export interface Block {
  text: string;
  /** Whether it is too much for the parser, and shown as it is. */
  isPlain: boolean;
}

/** A shorter part is not worth a parser of its own, except for code, of which so many parts are. */
const fewestCharacters = 1_000;
const shortParts = 100;
/** The most characters outside code: in a part, and in all. The parser's work for a part grows with its square. */
const mostCharacters = 20_000;
const mostOfAll = 100_000;

/** Growing text is parsed again only when it is this much longer, once it is long. So all the times together cost a few dozen times the last one. */
const growth = 1.02;
const shortAtMost = 5_000;

const definition = /^ {0,3}\[[^\]\n]{1,999}\]:/m;
const fenceStart = /^(?:(`{3,})[^`]*|(~{3,}).*)$/;
const listMarker = /^(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)/;

/**
 * Cuts Markdown where the parser would begin something new: at a line after a blank one, and at code between fences. So a growing text is not
 * parsed from its start each time, and one part that is too much leaves the others alone.
 *
 * A text with definitions (`[1]: …`, footnotes) is one part, because they hold in all of it.
 */
export function blocksOf(text: string): Block[] {
  const all = text.replace(/\r\n?/g, '\n');
  const isWhole = all.length <= mostCharacters && definition.test(all);
  let sum = 0;
  return (isWhole ? [{ text: all, words: all.length }] : partsOf(all)).map(({ text, words }) => {
    sum += words;
    return { text, isPlain: words > mostCharacters || sum > mostOfAll || (words > 0 && isTooMuch(text)) };
  });
}

/**
 * @returns also how many characters count. Those of code do not if the part begins with it, because the parser takes them for code then.
 * Where it cuts depends on nothing that follows, so the parts of a growing text stay.
 */
function partsOf(text: string): { text: string; words: number }[] {
  const parts: { text: string; words: number }[] = [];
  let [start, words, fence, isAfterBlank] = [0, 0, '', false];
  const cut = (at: number, isCode: boolean) => {
    if (at === start || (at - start < fewestCharacters && !(isCode && parts.length < shortParts))) return;
    parts.push({ text: text.slice(start, at), words });
    [start, words] = [at, 0];
  };
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('\n', at) + 1 || text.length;
    const line = text.slice(at, next).trimEnd();
    const wasCode = fence !== '';
    if (!wasCode) {
      const [, ticks, tildes] = fenceStart.exec(line) ?? [];
      fence = ticks ?? tildes ?? '';
      if (fence || (isAfterBlank && /^\S/.test(line) && !listMarker.test(line))) cut(at, fence !== '');
    }
    if (!fence || words > 0 || (at > start && !wasCode)) words += next - at;
    if (wasCode && isFenceEnd(line, fence)) {
      fence = '';
      cut(next, true);
    }
    isAfterBlank = line === '';
    at = next;
  }
  if (start < text.length) parts.push({ text: text.slice(start), words });
  return parts;
}

function isFenceEnd(line: string, fence: string): boolean {
  const end = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return end !== undefined && end[0] === fence[0] && end.length >= fence.length;
}

/** Returns how much of a growing text to show now: `shown`, or all of it. */
export function toParse(text: string, shown: string, growing: boolean): string {
  const isEnough = growing && shown.length > shortAtMost && text.length < shown.length * growth;
  return isEnough && text.startsWith(shown) ? shown : text;
}
