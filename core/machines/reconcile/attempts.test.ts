import { shipped } from '../../../agents';
import { attemptsIn } from './attempts';
import type { HistoryEvent } from './history';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 8, 0, second));
let events: HistoryEvent[];
beforeEach(() => {
  events = [{ id: 1, previousEventId: 0, type: 'ExecutionStarted', timestamp: at(0) }];
});
/** Adds an event after another one, by default the last. */
function happens(type: string, more: Partial<HistoryEvent> = {}): number {
  const last = events.at(-1)!.id!;
  events.push({ id: last + 1, previousEventId: last, type, timestamp: at(last), ...more });
  return last + 1;
}
const enters = (name: string, input: object = {}, previousEventId = 1) =>
  happens('TaskStateEntered', { previousEventId, stateEnteredEventDetails: { name, input: JSON.stringify(input) } });
const begins = (previousEventId?: number) => happens('TaskScheduled', previousEventId ? { previousEventId } : {});
const fails = (error: string, previousEventId?: number) =>
  happens('TaskFailed', { taskFailedEventDetails: { error }, ...(previousEventId && { previousEventId }) });
const read = () => attemptsIn([...events].reverse(), shipped.tools);

describe('what Step Functions knows of a run', () => {
  test.each<[string, number, RegExp]>([
    ['Runtime.ExitError', 2, /failed before it could say why/],
    ['Lambda.Unknown', 2, /failed before/],
    ['Sandbox.Timedout', 2, /did not answer in time/],
    ['States.Timeout', 2, /did not answer in time/],
    ['Lambda.TooManyRequestsException', 2, /AWS had no capacity/],
    ['<script>alert(1)</script>', 2, /\(scriptalert1script\)/],
  ])('%s: the reason, and when the next attempt begins (R197)', (error, seconds, words) => {
    enters('CallModel');
    begins();
    const id = fails(error);
    const [attempt] = read().attempts;
    expect(attempt).toMatchObject({ attempt: 2, failed: { attempt: 1, error: expect.stringMatching(words) } });
    expect(attempt).not.toHaveProperty('startedAt');
    expect(Date.parse(attempt!.failed!.retryBy!) - at(id - 1).getTime()).toBe(seconds * 1_000);
    begins();
    expect(read().attempts).toMatchObject([{ attempt: 2, startedAt: expect.any(String), failed: { attempt: 1 } }]);
    expect(read().attempts[0]!.failed!.retryBy).toBeUndefined();
  });

  test('the pauses grow, each retrier counts its own errors, and none follows the last attempt (R197)', () => {
    enters('CallModel');
    const pause = (error: string) => {
      begins();
      const id = fails(error);
      const { retryBy } = read().attempts[0]!.failed!;
      return retryBy && (Date.parse(retryBy) - at(id - 1).getTime()) / 1_000;
    };
    expect(['A', 'Throttled', 'A', 'Throttled', 'A', 'A', 'A', 'A'].map(pause)).toEqual([2, 2, 4, 4, 8, 16, 32, 60]);
    expect(pause('A')).toBeUndefined();
  });

  test('the choice of what is undone next is made again for a day (R197)', () => {
    enters('NextUndo', { call: { callId: 'a' } });
    for (let failures = 0; failures < 12; failures++) {
      begins();
      fails('Lambda.Unknown');
    }
    const [{ callId, failed }] = read().attempts as [ReturnType<typeof read>['attempts'][0]];
    expect(callId).toBeUndefined();
    expect(Date.parse(failed!.retryBy!) - Date.parse(failed!.endedAt!)).toBe(3_600_000);
  });

  test('the words of an error of Vigil’s own are told, and those of no other (R197)', () => {
    enters('CallModel');
    begins();
    const words = (error: string, cause: string) => {
      happens('TaskFailed', { previousEventId: 3, taskFailedEventDetails: { error, cause } });
      return read().attempts[0]!.failed!.error;
    };
    const quoted = JSON.stringify({ errorMessage: 'The table is busy.' });
    expect(words('ConfigurationError', quoted)).toBe('The table is busy.');
    expect(words('ConfigurationError', 'no JSON')).toBe('The function failed (ConfigurationError).');
    expect(words('TypeError', quoted)).toBe('The function failed before it could say why (TypeError).');
  });

  // On AWS, a redriven Task may be scheduled again without being entered.
  test('after a redrive, what is scheduled again is the state that had failed (R197)', () => {
    enters('CallModel');
    begins();
    fails('Lambda.Unknown');
    happens('ExecutionFailed');
    happens('ExecutionRedriven');
    expect(read()).toEqual({ execution: 'running', attempts: [] });
    begins();
    expect(read().attempts).toEqual([{ state: 'CallModel', attempt: 1, startedAt: expect.any(String) }]);
  });

  test('events whose state is not among the latest are left out (R197)', () => {
    enters('CallModel');
    begins();
    fails('A');
    events = events.slice(2);
    expect(read()).toEqual({ execution: 'running', attempts: [] });
  });
});
