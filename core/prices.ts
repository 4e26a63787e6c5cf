import type { ModelRequest } from './model';
import { modelTool } from './model-tool';
import { noUsage, type Usage } from './schemas';

/** Dollars for a million tokens, input and output; which is also microdollars for one. */
export type Price = readonly [input: number, output: number];
export type Prices = Record<string, Price>;

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
  [input, output]: Price = [0, 0],
  { inputTokens, outputTokens }: Pick<Usage, 'inputTokens' | 'outputTokens'>,
): number {
  return Math.ceil(inputTokens * input + outputTokens * output);
}

const charactersOfToken = 4;

/**
 * What a model call took of which nobody says it: the server counts nothing, or was cut off before it told. English has about
 * four characters to a token.
 */
export function estimatedUsage(
  { agent, messages }: Pick<ModelRequest, 'agent' | 'messages'>,
  said: string,
  price: Price | undefined,
): Usage {
  const request = JSON.stringify([messages, agent.tools.map(modelTool)]);
  const inputTokens = Math.ceil(request.length / charactersOfToken);
  const outputTokens = Math.ceil(said.length / charactersOfToken);
  return { ...noUsage, inputTokens, outputTokens, costMicrodollars: costOf(price, { inputTokens, outputTokens }) };
}
