import { isCard, isIban, personalIn } from '../../runtime/guards/redact';

/** A kind of personal data, and of what opens something. */
export type PersonalKind =
  | ('person' | 'user' | 'email' | 'phone' | 'iban' | 'card' | 'number' | 'id' | 'address' | 'date of birth')
  | ('ip address' | 'key' | 'uuid' | 'file' | 'conversation' | 'file name' | 'words');

/**
 * Stand-ins of personal data in one file: the same value gets the same one, whatever field it is in and however it is spaced, so that a
 * replay still sees that two things are the same. What tools check the form of keeps it: addresses, numbers with check digits, ids.
 */
export class StandIns {
  readonly #made = new Map<string, string>();
  readonly #counts = new Map<PersonalKind, number>();
  /** What is replaced wherever it is found as whole words, the longest first. */
  #words: [value: string, standIn: string][] = [];
  #pattern?: RegExp;

  /** The number of different values, by kind. */
  get counts(): ReadonlyMap<PersonalKind, number> {
    return this.#counts;
  }

  /** Returns the stand-in of a value. */
  of(kind: PersonalKind, value: string): string {
    const key = `${kind} ${isOfDigits.has(kind) ? value.replace(/[^\da-z]/gi, '').toUpperCase() : value.trim()}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const number = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, number);
    const standIn = forms[kind](number, value);
    this.#made.set(key, standIn);
    return standIn;
  }

  /** Replaces a value as whole words in all texts from now on. */
  know(kind: PersonalKind, value: string): void {
    const whole = value.trim();
    if (whole.length < leastWord || this.#words.some(([one]) => one === whole)) return;
    const standIn = this.of(kind, whole);
    this.#add(whole, standIn);
    // Each name of a person is theirs alone. Of two with the same first name, the first one has it.
    if (kind === 'person')
      for (const part of whole.split(/[\s-]+/))
        if (part.length >= leastName && isCapital(part)) this.#add(part, standIn);
  }

  #add(value: string, standIn: string): void {
    if (this.#words.some(([one]) => one === value)) return;
    this.#words.push([value, standIn]);
    this.#words.sort(([one], [other]) => other.length - one.length);
    this.#pattern = undefined;
  }

  #patternOfWords(): RegExp {
    if (this.#pattern) return this.#pattern;
    const all = this.#words.map(([one]) => one.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&').replace(/\s+/g, '\\s+'));
    this.#pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${all.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
    return this.#pattern;
  }

  /** Returns a text without personal data and without keys. */
  in(text: string): string {
    const found: Segment[] = [{ text }];
    return [this.#urls, this.#kept, this.#personal, this.#knownWords, this.#others]
      .reduce((segments, step) => segments.flatMap((one) => (one.isDone ? [one] : step(one.text))), found)
      .map((one) => one.text)
      .join('');
  }

  /** An address keeps where it leads. What follows it may sign it, name somebody, or be a key. */
  readonly #urls = (text: string): Segment[] =>
    split(text, urlPattern, (found) => {
      const [, scheme = '', host = '', path = ''] =
        /^([a-z][\w+.-]*:\/\/)(?:[^/?#]*@)?([^/?#]*)([^?#]*)/i.exec(found) ?? [];
      const shown = path
        .split('/')
        .map((part, index, all) =>
          all[index - 1] === 'webhooks' && part ? this.of('key', part) : this.in(decoded(part)),
        )
        .join('/');
      return scheme + this.in(host) + shown;
    });

  /** Ids of runs and calls are random, and name nobody. Dates and times are what a case is about. */
  readonly #kept = (text: string): Segment[] => split(text, keptPattern, (found) => found);

  readonly #knownWords = (text: string): Segment[] =>
    this.#words.length > 0
      ? split(text, this.#patternOfWords(), (found) => {
          const one = found.replace(/\s+/g, ' ');
          return this.#words.find(([value]) => value.replace(/\s+/g, ' ') === one)?.[1];
        })
      : [{ text }];

  readonly #personal = (text: string): Segment[] => {
    const segments: Segment[] = [];
    let from = 0;
    for (const { name, start, end } of personalIn(text).sort((one, other) => one.start - other.start)) {
      if (start < from) continue;
      segments.push({ text: text.slice(from, start) });
      segments.push({ text: this.of(name as PersonalKind, text.slice(start, end)), isDone: true });
      from = end;
    }
    return [...segments, { text: text.slice(from) }];
  };

  readonly #others = (text: string): Segment[] =>
    others.reduce<Segment[]>(
      (segments, { kind, pattern, isMeant = () => true }) =>
        segments.flatMap((one) =>
          one.isDone ? [one] : split(one.text, pattern, (found) => (isMeant(found) ? this.of(kind, found) : undefined)),
        ),
      [{ text }],
    );
}

/** A part of a text. What is done is looked at no more. */
interface Segment {
  text: string;
  isDone?: true;
}

/** @param change returns what stands in the place of what is found; undefined leaves it to what follows. */
function split(text: string, pattern: RegExp, change: (found: string) => string | undefined): Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    const changed = change(match[0]);
    if (changed === undefined) continue;
    segments.push({ text: text.slice(from, match.index) }, { text: changed, isDone: true });
    from = match.index + match[0].length;
  }
  return [...segments, { text: text.slice(from) }].filter((one) => one.text !== '');
}

const leastWord = 2;
const leastName = 3;
const isCapital = (word: string): boolean => /^\p{Lu}/u.test(word);
const isOfDigits: ReadonlySet<PersonalKind> = new Set(['phone', 'iban', 'card', 'number', 'id']);
const urlPattern = /\b[a-z][\w+.-]{1,20}:\/\/[^\s"'<>`{}|\\^]+/gi;

const keptPattern = /\br_\d{6}_[0-9a-f]{25}(?:\.\w{1,20}){0,2}|\b(?:19|20)\d\d-[01]\d-[0-3]\d(?:T[\d:.]{4,12}Z?)?/g;

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The forms of the stand-ins. Domains, networks and codes are those that are reserved, so nothing that is sent arrives. */
const forms: Readonly<Record<PersonalKind, (number: number, value: string) => string>> = {
  person: (number) => `Person ${number}`,
  user: (number) => `user-${number}`,
  // RFC 2606.
  email: (number) => `person-${number}@example.com`,
  // ITU-T E.164: +999 is no country's.
  phone: (number) => `+999 0000 ${digits(number, 4)}`,
  iban: (number) => ibanOf(`00000000${digits(number, 10)}`),
  // ISO/IEC 7812: 9999 is no issuer's.
  card: (number) => cardOf(`9999000000${digits(number, 5)}`),
  // As a text and as a number.
  number: (number, value) => `1${digits(number, value.replace(/\D/g, '').length - 1)}`,
  id: (number) => `000-00-${digits(number, 4)}`,
  address: (number) => `Address ${number}`,
  'date of birth': () => '1970-01-01',
  // RFC 5737.
  'ip address': (number) => `192.0.2.${number % 256}`,
  key: (number) => `[key ${number}]`,
  uuid: (number) => `00000000-0000-4000-8000-${digits(number, 12)}`,
  file: (number) => `f_${digits(number, 43)}`,
  conversation: (number) => `c_${digits(number, 32)}`,
  'file name': (number, value) => `file-${number}${/\.[a-z0-9]{1,8}$/i.exec(value)?.[0].toLowerCase() ?? ''}`,
  words: (number) => `[words ${number}]`,
};

const digits = (number: number, length: number): string => String(number).padStart(length, '0');

/** With the check digits that the guard's pattern looks for: one fits, of those from 02 to 98. */
const ibanOf = (account: string): string =>
  Array.from({ length: 97 }, (_, index) => `DE${digits(index + 2, 2)}${account}`).find(isIban)!;

/** With the check digit that the guard's pattern looks for. */
const cardOf = (number: string): string => [...'0123456789'].map((digit) => number + digit).find(isCard)!;

interface Other {
  kind: PersonalKind;
  pattern: RegExp;
  isMeant?: (found: string) => boolean;
}

/** What the patterns of the guard do not have. All are bounded, so that no text takes long. */
const others: readonly Other[] = [
  { kind: 'key', pattern: /-----BEGIN [A-Z ]{3,40}-----[\s\S]{1,10000}?-----END [A-Z ]{3,40}-----/g },
  { kind: 'key', pattern: /\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,4000}/gi, isMeant: (found) => /[\d=]/.test(found) },
  { kind: 'key', pattern: /\beyJ[\w-]{8,4000}(?:\.[\w-]{4,4000}){1,2}/g },
  { kind: 'key', pattern: /\b(?:sk|pk|rk|ghp|gho|ghs|github_pat|glpat|xox[abprs]|AKIA|ASIA|AIza)[-_]?[\w-]{12,200}/g },
  { kind: 'file', pattern: /\bf_[\w-]{43}/g },
  { kind: 'conversation', pattern: /\bc_[0-9a-f]{32}\b/g },
  { kind: 'conversation', pattern: /\bu[0-9a-f]{16}_[\w-]{1,47}/g },
  { kind: 'uuid', pattern: /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi },
  { kind: 'key', pattern: /[\w+/=-]{24,20000}/g, isMeant: isRandom },
  { kind: 'id', pattern: /\b\d{3}-\d{2}-\d{4}\b/g },
  { kind: 'ip address', pattern: /\b(?:\d{1,3}\.){3}\d{1,3}\b/g },
  { kind: 'phone', pattern: /(?<![\w.])\+\d[\d ()./-]{6,24}\d/g, isMeant: isPhone },
  { kind: 'phone', pattern: /(?<![\w.:+-])\(?0\d{1,5}\)?[ /.-]?\d[\d ./-]{4,20}\d(?![\w:])/g, isMeant: isPhone },
  { kind: 'phone', pattern: /(?<![\w.:+-])\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?![\w:-])/g },
  { kind: 'number', pattern: /(?<![\w.:-])\d(?:[ -]?\d){7,33}(?![\w:])/g, isMeant: (found) => !isDate(found) },
];

const isDate = (found: string): boolean =>
  /^(?:19|20)\d{6}$/.test(found) ||
  /^(?:19|20)\d\d-\d\d-\d\d(?: \d\d)?$/.test(found) ||
  /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$/.test(found);

function isPhone(found: string): boolean {
  const { length } = found.replace(/\D/g, '');
  return length >= 7 && length <= 15 && !isDate(found);
}

/** Whether letters and digits are as mixed as nobody writes them: not so in names of models and tools, and in words with hyphens. */
function isRandom(found: string): boolean {
  const kinds = found
    .replace(/[^A-Za-z0-9]/g, '')
    .replace(/[a-z]/g, 'a')
    .replace(/[A-Z]/g, 'A')
    .replace(/\d/g, '0');
  const changes = [...kinds].filter((one, index) => index > 0 && one !== kinds[index - 1]).length;
  return changes >= 8 && /[\d+/=]/.test(found);
}
