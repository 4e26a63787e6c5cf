import type { Code, Effects, Extension, State, TokenizeContext } from 'micromark-util-types';
import type { Processor } from 'unified';

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    formula: 'formula';
    formulaBlock: 'formulaBlock';
    formulaPart: 'formulaPart';
  }
}

/** A longer formula stays text. */
const charactersAtMost = 4_000;

const [dollar, backslash, roundOpens, roundCloses, squareOpens, squareCloses] = [36, 92, 40, 41, 91, 93];

/**
 * Formulas in Markdown, as models write them: `$…$`, `$$…$$` and `\(…\)` in a line, and `$$…$$` and `\[…\]` as a block of lines. They become
 * `code` elements with the class `math`.
 *
 * "$5 and $6" is money. A single `$` begins a formula only after neither a letter nor a digit and before no space, and ends it only after
 * no space and before neither. `\[1\]` in a line is a number in brackets.
 *
 * @param options `growing`: a block that is not finished yet counts as a formula, so its source is not shown as Markdown.
 */
export function formulas(this: Processor, { growing }: { growing: boolean }): void {
  const data = this.data() as { micromarkExtensions?: object[]; fromMarkdownExtensions?: object[] };
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), syntax(growing)];
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), elements];
}

function syntax(growing: boolean): Extension {
  const inLine = { tokenize: formulaInLine, previous: (before: Code) => before !== dollar && !isWord(before) };
  const block = {
    concrete: true,
    tokenize(this: TokenizeContext, effects: Effects, ok: State, nok: State) {
      return formulaBlock.call(this, effects, ok, nok, growing);
    },
  };
  return {
    text: { [dollar]: inLine, [backslash]: { tokenize: formulaInLine } },
    flow: { [dollar]: block, [backslash]: block },
  };
}

function formulaInLine(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  const parts = inParts(effects);
  const take = (code: Code, then: State): State => {
    before = code;
    return parts.take(code, then);
  };
  let ends: number[] = [dollar];
  let before: Code = null;
  let length = 0;

  return (code) => {
    effects.enter('formula');
    return take(code, code === dollar ? afterDollar : afterBackslash);
  };
  function afterDollar(code: Code): State | undefined {
    if (code !== dollar) return isSpace(code) ? nok(code) : inside(code);
    ends = [dollar, dollar];
    return take(code, inside);
  }
  function afterBackslash(code: Code): State | undefined {
    if (code !== roundOpens) return nok(code);
    ends = [backslash, roundCloses];
    return take(code, inside);
  }
  function inside(code: Code): State | undefined {
    if (code === null || length++ > charactersAtMost) return nok(code);
    if (code === ends[0]) return ends.length === 1 ? lastDollar(code) : take(code, perhapsEnd);
    if (isLineEnd(code)) return parts.takeLineEnd(code, inside);
    return take(code, code === backslash ? escaped : inside);
  }
  function escaped(code: Code): State | undefined {
    return code === null || isLineEnd(code) ? inside(code) : take(code, inside);
  }
  function perhapsEnd(code: Code): State | undefined {
    if (code === ends[1]) return length === 1 ? nok(code) : take(code, done);
    // Formulas are not nested. Without this, each of many beginnings would be read up to the limit.
    if (code === roundOpens) return nok(code);
    return ends[0] === backslash ? escaped(code) : inside(code);
  }
  function lastDollar(code: Code): State | undefined {
    if (isSpace(before)) return nok(code);
    return take(code, (after) => (isWord(after) || after === dollar ? nok(after) : done(after)));
  }
  function done(code: Code): State | undefined {
    parts.end();
    effects.exit('formula');
    return ok(code);
  }
}

function formulaBlock(this: TokenizeContext, effects: Effects, ok: State, nok: State, growing: boolean): State {
  const { interrupt, parser } = this;
  const parts = inParts(effects);
  const { take } = parts;
  let ends: number[] = [dollar, dollar];
  let length = 0;
  let isBlank = false;
  const nextLine: State = (code) => (parser.lazy[this.now().line] ? nok(code) : inside(code));

  return (code) => {
    effects.enter('formulaBlock');
    if (code === backslash) ends = [backslash, squareCloses];
    return take(code, (second) =>
      second === (code === dollar ? dollar : squareOpens) ? take(second, inside) : nok(second),
    );
  };
  function inside(code: Code): State | undefined {
    if (code === null) return growing ? done(code) : nok(code);
    if (length++ > charactersAtMost) return nok(code);
    if (isLineEnd(code)) {
      // Whether it ends cannot be known yet when it interrupts a paragraph. LaTeX has no blank lines in a formula.
      if (interrupt) return ok(code);
      if (isBlank) return nok(code);
      isBlank = true;
      return parts.takeLineEnd(code, nextLine);
    }
    if (!isSpace(code)) isBlank = false;
    if (code === ends[0]) return take(code, perhapsEnd);
    return take(code, code === backslash ? escaped : inside);
  }
  function escaped(code: Code): State | undefined {
    return code === null || isLineEnd(code) ? inside(code) : take(code, inside);
  }
  function perhapsEnd(code: Code): State | undefined {
    if (code === ends[1]) return length === 1 ? nok(code) : take(code, afterEnd);
    if (code === squareOpens) return nok(code);
    return ends[0] === backslash ? escaped(code) : inside(code);
  }
  function afterEnd(code: Code): State | undefined {
    if (code === null || isLineEnd(code)) return done(code);
    return isSpace(code) ? take(code, afterEnd) : nok(code);
  }
  function done(code: Code): State | undefined {
    parts.end();
    effects.exit('formulaBlock');
    return ok(code);
  }
}

/** Each line of a formula is a token of its own, because micromark loops on a line without one. */
function inParts(effects: Effects) {
  let isOpen = false;
  const end = () => {
    if (isOpen) effects.exit('formulaPart');
    isOpen = false;
  };
  return {
    end,
    take(code: Code, then: State): State {
      if (!isOpen) effects.enter('formulaPart');
      isOpen = true;
      effects.consume(code);
      return then;
    },
    takeLineEnd(code: Code, then: State): State {
      end();
      effects.enter('lineEnding');
      effects.consume(code);
      effects.exit('lineEnding');
      return then;
    },
  };
}

/** micromark's codes below -2 are line ends; -2 and -1 are tabs. */
const isLineEnd = (code: Code): boolean => code !== null && code < -2;
const isSpace = (code: Code): boolean => code !== null && (code < 0 || code === 32);
const isWord = (code: Code): boolean => code !== null && code >= 0 && /[\p{L}\p{N}]/u.test(String.fromCodePoint(code));

interface Compiling {
  enter(node: object, token: object): void;
  exit(token: object): void;
  stack: object[];
  sliceSerialize(token: object): string;
}

const leaf = { type: 'formula', value: '' };
const elements = {
  enter: {
    formula(this: Compiling, token: object) {
      this.enter({ ...leaf }, token);
    },
    formulaBlock(this: Compiling, token: object) {
      this.enter({ ...leaf }, token);
    },
  },
  exit: {
    formula(this: Compiling, token: object) {
      Object.assign(this.stack.at(-1)!, { data: codeOf(this.sliceSerialize(token), 'math-inline') });
      this.exit(token);
    },
    formulaBlock(this: Compiling, token: object) {
      const { hName, ...code } = codeOf(this.sliceSerialize(token), 'math-display');
      const element = { type: 'element', tagName: hName, properties: code.hProperties, children: code.hChildren };
      Object.assign(this.stack.at(-1)!, { data: { hName: 'pre', hProperties: {}, hChildren: [element] } });
      this.exit(token);
    },
  },
};

const codeOf = (source: string, kind: string) => ({
  hName: 'code',
  hProperties: { className: ['math', kind] },
  hChildren: [{ type: 'text', value: withoutMarks(source) }],
});

/** Returns the formula without what surrounds it. A growing one has no end yet. */
const withoutMarks = (source: string): string =>
  source
    .trim()
    .replace(/^(?:\$\$?|\\[([])/, '')
    .replace(/(?:\$\$?|\\[)\]])$/, '')
    .trim();
