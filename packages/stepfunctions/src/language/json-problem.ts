import { deepest, tooDeep } from './json';

/** The message of AWS's parser (Jackson) for a text that is no JSON, and the place: "[Source: (String)"…"; line: 1, column: 4]". */
export interface JsonProblem {
  message: string;
  location: string;
}

const values = `JSON String, Number, Array, Object or token 'null', 'true' or 'false'`;
/** The source is quoted up to here. */
const quoted = 500;

class Problem extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

/** Undefined for JSON. Text after a whole value is not looked at. */
export function jsonProblem(text: string): JsonProblem | undefined {
  try {
    new Scanner(text).value('');
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const location = place(text, error.at);
    return { message: `${error.message}\n at ${location}`, location };
  }
}

function place(text: string, at: number): string {
  const lines = text.slice(0, at).split('\n');
  const rest = text.length > quoted ? `[truncated ${text.length - quoted} chars]` : '';
  return `[Source: (String)"${text.slice(0, quoted)}"${rest}; line: ${lines.length}, column: ${lines.at(-1)!.length + 1}]`;
}

type Container = 'Object' | 'Array';

class Scanner {
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  /** @param inside the container whose entry it is, for messages */
  value(inside: Container | ''): void {
    const c = this.next(inside === '' ? '' : ` within/between ${inside} entries`);
    if (c === '{') this.entries('Object', '}');
    else if (c === '[') this.entries('Array', ']');
    else if (c === '"') this.string('in VALUE_STRING');
    else if (/[-\d]/.test(c)) this.number();
    else if (/[\p{ID_Start}$_]/u.test(c)) this.word();
    else this.unexpected(c, `expected a valid value (${values})`);
  }

  private entries(kind: Container, close: string): void {
    const start = this.at;
    this.at += 1;
    this.depth += 1;
    if (this.depth > deepest) throw new Problem(tooDeep, this.at);
    const open = () => `: expected close marker for ${kind} (start marker at ${place(this.text, start)})`;
    for (let first = true; ; first = false) {
      let c = this.next(open);
      if (c === close) break;
      if (!first) {
        if (c !== ',') this.unexpected(c, `was expecting comma to separate ${kind} entries`);
        this.at += 1;
        c = this.next(` within/between ${kind} entries`);
      }
      if (kind === 'Object') this.name(c);
      this.value(kind);
    }
    this.at += 1;
    this.depth -= 1;
  }

  private name(c: string): void {
    if (c !== '"') this.unexpected(c, 'was expecting double-quote to start field name');
    this.string('in field name');
    const colon = this.next(' within/between Object entries');
    if (colon !== ':') this.unexpected(colon, 'was expecting a colon to separate field name and value');
    this.at += 1;
  }

  private string(where: string): void {
    for (this.at += 1; this.text[this.at] !== '"'; this.at += 1) {
      const c = this.text[this.at];
      if (c === undefined) throw new Problem(`Unexpected end-of-input ${where}`, this.at);
      if (c < ' ')
        throw new Problem(
          `Illegal unquoted character ((CTRL-CHAR, code ${c.charCodeAt(0)})): has to be escaped using backslash to be included in ${where === 'in field name' ? 'name' : 'string value'}`,
          this.at + 1,
        );
      if (c !== '\\') continue;
      this.at += 1;
      const escaped = this.text[this.at] ?? '';
      if (!/["\\/bfnrtu]/.test(escaped))
        throw new Problem(`Unrecognized character escape ${named(escaped)}`, this.at + 1);
    }
    this.at += 1;
  }

  private number(): void {
    this.at += /^-?\d*(\.\d*)?([eE][-+]?\d*)?/.exec(this.text.slice(this.at))![0].length;
  }

  private word(): void {
    const word = /^[\p{ID_Continue}$]*/u.exec(this.text.slice(this.at))![0];
    this.at += word.length;
    if (!['true', 'false', 'null'].includes(word))
      throw new Problem(`Unrecognized token '${word}': was expecting (${values})`, this.at);
  }

  /** The next character that is no white space. */
  private next(expected: string | (() => string)): string {
    while (/[ \t\r\n]/.test(this.text[this.at] ?? '')) this.at += 1;
    const c = this.text[this.at];
    if (c === undefined) {
      const wanted = typeof expected === 'string' ? expected : expected();
      throw new Problem(`Unexpected end-of-input${wanted}`, this.at);
    }
    return c;
  }

  private unexpected(c: string, expected: string): never {
    throw new Problem(`Unexpected character (${named(c)}): ${expected}`, this.at + 1);
  }
}

const named = (c: string): string => `'${c}' (code ${c.charCodeAt(0)})`;
