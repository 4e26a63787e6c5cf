import type { Callback } from 'vigil-client';
import { limitsIn, limitWords, standingForm } from './standing';

const callback = {
  arguments: { to: 'Ada', amount_cents: 90_000, purpose: 'rent' },
  fields: [{ name: 'amount_cents', label: 'Amount', kind: 'money', text: '$900.00', currency: 'USD' }],
  standing: { mayDiffer: ['purpose'], money: { amount_cents: 'USD' }, mostCalls: 12, mostDays: 90 },
} as unknown as Callback;

test('what is allowed for later is entered in the reader’s units, within what the tool allows (R252)', () => {
  expect(standingForm(callback).map(({ label, text }) => [label, text])).toEqual([
    ['How many', '3'],
    ['For so many days', '90'],
    ['Amount, at most', '900.00'],
    ['Amount, in all', '2700.00'],
  ]);
  expect(limitsIn(callback, {})).toEqual({
    calls: 3,
    days: 90,
    money: { amount_cents: { perCall: 90_000, inAll: 270_000 } },
  });
  expect(limitsIn(callback, { calls: '12', 'inAll amount_cents': '10,800' })).toEqual({
    calls: 12,
    days: 90,
    money: { amount_cents: { perCall: 90_000, inAll: 1_080_000 } },
  });
  for (const [name, text] of Object.entries({ calls: '13', days: '0', 'perCall amount_cents': '' }))
    expect(limitsIn(callback, { [name]: text })).toBeUndefined();
});

test('without money, there are the number and the days alone (R252)', () => {
  const standing = { mayDiffer: [], mostCalls: 2, mostDays: 30 };
  expect(limitsIn({ ...callback, standing }, {})).toEqual({ calls: 2, days: 30 });
});

test('what is allowed says what is used of it (R252)', () => {
  const use = (cents: number) => ({ conversationId: 'c', callId: 'x', at: '', amounts: { amount_cents: cents } });
  const approval = {
    calls: 3,
    uses: [use(90_000), use(10_050)],
    money: { amount_cents: { perCall: 90_000, inAll: 270_000, currency: 'USD' } },
  };
  expect(limitWords(approval as never)).toBe('at most $900.00 each, $1,000.50 of $2,700.00 used · 2 of 3 calls made');
  expect(limitWords({ calls: 1, uses: [] } as never)).toBe('0 of 1 call made');
});
