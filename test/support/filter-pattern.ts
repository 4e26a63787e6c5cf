import type { LoggedLine } from './logged';

/**
 * Returns the lines that match a filter pattern of CloudWatch Logs for JSON: `{ $.field = "text" && $.other = 7 }`. A selector begins
 * at the root of the line.
 *
 * @throws Error for what is not evaluated here.
 */
export function filtered(pattern: string, lines: readonly LoggedLine[]): LoggedLine[] {
  const [, inner] = /^\{ (.+) \}$/.exec(pattern) ?? [];
  const terms = (inner ?? '').split(' && ').map((term) => {
    const [, field, text, number] = /^\$\.(\w+) = (?:"([^"]*)"|(\d+))$/.exec(term) ?? [];
    if (!field) throw new Error(`The filter pattern has a term that is not evaluated here: ${term}`);
    return { field, wanted: number === undefined ? text : Number(number) };
  });
  return lines.filter((line) => terms.every(({ field, wanted }) => line[field] === wanted));
}
