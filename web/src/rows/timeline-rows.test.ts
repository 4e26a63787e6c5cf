import type { Callback } from 'vigil-client';
import type { Call, TimelineEntry, TimelineRun } from 'vigil-client/shared';
import { rowsById, timelineRows } from './timeline-rows';

const at = (second: number) => new Date(Date.UTC(2026, 10, 20) + second * 1_000).toISOString();
const ms = (second: number) => Date.parse(at(second));
const now = ms(100);
const rowsOf = (rows: Partial<Parameters<typeof rowsById>[0]>) =>
  rowsById({ messages: [], calls: [], callbacks: [], ...rows });
const noRows = rowsOf({});

const entryOf = (entry: Partial<TimelineEntry>): TimelineEntry => ({
  kind: 'tool',
  id: 'c1',
  step: 1,
  name: 'pay',
  status: 'completed',
  startedAt: at(0),
  ...entry,
});
const runOf = (entry: Partial<TimelineEntry>, endedAt?: string) =>
  ({ id: 'r', entries: [entryOf(entry)], endedAt }) as TimelineRun;
const callOf = (call: Partial<Call>) => ({ id: 'c1', createdAt: at(0), ...call }) as Call;

test('an entry in progress reaches until now', () => {
  const [row] = timelineRows(runOf({ status: 'running', startedAt: at(90) }), noRows, now);
  expect(row!.bars).toEqual([{ kind: 'tool', from: ms(90), to: now, open: true, works: true }]);
  expect(row!.tookMs).toBe(10_000);
});

test('the bar of a sleep reaches until the wake-up, its duration until now', () => {
  const calls = [callOf({ until: at(5_000) })];
  const [row] = timelineRows(runOf({ kind: 'wait', status: 'waiting' }), rowsOf({ calls }), now);
  expect(row!.bars).toEqual([{ kind: 'wait', from: ms(0), to: ms(5_000), open: true, works: false }]);
  expect(row!.tookMs).toBe(100_000);
});

test('an approved call waited for the decision, then ran', () => {
  const calls = [callOf({ startedAt: at(60), callbackId: 'k' })];
  const callbacks = [{ id: 'k', kind: 'approval' } as Callback];
  const entry = { kind: 'callback', startedAt: at(60), endedAt: at(61) } as const;
  const [row] = timelineRows(runOf(entry), rowsOf({ calls, callbacks }), now);
  expect(row!.bars).toEqual([
    { kind: 'callback', from: ms(0), to: ms(60), open: false, works: false },
    { kind: 'tool', from: ms(60), to: ms(61), open: false, works: true },
  ]);
});

test('an entry cut off by the end of its run is not in progress', () => {
  const [row] = timelineRows(runOf({ status: 'running' }, at(7)), noRows, now);
  expect(row!.bars[0]).toMatchObject({ open: false });
  expect(row!.tookMs).toBeUndefined();
});

test('a question was answered when the next entry began', () => {
  const asked = entryOf({ kind: 'callback', name: 'question', status: 'answered' });
  const run = { ...runOf({}), entries: [asked, entryOf({ kind: 'model', startedAt: at(30) })] };
  expect(timelineRows(run, noRows, now)[0]).toMatchObject({ tookMs: 30_000, bars: [{ to: ms(30), open: false }] });
});

test('entries are named by their kind', () => {
  const label = (entry: Partial<TimelineEntry>) => timelineRows(runOf(entry), noRows, now)[0]!.label;
  expect(label({ kind: 'model', name: 'reminder' })).toBe('Model · reminder');
  expect(label({ kind: 'hand-off', name: 'hand_off_to_account_manager' })).toBe('To account-manager');
  expect(label({ kind: 'callback', name: 'question' })).toBe('Asks you');
  expect(label({ name: 'pay' })).toBe('pay');
});

test('a long run has its last entries, each with its successor', () => {
  const asked = entryOf({ id: 'c2', kind: 'callback', name: 'question', status: 'answered', startedAt: at(5) });
  const run = { ...runOf({}), entries: [entryOf({}), asked, entryOf({ id: 'c3', kind: 'model', startedAt: at(30) })] };
  const rows = timelineRows(run, noRows, now, 2);
  expect(rows.map(({ entry }) => entry.id)).toEqual(['c2', 'c3']);
  expect(rows[0]!.tookMs).toBe(25_000);
});
