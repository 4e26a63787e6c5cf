import { hasOpaque, type Item, withoutOpaque } from '../../core/base/content/items';
import { noUsage, type Usage } from '../../core/base/state/schemas';
import { ModelUnreadable } from '../../core/base/text/errors';
import type { AboutModel, ModelRequest, Reply } from '../../core/conversations/agent/model';
import { estimatedUsage, priced } from '../../core/conversations/agent/prices';
import type { Collected, Counts } from './api';
import { FilesRefused, ThoughtsRefused } from './model-errors';

/**
 * Gets a reply with its usage. If the provider cannot read its model's earlier reasoning, asks once more without it; if it refuses a file,
 * without files, because that file would be in each later request as well.
 *
 * @param ask sends the items, with files or without.
 */
export async function replied(
  { agent, items }: Pick<ModelRequest, 'agent' | 'items'>,
  price: AboutModel['price'],
  ask: (items: Item[], files: { areRefused: boolean }) => Promise<Collected>,
): Promise<Reply & { usage: Usage }> {
  let sent = items;
  let areRefused = false;
  const askAgain = async (error: unknown): Promise<Collected> => {
    if (error instanceof ThoughtsRefused && hasOpaque(sent)) sent = withoutOpaque(sent);
    else if (error instanceof FilesRefused && !areRefused) areRefused = true;
    else throw error;
    return ask(sent, { areRefused }).catch(askAgain);
  };
  const reply = await ask(sent, { areRefused }).catch(askAgain);
  const { counts, ...said } = reply;
  const estimate = estimatedUsage({ agent, items }, JSON.stringify([reply.text, reply.toolCalls]));
  const usage = usageOf(counts, estimate);
  const forHour = Math.min(counts?.writtenForHour ?? 0, usage.cacheWriteTokens ?? 0);
  return { ...said, usage: { ...priced(usage, price, forHour), modelCalls: 1 } };
}

/** Returns a usage that makes sense. What the server does not count is estimated; every request has some input. */
export function usageOf({ input, output, cached, written, reasoning }: Counts = {}, estimate: Usage): Usage {
  const inputTokens = input || estimate.inputTokens;
  const outputTokens = output ?? estimate.outputTokens;
  const isPart = (cached ?? 0) + (written ?? 0) <= inputTokens;
  return {
    ...noUsage,
    inputTokens,
    outputTokens,
    ...(isPart && cached !== undefined && { cachedInputTokens: cached }),
    ...(isPart && written !== undefined && { cacheWriteTokens: written }),
    ...(reasoning !== undefined && { reasoningTokens: Math.min(reasoning, outputTokens) }),
  };
}

/**
 * Yields a stream's events and maps the errors of the stream. Errors of the reader do not pass through here, so they are not mapped.
 *
 * @param failure maps an error of the stream.
 * @param refusal maps an error of opening the stream; the same as `failure` by default.
 */
export async function* eventsOf<Event>(
  opening: PromiseLike<AsyncIterable<Event>>,
  failure: (error: unknown) => Promise<Error> | Error,
  refusal: (error: unknown) => Promise<unknown> | unknown = failure,
): AsyncGenerator<Event> {
  const stream = await Promise.resolve(opening).catch(async (error: unknown) => {
    throw await refusal(error);
  });
  try {
    for await (const event of stream) yield event;
  } catch (error) {
    throw error instanceof ModelUnreadable ? error : await failure(error);
  }
}
