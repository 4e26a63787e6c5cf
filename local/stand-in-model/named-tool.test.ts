import { callNamed } from './named-tool';
import type { Turn } from './turn';

const text = { type: 'string' };
const tools = new Map<string, object>([
  ['hand_off_to_clerk', { properties: { reason: text }, required: ['reason'] }],
  ['opening_hours', { properties: { day: text }, required: ['day'] }],
  ['ticket_price', { properties: { show: text, seats: { type: 'integer' } }, required: ['show', 'seats'] }],
  ['refund', { properties: { ticket: text }, required: ['ticket'] }],
]);
const turn = (said: string, replies: Turn['replies'] = []): Turn => ({
  instructions: '',
  said,
  replies,
  tools,
  note: '',
  recent: [],
  due: [],
  calls: [],
  talk: [],
});

test.each([
  ['What are your opening hours on Monday?', [{ name: 'opening_hours', arguments: { day: 'Monday' } }]],
  ['Opening hours for "the Easter weekend"', [{ name: 'opening_hours', arguments: { day: 'the Easter weekend' } }]],
  ['What are your opening hours?', undefined],
  ['When are you open on Monday?', undefined],
  ['What is the ticket price of Hamlet?', undefined],
  ['I want a refund for T-1', undefined],
  ['Hand off to clerk for Ada', undefined],
])('"%s" calls %j', (said, calls) => {
  expect(callNamed(turn(said))?.calls).toEqual(calls);
});

test('a tool that was called is not called again', () => {
  expect(callNamed(turn('What are your opening hours on Monday?', [[]]))).toBeUndefined();
});
