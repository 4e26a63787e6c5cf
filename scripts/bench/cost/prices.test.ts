import { dollarsOf } from './prices';
import { millionModelCalls } from './waiting';

const nothing = { modelCalls: 0, transitions: 0, invocations: 0, gigabyteSeconds: 0, writeUnits: 0, readUnits: 0 };
const none = { ...nothing, events: 0, logBytes: 0 };

test('a conversation costs the sum of what its services cost', () => {
  const { all, ...by } = dollarsOf({ ...none, modelCalls: 2, transitions: 6, invocations: 9, writeUnits: 60 });
  expect(all).toBeCloseTo(Object.values(by).reduce((sum, one) => sum + one));
  expect(by.stepFunctions).toBeCloseTo(0.00015);
  // Two model calls of five seconds, in half a gigabyte.
  expect(by.lambda).toBeCloseTo(9 * 2e-7 + 5 * 0.0000133334);
  expect(by.dynamodb).toBeCloseTo(0.0000375);
});

test.each(['transitions', 'invocations', 'gigabyteSeconds', 'writeUnits', 'readUnits', 'events', 'logBytes'] as const)(
  'more %s cost more',
  (what) => {
    expect(dollarsOf({ ...none, [what]: 1_000 }).all).toBeGreaterThan(dollarsOf(none).all);
  },
);

test('a model that thinks for minutes costs by the second in a function, and hardly anything in the background (R201)', () => {
  const streamed = (seconds: number) => millionModelCalls(seconds, 'streamed');
  expect(streamed(120).lambda - streamed(30).lambda).toBeCloseTo(90 * 0.5 * 13.3334);
  expect(streamed(120).states).toBe(streamed(5).states);
  const hour = millionModelCalls(3_600, 'background');
  expect(hour.all).toBeLessThan(streamed(3_600).all / 5);
  expect(millionModelCalls(120, 'background').all).toBeLessThan(streamed(120).all);
});
