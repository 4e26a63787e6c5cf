import type { Conversation } from 'vigil-client';
import { personalIn } from '../../runtime/guards/redact';
import { processorMs } from '../../test/support/processor-time';
import { StandIns } from './stand-ins';
import { withoutPersons } from './without-persons';

const at = '2026-03-01T08:00:00.000Z';
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';
const runId = 'r_000001_0123456789abcdef012345678';
const file = `f_${'aB3-'.repeat(10)}xyz`;

/** What nobody but the people of the conversation may read, with the place of each in it. */
const secrets = {
  'the title': 'Quentin Blacksmith',
  'a message': 'quentin@private.example.org',
  'a phone in a message': '+44 20 7946 0018',
  'a national phone': '030 1234567',
  'a card in a message': '4111 1111 1111 1111',
  'an iban as a name of a field': 'DE89370400440532013000',
  'the middle of a chosen id': 'smith-divorce',
  'the client’s message id': 'msg-for-zelda',
  'the file’s name': 'Zelda_scan.pdf',
  'the file’s id': file,
  'the owner’s id': '0e984725-c51c-4bf4-9960-e1c80e27aba0',
  'a member’s id': 'zelda.fitz',
  'a member’s name': 'Zelda Fitz',
  'a reason of feedback': 'zelda@private.example.org',
  'a signature': 'X-Amz-Signature',
  'a user in an address': 'hunter2',
  'a webhook’s token': 'WyJjXzEiLCJyLjEuMDAiXQ.c2lnbmVk',
  'a bearer': jwt,
  'a key of a service': 'sk-proj-abcdefghijkl1234567890',
  'a field that says secret': 'open sesame',
  'a street': '12 Elm Grove',
  'an account': '12-34-56 98765432',
  'an account that is a number': '98765439',
  'JSON in a text': 'Ulysses',
  'an escape in JSON': 'Andr\\u00e9',
  'a decision field': '7 Oak Lane',
  'an approver': 'Wendy Approver',
  'the metadata': 'tim@private.example.org',
  'an error': '203.0.113.77',
  'a timer’s text': 'Mrs Featherstone',
  'a birth date': '1984-05-06',
} as const;
const s = secrets;

const recorded = {
  id: `u0123456789abcdef_${s['the middle of a chosen id']}`,
  version: 9,
  title: `A card for ${s['the title']}`,
  agent: 'bank',
  status: 'done',
  createdAt: at,
  updatedAt: at,
  more: false,
  owner: s['the owner’s id'],
  usage: {
    modelCalls: 12_345_678,
    toolCalls: 1,
    inputTokens: 98_765_432,
    outputTokens: 1,
    costMicrodollars: 12_345_678,
  },
  members: [{ member: `user:${s['a member’s id']}`, role: 'member', name: s['a member’s name'] }],
  reads: [{ user: s['a member’s id'], seq: 2, name: s['a member’s name'] }],
  metadata: { contact: s['the metadata'] },
  messages: [
    {
      seq: 1,
      version: 1,
      role: 'user',
      author: s['the owner’s id'],
      status: 'complete',
      createdAt: at,
      clientMessageId: s['the client’s message id'],
      text: `I am ${s['the title']}, ${s['a message']}, ${s['a phone in a message']} or ${s['a national phone']}. Card ${s['a card in a message']}. See you on 2026-04-02.`,
      parts: [
        { type: 'file', id: s['the file’s id'], mediaType: 'application/pdf', filename: s['the file’s name'], size: 9 },
      ],
    },
    {
      seq: 2,
      version: 2,
      role: 'assistant',
      author: 'bank',
      status: 'complete',
      createdAt: at,
      runId,
      step: 1,
      model: 'claude-sonnet-4-5-20250929',
      text: `Hello Quentin. Zelda may read ${s['the file’s name']}.`,
      feedback: [{ user: s['a member’s id'], verdict: 'down', reason: `Ask ${s['a reason of feedback']}`, at }],
    },
  ],
  calls: [
    {
      id: `${runId}.00001.00`,
      version: 1,
      runId,
      step: 1,
      index: 0,
      tool: 'get_account_balance_of_user_2',
      status: 'completed',
      attempts: 1,
      createdAt: at,
      error: `from ${s['an error']}`,
      arguments: {
        url: `https://ada:${s['a user in an address']}@files.example.org/a/report.pdf?${s['a signature']}=abc&x=1#frag`,
        hook: `https://api.example.org/webhooks/${s['a webhook’s token']}`,
        headers: { authorization: `Bearer ${s['a bearer']}` },

        note: `the key ${s['a key of a service']}`,
        password: s['a field that says secret'],
        street: s['a street'],
        accountNumber: s['an account'],
        cents: 123_456_789,
        birthDate: s['a birth date'],
      },
      result: {
        [s['an iban as a name of a field']]: { customerId: Number(s['an account that is a number']) },
        body: `{"first_name":"${s['JSON in a text']}","last_name":"${s['an escape in JSON']}"}`,
        said: 'Ulysses and André agree.',
      },
    },
  ],
  callbacks: [
    {
      id: `${runId}.00001.00`,
      version: 1,
      runId,
      kind: 'approval',
      prompt: 'Send it?',
      status: 'answered',
      expiresAt: at,
      arguments: { address: s['a decision field'] },
      fields: [{ name: 'address', label: 'Address', kind: 'text', text: JSON.stringify(s['a decision field']) }],
      decisions: [{ by: 'wendy-1', name: s['an approver'], at, approved: true, step: 0 }],
      outcome: { approved: true, by: 'wendy-1' },
    },
  ],
  timers: [
    {
      id: 't.1',
      version: 1,
      kind: 'once',
      nextAt: at,
      text: `Call ${s['a timer’s text']}`,
      status: 'done',
      fired: 1,
      createdAt: at,
    },
  ],
} as unknown as Conversation;

const { conversation, standIns } = withoutPersons(recorded);
const text = JSON.stringify(conversation);

test.each(Object.entries(secrets))('%s is not in what is written (R235)', (_place, secret) => {
  expect(JSON.stringify(recorded)).toContain(JSON.stringify(secret).slice(1, -1));
  expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
});

test('nor are parts of it: first names, the end of a file’s name, digits without spaces (R235)', () => {
  for (const part of [
    'Quentin',
    'Blacksmith',
    'Zelda',
    'scan',
    '4111',
    '0532013000',
    'private.example.org',
    'Featherstone',
  ])
    expect(text).not.toContain(part);
});

test('what a case is about stays: the form, the names in code, times, amounts, figures, ids of runs and calls (R235)', () => {
  const [call] = conversation.calls;
  expect(conversation).toMatchObject({ agent: 'bank', status: 'done', usage: recorded.usage, createdAt: at });
  expect(call).toMatchObject({ id: `${runId}.00001.00`, tool: 'get_account_balance_of_user_2' });
  expect(call!.arguments).toMatchObject({ cents: 123_456_789, url: 'https://files.example.org/a/report.pdf' });
  expect(conversation.messages[0]!.text).toContain('2026-04-02');
  expect(conversation.messages[1]).toMatchObject({ author: 'bank', model: 'claude-sonnet-4-5-20250929', runId });
  const shape = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(shape)
      : value && typeof value === 'object'
        ? Object.values(value).map(shape)
        : typeof value;
  const { messages, ...rest } = recorded;
  const same = { ...rest, messages: messages.map(({ clientMessageId: _, ...message }) => message) };
  expect(shape(conversation)).toEqual(shape({ ...conversation, ...same, messages: same.messages }));
});

test('the same person and number have the same stand-in everywhere, and different ones have different ones (R235)', () => {
  const [said, reply] = conversation.messages;
  const person = /I am (Person \d+),/.exec(said!.text)![1]!;
  expect(conversation.title).toBe(`A card for ${person}`);
  expect(reply!.text).toContain(`Hello ${person}.`);
  expect(conversation.members![0]).toMatchObject({ member: `user:${conversation.reads![0]!.user}` });
  expect(reply!.feedback![0]!.user).toBe(conversation.reads![0]!.user);
  expect(said!.author).not.toBe(conversation.reads![0]!.user);
  const { filename } = said!.parts![0] as { filename?: string };
  expect(filename).toMatch(/^file-\d\.pdf$/);
  expect(reply!.text).toContain(filename);
  expect(conversation.calls[0]!.result).toMatchObject({
    said: expect.stringMatching(/^Person (\d+) and Person (?!\1)\d+ agree\.$/),
  });
  expect(withoutPersons(recorded).conversation).toEqual(conversation);
  expect(standIns.counts.get('email')).toBe(3);
});

test('a first name in a field is the person whose whole name is in another one (R235)', () => {
  const call = (args: object) => ({ ...recorded.calls[0]!, arguments: args, result: undefined, error: undefined });
  const calls = [call({ to: 'Ida Wells' }), call({ payee: 'Ida' }), call({ to: 'Wells Smith' })];
  const pulled = withoutPersons({ ...recorded, calls }).conversation.calls.map((one) => one.arguments) as object[];
  const [whole, first, other] = pulled.map((args) => Object.values(args)[0] as string);
  expect(whole).toMatch(/^Person \d+$/);
  expect(first).toBe(whole);
  expect(other).not.toBe(whole);
});

test.each<[string, string]>([
  ['ada@x.org, ADA 2026-01-01T09:30:00Z', 'person-1@example.com, ADA 2026-01-01T09:30:00Z'],
  ['GB29NWBK60161331926819 and gb29 nwbk 6016 1331 9268 19', 'DE09000000000000000001 and DE09000000000000000001'],
  ['5500-0000-0000-0004', '9999000000000012'],
  ['SSN 123-45-6789', 'SSN 000-00-0001'],
  [
    'On 01.03.2026 at 08:00, room 12, 45.50 dollars, 1,234,567 people',
    'On 01.03.2026 at 08:00, room 12, 45.50 dollars, 1,234,567 people',
  ],
  ['order 2026 of 2026-03-01 1200', 'order 2026 of 2026-03-01 1200'],
  ['AKIAIOSFODNN7EXAMPLE', '[key 1]'],
  ['c_0123456789abcdef0123456789abcdef.1', `c_${'1'.padStart(32, '0')}.1`],
  ['s3://bucket/key?token=1', 's3://bucket/key'],
])('%s becomes %s (R235)', (words, changed) => {
  expect(new StandIns().in(words)).toBe(changed);
});

test('stand-ins have the check digits that tools look at (R235)', () => {
  const made = new StandIns();
  for (const kind of ['iban', 'card', 'email'] as const)
    for (let number = 1; number <= 12; number++)
      expect(personalIn(made.of(kind, `${number}`))).toEqual([expect.objectContaining({ name: kind, start: 0 })]);
});

test('what the author names is replaced, too, and a long text takes a moment (R235)', () => {
  const { conversation: pulled } = withoutPersons({ ...recorded, title: 'Initech, Initechs and Ini' } as Conversation, [
    'Initech',
  ]);
  expect(pulled.title).toBe('[words 1], Initechs and Ini');
  const began = processorMs();
  new StandIns().in(
    `${'a1'.repeat(20_000)} ${'0 '.repeat(20_000)} ${'x@y.'.repeat(10_000)} ${'+1 '.repeat(20_000)}${'https://'.repeat(1_000)}`,
  );
  expect(processorMs() - began).toBeLessThan(10_000);
});
