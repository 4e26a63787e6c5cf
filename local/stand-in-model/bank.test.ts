import { paymentsIn, topicsIn } from './skills/bank-wish';
import { answer } from './skills/index';
import { readTurn } from './turn';

// The bank's agents as the stand-in plays them: by the transcript alone, and by the tools that are offered.

const tools = {
  desk: ['hand_off_to_account_manager', 'hand_off_to_loan_advisor'],
  manager: ['get_balance', 'get_transactions', 'transfer', 'hand_off_to_bank'],
  advisor: ['get_loans', 'hand_off_to_bank'],
};
type Desk = keyof typeof tools;
const handsTo: Record<string, Desk> = {
  hand_off_to_account_manager: 'manager',
  hand_off_to_loan_advisor: 'advisor',
  hand_off_to_bank: 'desk',
};

/** A customer's talk: hand-offs switch the tools, as they do in Vigil; results are told by the test. */
class Talk {
  desk: Desk = 'desk';
  readonly messages: object[] = [{ role: 'system', content: 'You are a bank.' }];
  constructor(private readonly results: Record<string, string> = {}) {}

  /** @returns what was called and said, in order. */
  say(text: string): string[] {
    this.messages.push({ role: 'user', content: text });
    const log: string[] = [];
    for (let step = 0; step < 12; step++) {
      const turn = readTurn({
        model: 'm',
        messages: this.messages,
        tools: tools[this.desk].map((name) => ({ type: 'function', function: { name, parameters: {} } })),
      } as never);
      const { text: words, calls = [] } = answer(turn);
      if (words) log.push(words);
      const ids = calls.map((_, index) => `c${this.messages.length}_${index}`);
      const tool_calls = calls.map((call, index) => ({
        ...{ id: ids[index], type: 'function' },
        function: { name: call.name, arguments: JSON.stringify(call.arguments) },
      }));
      this.messages.push({ role: 'assistant', content: words ?? null, ...(calls.length > 0 && { tool_calls }) });
      if (calls.length === 0) return log;
      for (const [index, { name, arguments: args }] of calls.entries()) {
        log.push(name in handsTo ? `→ ${handsTo[name]}` : `${name} ${JSON.stringify(args)}`);
        const content = this.results[name] ?? results[name] ?? 'It has the conversation from here on.';
        this.messages.push({ role: 'tool', tool_call_id: ids[index], content });
        this.desk = handsTo[name] ?? this.desk;
      }
    }
    throw new Error(`no end: ${log.join(' | ')}`);
  }
}

const results: Record<string, string> = {
  get_balance: '{"balance_cents":123456,"text":"Account 1234: $1,234.56"}',
  get_transactions: '{"transactions":[{"at":"2030-01-02T00:00:00Z","amount_cents":-100,"text":"-$1.00 to Ada: Tea"}]}',
  get_loans: '{"loans":[{"text":"Car, $9,000.00: approved."}]}',
  transfer: '{"moved_cents":90000,"text":"$900.00 moved to Ada; $334.56 left."}',
};
const list = 'Your last transactions:\n- 2030-01-02 -$1.00 to Ada: Tea';
const loans = 'Your loans:\n- Car, $9,000.00: approved.';

test('M1 M2 M3 the balance, then the transactions, then a loan, then the balance again', () => {
  const talk = new Talk();
  expect(talk.say('What is my balance?')).toEqual(['→ manager', 'get_balance {}', 'Account 1234: $1,234.56']);
  expect(talk.say('And my last transactions?')).toEqual(['get_transactions {"limit":null}', list]);
  expect(talk.say('Is my loan approved?')).toEqual(['→ desk', '→ advisor', 'get_loans {}', loans]);
  expect(talk.say('And the balance?')).toEqual(['→ desk', '→ manager', 'get_balance {}', 'Account 1234: $1,234.56']);
});

test('M4 both at once are two calls of one reply, and one answer', () => {
  expect(new Talk().say('Balance and transactions')).toEqual([
    ...['→ manager', 'get_balance {}', 'get_transactions {"limit":null}', `Account 1234: $1,234.56\n${list}`],
  ]);
  expect(new Talk().say('The last 5 transactions')[1]).toBe('get_transactions {"limit":5}');
});

test('what two agents know is told by two', () => {
  expect(new Talk().say('What is my balance, and is my loan approved?')).toEqual([
    ...['→ manager', 'get_balance {}', 'Account 1234: $1,234.56', '→ desk', '→ advisor', 'get_loans {}', loans],
  ]);
});

test('M11 a transfer, as it is, as it was edited, and denied', () => {
  const call = 'transfer {"to":"Ada","amount_cents":90000,"purpose":""}';
  expect(new Talk().say('Send 900 to Ada')).toEqual(['→ manager', call, '$900.00 moved to Ada; $334.56 left.']);
  const edited = `[The approver changed the arguments. What was approved and done: {"to":"Ada","amount_cents":50000,"purpose":"[x]"}] {"text":"$500.00 moved to Ada; $734.56 left."}`;
  expect(new Talk({ transfer: edited }).say('Send 900 to Ada').at(-1)).toBe(
    '$500.00 moved to Ada; $734.56 left. You changed it when you approved it.',
  );
  const denied = 'Error: Not approved, so it was not done. The reason: Too much.';
  expect(new Talk({ transfer: denied }).say('Send 900 to Ada').at(-1)).toBe(
    'The transfer to Ada was not made: Not approved, so it was not done. The reason: Too much.',
  );
});

test('a transfer that lacks its amount is asked for', () => {
  const talk = new Talk();
  expect(talk.say('I want to send money')).toEqual([
    '→ manager',
    'How much shall I send, and to whom? For example: "900 to Ada".',
  ]);
  expect(talk.say('25.50 to Bob')[0]).toBe('transfer {"to":"Bob","amount_cents":2550,"purpose":""}');
});

test.each([
  ['Send 900 to Ada for the rent.', [['Ada', 90_000, 'the rent']]],
  ['Please pay Ada $25.50', [['Ada', 2_550, '']]],
  ['transfer 1,200.00 dollars to 1234 5678 9012 for the car', [['1234 5678 9012', 120_000, 'the car']]],
  [
    'Send 100 to Ada, 200 to Bob and 900 to Cleo Jones',
    [
      ['Ada', 10_000, ''],
      ['Bob', 20_000, ''],
      ['Cleo Jones', 90_000, ''],
    ],
  ],
  [
    'Send 50 to Ada for lunch and 20 to Bob for the taxi',
    [
      ['Ada', 5_000, 'lunch'],
      ['Bob', 2_000, 'the taxi'],
    ],
  ],
  ['What is my balance?', []],
])('reads the payments of: %s', (said, payments) => {
  expect(paymentsIn(said).map(({ to, amount_cents, purpose }) => [to, amount_cents, purpose])).toEqual(payments);
});

test.each([
  ['How much do I have?', ['balance']],
  ['What is my monthly payment?', ['loan']],
  ['Show me my statement', ['transactions']],
  ['Send 5 to Ada and tell me my balance', ['balance', 'transfer']],
  ['What is the weather like?', []],
])('knows what is meant by: %s', (said, topics) => {
  expect([...topicsIn(said)].sort()).toEqual(topics);
});

test('R70 what is off the topic goes back to the desk, which says what there is; thanks stay where they are', () => {
  const talk = new Talk();
  expect(talk.say('What is the weather like?')).toEqual([expect.stringMatching(/I can tell you your balance/)]);
  talk.say('What is my balance?');
  expect(talk.say('Thanks!')).toEqual(["You're welcome."]);
  expect(talk.say('What is the weather like?')).toEqual([
    '→ desk',
    expect.stringMatching(/no language model, so I have no answer to that\. I can tell you your balance/),
  ]);
  expect(talk.say('Hello')).toEqual(['Hello. What can the bank do for you?']);
});

test('a tool that failed is told as it failed', () => {
  const failed = new Talk({ get_balance: 'Error: The table is not there.' });
  expect(failed.say('My balance?').at(-1)).toBe('I could not look that up: The table is not there.');
});
