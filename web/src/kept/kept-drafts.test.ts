import { draftsFrom, withChanges, withoutDraftsOf } from './kept-drafts';

test('a draft is kept until it is sent; those of another tab stay (R160)', () => {
  const kept = new Map([['a', 'Of another tab']]);
  const both = withChanges(kept, new Map([['b', 'Half a']]), ['b']);
  expect([...both]).toEqual([
    ['a', 'Of another tab'],
    ['b', 'Half a'],
  ]);
  expect([...withChanges(both, new Map(), ['b'])]).toEqual([['a', 'Of another tab']]);
  expect(draftsFrom(JSON.stringify([...both]))).toEqual(both);
});

test('if all are too large, the latest are kept; a broken store is none', () => {
  const large = 'x'.repeat(150_000);
  let kept: ReturnType<typeof withChanges> = new Map();
  for (const place of ['a', 'b', 'c']) kept = withChanges(kept, new Map([[place, large]]), [place]);
  expect([...kept.keys()]).toEqual(['b', 'c']);
  expect(draftsFrom('{"a"').size).toBe(0);
  expect(draftsFrom('{}').size).toBe(0);
});

test('the drafts of a deleted conversation go with it', () => {
  const drafts = new Map([
    ['a', '1'],
    ['a callback', '2'],
    ['ab', '3'],
  ]);
  expect([...withoutDraftsOf(drafts, 'a').keys()]).toEqual(['ab']);
  expect(withoutDraftsOf(drafts, 'c')).toBe(drafts);
});
