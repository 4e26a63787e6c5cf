import * as z from 'zod';
import { ConfigurationError } from '../text/errors';
import { listPrices, type Price } from './models';

const dollars = z.number().min(0);
const PriceList = z.record(
  z.string(),
  z
    .union([z.tuple([dollars, dollars]), z.tuple([dollars, dollars, dollars])])
    .transform(([input, output, cached]): Price => ({ input, output, ...(cached !== undefined && { cached }) })),
);

/**
 * Returns the published prices with a deployment's own, the value of VIGIL_PRICES.
 *
 * @throws ConfigurationError if it is not a price list.
 */
export function pricesWith(own?: string): Readonly<Record<string, Price>> {
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
