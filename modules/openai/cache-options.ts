import { createHash } from 'node:crypto';
import { cacheFactsOf } from '../../core/base/models/cache-facts';
import type { Caching } from '../../core/conversations/agent/model';

/** OpenAI rejects a longer key. A client of the API may have chosen a long id. */
const longestKey = 64;

/**
 * Returns the fields of both OpenAI APIs for its cache. The key leads the requests of a conversation to the servers that have its prefix.
 *
 * How long a prefix is kept is left to OpenAI: an hour costs nothing more there, and `prompt_cache_retention` would overrule what an
 * organization without data retention has.
 */
export function cacheOptions(model: string, cache: Caching | undefined) {
  if (!cache) return {};
  // Without a mark, `explicit` neither reads nor writes.
  if (cache.lasts === 'none' && cacheFactsOf(model)?.optional)
    return { prompt_cache_options: { mode: 'explicit' as const } };
  return cacheKey(cache);
}

/** The field that each server of the Responses API knows. */
export function cacheKey(cache: Caching | undefined) {
  if (!cache) return {};
  const { key } = cache;
  return { prompt_cache_key: key.length > longestKey ? createHash('sha256').update(key).digest('hex') : key };
}

/** The mark at the end of a prefix, on a part of a content. */
export const marked = (isEnd: boolean) => (isEnd ? { prompt_cache_breakpoint: { mode: 'explicit' as const } } : {});
