import { answer } from './skills';
import { expressionIn } from './skills/team';
import type { PastCall, Turn } from './turn';

// The chat team as the stand-in plays it: who hands to whom, and that nothing goes round in circles.

const host = ['remember', 'recall', 'reminder', 'bank', 'travel', 'calculator', 'researcher'].map((name, index) =>
  index < 2 ? name : `hand_off_to_${name}`,
);
const turn = (said: string, tools: string[], callsSince: PastCall[] = []): Turn => ({
  ...{ instructions: '', tools, said, callsSince, calls: callsSince, talk: [{ by: 'user', text: said }] },
  happenings: [{ said }],
});
const done = (name: string, result = '{}'): PastCall => ({ name, arguments: {}, result, failed: false });
const next = (...given: Parameters<typeof turn>) => answer(turn(...given)).calls?.[0]?.name;

test.each([
  ['What is 12 % of 340?', 'hand_off_to_calculator'],
  ['2 * (3 + 4)', 'hand_off_to_calculator'],
  ['Remind me tomorrow to water the plants', 'hand_off_to_reminder'],
  ['What is my balance?', 'hand_off_to_bank'],
  ['Plan a trip to Kyoto', 'hand_off_to_travel'],
  ['Tell me about Lisbon', 'hand_off_to_researcher'],
  ['Remember that I am vegetarian', 'remember'],
  ['What do you know about me?', 'recall'],
])('the host sends "%s" to %s', (said, tool) => {
  expect(next(said, host)).toBe(tool);
});

test('what came back is not sent there again', () => {
  const back = [done('hand_off_to_researcher'), done('hand_off_to_chat')];
  expect(next('Tell me about Lisbon', host, back)).toBeUndefined();
});

test('a specialist hands back what is not its own, and says nothing to it', () => {
  expect(next('Tell me about Lisbon', ['run_code', 'hand_off_to_chat'])).toBe('hand_off_to_chat');
  expect(next('What is 2 + 2?', ['run_code', 'hand_off_to_chat'])).toBe('run_code');
  expect(answer(turn('What is 2 + 2?', ['run_code'], [done('run_code', '{"value":4,"printed":[]}')])).text).toBe(
    'It is 4.',
  );
});

test.each([
  ['What is 5 percent on 1000?', '5 / 100 * 1000'],
  ['3 × 4 ÷ 2', '3 * 4 / 2'],
  ['2^10, please', '2**10'],
  ['On 2026-03-01', undefined],
  ['Call me at 8', undefined],
])('in "%s" there is %s to reckon', (said, expression) => {
  expect(expressionIn(said)).toBe(expression);
});
