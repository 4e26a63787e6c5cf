import { answer } from '../answer';
import { readTurn } from '../turn';

// The bank, the chat team and the traveller as the stand-in plays them: from the transcript and the available tools
// alone.

const tools: Record<string, string[]> = {
  bank: ['hand_off_to_account_manager', 'hand_off_to_loan_advisor', 'hand_off_to_person'],
  account_manager: ['get_balance', 'get_transactions', 'transfer', 'hand_off_to_bank'],
  loan_advisor: ['get_loans', 'hand_off_to_bank'],
  chat: [
    'remember',
    'recall',
    ...['reminder', 'bank', 'travel', 'calculator', 'researcher'].map((name) => `hand_off_to_${name}`),
  ],
  calculator: ['run_code', 'hand_off_to_chat'],
  researcher: ['current_time', 'internet_search', 'scrape_website', 'hand_off_to_chat'],
  travel: ['current_time', 'internet_search', 'scrape_website'],
};
const instructions: Record<string, string> = { researcher: 'You find things out.', travel: 'You plan trips.' };
const kyoto = '1. Kyoto sights\n   https://kyoto.example/sights\n   Temples.';
const results: Record<string, string> = {
  get_balance: '{"balance_cents":123456,"text":"Account 1234: $1,234.56"}',
  get_transactions: '{"transactions":[{"at":"2030-01-02T00:00:00Z","amount_cents":-100,"text":"-$1.00 to Ada: Tea"}]}',
  get_loans: '{"loans":[{"text":"Car, $9,000.00: approved."}]}',
  transfer: '{"moved_cents":90000,"text":"$900.00 moved to Ada; $334.56 left."}',
  run_code: '{"value":40.800000000000004,"printed":[]}',
  remember: '{"remembered":"It.","memory_id":"m"}',
  recall: '{"memories":[{"text":"The user says: I am vegetarian"}]}',
  internet_search: kyoto,
  scrape_website:
    '# Kyoto\nWalk through the thousands of red gates of Fushimi Inari.\n\nTaste your way along the whole of Nishiki Market.',
};

/** A user's conversation. Hand-offs switch the tools, as in Vigil; the test supplies the results. */
class Talk {
  readonly messages: object[] = [];
  constructor(
    private agent = 'bank',
    private readonly told: Record<string, string> = {},
  ) {}

  /**
   * @returns the calls and replies, in order.
   */
  say(text: string): string[] {
    this.messages.push({ role: 'user', content: text });
    const log: string[] = [];
    for (let step = 0; step < 12; step++) {
      const offered = tools[this.agent]!.map((name) => ({ type: 'function', function: { name, parameters: {} } }));
      const told = { role: 'system', content: instructions[this.agent] ?? 'You are an agent.' };
      const { text: words, calls = [] } = answer(
        readTurn({ model: 'm', messages: [told, ...this.messages], tools: offered } as never),
      );
      if (words) log.push(words);
      const ids = calls.map((_, index) => `c${this.messages.length}_${index}`);
      const tool_calls = calls.map(({ name, arguments: input }, index) => ({
        id: ids[index],
        type: 'function',
        function: { name, arguments: JSON.stringify(input) },
      }));
      this.messages.push({ role: 'assistant', content: words ?? null, ...(calls.length > 0 && { tool_calls }) });
      if (calls.length === 0) return log;
      for (const [index, { name, arguments: input }] of calls.entries()) {
        const [, to] = /^hand_off_to_(?!person$)(.+)$/.exec(name) ?? [];
        log.push(to ? `→ ${to}` : `${name} ${JSON.stringify(input)}`);
        const content = this.told[name] ?? results[name] ?? 'It takes over the conversation.';
        this.messages.push({ role: 'tool', tool_call_id: ids[index], content });
        this.agent = to ?? this.agent;
      }
    }
    throw new Error(`no end: ${log.join(' | ')}`);
  }
}

const loans = 'Your loans:\n- Car, $9,000.00: approved.';

describe('the bank', () => {
  test('a person is asked for, from any agent of the bank, and afterwards the agent goes on (R228)', () => {
    const reason = (said: string) => `hand_off_to_person {"group":"advisers","reason":"The customer says: ${said}"}`;
    const talk = new Talk();
    talk.say('What is my balance?');
    const said = 'I want to talk to a person';
    expect(talk.say(said)).toEqual([
      '→ bank',
      'An adviser will come.',
      reason(said),
      'Is there anything else that I can do for you?',
    ]);
  });

  test('two wishes are done one after the other, by the agents of each', () => {
    expect(new Talk().say('What is my balance? And is my loan approved?')).toEqual([
      '→ account_manager',
      'get_balance {}',
      'Account 1234: $1,234.56',
      '→ bank',
      '→ loan_advisor',
      'get_loans {}',
      loans,
    ]);
    const paid = '$900.00 moved to Ada; $334.56 left.';
    expect(new Talk().say('Send 5 to Ada and send 7 to Bob')).toEqual([
      '→ account_manager',
      'transfer {"to":"Ada","amount_cents":500,"purpose":""}',
      paid,
      'transfer {"to":"Bob","amount_cents":700,"purpose":""}',
      paid,
    ]);
    expect(new Talk('chat').say('Remember that I am vegetarian. What is 12 % of 340?')).toEqual([
      'remember {"fact":"The user says: I am vegetarian."}',
      'I will remember that.',
      '→ calculator',
      'run_code {"code":"12 / 100 * 340"}',
      'It is 40.8.',
    ]);
  });

  test.each([
    ['Send 900 to Ada for the rent.', 'Ada', 90_000, 'the rent'],
    ['Send 900 dollars to Ada for the rent', 'Ada', 90_000, 'the rent'],
    ['Please pay $25.50 to Bob', 'Bob', 2_550, ''],
    ['transfer 1,200.00 dollars to 1234 5678 9012 for the car', '1234 5678 9012', 120_000, 'the car'],
    ['Send 20 to Cleo Jones', 'Cleo Jones', 2_000, ''],
  ])('reads the payment of: %s', (said, to, amount_cents, purpose) => {
    expect(new Talk().say(said)[1]).toBe(`transfer ${JSON.stringify({ to, amount_cents, purpose })}`);
  });
});

describe('the chat team', () => {
  test.each([
    ['What is 12 % of 340?', '→ calculator'],
    ['2 * (3 + 4)', '→ calculator'],
    ['Remind me tomorrow to water the plants', '→ reminder'],
    ['What is my balance?', '→ bank'],
    ['Plan a trip to Kyoto', '→ travel'],
    ['Tell me about Lisbon', '→ researcher'],
    ['Remember that I am vegetarian', 'remember {"fact":"The user says: I am vegetarian"}'],
    ['What do you know about me?', 'recall {"query":"What do you know about me?","limit":null}'],
  ])('the host answers "%s" with %s', (said, first) => {
    tools.reminder = [];
    expect(new Talk('chat').say(said)[0]).toBe(first);
  });

  test('a specialist hands back other topics, and the search for an unknown agent ends', () => {
    expect(new Talk('calculator').say('Tell me about Kyoto').slice(0, 3)).toEqual([
      '→ chat',
      '→ researcher',
      'internet_search {"query":"Kyoto","results":null}',
    ]);
    const lost = new Talk('account_manager').say('Plan a trip to Kyoto');
    expect(lost).toEqual(['→ bank', expect.stringMatching(/^I have no answer to that\./)]);
  });

  test.each([
    ['What is 12 percent of 340?', '12 / 100 * 340'],
    ['3 * 4 / 2', '3 * 4 / 2'],
    ['What is (2 + 3) * 4?', '(2 + 3) * 4'],
  ])('in "%s" the sum is %s', (said, code) => {
    const log = new Talk('calculator').say(said);
    expect(log).toEqual([`run_code ${JSON.stringify({ code })}`, 'It is 40.8.']);
  });

  test.each([
    ['Draw a chart of 3, 5 and 8', [3, 5, 8]],
    ['Plot these numbers: 1.5 2', [1.5, 2]],
  ])('in "%s" the chart has the numbers %j (R213)', (said, numbers) => {
    const files = [{ filename: 'chart.png' }];
    const log = new Talk('chat', { run_code: JSON.stringify({ value: 3, printed: [], files }) }).say(said);
    expect(log).toEqual(['→ calculator', expect.stringMatching(/^run_code /), 'Here is the chart: chart.png.']);
    expect(JSON.parse(log[1]!.slice('run_code '.length)).code).toContain(`const numbers = ${JSON.stringify(numbers)};`);
  });

  test.each(['On 2026-03-01', 'Call me at 8'])('in "%s" there is no sum', (said) => {
    expect(new Talk('calculator').say(said)).toEqual([expect.stringMatching(/^I have no answer to that/)]);
  });

  test('memories and findings are reported', () => {
    expect(new Talk('chat').say('What do you know about me?').at(-1)).toBe(
      'You have told me:\n- The user says: I am vegetarian',
    );
    expect(new Talk('chat', { recall: '{"memories":[]}' }).say('What do you know about me?').at(-1)).toMatch(
      /nothing about that yet/,
    );
    expect(new Talk('researcher').say('Tell me about Kyoto').at(-1)).toBe(
      'Temples. (Kyoto sights: https://kyoto.example/sights)',
    );
    expect(
      new Talk('researcher', { internet_search: 'The search found nothing.' }).say('Tell me about Atlantis').at(-1),
    ).toBe('I found nothing.');
  });
});

describe('the travel agent', () => {
  const search = 'internet_search {"query":"Kyoto sights food","results":null}';
  test.each([
    ['Plan three days in Kyoto in May', 'Kyoto, in May, 3 days.'],
    ['I want to go to Kyoto next weekend', 'Kyoto, next weekend, 3 days.'],
    ['Kyoto, early October, for a week', 'Kyoto, early October, 7 days.'],
    ['A weekend in Kyoto in the spring', 'Kyoto, in the spring, 2 days.'],
  ])('of "%s" it makes a plan for: %s', (said, heading) => {
    const log = new Talk('travel').say(said);
    // What "next weekend" is, only the clock can tell.
    const [first, read, plan] = log[0] === 'current_time {}' ? log.slice(1) : log;
    expect(log.length).toBe(heading.includes('next') ? 4 : 3);
    expect([first, read]).toEqual([search, 'scrape_website {"url":"https://kyoto.example/sights"}']);
    expect(plan!.startsWith(heading)).toBe(true);
    expect(plan).toMatch(
      /Day 1\nMorning: Walk through .*\(https:\/\/kyoto\.example\/sights\)[\s\S]*\n\nPLAN COMPLETE$/,
    );
  });

  test.each([
    ['Hello, can you plan a trip for me?', 'Where would you like to go, and when?'],
    ['May I ask something?', 'Where would you like to go, and when?'],
    ['Three days in May', 'Where would you like to go?'],
    ['A week in New York', 'When would you like to be in New York, and for how many days?'],
  ])('"%s" is answered with: %s', (said, question) => {
    expect(new Talk('travel').say(said)).toEqual([question]);
  });

  test('an answer to "where" needs no capital, and later statements replace earlier ones', () => {
    const talk = new Talk('travel');
    talk.say('Plan a trip for 2 days in June');
    expect(talk.say('kyoto please').at(-1)).toMatch(/^Kyoto, in June, 2 days\./);
  });

  test('failed searches and unreadable pages are reported', () => {
    const known = '1. Known\n   https://stand-in.example/\n   The search knows only Rome.';
    expect(new Talk('travel', { internet_search: known }).say('A trip to Kyoto in May').at(-1)).toBe(
      'I found nothing about Kyoto. The search knows only Rome. Where would you like to go instead?',
    );
    const down = { internet_search: 'Error: The web search took too long.' };
    expect(new Talk('travel', down).say('A trip to Kyoto in May').at(-1)).toBe(
      'internet_search failed: The web search took too long.',
    );
    const gone = { scrape_website: 'Error: The page answered with status 404.' };
    expect(new Talk('travel', gone).say('A trip to Kyoto in May').at(-1)).toBe(
      'scrape_website failed: The page answered with status 404.',
    );
  });

  test('after the plan, thanks are not a new request, but another place is', () => {
    const talk = new Talk('travel');
    talk.say('Three days in Kyoto in May');
    expect(talk.say('Thanks!')).toEqual(["You're welcome.\n\nPLAN COMPLETE"]);
    expect(talk.say('Make it five days').at(-1)).toMatch(/Day 5\n[\s\S]*\n\nPLAN COMPLETE$/);
    expect(talk.say('Make it Rome instead')[0]).toBe('internet_search {"query":"Rome sights food","results":null}');
  });
});
