import * as z from 'zod';
import { listPrices, type Price } from '../core/base/models/models';
import { ConfigurationError } from '../core/base/text/errors';
import type { Prices } from '../core/conversations/agent/prices';
import { optionalVariable } from './environment';

const dollars = z.number().min(0);
const PriceList = z.record(
  z.string(),
  z
    .union([z.tuple([dollars, dollars]), z.tuple([dollars, dollars, dollars])])
    .transform(([input, output, cached]): Price => ({ input, output, ...(cached !== undefined && { cached }) })),
);

/**
 * Returns the published prices with those of VIGIL_PRICES.
 *
 * @throws ConfigurationError if VIGIL_PRICES is not a price list.
 */
export function deployedPrices(own = optionalVariable('VIGIL_PRICES')): Prices {
  if (!own) return listPrices;
  try {
    return { ...listPrices, ...PriceList.parse(JSON.parse(own)) };
  } catch {
    throw new ConfigurationError(
      'VIGIL_PRICES must be JSON like {"my-model": [0.3, 1.2]}, or [0.3, 1.2, 0.03] with the price of cached input: dollars per million tokens.',
    );
  }
}

/** Says what follows for a model that the price list lacks. */
export const unpricedWords = (model: string, agents: readonly string[]): string =>
  `The model ${model} (${agents.join(', ')}) has no price, so a day's default cost limit does not hold for it. Set it, VIGIL_PRICES='{"${model}": [0.3, 1.2]}': dollars per million tokens, input and output.`;

/** Those of OpenAI, as published; no model answers by them. */
const ofEmbeddings: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 0.02,
  'text-embedding-3-large': 0.13,
};

/** Returns the price of a model of embeddings, in dollars per million tokens, if it is known. */
export const embeddingPrice = (model: string): number | undefined =>
  deployedPrices()[model]?.input ?? ofEmbeddings[model];
