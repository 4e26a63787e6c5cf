import type { Branch } from 'vigil-client/shared';
import { summary } from '../../../test/support/page/rows';
import { oneOfEach, versionsIn } from './branches';

let minute = 10;
const branch = (id: string, ...path: [string, number, string, number?][]): Branch => ({
  id,
  path: path.map(([of, at, by, seq = at]) => ({ of, at, by, seq })),
  createdAt: `2026-03-01T08:${minute++}:00.000Z`,
});

const root = branch('root');
const again = branch('again', ['root', 4, 'again']);
const third = branch('third', ['root', 4, 'third', 5]);
const deeper = branch('deeper', ['root', 4, 'again'], ['again', 8, 'deeper']);
const first = branch('first', ['root', 1, 'first']);
const all = [first, deeper, third, again, root];

test('each place with versions leads to the last begun conversation of each (R159)', () => {
  expect(Object.fromEntries(versionsIn(all, 'root'))).toEqual({
    1: { ids: ['root', 'first'], index: 0 },
    4: { ids: ['root', 'deeper', 'third'], index: 0 },
  });
  expect(Object.fromEntries(versionsIn(all, 'again'))).toEqual({
    // What it copied from the root is the root's version, also there.
    1: { ids: ['again', 'first'], index: 0 },
    4: { ids: ['root', 'again', 'third'], index: 1 },
    8: { ids: ['again', 'deeper'], index: 0 },
  });
  expect(Object.fromEntries(versionsIn(all, 'third'))).toEqual({
    1: { ids: ['third', 'first'], index: 0 },
    // Its own message is at another place.
    5: { ids: ['root', 'deeper', 'third'], index: 2 },
  });
  expect(Object.fromEntries(versionsIn(all, 'first'))).toEqual({ 1: { ids: ['deeper', 'first'], index: 1 } });
});

test('a deleted one leads nowhere; what was forked from it is still there (R159)', () => {
  expect(versionsIn([again, root], 'root')).toEqual(new Map([[4, { ids: ['root', 'again'], index: 0 }]]));
  expect(versionsIn([root], 'root').size).toBe(0);
  expect(versionsIn([deeper, root], 'root')).toEqual(new Map([[4, { ids: ['root', 'deeper'], index: 0 }]]));
  expect(versionsIn([again, third], 'third')).toEqual(new Map([[5, { ids: ['again', 'third'], index: 1 }]]));
  expect(versionsIn(all, 'unknown').size).toBe(0);
});

test('a list has one of each family: the one that waits for the user, else the last changed (R159)', () => {
  const one = (id: string, day: number, rest = {}) =>
    summary(id, { updatedAt: `2026-03-0${day}T08:00:00.000Z`, ...rest });
  const list = [one('c', 3, { rootId: 'a' }), one('b', 2), one('a', 1)];
  expect(oneOfEach(list).map(({ id }) => id)).toEqual(['c', 'b']);
  const waiting = [one('a', 1, { status: 'waiting' }), one('c', 3, { rootId: 'a' }), one('b', 2)];
  expect(oneOfEach(waiting).map(({ id }) => id)).toEqual(['a', 'b']);
});
