/** What a class of characters is filled with: letters before digits, and signs last. */
const characters = 'aA1 -_.,:;/@#+*=!?%&()[]{}<>|~^$"\'`\\\n\t';

const repeats: Record<string, [from: number, to: number]> = {
  '*': [0, Number.POSITIVE_INFINITY],
  '+': [1, Number.POSITIVE_INFINITY],
  '?': [0, 1],
};
const longest = 1_000;

/**
 * Returns a text that matches a pattern in most cases; the caller checks it.
 *
 * @param more how many times more than it must a part is repeated, as far as it may; also which alternative is taken.
 */
export function matching(pattern: string, more: number): string {
  let rest = pattern;
  const take = (form: RegExp): RegExpExecArray | undefined => {
    const found = form.exec(rest) ?? undefined;
    rest = rest.slice(found?.[0].length ?? 0);
    return found;
  };

  function alternatives(): string {
    const options = [sequence()];
    while (take(/^\|/)) options.push(sequence());
    return options[more % options.length]!;
  }
  function sequence(): string {
    let text = '';
    while (rest && !/^[|)]/.test(rest)) {
      const part = atom();
      const found = take(/^(?:([*+?])|\{(\d+)(,(\d*))?\})\??/);
      const [, sign, least, range, most] = found ?? [];
      const [from, to] = !found
        ? [1, 1]
        : sign
          ? repeats[sign]!
          : [Number(least), range === undefined ? Number(least) : Number(most || Number.POSITIVE_INFINITY)];
      text += part.repeat(Math.min(from + more, to, Math.ceil(longest / (part.length || 1))));
    }
    return text;
  }
  function atom(): string {
    const look = take(/^\((\?(?:<?[=!]|:|<\w+>))?/);
    if (look) {
      const inside = alternatives();
      take(/^\)/);
      return /[=!]/.test(look[1] ?? '') ? '' : inside;
    }
    if (take(/^(?:[\^$]|\\b)/i)) return '';
    const [one] = take(/^(?:\[(?:\\.|[^\]\\])*\]|\\(?:u[\da-f]{4}|u\{[\da-f]+\}|x[\da-f]{2}|p\{[^}]*\}|.)|.)/is)!;
    if (one.length === 1 && one !== '.') return one;
    const isOne = new RegExp(`^${one}$`, /\\[pu]\{/.test(one) ? 'u' : '');
    return [...characters, ...'0bBéß', one].find((character) => isOne.test(character)) ?? one;
  }
  return alternatives();
}
