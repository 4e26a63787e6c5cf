import fc from 'fast-check';
import { fieldsOf } from 'vigil-client/shared';

const window = globalThis as unknown as Record<string, unknown>;

async function modules() {
  jest.resetModules();
  return { ...(await import('./amounts')), ...(await import('./fields')), ...(await import('./words')) };
}

const known = new Map<string, ReturnType<typeof modules>>();

/** Reads and writes as a person does whose browser has this language. */
async function readerOf(tag: string) {
  Object.defineProperty(globalThis, 'navigator', { value: { languages: [tag] }, configurable: true });
  Object.assign(window, { window, localStorage: { getItem: () => null } });
  // The page keeps its language until it is loaded again.
  known.set(tag, known.get(tag) ?? modules());
  return known.get(tag)!;
}

afterAll(() => {
  delete window.window;
  delete window.localStorage;
});

const currencies = ['USD', 'EUR', 'JPY', 'BHD', 'CHF', 'SEK', 'MXN'];
const readers = ['en-GB', 'en-US', 'en-IN', 'en-DE', 'en-ZA', 'de-DE', 'de-AT', 'de-CH', 'es-ES', 'es-MX', 'es-CR'];
/** Thin spaces and such are any space. */
const spaced = (text: string) => text.replace(/\s/g, ' ');

describe.each(readers)('amounts of a reader of %s (R256)', (tag) => {
  test('are read back as they are written, in a field, with a sign and between thousands', async () => {
    const { money, moneyTyped, formOf, formIn, currencySign } = await readerOf(tag);
    const units = fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
    const property = fc.property(units, fc.constantFrom(...currencies), (amount, currency) => {
      const asked = { arguments: { fee: 1 }, schema: { properties: { fee: { type: 'integer', currency } } } };
      const form = formOf({ ...asked, fields: fieldsOf(asked) });
      const sign = currencySign(currency);
      const shown = money(amount, currency);
      const bare = shown
        .replace(sign, '')
        .replace(/^(-?)\s/, '$1')
        .trim();
      for (const typed of [moneyTyped(amount, currency), bare, shown])
        expect([typed, formIn(form, { fee: typed })]).toEqual([
          typed,
          expect.objectContaining({ values: { fee: amount }, amount: shown }),
        ]);
    });
    fc.assert(property, { numRuns: 50 });
  });

  test('are those of the server, in the reader’s notation', async () => {
    const { localMoney, money, localValue } = await readerOf(tag);
    for (const currency of currencies)
      for (const amount of [0, 5, -905, 90_000, 123_456_789, Number.MAX_SAFE_INTEGER]) {
        const asked = { arguments: { fee: amount }, schema: { properties: { fee: { currency } } } };
        const [drawn] = fieldsOf(asked);
        expect(localMoney(drawn!.text, currency)).toBe(money(amount, currency));
        expect(localValue(drawn!)).toBe(money(amount, currency));
      }
    for (const other of ['nothing', '"$5.00"', '5.00', '€5.00', '$5', '$5.000', '$1,23.00', '$90,0…'])
      expect(localMoney(other, 'USD')).toBe(other);
  });

  test('and other numbers are read back as they are written', async () => {
    const { typedNumber, readNumber, numeral } = await readerOf(tag);
    const property = fc.property(fc.double({ min: 1e-6, max: 1e15, noNaN: true }), fc.boolean(), (size, isNegative) => {
      const value = isNegative ? -size : size;
      expect(Number(readNumber(typedNumber(String(value))))).toBe(value);
      if (Math.abs(value) > 1e-4) expect(Number(readNumber(numeral(value)))).toBe(value);
    });
    fc.assert(property, { numRuns: 50 });
  });
});

test.each<[string, string[]]>([
  ['en-GB', ['$1,234.56', '$0.0143', '6.1k', '0.3 s', 'Sat 21 Nov', '900.00']],
  ['de-DE', ['1.234,56 $', '0,0143 $', '6,1k', '0,3 s', 'Sa., 21. Nov.', '900,00']],
  ['es-ES', ['1234,56 US$', '0,0143 US$', '6,1k', '0,3 s', 'sáb 21 nov', '900,00']],
])('a reader of %s sees %j (R256)', async (tag, shown) => {
  const { money, dollars, count, span, day, moneyTyped } = await readerOf(tag);
  const date = Date.parse('2026-11-21T12:00:00Z');
  const all = [
    money(123_456, 'USD'),
    dollars(14_300),
    count(6_100),
    span(300),
    day(date, date),
    moneyTyped(90_000, 'USD'),
  ];
  expect(all.map(spaced)).toEqual(shown);
});

describe.each<[string, Record<string, number>, string[]]>([
  ['en-GB', { '1,234.50': 123_450, '1,234': 123_400, '1234.5': 123_450, '0.01': 1 }, ['1.234,50', '1234,5', '1.234']],
  [
    'de-DE',
    { '1.234,50': 123_450, '1.234': 123_400, '1234,5': 123_450, '0,01': 1, '5 $': 500, '$ 5': 500 },
    ['1,234.50', '1234.5', '1,234', '900.00', '1.23', '1.2345', '12.34,5', '1 234', '1.234.50', '5 €', '٩٠٠'],
  ],
  [
    'es-ES',
    { '1.234,50': 123_450, '1234': 123_400, '5 US$': 500 },
    ['1,234.50', '1234.5', '900.00', '1,234', '1 234', '5 MX$'],
  ],
  ['de-CH', { '1’234.50': 123_450, "1'234.50": 123_450, '1234.5': 123_450 }, ['1.234,50', '1,234', '1,234.50']],
  ['en-IN', { '1,23,456.00': 12_345_600, '1,234': 123_400 }, ['1,2,345', '12,34']],
])('what a reader of %s types (R256)', (tag, read, refused) => {
  const asked = { arguments: { fee: 1 }, schema: { properties: { fee: { type: 'integer', currency: 'USD' } } } };

  test.each(Object.entries(read))('%s is %i cents', async (typed, cents) => {
    const { formOf, formIn } = await readerOf(tag);
    expect(formIn(formOf({ ...asked, fields: fieldsOf(asked) }), { fee: typed }).values).toEqual({ fee: cents });
  });

  test.each(refused)('%s is refused with an example, and never guessed', async (typed) => {
    const { formOf, formIn, exampleOf } = await readerOf(tag);
    const { values, problems } = formIn(formOf({ ...asked, fields: fieldsOf(asked) }), { fee: typed });
    expect(values).toBeUndefined();
    expect(problems.get('fee')).toContain(`such as ${exampleOf('USD')}`);
  });
});

test('a decision is in one notation: its sentence, what was asked before, its fields and the button (R256)', async () => {
  const { bareValue, editedFields, formIn, formOf, localValue, questionText } = await readerOf('de-DE');
  const given = { amount_cents: 123_450, to: 'Ada', rate: 0.25, urgent: true };
  const schema = { properties: { amount_cents: { type: 'integer', currency: 'USD' } } };
  const asked = { arguments: given, schema, fields: fieldsOf({ arguments: given, schema }) };
  const callback = { ...asked, prompt: '', sentence: [{ text: 'Send ' }, { field: 'amount_cents' }] } as never;
  const form = formOf(asked);
  const { values, amount } = formIn(form, { amount_cents: '1.300,5' });
  const [edited, , ...rest] = editedFields(callback, values!);
  const shown = [
    amount!,
    bareValue(edited!, 0),
    localValue({ ...edited!, text: edited!.was! }),
    questionText(callback),
    ...rest.map((field) => localValue(field)),
    ...form.map(({ text }) => String(text)),
  ];
  expect(shown.map(spaced)).toEqual([
    '1.300,50 $',
    '1.300,50 $',
    '1.234,50 $',
    'Send 1.234,50 $',
    '0,25',
    'yes',
    '1234,50',
    'Ada',
    '0,25',
    'true',
  ]);
});
