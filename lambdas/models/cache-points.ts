import type { Item } from '../../core/base/content/items';
import { type CachePlace, cacheFactsOf } from '../../core/base/models/cache-facts';
import { charactersPerToken } from '../../core/base/models/models';
import type { Caching } from '../../core/conversations/agent/model';

/** Where a request marks the ends of its prefixes, for providers that need marks: at most four. */
export interface CachePoints {
  tools: boolean;
  system: boolean;
  /** Behind so many items: the end of the request before, and of this one. */
  items: number[];
  /** Whether the prefixes are kept for an hour instead of five minutes. */
  forHour: boolean;
}

/**
 * Returns the cache points of a request, or undefined for none. Claude looks for an earlier prefix only some twenty blocks before a point,
 * and a step with many parallel calls has more; OpenAI looks only at the points. So the end of the request before is marked again.
 *
 * @param request what is sent before the items, as text: its length says whether a prefix is long enough.
 */
export function cachePoints(
  model: string,
  cache: Caching | undefined,
  { tools, system, items }: { tools: string; system: string; items: readonly Item[] },
): CachePoints | undefined {
  const facts = cacheFactsOf(model);
  if (!cache || cache.lasts === 'none' || !facts || facts.points.length === 0) return undefined;
  const takes = (place: CachePlace, characters: number) =>
    facts.points.includes(place) && characters >= facts.least * charactersPerToken;
  const before = tools.length + system.length;
  const sizeOf = (end: number) => items.slice(0, end).reduce((sum, item) => sum + lengthOf(item), before);
  const ends = [endOfRequestBefore(items), items.length].filter((end) => end > 0);
  return {
    tools: tools !== '' && takes('tools', tools.length),
    system: takes('system', before),
    items: [...new Set(ends)].filter((end) => takes('messages', sizeOf(end))),
    forHour: cache.lasts === 'hour' && facts.hour === true,
  };
}

const lengthOf = (item: Item): number => (item.kind === 'call' ? item.arguments.length : item.text.length);

const isOfReply = (item: Item): boolean => item.kind === 'call' || (item.kind === 'message' && item.by === 'assistant');

/** The request before ended where the latest reply begins. */
function endOfRequestBefore(items: readonly Item[]): number {
  let end = items.findLastIndex(isOfReply);
  while (end > 0 && isOfReply(items[end - 1]!)) end -= 1;
  return Math.max(0, end);
}
