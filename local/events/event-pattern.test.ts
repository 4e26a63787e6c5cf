import { assertPattern, matchesEvent, type Pattern } from './event-pattern';

const event = {
  source: 'aws.states',
  detail: { status: 'FAILED', count: 5, tags: ['a', 'b'], name: 'Order-7', nested: [{ kind: 'x' }, { kind: 'y' }] },
};

test.each<[string, Pattern, boolean]>([
  ['an exact value', { source: ['aws.states'] }, true],
  ['another value', { source: ['aws.s3'] }, false],
  ['one of several values', { detail: { status: ['ABORTED', 'FAILED'] } }, true],
  ['a list that holds the value', { detail: { tags: ['b'] } }, true],
  ['a list of objects', { detail: { nested: { kind: ['y'] } } }, true],
  ['prefix', { detail: { name: [{ prefix: 'Order-' }] } }, true],
  ['prefix without case', { detail: { name: [{ prefix: { 'equals-ignore-case': 'order' } }] } }, true],
  ['suffix', { detail: { name: [{ suffix: '-7' }] } }, true],
  ['suffix that is not there', { detail: { name: [{ suffix: '-8' }] } }, false],
  ['wildcard', { detail: { name: [{ wildcard: 'Or*-7' }] } }, true],
  ['wildcard of another end', { detail: { name: [{ wildcard: 'Or*-8' }] } }, false],
  ['equals-ignore-case', { detail: { status: [{ 'equals-ignore-case': 'failed' }] } }, true],
  ['anything-but', { detail: { status: [{ 'anything-but': ['ABORTED'] }] } }, true],
  ['anything-but of that value', { detail: { status: [{ 'anything-but': 'FAILED' }] } }, false],
  ['anything-but a prefix', { detail: { status: [{ 'anything-but': { prefix: 'FA' } }] } }, false],
  ['numeric', { detail: { count: [{ numeric: ['>', 1, '<=', 5] }] } }, true],
  ['numeric out of range', { detail: { count: [{ numeric: ['>', 5] }] } }, false],
  ['exists', { detail: { status: [{ exists: true }] } }, true],
  ['exists of what is not there', { detail: { reason: [{ exists: true }] } }, false],
  ['exists: false', { detail: { reason: [{ exists: false }] } }, true],
  ['exists: false below what is not there', { other: { reason: [{ exists: false }] } }, true],
  ['$or', { $or: [{ source: ['aws.s3'] }, { detail: { count: [5] } }] }, true],
  ['all fields together', { source: ['aws.states'], detail: { status: ['SUCCEEDED'] } }, false],
])('%s', (_name, pattern, expected) => {
  expect(matchesEvent(pattern, event)).toBe(expected);
});

test('an operator that is not in the table is named', () => {
  expect(() => assertPattern({ detail: { ip: [{ cidr: '10.0.0.0/8' }] } }, 'Rule')).toThrow('operator cidr (Rule)');
});
