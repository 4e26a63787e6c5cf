import { errand } from './errands';

const asked = (instructions: string, content: string) =>
  errand({
    model: 'm',
    messages: [
      { role: 'system', content: instructions },
      { role: 'user', content },
    ],
  });

describe('the title of a conversation says what it is about', () => {
  const titled = (said: string) =>
    asked('You name conversations. You get …', JSON.stringify({ user: said, assistant: 'Time to {…}.' }));

  test.each([
    [
      'Hello, please find the cheapest lighthouse near Lisbon and tell me about it',
      'Find the cheapest lighthouse near Lisbon',
    ],
    ['Send 900 dollars to Ada for the rent', 'Send 900 dollars to Ada'],
    // A cut leaves no half of a phrase.
    ['I would like a loan of 5000 dollars over two years for a car', 'A loan of 5000 dollars'],
    ['I’d like to compare the three cheapest flights to Tokyo', 'Compare the three cheapest flights to Tokyo'],
    ['Explain why good old wooden ships never sink', 'Explain why good old wooden ships never…'],
    ['Remind me every weekday at 9 to stretch', 'Stretch'],
    // Of commands, what they say.
    ['/call opening_hours {"day": "Sunday"}', 'Opening hours: Sunday'],
    ['/call look', 'Look'],
    ['/call pay {\n "to": {"name": "Ada"},\n "cents": 5\n}\n/say Paid.', 'Pay: 5'],
    ['/say Good morning.\nHow can I help?', 'Good morning'],
    ['/hand-off loan-advisor About a car', 'Loan-advisor About a car'],
    ['/result {"city": "Kyoto", "days": 3, "why": null}', 'Kyoto, 3'],
    ['/refund A1', 'A1'],
    ['/', ''],
    // Of reminders, the subjects without the times.
    ['Remind me tomorrow at 8am to check out https://example.org/news', 'Check out https://example.org/news'],
    ['Remind me in 10 minutes to stretch, and every Monday at 9 to send the invoices', 'Stretch, send the invoices'],
    ['Remind me about the dentist on Friday', 'The dentist'],
    ['Remind me in 10 minutes', 'Remind me in 10 minutes'],
  ])('%s: %s', (said, title) => expect(titled(said)).toBe(title));
});

test('a summary has the latest lines of the conversation, each shortened', () => {
  const line = (text: string) => JSON.stringify(text);
  const lines = [
    line('The user: Hello'),
    line(`The result of a: ${'x'.repeat(500)}`),
    line('The assistant: Two\nlines'),
  ];
  const summary = asked(
    'You summarise the earlier part of a conversation between …',
    `The conversation:\n\n${lines.join('\n')}`,
  )!;
  expect(summary).toMatch(/^The user: Hello\nThe result of a: x{50,} …\nThe assistant: Two lines$/);
  const many = Array.from({ length: 100 }, (_, index) => line(`The user: ${index} ${'y'.repeat(200)}`)).join('\n');
  const short = asked('You summarise the earlier part of a conversation', `The conversation:\n\n${many}`)!;
  expect(short.length).toBeLessThanOrEqual(1_500);
  expect(short).toContain('The user: 99');
});

test('what an agent is asked is no errand', () => expect(asked('You are an agent.', 'Hello')).toBeUndefined());
