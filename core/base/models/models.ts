/**
 * The prices and capabilities of models, as published on 2026-11-22 at https://developers.openai.com/api/docs/models and
 * https://developers.openai.com/api/docs/deprecations. All of them call tools in parallel, accept images and support structured
 * output, so these are not fields.
 */
export interface ModelFacts {
  price?: Price;
  /** Whether it is a reasoning model, which returns its reasoning encrypted. */
  reasons?: boolean;
  /** Whether it calls tools in the Responses API only. */
  responsesOnly?: boolean;
  /** The tokens of its context window, input and output together. */
  window?: number;
  /** The day on which its maker shuts it down, and the recommended replacement. */
  ends?: { on: string; instead: string };
}

/** Dollars per million tokens, which is the same as microdollars per token. */
export interface Price {
  input: number;
  output: number;
  /** Input that the provider reads from its cache. The price of other input by default. */
  cached?: number;
  /** Input that the provider writes to its cache. The price of other input by default. */
  written?: number;
  /** Factors for the whole request if it has more input than `above`. */
  long?: { above: number; input: number; output: number };
}

const long = { above: 272_000, input: 2, output: 1.5 };
const sixth = { reasons: true, responsesOnly: true, window: 1_050_000 };
const gpt5Family = { reasons: true, window: 400_000 };

export const models: Readonly<Record<string, ModelFacts>> = {
  'gpt-6.2-sol': { ...sixth, price: { input: 2, cached: 0.1, written: 2.5, output: 10, long } },
  'gpt-6.1-terra': { ...sixth, price: { input: 1, cached: 0.05, written: 1.25, output: 5, long } },
  'gpt-6.1-sol': { ...sixth, price: { input: 2, cached: 0.1, written: 2.5, output: 10, long } },
  'gpt-6-luna': { ...sixth, price: { input: 0.1, cached: 0.01, written: 0.125, output: 0.5, long } },
  'gpt-5': { ...gpt5Family, price: { input: 1.25, output: 10 }, ends: { on: '2026-12-11', instead: 'gpt-6.1-sol' } },
  'gpt-5-mini': {
    ...gpt5Family,
    price: { input: 0.25, output: 2 },
    ends: { on: '2026-12-11', instead: 'gpt-6.1-terra' },
  },
  'gpt-5-nano': {
    ...gpt5Family,
    price: { input: 0.05, output: 0.4 },
    ends: { on: '2026-12-11', instead: 'gpt-6-luna' },
  },
  'gpt-4.1': { price: { input: 2, output: 8 }, ends: { on: '2027-01-14', instead: 'gpt-6-luna' } },
  'gpt-4.1-mini': { price: { input: 0.4, output: 1.6 }, ends: { on: '2027-01-14', instead: 'gpt-6-luna' } },
  'gpt-4o': { price: { input: 2.5, output: 10 }, ends: { on: '2027-01-14', instead: 'gpt-6-luna' } },
  'gpt-4o-mini': { price: { input: 0.15, output: 0.6 }, ends: { on: '2027-01-14', instead: 'gpt-6-luna' } },
};

/** Names of reasoning models, for models that are not in the table. */
const reasoners = /^(?:o\d|gpt-[5-9])/;

/** Returns the facts about a model. For a model that is not in the table, its name decides whether it is a reasoning model. */
export const factsOf = (model: string): ModelFacts =>
  Object.hasOwn(models, model) ? models[model]! : { reasons: reasoners.test(model) };

/** The prices of all models that have one. */
export const listPrices: Readonly<Record<string, Price>> = Object.fromEntries(
  Object.entries(models).flatMap(([model, { price }]) => (price ? [[model, price]] : [])),
);
