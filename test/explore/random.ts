/** Numbers that look random and are the same for the same seed (mulberry32). */
export interface Random {
  /** From 0 up to 1. */
  next(): number;
  /** A whole number below `limit`. */
  below(limit: number): number;
  pick<Value>(values: readonly Value[]): Value;
  chance(probability: number): boolean;
}

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { next, below, pick: (values) => values[below(values.length)]!, chance: (part) => next() < part };
}
