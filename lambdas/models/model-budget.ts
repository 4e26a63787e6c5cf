import * as z from 'zod';
import type { Prices } from '../../core/agent/prices';
import { listPrices, type Price } from '../../core/models/models';
import { ConfigurationError } from '../../core/text/errors';
import { optionalVariable } from '../../runtime/environment';

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
export function prices(): Prices {
  const own = optionalVariable('VIGIL_PRICES');
  if (!own) return listPrices;
  try {
    return { ...listPrices, ...PriceList.parse(JSON.parse(own)) };
  } catch {
    throw new ConfigurationError(
      'VIGIL_PRICES must be JSON like {"my-model": [0.3, 1.2]}, or [0.3, 1.2, 0.03] with the price of cached input: dollars per million tokens.',
    );
  }
}
