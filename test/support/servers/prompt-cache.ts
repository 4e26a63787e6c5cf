/** A part of a request, in the order in which the provider reads them, and the mark behind it. */
export interface CacheBlock {
  text: string;
  point?: '5m' | '1h' | '30m';
}

/** The rules of a provider. They are written down here again, so that a mistake of the adapters' own table shows. */
export interface CacheRules {
  /** A shorter prefix is not kept. */
  least: number;
  /**
   * - `points`: prefixes end at the request's marks, and are found up to twenty blocks before one of them.
   * - `marks`: prefixes end at the request's marks, and are found at one of them only.
   * - `common`: whatever the last requests have in common is found, in steps of 128 tokens, and writing is free.
   */
  finds: 'points' | 'marks' | 'common';
}

export interface CacheUse {
  total: number;
  read: number;
  written: number;
  writtenForHour: number;
}

const minute = 60_000;
const lifetimes = { '5m': 5 * minute, '30m': 30 * minute, '1h': 60 * minute };
const lookback = 20;
const step = 128;

export const tokensIn = (text: string): number => Math.ceil(text.length / 4);

/** The cache of a scripted provider: what a request reads from it and writes to it. Tokens are estimated from characters. */
export class PromptCache {
  private readonly kept = new Map<string, { until: number; for: number; tokens: number }>();

  /** @param now the clock, in milliseconds. */
  constructor(private readonly now: () => number = Date.now) {}

  /** @param key groups requests. Others find nothing. */
  use(blocks: readonly CacheBlock[], { least, finds }: CacheRules, key = ''): CacheUse {
    const ends: { prefix: string; tokens: number; point?: CacheBlock['point'] }[] = [];
    let text = `${key}\n`;
    let characters = 0;
    for (const { text: part, point } of blocks) {
      text += `\n${part}`;
      characters += part.length;
      ends.push({ prefix: text, tokens: Math.ceil(characters / 4), point });
    }
    const total = ends.at(-1)?.tokens ?? 0;
    if (finds === 'common') return this.useCommon(ends.at(-1)?.prefix ?? '', total, { least, head: key.length + 2 });
    const points = ends.flatMap(({ point }, index) => (point && ends[index]!.tokens >= least ? [index] : []));
    const reach = finds === 'marks' ? 1 : lookback;
    const found = points
      .flatMap((index) => Array.from({ length: Math.min(reach, index + 1) }, (_, back) => index - back))
      .sort((a, b) => b - a)
      .find((index) => (this.kept.get(ends[index]!.prefix)?.until ?? -1) >= this.now());
    const read = found === undefined ? 0 : ends[found]!.tokens;
    if (found !== undefined) {
      const entry = this.kept.get(ends[found]!.prefix)!;
      entry.until = this.now() + entry.for;
    }
    for (const index of points) {
      const { prefix, tokens, point } = ends[index]!;
      const lifetime = Math.max(lifetimes[point!], index <= (found ?? -1) ? (this.kept.get(prefix)?.for ?? 0) : 0);
      this.kept.set(prefix, { until: this.now() + lifetime, for: lifetime, tokens });
    }
    const upTo = (some: number[]) => Math.max(read, ...some.map((index) => ends[index]!.tokens));
    const hour = upTo(points.filter((index) => ends[index]!.point === '1h'));
    return { total, read, written: upTo(points) - read, writtenForHour: hour - read };
  }

  private useCommon(text: string, total: number, { least, head }: { least: number; head: number }): CacheUse {
    let read = 0;
    for (const [other, { until }] of this.kept) {
      if (until < this.now()) continue;
      let same = 0;
      while (same < text.length && text[same] === other[same]) same += 1;
      const tokens = Math.floor(Math.max(0, same - head) / 4 / step) * step;
      if (tokens >= least) read = Math.max(read, Math.min(tokens, total));
    }
    this.kept.set(text, { until: this.now() + lifetimes['5m'], for: lifetimes['5m'], tokens: total });
    return { total, read, written: 0, writtenForHour: 0 };
  }
}
