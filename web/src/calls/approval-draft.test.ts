import { formOf } from '../words/fields';
import { typedIn } from './approval-draft';

const fields = formOf({
  arguments: { amount_cents: 90_000, count: 2, to: 'Ada' },
  fields: [
    { name: 'amount_cents', label: 'amount', kind: 'money', text: '$900.00', currency: 'USD' },
    { name: 'count', label: 'count', kind: 'number', text: '2' },
    { name: 'to', label: 'to', kind: 'text', text: '"Ada"' },
  ],
  schema: { properties: { amount_cents: { type: 'integer' }, count: { type: 'number' }, to: { type: 'string' } } },
});
const typed = { amount_cents: '1,234', count: '1,234', to: 'Grace' };

test('numbers that were typed in another notation are dropped, words stay (R256)', () => {
  expect(typedIn({ typed, notation: 'de-DE' }, fields)).toEqual({ to: 'Grace' });
  expect(typedIn({ typed }, fields)).toEqual({ to: 'Grace' });
  expect(typedIn({ typed, notation: 'en-GB' }, fields)).toEqual(typed);
  expect(typedIn({}, fields)).toBeUndefined();
});
