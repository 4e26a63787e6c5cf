import type { Price } from './models';

/** A place where a request may mark the end of a prefix that the provider keeps. */
export type CachePlace = 'tools' | 'system' | 'messages';

/** What a model's provider caches of a request: its prefix, which the next request repeats. */
export interface CacheFacts {
  /** The tokens below which a prefix is not cached. */
  least: number;
  /** Where a request marks the ends of prefixes. Elsewhere marks are rejected. None if the provider finds the prefixes by itself. */
  points: readonly CachePlace[];
  /** Whether a cache point may ask for an hour instead of five minutes. */
  hour?: boolean;
  /** Whether a request can forbid the write, by `prompt_cache_options`. Earlier models write without a charge. */
  optional?: boolean;
  /** Prices as factors of the input's, where the list has none: read, written for minutes, written for an hour. */
  factors?: { cached: number; written: number; writtenForHour: number };
}

const everywhere: readonly CachePlace[] = ['tools', 'system', 'messages'];
const claude = { points: everywhere, factors: { cached: 0.1, written: 1.25, writtenForHour: 2 } };
const nova = { points: ['system'] as const, factors: { cached: 0.25, written: 1, writtenForHour: 1 } };

/**
 * Facts by the name of a model, the first that fits, as published in November 2026:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html,
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching and
 * https://developers.openai.com/api/docs/guides/prompt-caching.
 *
 * The minimum of Opus 4.7 differs by provider; the larger one is listed. Nova rejects cache points after tools and, as its users report,
 * after tools' results, so it gets them after the system text only. It caches the rest by itself.
 */
const families: readonly [name: RegExp, facts: CacheFacts | undefined][] = [
  // Before caching, or by invitation only.
  [/\bclaude-(?:v2|instant|3-(?:haiku|sonnet|opus)|3-5-sonnet)/, undefined],
  [/\bclaude-3-5-haiku/, { ...claude, least: 2_048 }],
  [/\bclaude-(?:3-7-sonnet|(?:opus|sonnet)-4(?:-1)?(?:-\d{8}|$|[^\d-]))/, { ...claude, least: 1_024 }],
  [/\bclaude-(?:haiku-4-5|opus-4-[567])/, { ...claude, least: 4_096, hour: true }],
  [/\bclaude-(?:opus|fable|mythos)-5/, { ...claude, least: 512, hour: true }],
  [/\bclaude-/, { ...claude, least: 1_024, hour: true }],
  [/\bamazon\.nova-(?:micro|lite|pro|premier|2-lite)-/, { ...nova, least: 1_536 }],
  [/^gpt-(?:5\.(?:[6-9]|\d\d)|[6-9])/, { points: ['system', 'messages'], least: 1_024, optional: true }],
  [/^(?:gpt-(?:4o|4\.1|5)|o\d)/, { points: [], least: 1_024 }],
];

/**
 * Returns what is known about a model's cache; undefined if nothing is, and then nothing is asked of it. A name is that of a model, of an
 * inference profile (`us.anthropic.claude-…`) or an ARN with one of these. The ARN of an application inference profile tells no model.
 */
export const cacheFactsOf = (model: string): CacheFacts | undefined =>
  families.find(([name]) => name.test(model.slice(model.lastIndexOf('/') + 1)))?.[1];

/** Returns a price with those of the cache, where the model's provider publishes them as factors of the input's. */
export function withCachePrices(price: Price, model: string): Price {
  const { factors } = cacheFactsOf(model) ?? {};
  if (!factors) return price;
  const { input } = price;
  const of = { cached: input * factors.cached, written: input * factors.written };
  return { ...of, writtenForHour: input * factors.writtenForHour, ...price };
}
