import type { Call, Callback, Run } from 'vigil-client/shared';
import { machinePlaces } from './machine-places';

const runOf = (status: Run['status']) => ({ id: 'r', status }) as Run;
let count = 0;
const callOf = (call: Partial<Call>) =>
  ({
    id: `c${count++}`,
    runId: 'r',
    step: 1,
    index: 0,
    tool: 'pay',
    status: 'completed',
    attempts: 1,
    ...call,
  }) as Call;
const placesOf = (status: Run['status'], ...calls: Call[]) =>
  machinePlaces({ run: runOf(status), calls, callbacks: [] })!;
const woken = callOf({ step: 1, tool: 'schedule', until: '2026-11-21T08:00:00.000Z', attempts: 0 });

test('without a run there is no place', () => {
  expect(machinePlaces({ calls: [], callbacks: [] })).toBeUndefined();
});

test('a run begins with the model', () => {
  expect(placesOf('running')).toMatchObject({ lit: 'CallModel', visited: new Set(['CallModel']), end: 'Done' });
});

test('one running tool is the tool’s state, several are RunTools', () => {
  const one = callOf({ status: 'running' });
  expect(placesOf('running', one)).toMatchObject({ lit: 'tool', tool: 'pay' });
  expect(placesOf('running', one, callOf({ index: 1, status: 'queued' })).lit).toBe('RunTools');
});

test('once its tools are done the model is called again', () => {
  const { lit, visited } = placesOf('running', callOf({}));
  expect(lit).toBe('CallModel');
  expect([...visited]).toEqual(['CallModel', 'Route', 'tool']);
});

test('a run whose model does not answer is in Sleep, one whose reply is made in the background in AwaitCallback', () => {
  const modelWait = { model: 'm', since: '2026-11-21T08:00:00.000Z', reason: 'x', nextAt: '2026-11-21T08:01:00.000Z' };
  const run = { ...runOf('running'), modelWait } as Run;
  const callback = { kind: 'model', status: 'pending', runId: 'r' } as Callback;
  const litOf = (...callbacks: Callback[]) => machinePlaces({ run, calls: [], callbacks })!.lit;
  expect(litOf()).toBe('Sleep');
  expect(litOf(callback)).toBe('AwaitCallback');
  expect(litOf({ ...callback, status: 'answered' }, { ...callback, runId: 'before' })).toBe('Sleep');
  expect([...machinePlaces({ run, calls: [], callbacks: [callback] })!.visited]).toContain('Route');
});

test('a sleeping run is in Sleep; after it wakes, it has been there', () => {
  expect(placesOf('sleeping', { ...woken, status: 'waiting' }).lit).toBe('Sleep');
  const { visited } = placesOf('done', woken, callOf({ step: 2, tool: 'reminder' }));
  expect(visited).toEqual(new Set(['CallModel', 'Route', 'Sleep', 'tool', 'End']));
});

test('one approval waits in AwaitCallback, several in RunTools; once approved, the tool has run', () => {
  const asked = callOf({ status: 'waiting', attempts: 0, callbackId: 'k' });
  expect(placesOf('waiting', asked)).toMatchObject({ lit: 'AwaitCallback' });
  expect(placesOf('waiting', asked).visited.has('tool')).toBe(false);
  expect(placesOf('waiting', asked, { ...asked, id: 'other', index: 1 }).lit).toBe('RunTools');
  expect([...placesOf('done', callOf({ callbackId: 'k' })).visited]).toContain('tool');
});

test('a hand-off has no state of its own', () => {
  expect(placesOf('done', callOf({ tool: 'hand_off_to_bank' })).visited).toEqual(
    new Set(['CallModel', 'Route', 'End']),
  );
});

test('the end is named by how the run ended', () => {
  const endOf = (status: Run['status']) => [placesOf(status).lit, placesOf(status).end];
  expect(endOf('done')).toEqual(['End', 'Done']);
  expect(endOf('limited')).toEqual(['End', 'Done']);
  expect(endOf('failed')).toEqual(['End', 'Failed']);
  expect(endOf('cancelling')).toEqual(['End', 'Undo']);
  expect(endOf('cancelled')).toEqual(['End', 'Stopped']);
});

test('a model that fails at once never reaches Route', () => {
  expect(placesOf('failed').visited).toEqual(new Set(['CallModel', 'End']));
});

test('calls of other runs are ignored', () => {
  expect(placesOf('running', callOf({ runId: 'earlier', status: 'running' })).lit).toBe('CallModel');
});
