import type { Item } from '../../core/base/content/items';
import { clip } from '../../core/base/text/clip';

const longest = 300;
/**
 * Returns a provider's message about a request that it rejects. The message is shortened. Keys are removed, and so are words of the
 * conversation, except those that are common in such messages. A provider knows nothing else about people.
 *
 * @param error the SDK's `error`: the body's field `error`, or the body.
 */
export function providerWords(error: unknown, items: readonly Item[], key: string): string {
  const said = clip(messageIn(error), { characters: 4 * longest });
  if (!said) return '';
  const own = withoutQuotations(withoutKeys(said, key), wordsOf(items));
  return clip(own, { characters: longest + 1 }, '…');
}

/** Gemini wraps its errors in a list; FastAPI uses the field `detail`. */
function messageIn(error: unknown): string {
  const [first] = [error].flat() as { message?: unknown; detail?: unknown; error?: { message?: unknown } }[];
  const words = first?.message ?? first?.error?.message ?? first?.detail;
  return typeof words === 'string' ? words.replace(/\s+/g, ' ').trim() : '';
}

/** Removes the key, what looks like a key, and other long random strings. */
const withoutKeys = (text: string, key: string): string =>
  (key.length >= 4 ? text.replaceAll(key, '…') : text)
    .replace(/\b(?:sk|pk|rk)-[\w*.-]+/g, '…')
    .replace(/\b(?:key|token|bearer)[-_ :]+(?=[\w*.-]*[\d*])[\w*.-]{6,}/gi, '…')
    .replace(/\b(?=\w*\d)(?=\w*[a-z])[\w-]{24,}\b/gi, '…');

function withoutQuotations(text: string, theirs: ReadonlySet<string>): string {
  const isTheirs = (word: string) => theirs.has(word.toLowerCase()) && !common.has(word.toLowerCase());
  const hidden = text.replace(word, (one) => (isTheirs(one) ? '…' : one));
  return hidden.replace(/…(?:[^\p{L}\p{N}]{1,3}…)+/gu, '…');
}

const word = /[\p{L}\p{N}_]+/gu;

const wordsOf = (items: readonly Item[]): ReadonlySet<string> =>
  new Set(items.flatMap((item) => (item.kind === 'call' ? item.arguments : item.text).toLowerCase().match(word) ?? []));

/** Words that are common in providers' messages. They reveal nothing, even if the conversation contains them. */
const common = new Set(
  (
    'a an and any are as at be been but by can cannot could did do does for from had has have if in into is it its may must no not ' +
    'of on one only or should so such that the their there these this those to too two was were when which will with without you your ' +
    'allowed api argument arguments array assistant bad call calls code completions content context data document effort empty end error ' +
    'expected exceeds fail failed field file following format found function functions given id image input instead integer invalid json key ' +
    'length limit list long longer max maximum message messages min minimum missing model models name null number object order output ' +
    'parameter please property provided reasoning refused request required response responses result results role schema send server ' +
    'set should string stream supported system text than token tokens tool tools type unknown unsupported use used user value values ' +
    'version wrong'
  ).split(' '),
);
