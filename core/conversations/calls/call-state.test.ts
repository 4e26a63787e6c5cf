import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { drawn, file, reachable } from '../../../test/support/draw-calls';
import { isSettled } from '../../base/state/schemas';
import type { Effect } from '../agent/tool';
import { type CallState, callEvents, transition } from './call-state';

const effects: Effect[] = ['read', 'table', 'idempotent', 'once'];
const settled = effects.flatMap((effect) => reachable(effect)).filter(({ to }) => isSettled(to.status));

test('docs/calls.md shows it', () => {
  // If this fails, run `npx tsx test/support/draw-calls.ts`.
  expect(readFileSync(file, 'utf8')).toBe(drawn());
});

test('what may have taken effect never ends as if nothing had happened (R140)', () => {
  expect(
    settled.filter(({ from, to }) => from.uncertain && (to.status === 'failed' || to.status === 'cancelled')),
  ).toEqual([]);
  expect(settled.some(({ from, to }) => from.uncertain && to.status === 'unknown')).toBe(true);
});

test('what only reads, or writes in the table alone, is never unknown', () => {
  const harmless = (['read', 'table'] as const).flatMap((effect) => reachable(effect));
  expect(harmless.filter(({ to }) => to.status === 'unknown' || to.uncertain)).toEqual([]);
});

test('a call that has its outcome keeps it: only an undo follows, once', () => {
  const after = effects.flatMap((effect) => reachable(effect)).filter(({ from }) => isSettled(from.status));
  expect(new Set(after.map(({ event }) => event))).toEqual(new Set(['undo']));
  expect(after.filter(({ from }) => from.status === 'undone')).toEqual([]);
});

test('a `once` tool is never tried again after an attempt that may have worked (R111)', () => {
  const history = fc.array(fc.constantFrom(...callEvents), { maxLength: 12 });
  fc.assert(
    fc.property(history, (events) => {
      let state: CallState = { status: 'queued', attempts: 0 };
      let mayHaveWorked = false;
      for (const event of events) {
        const next = transition(state, event, 'once');
        if (!next) continue;
        if (event === 'claim' && next.status === 'running') expect(mayHaveWorked).toBe(false);
        if (event === 'lose' || (event === 'claim' && state.status === 'running')) mayHaveWorked = true;
        state = { ...next, attempts: state.attempts + (event === 'claim' ? 1 : 0) };
      }
    }),
  );
});
