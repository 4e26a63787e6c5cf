import { QuietHours } from './notice-settings';
import { quietUntil } from './quiet-hours';

const berlin = 'Europe/Berlin';
const night = { from: '22:00', to: '07:00' };
const until = (hours: QuietHours, zone: string | undefined, at: string) =>
  quietUntil(hours, zone, new Date(at))?.toISOString();

test.each([
  ['before they begin', '2026-03-01T20:59:59Z', undefined],
  ['when they begin', '2026-03-01T21:00:00Z', '2026-03-02T06:00:00.000Z'],
  ['after midnight', '2026-03-02T02:30:00Z', '2026-03-02T06:00:00.000Z'],
  ['when they end', '2026-03-02T06:00:00Z', undefined],
  ['in the night in which summer time begins', '2026-03-28T22:00:00Z', '2026-03-29T05:00:00.000Z'],
  ['in the night in which it ends', '2026-10-24T21:00:00Z', '2026-10-25T06:00:00.000Z'],
])('quiet hours are by the user’s clock and may pass midnight: %s (R154, R153)', (_, at, expected) => {
  expect(until(night, berlin, at)).toBe(expected);
});

test('quiet hours within a day, and without a time zone in UTC (R154)', () => {
  const noon = { from: '12:00', to: '13:30' };
  expect(until(noon, undefined, '2026-03-01T12:10:00Z')).toBe('2026-03-01T13:30:00.000Z');
  expect(until(noon, undefined, '2026-03-01T13:30:00Z')).toBeUndefined();
  expect(quietUntil(undefined, berlin, new Date())).toBeUndefined();
});

test.each([
  [{ from: '24:00', to: '07:00' }, 'from', 'use hours and minutes such as 22:00'],
  [{ from: '22:00', to: '7:00' }, 'to', 'use hours and minutes such as 22:00'],
  [{ from: '22:00', to: '22:00' }, 'to', 'must differ from `from`'],
])('%j is refused, and the field named', (hours, field, message) => {
  expect(QuietHours.safeParse(hours).error!.issues).toMatchObject([{ path: [field], message }]);
});
