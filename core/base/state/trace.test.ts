import * as fc from 'fast-check';
import {
  callSpanId,
  chatSpanId,
  contextOfCall,
  idsOfContext,
  segmentSpanId,
  storedTrace,
  TraceContext,
  traceContextIn,
  tracedBy,
  traceIdOf,
} from './trace';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';
const valid = `00-${traceId}-${spanId}-01`;
const caller = { traceparent: valid, tracestate: 'congo=t61' };

test('a valid context is kept, with what the caller’s systems add (R240)', () => {
  expect(traceContextIn(valid)).toEqual({ traceparent: valid });
  expect(traceContextIn(` ${valid} `, 'congo=t61rcWkgMzE, rojo=00f067aa0ba902b7 ,,')).toEqual({
    traceparent: valid,
    tracestate: 'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7',
  });
  expect(traceContextIn(valid, 'fw529a3039@dt=FfK;a b')).toMatchObject({ tracestate: 'fw529a3039@dt=FfK;a b' });
});

test('a later version is read as this one, with the flag that is known (R240)', () => {
  expect(traceContextIn(`cc-${traceId}-${spanId}-09-what-the-future-will-be-like`)).toEqual({ traceparent: valid });
  expect(traceContextIn(`cc-${traceId}-${spanId}-08`)).toEqual({ traceparent: `00-${traceId}-${spanId}-00` });
});

test.each([
  undefined,
  '',
  7,
  `ff-${traceId}-${spanId}-01`,
  `00-${traceId}-${spanId}-01-more`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId}-${spanId}`,
  `00-${traceId}-${spanId}-1`,
  `cc-${traceId}-${spanId}-01.more`,
  `${valid},${valid}`,
  `${valid}\n`.repeat(2),
])('no context is read from %j, and nothing fails (R240)', (traceparent) => {
  expect(traceContextIn(traceparent, 'congo=t61')).toBeUndefined();
});

test.each([
  'no value',
  'UPPER=1',
  'a=1,a=2',
  'a==1',
  'a=ü',
  `a=${'x'.repeat(257)}`,
  Array.from({ length: 33 }, (_, index) => `k${index}=1`).join(),
  Array.from({ length: 9 }, (_, index) => `k${index}=${'x'.repeat(60)}`).join(),
])('a tracestate that is not valid, or too long, is left out: %j (R240)', (tracestate) => {
  expect(traceContextIn(valid, tracestate)).toEqual({ traceparent: valid });
});

test('no headers make a later read fail, and what is kept is short (R240)', () => {
  const headers = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant(valid));
  fc.assert(
    fc.property(headers, headers, (traceparent, tracestate) => {
      const context = traceContextIn(traceparent, tracestate);
      if (!context) return;
      expect(TraceContext.parse(context)).toEqual(context);
      expect(JSON.stringify(context).length).toBeLessThan(700);
      expect(idsOfContext(context).traceId).toMatch(/^[0-9a-f]{32}$/);
    }),
  );
});

const at = { conversationId: 'c', runId: 'r', segment: 1 };

test('a run is one trace, that of its caller if there is one; a conversation and a segment are their own (R239)', () => {
  expect(traceIdOf('run', { ...at, caller })).toBe(traceId);
  expect(traceIdOf('run', { ...at, segment: 7 })).toBe(traceIdOf('run', at));
  expect(traceIdOf('run', { ...at, runId: 'other' })).not.toBe(traceIdOf('run', at));
  expect(traceIdOf('conversation', { ...at, runId: 'other', caller })).toBe(traceIdOf('conversation', at));
  expect(traceIdOf('segment', { ...at, caller })).toBe(traceId);
  const segments = [1, 2, 3].map((segment) => traceIdOf('segment', { ...at, segment, caller }));
  expect(new Set(segments).size).toBe(3);
});

test('each span has an id of its own, the same each time (R239)', () => {
  const ids = () => [
    ...[1, 2].map((segment) => segmentSpanId({ ...at, segment })),
    ...[1, 2].flatMap((seq) => [1, 2].map((attempt) => chatSpanId('c', seq, attempt))),
    ...[1, 2].map((attempt) => callSpanId('c', 'r.1.0', attempt)),
    ...[1, 2].map((attempt) => callSpanId('d', 'r.1.0', attempt)),
  ];
  expect(new Set(ids()).size).toBe(10);
  expect(ids()).toEqual(ids());
  expect(callSpanId('c', 'r.1.0', 0)).toBe(callSpanId('c', 'r.1.0', 1));
});

test('a call passes its own span on, and the caller’s state as long as it is the caller’s trace (R240)', () => {
  const call = { callId: 'r.1.0', attempt: 2 };
  const own = callSpanId('c', 'r.1.0', 2);
  expect(contextOfCall('run', { ...at, caller }, call)).toEqual({
    traceparent: `00-${traceId}-${own}-01`,
    tracestate: 'congo=t61',
  });
  expect(contextOfCall('conversation', { ...at, caller }, call)).toEqual({
    traceparent: `00-${traceIdOf('conversation', at)}-${own}-01`,
  });
  expect(contextOfCall('segment', { ...at, segment: 2, caller }, call)).not.toHaveProperty('tracestate');
  expect(contextOfCall(undefined, { ...at, caller }, call)).toEqual(caller);
  expect(contextOfCall(undefined, at, call)).toBeUndefined();
});

test('a row of a run without a caller keeps nothing in its first segment (R239)', () => {
  expect(storedTrace(1, undefined)).toBeUndefined();
  for (const [segment, of] of [
    [1, caller],
    [2, undefined],
    [3, caller],
  ] as const)
    expect(tracedBy('c', { runId: 'r', trace: storedTrace(segment, of) })).toEqual({ ...at, segment, caller: of });
});
