import * as z from 'zod';
import { ConfigurationError } from '../core/errors';
import type { DeploymentLimits } from '../core/limits';
import { listPrices, type Prices } from '../core/prices';
import { optionalCount, optionalVariable } from './environment';

/** What the deployment allows, from its variables. */
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

const PriceList = z.record(z.string(), z.tuple([z.number().min(0), z.number().min(0)]));

/** @throws ConfigurationError for a VIGIL_PRICES that is no price list. */
export function prices(): Prices {
  const own = optionalVariable('VIGIL_PRICES');
  if (!own) return listPrices;
  try {
    return { ...listPrices, ...PriceList.parse(JSON.parse(own)) };
  } catch {
    throw new ConfigurationError(
      'VIGIL_PRICES must be JSON like {"my-model": [0.3, 1.2]}: dollars per million tokens.',
    );
  }
}
