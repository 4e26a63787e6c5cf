import { retryAfter } from 'vigil-client/shared';
import * as z from 'zod';
import { baseUrlVariable, type Provider } from '../../core/base/models/provider';
import {
  checkOptions,
  fields,
  isPlain,
  listOf,
  number,
  oneOf,
  optional,
  recordOf,
  text,
} from '../../core/base/schemas/definition';
import { type GuardPlace, guardPlaces } from '../../core/base/schemas/guard-verdict';
import { ConfigurationError, ToolFailed } from '../../core/base/text/errors';
import { defineGuard, type Guard } from '../../core/conversations/guards/guard';

export interface ModerationOptions {
  /** What `defineProvider` returns, of the kind `openai` or `chat`: its server has the endpoint `/moderations`. */
  provider: Provider;
  /** `omni-moderation-latest` by default. */
  model?: string;
  /** The scores from 0 to 1 from which a category is refused. Without them, the server decides, by `flagged`. */
  categories?: Record<string, number>;
  at: GuardPlace[];
  /** `withhold`: models get no pictures, and of a PDF the text alone, as with `defineGuard`. */
  media?: Guard['media'];
  /** What people read of a refusal. By default, the names of the categories. */
  reason?: string;
  /** The guard's name, `moderation` by default. */
  name?: string;
  timeoutSeconds?: number;
}

const optionRules = fields<ModerationOptions>({
  provider: (value, at) =>
    isPlain(value) && 'kind' in value ? undefined : [at, 'must be what defineProvider returns'],
  model: optional(text),
  categories: optional(recordOf(number)),
  at: listOf(oneOf(...guardPlaces)),
  media: optional(oneOf('pass', 'withhold')),
  reason: optional(text),
  name: optional(text),
  timeoutSeconds: optional(number),
});

/** Anything else is a failure: what could not be judged does not pass. */
const Answer = z.object({
  results: z
    .array(
      z.object({
        flagged: z.boolean(),
        categories: z.record(z.string(), z.boolean().nullish()),
        category_scores: z.record(z.string(), z.number().nullish()).optional(),
      }),
    )
    .min(1),
});

/**
 * A guard that asks a moderation model over OpenAI's API of moderations, of OpenAI or a compatible server.
 *
 * @throws ConfigurationError naming the guard and the field, at build time.
 * @example
 * ```ts
 * import { defineAgent, defineProvider, moderation } from 'vigil';
 *
 * const openai = defineProvider({ name: 'openai', kind: 'openai', key: 'OPENAI_API_KEY' });
 * const decent = moderation({ provider: openai, categories: { violence: 0.8, 'self-harm': 0.3 }, at: ['input', 'output'] });
 * const spec = { purpose: 'Answers visitors.', instructions: 'You answer visitors.', model: 'gpt-6.1-terra', tools: [] };
 * const guide = defineAgent({ ...spec, name: 'guide', guards: [decent] });
 * guide.guards?.[0]?.needs?.secrets; // → ['OPENAI_API_KEY']
 * ```
 */
export function moderation(options: ModerationOptions): Guard {
  const whose = `guard ${options?.name ?? 'moderation'}`;
  checkOptions(whose, options, optionRules);
  const {
    provider,
    model = 'omni-moderation-latest',
    categories,
    at,
    media,
    name = 'moderation',
    timeoutSeconds,
    reason,
  } = options;
  const refuse = (field: string, problem: string): never => {
    throw new ConfigurationError(`${whose}: ${field}: ${problem}`);
  };
  if (provider.kind !== 'openai' && provider.kind !== 'chat')
    return refuse('provider', 'only one of the kind "openai" or "chat" can have the endpoint /moderations');
  if (provider.oauth) refuse('provider', 'one with access tokens is not supported: write the guard with defineGuard');
  for (const [category, score] of Object.entries(categories ?? {}))
    if (!(score >= 0 && score <= 1)) refuse(`categories.${category}`, 'must be a score from 0 to 1');
  if (categories && Object.keys(categories).length === 0) refuse('categories', 'name at least one, or leave it out');
  const { key, baseUrl = 'https://api.openai.com/v1', headers, query } = provider;
  const address = baseUrlVariable(provider.name);
  return defineGuard<GuardPlace, string, string, string>({
    name,
    at,
    ...(media && { media }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    needs: { secrets: key ? [key] : [], variables: [address], optional: [address] },
    async check(words, { secrets, variables, signal }) {
      const found = await categoriesIn(words, {
        key: key && secrets[key],
        base: variables[address] || baseUrl,
        signal,
      });
      if (found.length === 0) return 'pass';
      return { refuse: reason ?? `A moderation service has found: ${found.join(', ')}.` };
    },
  });

  async function categoriesIn(
    words: string,
    { key, base, signal }: { key?: string; base: string; signal: AbortSignal },
  ): Promise<string[]> {
    const url = new URL(`${base.replace(/\/$/, '')}/moderations`);
    for (const [field, value] of Object.entries(query ?? {})) url.searchParams.set(field, value);
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ model, input: words }),
      signal,
    }).catch((cause) => {
      throw new ToolFailed('The moderation service could not be reached.', { cause });
    });
    if (!response.ok) {
      const notBefore = retryAfter(response.headers, new Date());
      throw new ToolFailed(`The moderation service answered ${response.status}.`, { notBefore });
    }
    const { success, data } = Answer.safeParse(await response.json().catch(() => undefined));
    if (!success) throw new ToolFailed('The moderation service answered something else than a moderation.');
    return [...new Set(data.results.flatMap((result) => foundIn(result, categories)))];
  }
}

/** Without scores, the categories that the server flags are as good as a score of 1. */
function foundIn(
  { flagged, categories, category_scores: scores = {} }: z.infer<typeof Answer>['results'][number],
  thresholds: Record<string, number> | undefined,
): string[] {
  const named = Object.keys(categories).filter((category) => categories[category]);
  if (!thresholds) return flagged ? (named.length > 0 ? named : ['flagged']) : [];
  return Object.entries(thresholds).flatMap(([category, least]) => {
    const score = scores[category] ?? (categories[category] ? 1 : 0);
    return score >= least ? [category] : [];
  });
}
