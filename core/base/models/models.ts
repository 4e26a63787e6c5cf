// core/base/models: providers, and what models cost and can do.

/** Where facts about models were read, and on which day. */
interface Published {
  by: string;
  at: string;
  on: string;
}

/** With https://developers.openai.com/api/docs/deprecations. */
const openai: Published = { by: 'OpenAI', at: 'https://developers.openai.com/api/docs/models', on: '2026-11-22' };
/** In copies of September and November 2026. */
const openaiCopied: Published = { ...openai, on: '2026-11-30' };
/** In copies of October and November 2026; Fable 5.2's rates for cached input as its resellers repeat them; the dates of `@anthropic-ai/sdk` 1.14.0. */
const anthropic: Published = {
  by: 'Anthropic',
  at: 'https://platform.claude.com/docs/en/about-claude/pricing',
  on: '2026-11-27',
};

/** The price and the capabilities of a model. All that are listed call tools in parallel and support structured output, so these are not fields. */
export interface ModelFacts {
  price?: Price;
  published?: Published;
  /** Whether it is a reasoning model, which returns its reasoning encrypted. */
  reasons?: boolean;
  /** Whether it thinks for minutes, so that its provider makes its replies in the background. */
  thinksLong?: boolean;
  /** Whether it calls tools in the Responses API only. */
  responsesOnly?: boolean;
  /** The tokens of its context window, input and output together. */
  window?: number;
  /** The kinds of files that it takes. It gets the text of others, where they have one. */
  takes?: readonly TakenKind[];
  /** The day on which its maker shuts it down, and the recommended replacement. */
  ends?: { on: string; instead: string };
}

/** The kinds of files that a model may take: pictures (PNG, JPEG, GIF, WebP), and PDF documents, of which it sees the pages. */
export const takenKinds = ['image', 'pdf'] as const;
export type TakenKind = (typeof takenKinds)[number];

/** English and code have about four characters per token. Other languages have fewer. */
export const charactersPerToken = 4;

/** Dollars per million tokens, which is the same as microdollars per token. */
export interface Price {
  input: number;
  output: number;
  /** Input that the provider reads from its cache. The price of other input by default. */
  cached?: number;
  /** Input that the provider writes to its cache, for minutes. The price of other input by default. */
  written?: number;
  /** Input that is written to be kept for an hour. The price of other writes by default. */
  writtenForHour?: number;
  /** Factors for the whole request if it has more input than `above`. */
  long?: { above: number; input: number; output: number };
  /** It stands for a price that is not known. */
  isGuess?: true;
}

const long = { above: 272_000, input: 2, output: 1.5 };
/** OpenAI's from gpt-4o on, and Claude's that are still served, take pictures and PDFs. */
const sees = { takes: takenKinds };
const sixth = { ...sees, published: openai, reasons: true, responsesOnly: true, window: 1_050_000 };
const copied = { ...sixth, published: openaiCopied };
const gpt5Family = { ...sees, published: openai, reasons: true, window: 400_000 };

/** Anthropic's price of a cache that lasts five minutes. One of an hour costs twice the input. */
const claude = (input: number, output: number, cached: number): Price => ({
  input,
  output,
  cached,
  written: input * 1.25,
  writtenForHour: input * 2,
});
const million = 1_000_000;
const served = { ...sees, published: anthropic };
const haiku45 = { ...served, window: 200_000, price: claude(1, 5, 0.1) };
const sonnet45 = {
  ...served,
  window: 200_000,
  price: claude(3, 15, 0.3),
  ends: { on: '2026-11-30', instead: 'claude-sonnet-5-5' },
};
const opus45 = {
  ...served,
  window: 200_000,
  price: claude(5, 25, 0.5),
  ends: { on: '2027-01-22', instead: 'claude-opus-5-5' },
};

export const models: Readonly<Record<string, ModelFacts>> = {
  'gpt-6.2-astra': { ...copied, price: { input: 8, cached: 0.4, written: 10, output: 40, long } },
  'gpt-6.2-sol': { ...sixth, price: { input: 2, cached: 0.1, written: 2.5, output: 10, long } },
  'gpt-6.1-terra': { ...sixth, price: { input: 1, cached: 0.05, written: 1.25, output: 5, long } },
  'gpt-6.1-sol': { ...sixth, price: { input: 2, cached: 0.1, written: 2.5, output: 10, long } },
  'gpt-6-astra': { ...copied, price: { input: 10, cached: 1, written: 12.5, output: 50, long } },
  'gpt-6-sol': { ...copied, price: { input: 2, cached: 0.2, written: 2.5, output: 10, long } },
  'gpt-6-luna': { ...sixth, price: { input: 0.1, cached: 0.01, written: 0.125, output: 0.5, long } },
  'gpt-5.6-sol': { ...copied, price: { input: 4, cached: 0.4, written: 5, output: 20, long } },
  'gpt-5.6-terra': { ...copied, price: { input: 2, cached: 0.2, written: 2.5, output: 12, long } },
  'gpt-5.6-luna': { ...copied, price: { input: 0.2, cached: 0.02, written: 0.25, output: 1.2, long } },
  'gpt-5': {
    ...gpt5Family,
    price: { input: 1.25, cached: 0.125, output: 10 },
    ends: { on: '2026-12-11', instead: 'gpt-6.1-sol' },
  },
  'gpt-5-mini': {
    ...gpt5Family,
    price: { input: 0.25, cached: 0.025, output: 2 },
    ends: { on: '2026-12-11', instead: 'gpt-6.1-terra' },
  },
  'gpt-5-nano': {
    ...gpt5Family,
    price: { input: 0.05, cached: 0.005, output: 0.4 },
    ends: { on: '2026-12-11', instead: 'gpt-6-luna' },
  },
  'gpt-4.1': {
    ...sees,
    published: openai,
    price: { input: 2, cached: 0.5, output: 8 },
    ends: { on: '2027-01-14', instead: 'gpt-6-luna' },
  },
  'gpt-4.1-mini': {
    ...sees,
    published: openai,
    price: { input: 0.4, cached: 0.1, output: 1.6 },
    ends: { on: '2027-01-14', instead: 'gpt-6-luna' },
  },
  'gpt-4o': {
    ...sees,
    published: openai,
    price: { input: 2.5, cached: 1.25, output: 10 },
    ends: { on: '2027-01-14', instead: 'gpt-6-luna' },
  },
  'gpt-4o-mini': {
    ...sees,
    published: openai,
    price: { input: 0.15, cached: 0.075, output: 0.6 },
    ends: { on: '2027-01-14', instead: 'gpt-6-luna' },
  },
  'claude-fable-5-2': { ...served, window: million, price: claude(8, 40, 0.2) },
  'claude-fable-5-1': { ...served, window: million, price: claude(10, 50, 0.25) },
  'claude-fable-5': { ...served, window: million, price: claude(10, 50, 1) },
  'claude-opus-5-5': { ...served, window: million, price: claude(4, 20, 0.2) },
  'claude-opus-5': { ...served, window: million, price: claude(5, 25, 0.5) },
  'claude-opus-4-8': { ...served, price: claude(5, 25, 0.5) },
  'claude-opus-4-7': { ...served, window: million, price: claude(5, 25, 0.5) },
  'claude-opus-4-6': { ...served, price: claude(5, 25, 0.5) },
  'claude-opus-4-5': opus45,
  'claude-opus-4-5-20251101': opus45,
  'claude-sonnet-5-5': { ...served, window: million, price: claude(2, 10, 0.1) },
  'claude-sonnet-5': { ...served, window: million, price: claude(2, 10, 0.2) },
  'claude-sonnet-4-6': { ...served, price: claude(3, 15, 0.3) },
  'claude-sonnet-4-5': sonnet45,
  'claude-sonnet-4-5-20250929': sonnet45,
  'claude-haiku-5-5': {
    ...served,
    window: million,
    price: { ...claude(0.1, 0.5, 0.01), long: { above: 100_000, input: 5, output: 5 } },
  },
  'claude-haiku-4-5': haiku45,
  'claude-haiku-4-5-20251001': haiku45,
};

/** Names of reasoning models, for models that are not in the table. */
const reasoners = /^(?:o\d|gpt-[5-9])/;
/** Models of which OpenAI says that a reply takes minutes: https://developers.openai.com/api/docs/guides/background */
const longThinkers = /^(?:o\d|gpt-[5-9])[\w.-]*-(?:pro|deep-research)\b/;

/** OpenAI's and Anthropic's models, and those of Amazon Bedrock that take pictures and documents, by the names that their makers give them. */
const seers = [
  /^(?:gpt-(?:4o|4\.1|[5-9])|o[13](?!-mini|-preview)|o4-mini)(?![\w.-]*(?:audio|realtime|transcribe|tts|search))/,
  /^(?:(?:[a-z-]+\.)?anthropic\.)?claude-(?:[3-9]|[a-z]+-[3-9])/,
  /^(?:[a-z-]+\.)?amazon\.nova-(?:2-)?(?:lite|pro|premier|omni)/,
];

/**
 * Returns the kinds of files that a model takes: those that the agent's author says, those of the table, or those of its maker's other
 * models. A model of which nothing is known takes none: a server that takes no pictures rejects the whole request.
 */
export const takesOf = ({ name, takes }: { name: string; takes?: readonly TakenKind[] }): readonly TakenKind[] =>
  takes ?? factsOf(name).takes ?? (seers.some((one) => one.test(name)) ? takenKinds : []);

/** Returns the facts about a model. For a model that is not in the table, its name decides whether it is a reasoning model, and for how long it thinks. */
export const factsOf = (model: string): ModelFacts =>
  Object.hasOwn(models, model)
    ? models[model]!
    : { reasons: reasoners.test(model), thinksLong: longThinkers.test(model) };

/** The prices of all models that have one. */
export const listPrices: Readonly<Record<string, Price>> = Object.fromEntries(
  Object.entries(models).flatMap(([model, { price }]) => (price ? [[model, price]] : [])),
);
