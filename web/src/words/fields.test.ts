import { fieldsOf } from 'vigil-client/shared';
import { money } from './amounts';
import { bareValue, editedFields, formIn, formOf, type Typed, typedWords, withHidden } from './fields';

const args = {
  to: 'Ada',
  amount_cents: 90_000,
  urgent: false,
  tags: ['rent'],
  note: null,
  size: 'm',
  nights: 2,
  rate: 0.25,
};
const schema = {
  properties: {
    to: { type: 'string', minLength: 2, maxLength: 10 },
    amount_cents: { type: 'integer', minimum: 1, maximum: 10_000_000, currency: 'USD' },
    urgent: { type: 'boolean' },
    tags: { type: 'array' },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    size: { enum: ['s', 'm'] },
    nights: { type: ['integer', 'null'], exclusiveMinimum: 0 },
    rate: { type: 'number' },
  },
  required: Object.keys(args),
};
const asked = { arguments: args, schema, fields: fieldsOf({ arguments: args, schema }) };
const form = formOf(asked);
const enter = (typed: Typed) => formIn(form, typed);

test('the form has the fields of the decision, in the reader’s unit, and keeps what was asked (R194)', () => {
  expect(form.map(({ label, kind, text }) => [label, kind, text])).toEqual([
    ['amount', 'money', '900.00'],
    ['to', 'text', 'Ada'],
    ['urgent', 'flag', false],
    ['tags', 'json', '["rent"]'],

    ['note', 'text', ''],
    ['size', 'choice', 'm'],
    ['nights', 'number', '2'],
    ['rate', 'number', '0.25'],
  ]);
  expect(enter({})).toEqual({ values: args, isEdited: false, problems: new Map(), amount: '$900.00' });
});

test.each<[string, number, string]>([
  ['900', 90_000, '$900.00'],
  ['700.50', 70_050, '$700.50'],
  ['700.5', 70_050, '$700.50'],
  ['70,000', 7_000_000, '$70,000.00'],
  ['$ 1,234.56', 123_456, '$1,234.56'],
  [' 0.01 ', 1, '$0.01'],
  ['0900', 90_000, '$900.00'],
])('an amount of %j is %i cents, and the button says %s (R194)', (amount, cents, words) => {
  const { values, amount: shown } = enter({ amount_cents: amount });
  expect([values!.amount_cents, shown]).toEqual([cents, words]);
});

test.each([
  '0x10',
  '1e3',
  'much',
  '70,00',
  '7,0000',
  '1.000',
  '1.234,50',
  '--1',
  'NaN',
  'Infinity',
  '٩٠٠',
  '',
  '  ',
  '€5',
  '0',
  '-5',
  '100,000.01',
  '90071992547409.92',
])('an amount of %j is refused in words (R194)', (amount) => {
  const { values, problems, amount: shown } = enter({ amount_cents: amount });
  expect([values, shown]).toEqual([undefined, undefined]);
  expect(problems.get('amount_cents')).toMatch(/^(enter|fill|at|more)/);
});

test.each<[Typed, string | undefined]>([
  [{ to: '' }, 'fill it in'],
  [{ to: 'A' }, 'write at least 2 characters'],
  [{ to: 'A'.repeat(11) }, 'write at most 10 characters'],
  [{ amount_cents: '0' }, 'at least $0.01'],
  [{ amount_cents: '100000.01' }, 'at most $100,000.00'],
  [{ nights: '2.5' }, 'enter a whole number'],
  [{ nights: '0' }, 'more than 0'],
  [{ nights: '0x2' }, 'enter a number'],
  [{ tags: '[' }, 'it is not valid JSON'],
  [{ tags: '[12345678901234567890]' }, '0 12345678901234567890 has more digits than a number keeps: send it as text'],
  [{ tags: '["\\ud83d"]' }, expect.stringContaining('0 has half of a character')],
  [{ rate: '12345678901234567890' }, 'enter fewer digits'],
  [{ rate: '0.12345678901234567890' }, 'enter fewer digits'],
  [{ rate: '0.50' }, undefined],
  [{ nights: '' }, undefined],
  [{ note: '' }, undefined],
  [{ note: 'x' }, undefined],
])('%j: %s (R194)', (typed, problem) => {
  expect([...enter(typed).problems.values()]).toEqual(problem ? [problem] : []);
});

test('what is typed becomes a value of its kind, and counts as edited only if it is another one (R194)', () => {
  expect(enter({ amount_cents: '900', to: 'Ada' }).isEdited).toBe(false);
  const { values, isEdited } = enter({ urgent: true, tags: '[]', note: 'x', size: 's', nights: '' });
  expect([values, isEdited]).toEqual([{ ...args, urgent: true, tags: [], note: 'x', size: 's', nights: null }, true]);
});

test('cents of no known currency are a plain number (R194)', () => {
  const plain = { cents: 900 };
  const [field] = formOf({ arguments: plain, fields: fieldsOf({ arguments: plain }) });
  expect(field).toMatchObject({ label: 'cents', kind: 'number', text: '900' });
  expect(formIn([field!], { cents: '700.50' }).problems.get('cents')).toBe('enter a whole number');
});

test('a server’s form is blank, and its required fields are filled in (R175, R194)', () => {
  const blank = { name: '', age: null, pet: '' };
  const fields = formOf({
    arguments: blank,
    asker: 'server',
    fields: fieldsOf({ arguments: blank }),
    schema: {
      properties: { name: { type: 'string' }, age: { type: 'integer' }, pet: { type: 'string' } },
      required: ['name'],
    },
  });
  expect([...formIn(fields, {}).problems]).toEqual([['name', 'fill it in']]);
  expect(formIn(fields, { name: 'Ada', age: '36' }).values).toEqual({ name: 'Ada', age: 36, pet: '' });
});

test('money is drawn as the server draws it, and what was typed is told (R194)', () => {
  expect([money(-905, 'USD'), money(5, 'JPY'), money(1, 'EUR')]).toEqual(['-$9.05', '¥5', '€0.01']);
  expect(typedWords({ a_b: 'x', on: true }, new Map([['a_b', 'label']]))).toEqual(['label: x', 'on: yes']);
});

test('characters that cannot be seen are written out, line breaks are not (R146)', () => {
  expect(withHidden('Ada\nRent')).toBeUndefined();
  expect(withHidden('Ada\u202e4321\u200b\u{e0041}')).toBe('Ada‹U+202E›4321‹U+200B›‹U+E0041›');
});

test('a day, a time and an e-mail address are entered as such (R251)', () => {
  const given = { day: '2026-12-01', at: '2026-12-01T12:30:00Z', mail: 'ada@example.com', until: null };
  const rules = {
    properties: {
      day: { type: 'string', format: 'date' },
      at: { type: 'string', format: 'date-time' },
      mail: { type: 'string', format: 'email' },
      until: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
    },
  };
  const dated = formOf({ arguments: given, schema: rules, fields: fieldsOf({ arguments: given, schema: rules }) });
  const sent = (typed: Typed) => formIn(dated, typed).values ?? [...formIn(dated, typed).problems];
  expect(dated.map(({ kind }) => kind)).toEqual(['date', 'time', 'text', 'date']);
  expect(sent({})).toEqual(given);
  // What the browser's field has is the reader's time.
  expect(sent({ at: String(dated[1]!.text) })).toEqual(given);
  const later = new Date(2026, 11, 2, 8, 15);
  expect(sent({ day: '2026-12-02', at: '2026-12-02T08:15', mail: 'bob@example.com' })).toEqual({
    day: '2026-12-02',
    at: later.toISOString().replace('.000', ''),
    mail: 'bob@example.com',
    until: null,
  });
  expect(sent({ day: '2 December', at: 'noon', mail: 'bob' })).toEqual([
    ['day', 'enter a day'],
    ['at', 'enter a day and a time'],
    ['mail', 'enter an e-mail address'],
  ]);
});

test('a time without a zone is edited as it is: it is not the reader’s (R251)', () => {
  const given = { at: '2026-12-01T10:00:00' };
  const rules = { properties: { at: { type: 'string', format: 'date-time' } } };
  const local = formOf({ arguments: given, schema: rules, fields: fieldsOf({ arguments: given, schema: rules }) });
  expect(local).toMatchObject([{ kind: 'text', text: given.at }]);
  expect(formIn(local, { at: '2026-12-01T11:00:00' }).values).toEqual({ at: '2026-12-01T11:00:00' });
});

test('a value in bold needs no quotes, unless it could be read as something else (R251)', () => {
  const now = Date.parse('2026-12-01T12:00:00Z');
  const bare = (kind: 'text' | 'date' | 'number', text: string) => bareValue({ kind, text }, now);
  expect([bare('text', '"Ada"'), bare('text', '\u2068"שלום"\u2069'), bare('number', '5')]).toEqual([
    'Ada',
    'שלום',
    '5',
  ]);
  expect([bare('text', '""'), bare('text', '" "'), bare('text', '"a\\u202eb"')]).toEqual(['""', '" "', '"a\\u202eb"']);
  expect(bare('date', '2026-12-02')).toBe('Wed 2 Dec');
});

test('what was no date before a change stands as it is; seconds are shown if there are any (R251)', () => {
  const now = Date.parse('2026-12-01T12:00:00Z');
  expect(bareValue({ kind: 'date', text: 'nothing' }, now)).toBe('nothing');
  expect(bareValue({ kind: 'time', text: '"soon"' }, now)).toBe('"soon"');
  const shown = ['12:00', '12:00:00', '12:00:59'].map((time) =>
    bareValue({ kind: 'time', text: `2026-12-01T${time}Z` }, now),
  );
  expect(shown).toEqual([shown[0], shown[0], expect.stringMatching(/:00:59/)]);
});

test('what would be approved says what was asked for where it differs (R251)', () => {
  const callback = { ...asked, kinds: { to: 'outside the bank' } } as never;
  const edited = editedFields(callback, { ...args, to: 'Bob' });
  expect(edited.filter(({ was }) => was)).toMatchObject([{ name: 'to', text: '"Bob"', was: '"Ada"' }]);
});
