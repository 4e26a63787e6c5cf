/**
 * Whether a text consists of the parts, in their order, with any text between them: the parts are what stands between the stars
 * of a pattern. The first place that fits a part is the best one, so that the time is proportional to the lengths of both.
 *
 * @param single a character of the parts that stands for any one character; a part that has it takes more time
 * @example
 * ```ts
 * import { matchesParts } from 'vigil-stepfunctions/shared';
 *
 * const matches = (pattern: string, text: string) => matchesParts(text, pattern.split('*'), '?');
 * matches('arn:aws:s3:::photos/*', 'arn:aws:s3:::photos/2030/a.jpg'); // → true
 * matches('arn:aws:s3:::photos/*.jp?', 'arn:aws:s3:::photos/a.png'); // → false
 * ```
 */
export function matchesParts(text: string, parts: readonly string[], single?: string): boolean {
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (parts.length < 2) return text.length === first.length && isAt(text, 0, first, single);
  const end = text.length - last.length;
  if (end < first.length || !isAt(text, 0, first, single) || !isAt(text, end, last, single)) return false;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const found =
      single !== undefined && part.includes(single) ? search(text, part, from, single) : find(text, part, from);
    if (found < 0 || found + part.length > end) return false;
    from = found + part.length;
  }
  return true;
}

function isAt(text: string, at: number, part: string, single: string | undefined): boolean {
  if (single === undefined || !part.includes(single)) return text.startsWith(part, at);
  for (let i = 0; i < part.length; i += 1) if (part[i] !== single && part[i] !== text[at + i]) return false;
  return true;
}

function search(text: string, part: string, from: number, single: string): number {
  for (let at = from; at + part.length <= text.length; at += 1) if (isAt(text, at, part, single)) return at;
  return -1;
}

/** As `indexOf`, whose time is the product of both lengths for some texts: the algorithm of Knuth, Morris and Pratt. */
export function find(text: string, part: string, from = 0): number {
  if (part.length < 8) return text.indexOf(part, from);
  const borders = bordersOf(part);
  let fits = 0;
  for (let at = from; at < text.length; at += 1) {
    while (fits > 0 && text[at] !== part[fits]) fits = borders[fits - 1]!;
    if (text[at] === part[fits]) fits += 1;
    if (fits === part.length) return at + 1 - fits;
  }
  return -1;
}

/** For each beginning of the part, how much of its own beginning it ends with. */
function bordersOf(part: string): Uint32Array {
  const borders = new Uint32Array(part.length);
  let length = 0;
  for (let i = 1; i < part.length; i += 1) {
    while (length > 0 && part[i] !== part[length]) length = borders[length - 1]!;
    if (part[i] === part[length]) length += 1;
    borders[i] = length;
  }
  return borders;
}
