import { crashPoints, evenly } from './sweep';

test('a function crashes alone or with the cloud, elsewhere the cloud dies', () => {
  const points = crashPoints({
    boundaries: [
      { function: 'Api', nth: 2, at: 'after' },
      { transition: 3, record: 'start', at: 'before' },
    ],
    requests: [{ kind: 'kill', request: 'model', nth: 1 }],
    writes: [],
  });
  expect(points).toEqual([
    { function: 'Api', nth: 2, at: 'after', kind: 'crash' },
    { function: 'Api', nth: 2, at: 'after', kind: 'kill' },
    { transition: 3, record: 'start', at: 'before', kind: 'kill' },
    { kind: 'kill', request: 'model', nth: 1 },
  ]);
});

test('each write suffers each fate, the long one at the first and the last write of a shape', () => {
  const writes = [1, 2, 3].map((nth) => ({ write: 'UpdateItem META', nth }));
  const points = crashPoints({ boundaries: [], requests: [], writes });
  const nths = (kind: string) => points.flatMap((point) => (point.kind === kind && 'nth' in point ? [point.nth] : []));
  expect(['error-500', 'lost', 'errors-500', 'only-500'].map(nths)).toEqual([
    [1, 2, 3],
    [1, 2, 3],
    [1, 2, 3],
    [1, 3],
  ]);
});

test('a sample is spread evenly, the same every time, and never more than there is', () => {
  const all = Array.from({ length: 100 }, (_, index) => index);
  expect(evenly(all, 4)).toEqual([12, 37, 62, 87]);
  expect(evenly([1, 2], 5)).toEqual([1, 2]);
  expect(evenly(all)).toEqual(all);
});
