import { countLimits } from '../core/base/state/user-limits';
import { limits } from './limits';

test('a limit is a number, or refused by its name (R9, R24)', () => {
  expect(limits({ VIGIL_MAX_STEPS: '2' }).steps).toBe(2);
  expect(() => limits({ VIGIL_MAX_STEPS: 'many' })).toThrow(
    'VIGIL_MAX_STEPS is "many": it must be a whole number of at least 1.',
  );
});

test('what one user may have at once and use in a day is limited by default (R149)', () => {
  const { counts, day } = limits({});
  expect(Object.keys(counts ?? {})).toEqual(Object.keys(countLimits));
  for (const limit of [...Object.values(counts ?? {}), ...Object.values(day ?? {})]) expect(limit).toBeGreaterThan(0);
});
