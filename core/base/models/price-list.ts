import * as z from 'zod';
import { ConfigurationError } from '../text/errors';
import { urlIn } from '../text/web-address';
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

/** The price of a model on one's own machine. */
export const free: Price = { input: 0, output: 0 };
const ownMachine = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Returns the price by which a model counts: its own, nothing on one's own machine, or the dearest one that is known. */
export const priceOf = (model: string, prices: Readonly<Record<string, Price>>, baseURL?: string): Price =>
  prices[model] ?? (ownMachine.test(urlIn(baseURL ?? '')?.hostname ?? '') ? free : dearest(prices));

function dearest(prices: Readonly<Record<string, Price>>): Price {
  const all = [...Object.values(listPrices), ...Object.values(prices)];
  const most = (of: 'input' | 'output') => Math.max(...all.map((price) => price[of]));
  return { input: most('input'), output: most('output'), isGuess: true };
}

/** Says what follows for a model that the price list lacks. */
export function unpricedWords(model: string, agents: readonly string[]): string {
  const { input, output } = dearest({});
  return `The model ${model} (${agents.join(', ')}) has no price, so it counts at the dearest known one, [${input}, ${output}]. Set its own, VIGIL_PRICES='{"${model}": [0.3, 1.2]}': dollars per million tokens, input and output.`;
}
