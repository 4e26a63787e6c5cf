import { RE2JS } from 're2js';

/** The meaning of the same signs in JSONata's expressions (JavaScript) and in those of JSONPath (Java, on AWS). */
interface Dialect {
  /** The characters that `.` leaves out, and those that `\s` takes. */
  lineEnds: string;
  space: string;
  /** A bracket inside a class is a sign like any other. */
  plainBrackets: boolean;
}

const javaScript: Dialect = {
  lineEnds: '\\n\\r\\x{2028}\\x{2029}',
  space: '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}',
  plainBrackets: true,
};
const java: Dialect = { lineEnds: '\\n\\r\\x{85}\\x{2028}\\x{2029}', space: '\\t-\\r ', plainBrackets: false };

/** The pattern needs backtracking: it looks around itself, or back at its own groups. */
class NotLinear extends Error {
  override readonly name = 'NotLinear';
}

const flagBits: Record<string, number> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  u: 0,
  g: 0,
};

/** Throws NotLinear. */
function compile(source: string, flags: string, dialect: Dialect): RE2JS {
  let bits = 0;
  for (const flag of flags) {
    const bit = flagBits[flag];
    if (bit === undefined) throw new NotLinear(`the flag ${flag} is not supported`);
    bits |= bit;
  }
  try {
    return RE2JS.compile(translated(source, flags.includes('s'), dialect), bits);
  } catch (error) {
    throw new NotLinear((error as Error).message);
  }
}

const signs = /\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|\\u([0-9a-f]{4})|\\([\s\S])|\[\^?\]?|\]|&&|\./gi;

/** Says in RE2's syntax what the pattern says in its own. */
function translated(source: string, dotAll: boolean, { lineEnds, space, plainBrackets }: Dialect): string {
  let inClass = false;
  return source.replace(signs, (sign, high?: string, low?: string, code?: string, escaped?: string) => {
    if (high !== undefined)
      return `\\x{${String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low!, 16)).codePointAt(0)!.toString(16)}}`;
    if (code !== undefined) return `\\x{${code}}`;
    if (escaped === 's') return inClass ? space : `[${space}]`;
    if (escaped === 'S') {
      if (inClass) throw new NotLinear('\\S inside brackets');
      return `[^${space}]`;
    }
    // Of the escapes only letters, digits and punctuation of ASCII are RE2's.
    if (escaped !== undefined) return /[\0-\x7f]/.test(escaped) ? sign : escaped;
    if (sign === '.') return inClass || dotAll ? sign : `[^${lineEnds}]`;
    if (sign === '&&') {
      if (inClass && !plainBrackets) throw new NotLinear('an intersection of classes');
      return sign;
    }
    if (sign === ']') {
      inClass = false;
      return sign;
    }
    if (inClass) {
      if (!plainBrackets) throw new NotLinear('a class inside a class');
      if (sign.endsWith(']')) inClass = false;
      return `\\${sign.replace(/\]$/, '')}${sign.endsWith(']') ? ']' : ''}`;
    }
    if (!sign.endsWith(']')) inClass = true;
    else if (plainBrackets) return sign === '[]' ? '[^\\x{0}-\\x{10ffff}]' : '[\\x{0}-\\x{10ffff}]';
    else inClass = true;
    return sign;
  });
}

/** Whether all of a text matches the pattern of a JSONPath filter. Throws NotLinear. */
export function compileJavaPattern(source: string, flags: string): (text: string) => boolean {
  const engine = compile(source, flags, java);
  return (text) => engine.matches(text);
}

/**
 * A regular expression of JSONata: what `RegExp` is there, matched in time proportional to the text. One that needs backtracking
 * is left to V8, and the time limit of the evaluation.
 */
export class LinearRegExp {
  lastIndex = 0;
  readonly source: string;
  readonly flags: string;
  readonly #native: RegExp;
  readonly #linear: RE2JS | undefined;

  /** Throws SyntaxError. */
  constructor(pattern: string | LinearRegExp, flags?: string) {
    const copied = typeof pattern === 'string' ? undefined : pattern;
    this.#native = copied ? new RegExp(copied.#native) : new RegExp(pattern as string, flags);
    this.source = this.#native.source;
    this.flags = this.#native.flags;
    this.#linear = copied ? copied.#linear : linear(pattern as string, this.flags);
  }

  exec(text: string): { [group: number]: string | undefined; index: number; length: number } | null {
    const linear = this.#linear;
    if (linear === undefined) {
      this.#native.lastIndex = this.lastIndex;
      const found = this.#native.exec(text);
      this.lastIndex = this.#native.lastIndex;
      return found;
    }
    const matcher = linear.matcher(text);
    const from = this.flags.includes('g') ? this.lastIndex : 0;
    if (from > text.length || !matcher.find(from)) {
      this.lastIndex = 0;
      return null;
    }
    this.lastIndex = matcher.end();
    const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, i) => matcher.group(i) ?? undefined);
    return Object.assign(groups, { index: matcher.start() });
  }

  test(text: string): boolean {
    return this.exec(text) !== null;
  }

  toString(): string {
    return String(this.#native);
  }
}

function linear(source: string, flags: string): RE2JS | undefined {
  try {
    return compile(source, flags, javaScript);
  } catch (error) {
    if (error instanceof NotLinear) return undefined;
    throw error;
  }
}
