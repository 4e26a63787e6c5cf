import { failureWords, isForeign, isOwnError } from '../core/text/failure-words';

const longest = 400;

/**
 * Why something failed, in one line for the function's log and the developer's terminal. Whatever a person or the model said stays out:
 *
 * - Our own errors and those of a tool's author have words for people. Of these, all that occurs in `said` is left out.
 * - What an SDK or the system says may quote anything: of that only the kind is told.
 * - Without `said`, nothing can be left out. Then only our own words are told, and those of the engine that name code alone.
 *
 * @param said what the failed code was given, such as a call's arguments.
 * @returns nothing where the words may quote something; the frames say where it was.
 */
export function reasonOf(error: unknown, said?: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, message } = error;
  // JSON.parse and its like quote what they could not read, and cut it off.
  const mayQuote = name === 'SyntaxError' || (said === undefined && !namesCodeOnly(message));
  if (mayQuote && !isOwnError(error) && !isForeign(error)) return undefined;
  return without(said, failureWords(error)).replace(/\s+/g, ' ').trim().slice(0, longest);
}

/** As the engine complains of a mistake in a program. */
const namesCodeOnly = (message: string): boolean =>
  /^(Cannot (read|set) properties of (undefined|null) \((reading|setting) '[\w$]+'\)|[\w$.]+ is not (a function|a constructor|defined|iterable)|(Cannot access '[\w$]+' before initialization))$/.test(
    message,
  );

const word = /[\p{L}\p{N}_]{4,}/gu;

/** The text without any string of `said`, and any word of one, that has four characters or more. */
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
