import { pricesWith } from '../core/base/models/price-list';
import type { Prices } from '../core/conversations/agent/prices';
import { optionalVariable } from './environment';

/**
 * Returns the published prices with those of VIGIL_PRICES.
 *
 * @throws ConfigurationError if VIGIL_PRICES is not a price list.
 */
export const deployedPrices = (): Prices => pricesWith(optionalVariable('VIGIL_PRICES'));

/** Those of OpenAI, as published; no model answers by them. */
const ofEmbeddings: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 0.02,
  'text-embedding-3-large': 0.13,
};

/** Returns the price of a model of embeddings, in dollars per million tokens, if it is known. */
export const embeddingPrice = (model: string): number | undefined =>
  deployedPrices()[model]?.input ?? ofEmbeddings[model];
