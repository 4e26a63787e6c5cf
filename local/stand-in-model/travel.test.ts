import { answer } from './skills';
import { travel } from './skills/travel';
import { wishOf } from './skills/travel-wish';
import { readTurn } from './turn';

const said = (text: string) => wishOf([{ by: 'user', text }]);

test.each([
  ['Plan three days in Kyoto in May', { where: 'Kyoto', when: 'in May', days: 3 }],
  ['I want to go to Rome next weekend', { where: 'Rome', when: 'next weekend', days: 3 }],
  ['Lisbon, early October, for a week', { where: 'Lisbon', when: 'early October', days: 7 }],
  ['Hello, can you plan a trip for me?', { where: undefined, when: undefined, days: 3 }],
  ['May I ask something?', { where: undefined, days: 3 }],
  ['A weekend in New York in the spring', { where: 'New York', when: 'in the spring', days: 2 }],
  ['Make it Oslo instead', { where: 'Oslo', when: undefined }],
])('of "%s" it understands %j', (text, wish) => expect(said(text)).toMatchObject(wish));

test('an answer to "where" needs no capital, and later words hold over earlier ones', () => {
  const talk = [
    { by: 'user' as const, text: 'Plan a trip for 2 days in June' },
    { by: 'assistant' as const, text: 'Where would you like to go?' },
    { by: 'user' as const, text: 'kyoto please' },
  ];
  expect(wishOf(talk)).toEqual({ where: 'Kyoto', when: 'in June', days: 2 });
  expect(wishOf([...talk, { by: 'user', text: 'No, Rome, and in July' }])).toMatchObject({
    where: 'Rome',
    when: 'in July',
  });
});

const tool = (name: string) => ({ type: 'function' as const, function: { name } });
const instructions = 'Plan. End it with the line "PLAN COMPLETE".';
const turnOf = (...messages: object[]) =>
  readTurn({
    model: 'm',
    messages: [{ role: 'system', content: instructions }, ...messages],
    tools: ['current_time', 'internet_search', 'scrape_website'].map(tool),
  } as never);
const user = (content: string) => ({ role: 'user', content });
const called = (name: string, args: object, result: string) => [
  {
    role: 'assistant',
    tool_calls: [{ id: name, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  },
  { role: 'tool', tool_call_id: name, content: result },
];
const wish = user('Three days in Kyoto in May');
const list = '1. Kyoto sights\n   https://kyoto.example/sights\n   Temples.';

test('a search that failed is told, with a question', () => {
  const { text } = answer(turnOf(wish, ...called('internet_search', {}, 'Error: The web search took too long.')));
  expect(text).toBe('I could not search. Error: The web search took too long. Shall I try again?');
});

test('a place that nothing is found about is told, with what there is', () => {
  const found = '1. Known\n   https://stand-in.example/\n   The search knows only Rome.';
  expect(answer(turnOf(wish, ...called('internet_search', {}, found))).text).toBe(
    'I found nothing about Kyoto. The search knows only Rome. Where would you like to go instead?',
  );
});

test('a page that could not be read is told in the plan', () => {
  const read = called(
    'scrape_website',
    { url: 'https://kyoto.example/sights' },
    'Error: The page answered with status 404.',
  );
  const { text } = answer(turnOf(wish, ...called('internet_search', {}, list), ...read));
  expect(text).toMatch(/I could not read https:\/\/kyoto\.example\/sights\. Error: .*404\.\n\nPLAN COMPLETE$/);
});

test('after the plan a thank-you is no new wish, another place is one', () => {
  const planned = { role: 'assistant', content: 'Day 1 …\n\nPLAN COMPLETE' };
  expect(answer(turnOf(wish, planned, user('Thanks!'))).text).toBe("You're welcome.\n\nPLAN COMPLETE");
  expect(answer(turnOf(wish, planned, user('Make it Rome instead'))).calls).toMatchObject([
    { name: 'internet_search' },
  ]);
});

test('it is offered where its tools are', () => {
  expect(answer(turnOf(user('What can you do?'))).text).toMatch(/plan a trip from what the search finds/);
  expect(travel.needs).toEqual(['internet_search', 'scrape_website']);
});
