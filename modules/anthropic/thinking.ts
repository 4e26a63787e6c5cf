import type Anthropic from '@anthropic-ai/sdk';
import type { ModelChoice } from '../../core/base/models/provider';

/** The limit of a reply without `maxOutputTokens`, reasoning included. All models that the API has take it. */
export const mostOutput = 64_000;

type Effort = NonNullable<ModelChoice['effort']>;
interface Asked {
  max_tokens: number;
  messages: readonly Anthropic.MessageParam[];
}

/** Models that think within a number of tokens, and not by effort. Later ones reject that. */
const byBudget = /(?:haiku|sonnet|opus)-4-5/;
const budgets = { none: 0, minimal: 1_024, low: 2_048, medium: 8_192, high: 16_384, xhigh: 32_768, max: 32_768 };
/** Models whose lowest setting is this. */
const betweenTools = /sonnet-5-5/;

/**
 * Returns the field `thinking` for an effort. See
 * https://platform.claude.com/docs/en/build-with-claude/thinking-troubleshooting for what each model takes.
 */
export function byEffort(model: string, effort: Effort, asked: Asked): Anthropic.ThinkingConfigParam | undefined {
  if (effort === 'none') return { type: betweenTools.test(model) ? 'between_tools' : 'disabled' };
  if (!byBudget.test(model)) return { type: 'adaptive' };
  const budget_tokens = Math.min(budgets[effort], asked.max_tokens - 1);
  if (budget_tokens < budgets.minimal || !mayThink(asked.messages)) return undefined;
  return { type: 'enabled', budget_tokens };
}

/** Returns the effort in the API's words. Its lowest is `low`. */
export function effortOf(model: string, effort: Effort): Anthropic.OutputConfig['effort'] {
  if (effort === 'none' || byBudget.test(model)) return undefined;
  return effort === 'minimal' ? 'low' : effort;
}

/** A turn that goes on after a tool's result must have begun with a thought, which is missing if another model made it. */
function mayThink(messages: Asked['messages']): boolean {
  const [turn, results] = messages.slice(-2);
  const first = (message: Anthropic.MessageParam | undefined) =>
    typeof message?.content === 'object' ? message.content[0]?.type : undefined;
  return first(results) !== 'tool_result' || ['thinking', 'redacted_thinking'].includes(String(first(turn)));
}
