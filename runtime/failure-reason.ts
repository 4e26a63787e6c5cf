import { clip } from '../core/base/text/clip';
import { isForeign, isOwnError, loggedWords } from '../core/base/text/failure-words';

const longest = 400;

/**
 * Returns why something failed, in one line for the function's log and the developer's terminal, without anything that a person or
 * the model wrote:
 *
 * - Errors of Vigil and of a tool's author have messages for people. Strings and words that occur in `said` are removed.
 * - Errors of an SDK or the system may quote anything, so only their kind is given.
 * - Without `said`, words cannot be removed. Then only messages of Vigil, and of the JavaScript engine about code, are given.
 *
 * @param said the failed code's input, such as a call's arguments.
 * @returns undefined if the message may quote something. The stack frames show where it failed.
 */
export function reasonOf(error: unknown, said?: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, message } = error;
  // JSON.parse, for example, quotes and cuts its input.
  const mayQuote = name === 'SyntaxError' || (said === undefined && !namesCodeOnly(message));
  if (mayQuote && !isOwnError(error) && !isForeign(error)) return undefined;
  return clip(without(said, loggedWords(error)).replace(/\s+/g, ' ').trim(), { characters: longest });
}

/** Whether the engine's message names only code. */
const namesCodeOnly = (message: string): boolean =>
  /^(Cannot (read|set) properties of (undefined|null) \((reading|setting) '[\w$]+'\)|[\w$.]+ is not (a function|a constructor|defined|iterable)|(Cannot access '[\w$]+' before initialization))$/.test(
    message,
  );

const word = /[\p{L}\p{N}_]{4,}/gu;

/** Removes the strings of `said`, and their words, that have at least four characters. */
function without(said: unknown, text: string): string {
  const strings = stringsIn(said)
    .filter(({ length }) => length >= 4)
    .sort((one, other) => other.length - one.length);
  const words = new Set(strings.flatMap((string) => string.toLowerCase().match(word) ?? []));
  return strings
    .reduce((rest, string) => rest.replaceAll(string, '…'), text)
    .replace(word, (found) => (words.has(found.toLowerCase()) ? '…' : found));
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value.trim()];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
