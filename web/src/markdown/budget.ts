import type { Effects, Extension, State, TokenizeContext } from 'micromark-util-types';
import type { Processor } from 'unified';

/**
 * The most signs of one paragraph, heading or cell that are read as Markdown. The parser looks ahead at each, perhaps to
 * the end, and its work for what it finds grows with the square.
 */
const signsAtMost = 400;
const charactersAheadAtMost = 2_000_000;
/** The characters that may begin a formula, a link, emphasis, code, a tag or an entity, or end one. */
const signs = '!$&*<[\\]_`~';

/** A flag for text that was left as it is. */
export interface Spent {
  isSpent: boolean;
}

/**
 * Bounds the work for one paragraph: after so many signs, all that follows in it is words. Use it after all other plugins.
 *
 * @param options `length`: of the text.
 */
export function budget(this: Processor, { length, spent }: { length: number; spent: Spent }): void {
  const atMost = Math.min(signsAtMost, charactersAheadAtMost / length);
  const data = this.data() as { micromarkExtensions?: Extension[] };
  const counted = new WeakMap<TokenizeContext, number>();
  const gate = {
    name: 'budget',
    tokenize(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
      const count = (counted.get(this) ?? 0) + 1;
      counted.set(this, count);
      if (count <= atMost) return nok;
      spent.isSpent = true;
      const words: State = (code) => {
        if (code === null || code < -2) {
          effects.exit('data');
          return ok(code);
        }
        effects.consume(code);
        return words;
      };
      return (code) => {
        effects.enter('data');
        return words(code);
      };
    },
  };
  const text = Object.fromEntries([...signs].map((sign) => [sign.charCodeAt(0), gate]));
  // What comes last is asked first.
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { text }];
}

const lineStart = /^(?:[ \t]|>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))*/;
const marker = /[^ \t]/;
const underline = /^[ \t>]*(?:=+|-+)[ \t]*$/;
const tableHead = /^[ \t>|:-]+$/;

/** Quotes and lists within each other stop the parser with an error. The start of a line is at least as wide as its containers. */
const widestStart = 100;
/** The work grows with the square of headings that are underlined, and of references (`&amp;`) at the end of an address. */
const underlinesAtMost = 300;
const referencesAtMost = 200;
/** A short row has as many cells as the head of its table. */
const cellsAtMost = 20_000;

/** Whether a part has a form that costs the parser more than its length. */
export function isTooMuch(text: string): boolean {
  const lines = text.split('\n');
  let [underlines, columns] = [0, 0];
  for (const line of lines) {
    const [start] = lineStart.exec(line)!;
    if (marker.test(start) && start.replaceAll('\t', '    ').length > widestStart) return true;
    if (underline.test(line)) underlines += 1;
    if (tableHead.test(line)) columns = Math.max(columns, line.split('|').length);
  }
  if (underlines > underlinesAtMost || columns * lines.length > cellsAtMost) return true;
  return text.split(/\s+/).some((word) => word.split('&').length > referencesAtMost);
}
