import type { Usage } from './schemas';

/** Dollars for a million tokens, input and output; which is also microdollars for one. */
export type Prices = Record<string, readonly [input: number, output: number]>;

/**
 * As the makers publish them. A deployment sets its own by VIGIL_PRICES, for example {"my-model": [0.3, 1.2]}. Cached input is
 * cheaper at most of them: what is shown is an upper bound.
 */
export const listPrices: Prices = {
  'gpt-5': [1.25, 10],
  'gpt-5-mini': [0.25, 2],
  'gpt-5-nano': [0.05, 0.4],
  'gpt-4.1': [2, 8],
  'gpt-4.1-mini': [0.4, 1.6],
  'gpt-4.1-nano': [0.1, 0.4],
  'gpt-4o': [2.5, 10],
  'gpt-4o-mini': [0.15, 0.6],
};

/** What a model call cost, in microdollars; a model that nobody has put a price on costs 0. */
export function costOf(
  model: string,
  { inputTokens, outputTokens }: Pick<Usage, 'inputTokens' | 'outputTokens'>,
  prices: Prices,
): number {
  const [input, output] = prices[model] ?? [0, 0];
  return Math.ceil(inputTokens * input + outputTokens * output);
}
