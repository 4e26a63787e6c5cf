import fc from 'fast-check';
import { clippedFields } from '../../../../core/conversations/approvals/clipped-fields';
import { wholeDecision } from '../../../../core/conversations/approvals/decision';
import { decisionLines } from './decision';
import { changedFields, fieldsOf, lineOf } from './fields';
import { amount, currencyIn } from './money';
import { drawn, quoted } from './quoted';

const linesOf = (args: unknown, more: object = {}) => fieldsOf({ arguments: args, ...more }).map(lineOf);
const isolates = /^\u2068|\u2069$/g;

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      '"',
      '“',
      '”',
      '„',
      '＂',
      "'",
      '’',
      '\\',
      ' ',
      '\n',
      '\r',
      '\t',
      ':',
      ',',
      '·',
      '{',
      '}',
      '[',
      ']',
      'a',
      'amount',
      'to',
      '1500',
      'nothing',
      'yes',
      '\u202e',
      '\u2066',
      '\u2069',
      '\u200b',
      '\u200d',
      '\ufe0f',
      '\u00a0',
      '\u3000',
      '\u2028',
      '\ud83d',
      '😀',
      '❤',
      'ש',
      '\u0000',
      '\u3164',
      '\u2800',
      '\u00ad',
    ),
  }),
);
const value = fc.oneof(
  { withCrossShrink: true },
  hostile,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 2 }),
);
const args = fc.dictionary(
  fc.oneof(hostile, fc.constantFrom('to', 'amount_cents', 'constructor', 'a_b', 'a b')),
  value,
  {
    maxKeys: 4,
  },
);
const json = (one: unknown) => JSON.parse(JSON.stringify(one)) as object;
const canonical = (one: unknown): unknown =>
  typeof one !== 'object' || one === null
    ? one
    : Array.isArray(one)
      ? one.map(canonical)
      : Object.entries(one)
          .map(([name, field]) => [name, canonical(field)] as const)
          .sort(([a], [b]) => (a < b ? -1 : 1));

describe('the fields of a decision', () => {
  test('two different argument objects never have the same text (R194)', () => {
    fc.assert(
      fc.property(args, args, (one, other) => {
        const [a, b] = [json(one), json(other)];
        const isSame = JSON.stringify(canonical(a)) === JSON.stringify(canonical(b));
        if (!isSame) expect(linesOf(a).join(' · ')).not.toBe(linesOf(b).join(' · '));
      }),
      { numRuns: 500 },
    );
  });

  test('one changed value changes the text (R194)', () => {
    fc.assert(
      fc.property(args, value, value, (rest, one, other) => {
        const [a, b] = [json({ ...rest, x: one }), json({ ...rest, x: other })];
        if (JSON.stringify(canonical(a)) !== JSON.stringify(canonical(b)))
          expect(linesOf(a).join(' · ')).not.toBe(linesOf(b).join(' · '));
      }),
      { numRuns: 500 },
    );
  });

  test('a text is read back as it was, and shows nothing that is not seen, nor a second quote (R194)', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = quoted(text).replace(isolates, '');
        expect(JSON.parse(shown)).toBe(text);
        const inside = shown.slice(1, -1).replace(/\\\\|\\"/g, '_');
        expect(inside).not.toMatch(/["“”„‟″＂]|''| {2}|[\u00a0\u3000\u3164\u2800\n]/);
        expect(inside.replace(/[\u200d\ufe0f]/g, '')).not.toMatch(
          /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,
        );
      }),
      { numRuns: 500 },
    );
  });

  test('no value has what reads as a field outside its quotes (R194)', () => {
    fc.assert(
      fc.property(hostile, (to) => {
        const [line] = linesOf({ to });
        // What is left without the texts is the field's own label.
        expect(line!.replace(/"(?:[^"\\]|\\.)*"/g, '').replace(/[\u2068\u2069]/g, '')).toBe('to: ');
      }),
    );
  });

  test.each<[string, object, string[]]>([
    [
      'a receiver with other fields in it',
      { to: 'Ada, amount_cents: 1500, purpose: lunch', amount_cents: 2_000_000 },
      ['amount: $20,000.00', 'to: "Ada, amount_cents: 1500, purpose: lunch"'],
    ],
    ['quotes', { to: 'Ada" · amount: "$1”' }, [String.raw`to: "Ada\" · amount: \"$1\u201d"`]],
    ['line breaks', { to: 'Ada\namount: $1' }, [String.raw`to: "Ada\namount: $1"`]],
    ['a text of digits and a number', { a: '1500', b: 1500 }, ['a: "1500"', 'b: 1500']],
    [
      'words of our own',
      { a: 'nothing', b: null, c: 'yes', d: true },
      ['a: "nothing"', 'b: nothing', 'c: "yes"', 'd: yes'],
    ],
    ['nothing at all, and spaces', { a: '', b: ' x  y ' }, ['a: ""', String.raw`b: " x \u0020y "`]],
    ['lists and objects', { a: ['b, c', 'd'], e: { f: 'g, h: i' } }, ['a: ["b, c", "d"]', 'e: {f: "g, h: i"}']],
    [
      'odd names',
      { constructor: 1, 'amount: $1 · to': 'x', __proto__x: 2, а_b: 3 },
      ['"__proto__x": 2', '"amount: $1 · to": "x"', 'constructor: 1', '"а_b": 3'],
    ],
    ['letters from the right', { to: 'שלום', n: 5 }, ['to: \u2068"שלום"\u2069', 'n: 5']],
    ['an emoji', { to: '❤️ 👩‍👧' }, ['to: "❤️ 👩‍👧"']],
  ])('%s (R194)', (_, given, lines) => {
    expect(linesOf(given, { schema: { properties: { amount_cents: { currency: 'USD' } } } }).toSorted()).toEqual(
      lines.toSorted(),
    );
  });

  test('the amount is first, then who gets it, then the rest as the schema has it (R194)', () => {
    const schema = { properties: { purpose: {}, when: {}, to: {}, amount_cents: { currency: 'EUR' } } };
    const given = { when: 'now', amount_cents: 1, purpose: 'rent', to: 'Ada' };
    expect(linesOf(given, { schema, kinds: { to: 'account number', purpose: 'x: y' } })).toEqual([
      'amount: €0.01',
      'to: "Ada" (account number)',
      'purpose: "rent" ("x: y")',
      'when: "now"',
    ]);
  });

  test('cents of no known currency stay a number (R194)', () => {
    expect(linesOf({ amount_cents: 900, percents: 5, fee_eur_cents: 250, x_abc_cents: 1 })).toEqual([
      'amount cents: 900',
      'fee: €2.50',
      'x abc cents: 1',
      'percents: 5',
    ]);
    expect([currencyIn('usd_cents'), currencyIn('jpy_cents'), currencyIn('cents')]).toEqual([
      'USD',
      undefined,
      undefined,
    ]);
    expect([amount(-905, 'USD'), amount(5, 'JPY'), amount(Number.MAX_SAFE_INTEGER, 'USD')]).toEqual([
      '-$9.05',
      '¥5',
      '$90,071,992,547,409.91',
    ]);
    // Engines differ in these, so the table is ours.
    expect(
      [amount(9_000_000, 'COP'), amount(1_234, 'KWD'), amount(5, 'KRW')].map((text) => text.replace(/\s/, ' ')),
    ).toEqual(['COP 90,000.00', 'KWD 1.234', '₩5']);
    // Two fields would have one name.
    expect(linesOf({ amount: 1, amount_usd_cents: 100 }).toSorted()).toEqual(['amount usd cents: $1.00', 'amount: 1']);
  });

  test('after a decision they say what the approver has changed, and what is missing (R194)', () => {
    const changed = changedFields(
      fieldsOf({ arguments: { a: 1, b: 'x', c: 2 } }),
      fieldsOf({ arguments: { a: 2, b: 'x' } }),
    );
    expect(changed.map(lineOf)).toEqual(['a: 2, was 1', 'b: "x"', 'c: nothing, was 2']);
    const schema = { properties: { a: { currency: 'USD' } } };
    const [emptied] = changedFields(
      fieldsOf({ arguments: { a: 90_000 }, schema }),
      fieldsOf({ arguments: { a: null }, schema }),
    );
    expect(emptied).toMatchObject({ text: 'nothing', was: '$900.00', currency: 'USD' });
    const [first, second, ...more] = clippedFields(fieldsOf({ arguments: { a: 1, b: 'x'.repeat(99), c: 2 } }), 50);
    expect([first, second, more]).toMatchObject([
      { text: '1' },
      { cut: true, text: expect.stringMatching(/^"x+…$/) },
      [],
    ]);
  });

  test('marks that would strike a quote or paint over other lines are written out, those of words are not (R194)', () => {
    expect(quoted('\u0338x')).toBe('"\\u0338x"');
    expect(quoted('a \u0338x')).toBe('"a \\u0338x"');
    expect(quoted(`x${'\u0338'.repeat(6)}`)).toBe(`"x${'\u0338'.repeat(3)}${'\\u0338'.repeat(3)}"`);
    for (const word of ['e\u0301te\u0301', 'नमस्ते', 'ภาษาไทย', 'Việt', 'שָׁלוֹם'])
      expect(quoted(word).replaceAll(isolates, '')).toBe(`"${word}"`);
  });

  test('an edited value does not keep what the tool said of the one before it (R194)', () => {
    const kinds = { to: 'account number' };
    const [to] = changedFields(
      fieldsOf({ arguments: { to: '12' }, kinds }),
      fieldsOf({ arguments: { to: 'Bob' }, kinds }),
    );
    expect(lineOf(to!)).toBe('to: "Bob", was "12"');
    const [kind] = fieldsOf({ arguments: { to: '12' }, kinds: { to: 'a\u3164b' } });
    expect(lineOf(kind!)).toBe('to: "12" ("a\\u3164b")');
  });

  test('a value of any kind is drawn on one line (R194)', () => {
    fc.assert(fc.property(value, (one) => expect(drawn(json({ one }))).not.toMatch(/[\r\n]/)));
  });
});

describe('a decision in a notification', () => {
  const decided = {
    id: 'x',
    prompt: 'Pay?',
    tool: 'pay',
    agent: 'bank',
    arguments: { to: 'Ada', amount_usd_cents: 500 },
  };

  test('says all that the card says (R194)', () => {
    expect(decisionLines({ ...decided, sources: ['web'] })).toEqual([
      'Pay?',
      'amount: $5.00',
      'to: "Ada"',
      'The agent has read words from the web, which may have asked for this.',
      'Asked by bank for pay.',
    ]);
  });

  test('can be approved only if nothing of it is missing (R194)', () => {
    const digest = wholeDecision(decided)!.digest;
    expect(wholeDecision({ ...decided, arguments: { amount_usd_cents: 500, to: 'Ada' } })!.digest).toBe(digest);
    for (const other of [{ id: 'y' }, { prompt: 'Pay!' }, { arguments: { to: 'Ada', amount_usd_cents: 501 } }])
      expect(wholeDecision({ ...decided, ...other })!.digest).not.toBe(digest);
    for (const more of [{ arguments: { to: 'A'.repeat(300) } }, { prompt: 'Pay\u202e?' }, { asker: 'server' }])
      expect(wholeDecision({ ...decided, ...more })).toBeUndefined();
  });
});

test.each([
  ['date', '2026-02-31'],
  ['date', '2026-99-99'],
  ['date-time', '2026-02-31T10:00:00Z'],
  ['date-time', '2026-02-28T10:61:00Z'],
  ['date-time', '2026-02-28T10:00:00+99:99'],
])('a %s that no calendar has is a text: %s (R251)', (format, value) => {
  const schema = { properties: { day: { type: 'string', format } } };
  expect(fieldsOf({ arguments: { day: value }, schema })).toMatchObject([{ kind: 'text', text: `"${value}"` }]);
});
