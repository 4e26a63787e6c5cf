import { compare as compareFor, differences } from './compare';
import { normalise, type Outcome } from './outcome';

const clean = { facts: ['message: "a"', 'message: "b"', 'call: "hit"'], requests: ['[1]', '[2]'], conversations: 1 };
const nothing = { lost: [], doubled: [] };
const compare = (one: Outcome, other: Outcome) => compareFor(one, other, 1);

test('the same is the same, and a request that was in flight may be made again', () => {
  expect(compare(clean, clean)).toEqual(nothing);
  expect(compare(clean, { ...clean, requests: ['[1]', '[2]', '[2]'] })).toEqual(nothing);
});

test('what is missing is lost, what is there twice is doubled, what is changed is both', () => {
  expect(compare(clean, { ...clean, facts: ['message: "a"', 'call: "hit"'] })).toMatchObject({
    lost: ['message: "b"'],
  });
  expect(compare(clean, { ...clean, facts: [...clean.facts, 'call: "hit"'] })).toMatchObject({
    doubled: ['call: "hit"'],
  });
  const changed = compare(clean, { ...clean, facts: ['message: "a"', 'message: "c"', 'call: "hit"'] });
  expect(changed).toEqual({ lost: ['message: "b"'], doubled: ['message: "c"'] });
});

test('where no process died, no request to the model is made again', () => {
  expect(compareFor(clean, clean, 0)).toEqual(nothing);
  const again = { ...clean, requests: ['[1]', '[2]', '[2]'] };
  expect(compareFor(clean, again, 0).doubled).not.toEqual([]);
});

test('the order counts', () => {
  expect(compare(clean, { ...clean, facts: clean.facts.toReversed() }).lost[0]).toMatch(/^the order/);
});

test.each([
  ['twice more', ['[1]', '[2]', '[2]', '[2]']],
  ['once more each', ['[1]', '[1]', '[2]', '[2]']],
  ['unlike any before', ['[1]', '[2]', '[3]']],
])('requests to the model that were made %s are doubled', (_how, requests) => {
  expect(compare(clean, { ...clean, requests }).doubled).not.toEqual([]);
});

test('a search and a page that were in flight together may both be asked for again, once', () => {
  const reads = ['a search for Kyoto', 'a look at https://kyoto.example/'];
  const before = { ...clean, requests: [...clean.requests, ...reads] };
  const again = (...more: string[]) => compare(before, { ...before, requests: [...before.requests, ...more] });
  expect(again(...reads)).toEqual(nothing);
  expect(again(...reads, reads[0]!).doubled).toHaveLength(1);
});

test('times, ids and ports are the same in every run', () => {
  const text = (time: string, id: string, port: number) => `at ${time} ${id} http://127.0.0.1:${port}/a`;
  const one = text('2026-01-02T03:04:05.678Z', `r_${'a'.repeat(32)}-1-0`, 4000);
  expect(normalise(one)).toBe(normalise(text('2027-11-12T13:14:15Z', `r_${'0'.repeat(32)}-1-0`, 51234)));
});

test('books balance if each fact is there as often as without trouble (R263)', () => {
  expect(differences(['a', 'b', 'a', 'b'], ['b', 'a', 'b', 'a'])).toEqual([]);
  expect(differences(['a', 'a', 'b'], ['a', 'b', 'b', 'c'])).toEqual(['1 fewer: a', '1 more: b', '1 more: c']);
});
