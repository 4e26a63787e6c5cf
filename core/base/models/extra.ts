import { ConfigurationError } from '../text/errors';
import { kindOf, kindsOfOwn } from './kinds';
import type { ModelChoice } from './provider';
import { always } from './provider-kind';

/** What decides whether Vigil sets a field of a request. */
type Deciding = ModelChoice & { output?: unknown; structuredOutput?: unknown };

/** What sets a field that an author may write into `extra`. */
const insteadOf: Record<string, string> = {
  model: '"name"',
  max_tokens: '"maxOutputTokens"',
  instructions: 'the agent’s "instructions"',
  system: 'the agent’s "instructions"',
  tools: 'the agent’s "tools", which may be hosted ones',
};

/**
 * Checks that `extra` replaces nothing that Vigil sets. An agent without a provider may be called by any API of the deployment's own.
 *
 * @throws ConfigurationError, whose message begins with `whose`.
 */
export function checkExtra(choice: Deciding, whose: string): void {
  const { extra = {}, provider } = choice;
  const asked = provider ? [kindOf(provider)] : kindsOfOwn;
  const isEnforced = provider && 'structuredOutput' in provider && provider.structuredOutput;
  const deciding: Record<string, unknown> = { ...choice, structuredOutput: isEnforced ? choice.output : undefined };
  const isSet = (by: string) => by === always[0] || deciding[by] !== undefined;
  for (const field of Object.keys(extra)) {
    const by = asked.flatMap(({ sets }) => (Object.hasOwn(sets, field) ? sets[field]! : []));
    const setting = by.find(isSet);
    if (setting === undefined) continue;
    const instead = Object.hasOwn(insteadOf, field) ? `, and use ${insteadOf[field]}` : '';
    throw new ConfigurationError(
      `${whose}: model.extra.${field}: ` +
        (setting === always[0]
          ? `Vigil sets this field: leave it out${instead}`
          : `Vigil sets this field because of "${setting}": leave out one of the two`),
    );
  }
}
