import { replayAddress, replayIn } from './use-place';

const place = { runId: 'r_000001_ab12', step: 3, nth: 2 };

test.each([
  [replayAddress('c_1', place), place],
  ['#/c/c_1/replay/r_000001_ab12', { ...place, step: 1, nth: 1 }],
  ['#/c/c_1/replay/r_000001_ab12/3', { ...place, nth: 1 }],
  ['#/c/c_1', undefined],
  ['#/c/c_1/replay/', undefined],
  ['#/c/c_1/replay/r/x', undefined],
  ['#/c/c_1/replay/<r>/1', undefined],
  ['#/agents/travel', undefined],
])('%s leads to its moment (R163)', (address, expected) => expect(replayIn(address)).toEqual(expected));
