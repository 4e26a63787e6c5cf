import { filesOfItem, type Item } from '../../base/content/items';
import { fileTokens } from '../../base/models/file-kinds';
import { charactersPerToken, type Price, takesOf } from '../../base/models/models';
import { modelTool } from '../../base/schemas/model-tool';
import { noUsage, type Usage } from '../../base/state/schemas';
import type { ModelRequest } from './model';

export type Prices = Readonly<Record<string, Price>>;

/**
 * Adds a call's cost to its usage, and what the cache has saved. A call whose price is a guess is counted as unpriced, too.
 *
 * @param writtenForHour the part of `cacheWriteTokens` that is kept for an hour.
 */
export function priced(usage: Usage, price: Price, writtenForHour = 0): Usage {
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
  const { input, output, cached = input, written = input, writtenForHour: forHour = written, long } = price;
  const isLong = long !== undefined && inputTokens > long.above;
  const factor = isLong ? long.input : 1;
  const read = (inputTokens - cachedInputTokens - cacheWriteTokens) * input + cachedInputTokens * cached;
  const wrote = (cacheWriteTokens - writtenForHour) * written + writtenForHour * forHour;
  const paid = (read + wrote) * factor;
  const saved = Math.round(inputTokens * input * factor - paid);
  return {
    ...usage,
    costMicrodollars: Math.ceil(paid + outputTokens * output * (isLong ? long.output : 1)),
    ...(cachedInputTokens + cacheWriteTokens > 0 && !price.isGuess && { savedMicrodollars: saved }),
    ...(price.isGuess && { unpricedCalls: 1 }),
  };
}

/** The length of a reply is unknown before it is made. Most have fewer tokens than this, calls and reasoning included. */
const tokensOfReply = 1_000;

/**
 * Estimates the usage of a model call if the server did not report it, or the call was cut off first. English has about four
 * characters per token; for files see `fileTokens`.
 */
export function estimatedUsage({ agent, items }: Pick<ModelRequest, 'agent' | 'items'>, said: string): Usage {
  const takes = takesOf(agent.model);
  const files = items.flatMap(filesOfItem).reduce((sum, file) => sum + fileTokens(file, takes), 0);
  const request = JSON.stringify([agent.instructions, items.map(withoutFiles), agent.tools.map(modelTool)]);
  const inputTokens = Math.ceil(request.length / charactersPerToken) + files;
  const outputTokens = Math.ceil(said.length / charactersPerToken);
  return { ...noUsage, inputTokens, outputTokens };
}

function withoutFiles(item: Item): Item {
  if (item.kind === 'call' || !item.files) return item;
  const { files: _, ...words } = item;
  return words;
}

/** Estimates the usage of a model call before it is made. */
export function expectedUsage(request: Pick<ModelRequest, 'agent' | 'items'>): Usage {
  const { maxOutputTokens = tokensOfReply } = request.agent.model;
  return { ...estimatedUsage(request, ''), outputTokens: Math.min(maxOutputTokens, tokensOfReply) };
}
