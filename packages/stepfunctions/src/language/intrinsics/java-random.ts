/**
 * Java's `java.util.Random`, by its documented formula: AWS draws seeded numbers from it, so that a seed gives the same
 * number here as there.
 */
export class JavaRandom {
  private state: bigint;

  constructor(seed: number) {
    this.state = (BigInt(Math.trunc(seed)) ^ multiplier) & mask;
  }

  /** A number from 0 up to, without, 1. */
  nextDouble(): number {
    return (this.next(26) * 2 ** 27 + this.next(27)) / 2 ** 53;
  }

  /** An integer from 0 up to, without, the bound. Java has this for 31 bits; beyond them it is a part of the bound. */
  nextInt(bound: number): number {
    if (bound > 2 ** 31 - 1) return Math.floor(this.nextDouble() * bound);
    if ((bound & -bound) === bound) return Number((BigInt(bound) * BigInt(this.next(31))) >> 31n);
    for (;;) {
      const bits = this.next(31);
      const value = bits % bound;
      // The highest, incomplete run of multiples would favour small numbers.
      if (bits - value + bound - 1 < 2 ** 31) return value;
    }
  }

  private next(bits: number): number {
    this.state = (this.state * multiplier + 0xbn) & mask;
    return Number(this.state >> BigInt(48 - bits));
  }
}

const multiplier = 0x5deece66dn;
const mask = (1n << 48n) - 1n;
