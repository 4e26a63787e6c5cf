import * as z from 'zod';
import type { DeploymentLimits } from '../../core/agent/limits';
import type { Prices } from '../../core/agent/prices';
import { listPrices, type Price } from '../../core/models/models';
import { ConfigurationError } from '../../core/text/errors';
import { optionalCount, optionalVariable } from '../../runtime/environment';

/** Reads the deployment's limits from its environment variables. */
export function limits(): DeploymentLimits {
  const user = {
    steps: optionalCount('VIGIL_MAX_USER_STEPS'),
    tokens: optionalCount('VIGIL_MAX_USER_TOKENS'),
    costMicrodollars: optionalCount('VIGIL_MAX_USER_MICRODOLLARS'),
  };
  return {
    steps: optionalCount('VIGIL_MAX_STEPS'),
    tokens: optionalCount('VIGIL_MAX_RUN_TOKENS'),
    costMicrodollars: optionalCount('VIGIL_MAX_RUN_MICRODOLLARS'),
    user: Object.values(user).some((limit) => limit !== undefined) ? user : undefined,
  };
}

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
