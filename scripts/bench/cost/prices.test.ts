import { dollarsOf, longestModelCall, millionStepsInExpress } from './prices';
import { millionModelCalls } from './waiting';

const nothing = { modelCalls: 0, transitions: 0, invocations: 0, gigabyteSeconds: 0, writeUnits: 0, readUnits: 0 };
const none = { ...nothing, expressRequests: 0, expressGigabyteSeconds: 0, events: 0, logBytes: 0 };

test('a conversation costs the sum of what its services cost', () => {
  const { all, ...by } = dollarsOf({ ...none, modelCalls: 2, transitions: 6, invocations: 9, writeUnits: 60 });
  expect(all).toBeCloseTo(Object.values(by).reduce((sum, one) => sum + one));
  expect(by.stepFunctions).toBeCloseTo(0.00015);
  // Two model calls of five seconds, in half a gigabyte.
  expect(by.lambda).toBeCloseTo(9 * 2e-7 + 5 * 0.0000133334);
  expect(by.dynamodb).toBeCloseTo(0.0000375);
});

test.each([
  'transitions',
  'expressRequests',
  'expressGigabyteSeconds',
  'invocations',
  'gigabyteSeconds',
  'writeUnits',
  'readUnits',
  'events',
  'logBytes',
] as const)('more %s cost more', (what) => {
  expect(dollarsOf({ ...none, [what]: 1_000 }).all).toBeGreaterThan(dollarsOf(none).all);
});

test('with Express executions, the time of the model costs by the second, and every four minutes another execution (R183)', () => {
  // Six calls of five seconds in 64 MB.
  expect(millionStepsInExpress(5, 5, 5)).toBeCloseTo(5 + ((6 * 5 * 0.0625 * 0.00001667) / 5) * 1e6);
  // 201 calls: 1,005 seconds, so four more executions of four transitions and a request.
  const [time, more] = [1_005 * 0.0625 * 0.00001667, 4 * (4 * 0.000025 + 0.000001)];
  expect(millionStepsInExpress(0.4, 200, 5)).toBeCloseTo(0.4 + ((time + more) / 200) * 1e6);
});

test('the longest model call within a price is that with which the price just holds', () => {
  for (const [measured, steps] of [
    [5.45, 5],
    [0.43, 200],
  ] as const) {
    const longest = longestModelCall(measured, steps, 10)!;
    expect(millionStepsInExpress(measured, steps, longest)).toBeLessThanOrEqual(10);
    expect(millionStepsInExpress(measured, steps, longest + 0.1)).toBeGreaterThan(10);
  }
  expect(longestModelCall(11, 5, 10)).toBeUndefined();
});

test('a model that thinks for minutes costs by the second in a function, and hardly anything in the background (R201)', () => {
  const streamed = (seconds: number) => millionModelCalls(seconds, 'standard');
  expect(streamed(120).lambda - streamed(30).lambda).toBeCloseTo(90 * 0.5 * 13.3334);
  expect(streamed(120).states).toBe(streamed(5).states);
  const hour = millionModelCalls(3_600, 'background');
  expect(hour.all).toBeLessThan(streamed(3_600).all / 5);
  expect(millionModelCalls(120, 'background').all).toBeLessThan(streamed(120).all);
  expect(millionModelCalls(120, 'express').states).toBeGreaterThan(millionModelCalls(5, 'express').states);
});
