import { createHash } from 'node:crypto';

/** A whole number from `from` to `to` that looks random, and is the same whenever the same seed asks for it. */
export function draw(seed: string, from: number, to: number): number {
  const bits = createHash('sha256').update(seed).digest().readUIntBE(0, 6);
  return from + (bits % (to - from + 1));
}
