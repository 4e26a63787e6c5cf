import { plainFacts, plainText } from './plain-facts';

const now = Date.parse('2026-11-27T12:00:00Z');

test('arguments and results are lines of words, without JSON, ids, raw times and names of fields (R254)', () => {
  const given = {
    amount_cents: 90_000,
    dueAt: '2026-11-28T08:00:00Z',
    on: '2026-12-01',
    local: '2026-11-28T09:30',
    call_id: 'c1',
    id: 'x',
    runId: 'r',
    nothing: null,
    urgent: true,
    tags: ['rent', 'home'],
    loans: [
      { name: 'Car', left: 1_200 },
      { name: 'House', left: 0.5 },
    ],
  };
  expect(plainFacts(given, now)).toEqual([
    { label: 'Amount cents', text: '90,000' },
    { label: 'Due at', text: 'Sat 28 Nov, 08:00 UTC' },
    { label: 'On', text: 'Tue 1 Dec' },
    { label: 'Local', text: 'Sat 28 Nov, 09:30 UTC' },
    { label: 'Urgent', text: 'yes' },
    { label: 'Tags', text: 'rent, home' },
    { label: 'Loans', text: 'Name: Car · Left: 1,200\nName: House · Left: 0.5' },
  ]);
  expect(plainText('There is no timer x_1: call `list_timers`.')).toBe('There is no timer x 1: call list timers.');
  expect(plainFacts('Done.', now)).toEqual([{ label: '', text: 'Done.' }]);
  expect([undefined, null, '', {}, []].map((value) => plainFacts(value, now))).toEqual([[], [], [], [], []]);
});
