import { loggedLines } from '../../test/support/logged';
import type { Fact } from './facts';
import { beginTelemetry } from './tell';

loggedLines();
const factOf = (id: string, error = '') => ({
  sequenceNumber: id,
  fact: { callId: id, failedAttempts: [{ error }] } as unknown as Fact,
});
const named = (name: string) => Object.assign(new Error(), { name });

test('what a batch has finished is told in one request, or in several if it is long (R239)', async () => {
  const told: number[] = [];
  const tell = async (facts: readonly Fact[]) => void told.push(facts.length);
  expect(await beginTelemetry(tell, [])).toEqual([]);
  expect(await beginTelemetry(tell, [factOf('1'), factOf('2')])).toEqual([]);
  expect(
    await beginTelemetry(
      tell,
      Array.from({ length: 40 }, (_, index) => factOf(String(index), 'x'.repeat(10_000))),
    ),
  ).toEqual([]);
  expect(told).toEqual([2, 14, 14, 12]);
});

test('what Telemetry was not told comes again, unless no retry can help; then the shard goes on (R239)', async () => {
  let times = 0;
  const tell = async () => {
    if (times++ === 1) throw named('TooManyRequestsException');
  };
  const long = ['1', '2'].map((id) => factOf(id, 'x'.repeat(149_900)));
  expect(await beginTelemetry(tell, long)).toEqual(['2']);
  expect(await beginTelemetry(() => Promise.reject(named('ResourceNotFoundException')), long)).toEqual([]);
});
