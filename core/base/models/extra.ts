import { ConfigurationError } from '../text/errors';
import type { ModelChoice, Provider } from './provider';

/** What decides whether Vigil sets a field of a request. */
type Deciding = ModelChoice & { output?: unknown; structuredOutput?: unknown };
type SetBy = 'Vigil' | keyof Deciding;
type Fields = Readonly<Record<string, readonly SetBy[]>>;

const always = ['Vigil'] as const;
const ofOpenai = {
  model: always,
  stream: always,
  tools: always,
  temperature: ['temperature'],
  prompt_cache_key: always,
  prompt_cache_options: always,
} satisfies Fields;

/**
 * The fields that the request builders set (`requestOf` in `lambdas/models/`), by the kind of provider, and what sets each: always, or only
 * with a setting. `lambdas/models/adapters.test.ts` compares them with what is sent.
 */
export const fieldsOfVigil: Readonly<Record<Provider['kind'], Fields>> = {
  openai: {
    ...ofOpenai,
    instructions: always,
    input: always,
    store: always,
    include: always,
    background: always,
    reasoning: ['effort'],
    text: ['verbosity', 'output'],
    max_output_tokens: ['maxOutputTokens'],
  },
  chat: {
    ...ofOpenai,
    messages: always,
    stream_options: always,
    reasoning_effort: ['effort'],
    verbosity: ['verbosity'],
    response_format: ['structuredOutput'],
    max_tokens: ['maxOutputTokens'],
    max_completion_tokens: ['maxOutputTokens'],
  },
  anthropic: {
    model: always,
    messages: always,
    system: always,
    stream: always,
    tools: always,
    max_tokens: always,
    thinking: ['effort'],
    output_config: ['effort', 'output'],
  },
  // `extra` becomes `additionalModelRequestFields`: fields of the model's own API, beside those that Converse writes.
  bedrock: {
    messages: always,
    system: always,
    tools: always,
    max_tokens: ['maxOutputTokens'],
    temperature: ['temperature'],
  },
};

/** What sets a field that an author may write into `extra`. */
const insteadOf: Record<string, string> = {
  model: '"name"',
  max_tokens: '"maxOutputTokens"',
  instructions: 'the agent’s "instructions"',
  system: 'the agent’s "instructions"',
  tools: 'the agent’s "tools", which may be hosted ones',
};

/**
 * Checks that `extra` replaces nothing that Vigil sets. An agent without a provider may be called by either of OpenAI's APIs.
 *
 * @throws ConfigurationError, whose message begins with `whose`.
 */
export function checkExtra(choice: Deciding, whose: string): void {
  const { extra = {}, provider } = choice;
  const kinds = provider ? [provider.kind] : (['openai', 'chat'] as const);
  const structuredOutput = provider?.kind === 'chat' && provider.structuredOutput ? choice.output : undefined;
  const deciding = { ...choice, structuredOutput };
  const isSet = (by: SetBy) => by === 'Vigil' || deciding[by] !== undefined;
  for (const field of Object.keys(extra)) {
    const by = kinds.flatMap((kind) => (Object.hasOwn(fieldsOfVigil[kind], field) ? fieldsOfVigil[kind][field]! : []));
    const setting = by.find(isSet);
    if (setting === undefined) continue;
    const instead = Object.hasOwn(insteadOf, field) ? `, and use ${insteadOf[field]}` : '';
    throw new ConfigurationError(
      `${whose}: model.extra.${field}: ` +
        (setting === 'Vigil'
          ? `Vigil sets this field: leave it out${instead}`
          : `Vigil sets this field because of "${setting}": leave out one of the two`),
    );
  }
}
