import { noUsage } from '../../../core/state/schemas';
import { summary } from '../../../test/support/page/rows';
import { listed, mergeInto, removed, withOpened } from './merge';
import { type Known, unknown, type VigilStore, vigilState } from './vigil-state';

const head = (id: string, version = 1) => ({
  kind: 'conversation' as const,
  row: {
    ...summary(id, { version }),
    usage: noUsage,
  },
});
const readingOf = (store: VigilStore, id: string) => store.getState().known.get(id)?.reading.is;

test('late rows and list entries of a deleted conversation change nothing', () => {
  const store = vigilState();
  mergeInto(store, 'a', [head('a')], true);
  expect([readingOf(store, 'a'), store.getState().list.has('a')]).toEqual(['ready', true]);
  removed(store, 'a');
  mergeInto(store, 'a', [head('a', 2)], true);
  listed(store, [summary('a', { version: 2 }), summary('b')]);
  expect([readingOf(store, 'a'), [...store.getState().list.keys()]]).toEqual(['gone', ['b']]);
  expect(store.getState().known.get('a')!.live.rows.size).toBe(0);
});

test('the conversations opened last are kept', () => {
  const ready: Known = { ...unknown, reading: { is: 'ready' } };
  const ids = Array.from({ length: 25 }, (_, index) => `c${index}`);
  const opened = ids.reduce<ReadonlyMap<string, Known>>((known, id) => {
    const kept = new Map(withOpened(known, id)).set(id, ready);
    return withOpened(kept, 'c0');
  }, new Map());
  expect([...opened.keys()]).toEqual([...ids.slice(-19), 'c0']);
  expect(opened.get('c24')).toBe(ready);
});

test('a missing conversation is requested again when it is opened, and remembered until then', () => {
  const gone: Known = { ...unknown, reading: { is: 'gone' } };
  let known: ReadonlyMap<string, Known> = new Map([['x', gone]]);
  for (let index = 0; index < 30; index++) known = withOpened(known, `c${index}`);
  expect(known.get('x')).toBe(gone);
  expect(withOpened(known, 'x').get('x')).toBe(unknown);
});
