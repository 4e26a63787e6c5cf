import type { WaitingApproval } from 'vigil-client';
import { callback } from '../../../test/support/page/rows';
import { backAt, snoozedFrom, splitSnoozed, withoutSnoozed, withSnoozed } from './snoozed';

const hour = 3_600_000;
const now = Date.parse('2026-03-02T08:00:00Z');
const iso = (at: number) => new Date(at).toISOString();
const waits = (id: string, expiresAt = now + 48 * hour) =>
  ({ conversationId: 'c', callback: callback(id, { expiresAt: iso(expiresAt) }) }) as WaitingApproval;
const [rent, trip, parcel] = [waits('rent'), waits('trip', now + 3 * hour), waits('parcel', now + hour / 2)] as const;
const all = [rent, trip, parcel];

describe('what is put off (R253)', () => {
  test('comes back by itself, the next one first', () => {
    const snoozed = withSnoozed(withSnoozed(new Map(), [rent], now + 5 * hour, now), [trip], now + hour, now);
    const idsAt = (at: number) => {
      const { waiting, snoozed: off } = splitSnoozed(all, snoozed, at);
      return [waiting, off].map((some) => some.map(({ callback }) => callback.id));
    };
    expect(idsAt(now)).toEqual([['parcel'], ['trip', 'rent']]);
    expect(idsAt(now + hour)).toEqual([['trip', 'parcel'], ['rent']]);
    expect(idsAt(now + 5 * hour)).toEqual([['rent', 'trip', 'parcel'], []]);
  });

  test('comes back an hour before its end; what ends sooner is not put off', () => {
    expect(backAt(trip, now + 24 * hour, now)).toBe(now + 2 * hour);
    expect(backAt(parcel, now + 24 * hour, now)).toBeUndefined();
    expect([...withSnoozed(new Map(), all, now + 24 * hour, now).keys()]).toEqual(['rent', 'trip']);
  });

  test('is brought back, and forgotten when its time is over', () => {
    const snoozed = withSnoozed(new Map(), [rent, trip], now + hour, now);
    expect([...withoutSnoozed(snoozed, 'rent').keys()]).toEqual(['trip']);
    expect([...withSnoozed(snoozed, [], now + hour, now + 2 * hour).keys()]).toEqual([]);
  });

  test.each([[null], ['nonsense'], ['{}'], ['[1]'], ['[["a",1]]']])('stored as %j is nothing', (kept) => {
    expect([...snoozedFrom(kept)]).toEqual([]);
  });
  test('is read as it was stored', () => {
    expect([...snoozedFrom('[["rent","2026-03-02T09:00:00.000Z"]]')]).toEqual([['rent', '2026-03-02T09:00:00.000Z']]);
  });
});
