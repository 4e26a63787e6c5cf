import { createHash } from 'node:crypto';

/** Returns a pseudo-random integer from `from` to `to` that depends only on the seed. */
export function draw(seed: string, from: number, to: number): number {
  const bits = createHash('sha256').update(seed).digest().readUIntBE(0, 6);
  return from + (bits % (to - from + 1));
}
