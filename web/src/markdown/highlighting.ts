/** Longer code stays plain, because it would hold up the page. */
const charactersAtMost = 50_000;
/** Growing code is highlighted again when it is this much longer. So all the times together cost a few times the last one. */
const growth = 1.3;

/**
 * Returns the beginning of the code that is to be highlighted now, or undefined if what is highlighted will do. The last line of growing
 * code stays plain, because it may end with half a word. The line break before it is left out: the code has none when its fence is closed, and
 * would lose its colours.
 *
 * @param done the beginning that is highlighted.
 */
export function toHighlight(code: string, done: string | undefined, growing: boolean): string | undefined {
  if (code.length > charactersAtMost) return undefined;
  const whole = growing ? code.slice(0, Math.max(0, code.lastIndexOf('\n'))) : code;
  const kept = done !== undefined && code.startsWith(done) ? done.length : 0;
  if (whole.length <= kept || (growing && whole.length < kept * growth)) return undefined;
  return whole;
}

/** Returns growing code without a last line that may become its closing fence: it would be drawn as a line of code, and taken away again. */
export const withoutFence = (code: string): string => code.replace(/(?:^|\n) {0,3}(?:`+|~+)[ \t]*$/, '');
