import { call, callback, message } from '../../../test/support/page/rows';
import { canRetry } from '../rows/list';
import { hasDone, machineState } from '../rows/run-words';
import { tomorrowAt } from '../state/clock';
import { newWords } from './announce';
import { readable } from './rule-words';
import { count, countdown, dollars, inUtc, moment, span, standing, timesIn } from './words';

const now = Date.parse('2026-03-01T08:00:00Z');

test('a moment names its day unless it is today, and its year unless it is this one', () => {
  expect(moment('2026-03-01T09:30:00Z', now)).toBe('09:30 UTC');
  expect(moment('2026-03-02T09:30:00Z', now)).toBe('Mon 2 Mar, 09:30 UTC');
  expect(moment('2027-03-02T09:30:00Z', now)).toBe('Tue 2 Mar 2027, 09:30 UTC');
});

test('a moment is told in the reader’s time zone, without its name, and in UTC on hover (R153)', () => {
  const newYork = timesIn('America/New_York');
  expect(newYork.moment('2026-03-01T13:00:00Z', now)).toBe('08:00');
  expect(newYork.moment('2026-03-09T12:00:00Z', now)).toBe('Mon 9 Mar, 08:00');
  expect(newYork.moment('2026-03-01T03:00:00Z', now)).toBe('Sat 28 Feb, 22:00');
  expect(newYork.isSameDay(Date.parse('2026-03-02T04:59:00Z'), Date.parse('2026-03-01T05:00:00Z'))).toBe(true);
  expect(inUtc('2026-03-01T13:00:00Z')).toBe('1 Mar 2026, 13:00 UTC');
});

test('times in a note are told as moments, whatever their time zone (R153)', () => {
  expect(
    readable('⏰ Due at 2026-03-02T09:30:00+01:00[Europe/Berlin], as arranged at 2026-03-01T08:00:00.000Z: Tea', now),
  ).toBe('Due at Mon 2 Mar, 08:30 UTC, as arranged at 08:00 UTC: Tea');
});

test.each([
  [0, '0 s'],
  [900, '0 s'],
  [12_400, '12 s'],
  [4 * 60_000 + 59_000, '4 min'],
  [71_220_000, '19 h 47 min'],
  [3_600_000, '1 h'],
  [3 * 86_400_000 + 4 * 3_600_000, '3 d 4 h'],
  [-5, '0 s'],
])('%d ms still take %s (R255)', (ms, words) => expect(countdown(ms)).toBe(words));

test.each([
  ['0 9 * * 1 UTC', 'Mon 9:00 weekly'],
  ['0 9 * * MON Europe/Berlin', 'Mon 9:00 weekly (Europe/Berlin)'],
  ['every 3600 seconds', 'every hour'],
  ['0 9 1 * 1', '0 9 1 * 1'],
])('the rule (%s) of a timer that is due is told as %s (R153)', (rule, words) => {
  const note = `🔁 Due at 2026-03-01T09:00:00Z (${rule}): Send invoices (at least two). (3 more of its times have passed.)`;
  expect(readable(note, now)).toBe(
    `Due at 09:00 UTC, ${words}: Send invoices (at least two). (3 more of its times have passed.)`,
  );
});

test.each([
  [26, '26 ms'],
  [300, '0.3 s'],
  [4_000, '4 s'],
  [240_000, '4 min'],
  [72_000_000, '20 h'],
  [36 * 3_600_000, '36 h'],
  [7 * 86_400_000 - 1_000, '7 d'],
])('%d ms is %s', (ms, words) => expect(span(ms)).toBe(words));

test('money and tokens', () => {
  expect([0, 14, 14_300, 1_230_000].map(dollars)).toEqual(['$0', 'under $0.0001', '$0.0143', '$1.23']);
  expect([12, 6_100, 12_345, 2_000_000].map(count)).toEqual(['12', '6.1k', '12k', '2.0M']);
});

test('a conversation shows what it waits for (R57)', () => {
  expect(standing({ status: 'sleeping', until: '2026-03-02T08:00:00Z' }, now)).toBe(
    'asleep until Mon 2 Mar, 08:00 UTC',
  );
  expect(standing({ status: 'sleeping', until: '2026-03-01T07:59:00Z' }, now)).toBe('waking up');
  expect(standing({ status: 'waiting' }, now)).toBe('waiting for you');
});

const run = (status: 'running' | 'waiting') => ({
  id: 'r',
  status,
  agent: 'travel',
  segment: 1,
  step: 1,
  usage: { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, costMicrodollars: 0 },
});

test('the state has its name in the state machine (R92)', () => {
  const at = (rest: Partial<Parameters<typeof machineState>[0]>) =>
    machineState({ run: run('running'), calls: [], callbacks: [], ...rest }, now)?.state;
  expect(at({})).toBe('CallModel');
  expect(at({ calls: [call('a', { status: 'running' })] })).toBe('internet_search');
  expect(at({ calls: [call('a', { status: 'running' }), call('b', { status: 'queued' })] })).toBe('RunTools');
  expect(at({ run: run('waiting'), callbacks: [callback('a')] })).toBe('AwaitCallback');
  expect(at({ run: undefined })).toBeUndefined();
});

test('a failed or limited run can be retried, and undone if it began anything', () => {
  expect((['failed', 'limited', 'cancelled', 'done'] as const).filter((status) => canRetry({ status }))).toEqual([
    'failed',
    'limited',
  ]);
  expect(hasDone([call('a', { attempts: 0, status: 'waiting' })])).toBe(false);
  expect(hasDone([call('a', { attempts: 0, kind: 'delegate' })])).toBe(true);
  expect(hasDone([call('a', { attempts: 1 })])).toBe(true);
});

test('a run that waits for another agent or an outside system does not wait for you', () => {
  expect(standing({ status: 'waiting', waitsFor: 'agent' }, now)).toBe('waiting for another agent');
  expect(standing({ status: 'waiting', waitsFor: 'outside' }, now)).toBe('waiting for an outside system');
});

test('a screen reader hears the author once, then only new words', () => {
  expect(newWords(message(2, { text: 'One.' }), { seq: 1, length: 9 })).toBe('travel: One.');
  expect(newWords(message(2, { text: 'One. Two.' }), { seq: 2, length: 4 })).toBe('Two.');
  expect(newWords(message(2, { text: 'One.' }), { seq: 2, length: 0 })).toBe('travel: One.');
  expect(newWords(message(3, { role: 'user' }), { seq: 2, length: 0 })).toBe('');
});

test('tomorrow at 8 is counted from the moved clock’s day', () => {
  expect(tomorrowAt(8, Date.parse('2026-03-31T23:59:00Z'))).toBe('2026-04-01T08:00:00.000Z');
});
