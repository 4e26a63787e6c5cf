import { wellFormedJson } from '../../core/base/json/foreign-json';
import { clip } from '../../core/base/text/clip';
import { everyChange } from './mutated';

/** What the code that reads a server's answers promises. */
export interface Reader<Value> {
  /** Reads an answer. It gets the JSON; undefined is an answer without a body. */
  read: (json: string | undefined) => Value | Promise<Value>;
  /** The names of the errors that it may throw. */
  errors?: readonly string[];
  /** Whether the rest of Vigil can use what was read. It may throw, as `expect` does. Absent if no answer may be read, not even the good one. */
  isFit?: (value: Value) => unknown;
}

/**
 * Reads a good answer, which must become a value, and every change of it.
 *
 * @returns a line for each answer, of the first twenty, that leads to another error, or to a value that nothing can use.
 */
export async function wrongReadings<Value>(
  good: unknown,
  { read, errors = [], isFit }: Reader<Value>,
): Promise<string[]> {
  async function whatIsWrong(said: unknown): Promise<string | undefined> {
    let value: Value;
    try {
      value = await read(JSON.stringify(said));
    } catch (error) {
      const { name, message } = error as Error;
      const mayFail = said !== good || !isFit;
      return mayFail && errors.includes(name) && isWhole(message) ? undefined : `${name}: ${message}`;
    }
    if (!isFit) return `read as ${JSON.stringify(value)}`;
    if (!isWhole(value)) return 'half a character';
    try {
      return (await isFit(value)) === false ? `no use of ${JSON.stringify(value)}` : undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }
  const wrong: string[] = [];
  for (const said of [good, ...everyChange(good)]) {
    const what = await whatIsWrong(said);
    if (what) wrong.push(`${brief(what)}, of ${brief(String(JSON.stringify(said)))}`);
    if (wrong.length === mostShown || (what && said === good)) break;
  }
  return wrong;
}

/** Enough to see what is wrong. */
const mostShown = 20;
const brief = (text: string): string => clip(text, { characters: 500 }, '…');

/** Whether all texts and names in a value are well-formed. Its JSON always is, because that escapes half a character. */
export function isWhole(value: unknown): boolean {
  const all = [value];
  // If there is nothing to repair, it is the same value.
  return wellFormedJson(all) === all;
}
