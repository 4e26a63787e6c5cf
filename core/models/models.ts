/**
 * What models cost and can do, as their makers publish it: the one table of it. Read on 2026-11-22 from
 * https://developers.openai.com/api/docs/models and https://developers.openai.com/api/docs/deprecations. What all of them do is not
 * a column: they call tools in parallel, take images, and hold their output to a schema.
 */
export interface ModelFacts {
  price?: Price;
  /** It thinks before it speaks, and gives what it thought back encrypted. */
  reasons?: boolean;
  /** Calls tools by the Responses API only. */
  responsesOnly?: boolean;
  /** Tokens of its window, input and output together. */
  window?: number;
  /** The day on which its maker shuts it down, and the model that it names instead. */
  ends?: { on: string; instead: string };
}

/** Dollars for a million tokens, which is also microdollars for one. */
export interface Price {
  input: number;
  output: number;
  /** Of input that the provider has read before; as other input where it is not said. */
  cached?: number;
  /** Of input that the provider keeps for the next call; as other input where it is not said. */
  written?: number;
  /** A request with more input than `above` costs so many times as much, all of it. */
  long?: { above: number; input: number; output: number };
}

const long = { above: 272_000, input: 2, output: 1.5 };
const sixth = { reasons: true, responsesOnly: true, window: 1_050_000 };
const fifth = { reasons: true, window: 400_000 };

export const models: Readonly<Record<string, ModelFacts>> = {
  'gpt-6.2-sol': { ...sixth, price: { input: 2, cached: 0.1, written: 2.5, output: 10, long } },
  'gpt-6.1-terra': { ...sixth, price: { input: 1, cached: 0.05, written: 1.25, output: 5, long } },
  'gpt-6.1-sol': { ...sixth, price: { input: 2, cached: 0.1, written: 2.5, output: 10, long } },
  'gpt-6-luna': { ...sixth, price: { input: 0.1, cached: 0.01, written: 0.125, output: 0.5, long } },
  'gpt-5': { ...fifth, price: { input: 1.25, output: 10 }, ends: { on: '2026-12-11', instead: 'gpt-6.1-sol' } },
  'gpt-5-mini': { ...fifth, price: { input: 0.25, output: 2 }, ends: { on: '2026-12-11', instead: 'gpt-6.1-terra' } },
  'gpt-5-nano': { ...fifth, price: { input: 0.05, output: 0.4 }, ends: { on: '2026-12-11', instead: 'gpt-6-luna' } },
  'gpt-4.1': { price: { input: 2, output: 8 }, ends: { on: '2027-01-14', instead: 'gpt-6-luna' } },
  'gpt-4.1-mini': { price: { input: 0.4, output: 1.6 }, ends: { on: '2027-01-14', instead: 'gpt-6-luna' } },
  'gpt-4o': { price: { input: 2.5, output: 10 }, ends: { on: '2027-01-14', instead: 'gpt-6-luna' } },
  'gpt-4o-mini': { price: { input: 0.15, output: 0.6 }, ends: { on: '2027-01-14', instead: 'gpt-6-luna' } },
};

/** Of names that are not in the table. */
const reasoners = /^(?:o\d|gpt-[5-9])/;

/** What is known of a model; of one that is not in the table, whether its name is that of one that reasons. */
export const factsOf = (model: string): ModelFacts => models[model] ?? { reasons: reasoners.test(model) };

/** Of the models that have one. */
export const listPrices: Readonly<Record<string, Price>> = Object.fromEntries(
  Object.entries(models).flatMap(([model, { price }]) => (price ? [[model, price]] : [])),
);
