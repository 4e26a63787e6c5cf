import type { AboutModel, ModelRequest, Reply } from '../../core/agent/model';
import { estimatedUsage, priced } from '../../core/agent/prices';
import { hasOpaque, type Item, withoutOpaque } from '../../core/state/items';
import type { Usage } from '../../core/state/schemas';
import type { Collected } from './api';
import { ThoughtsRefused } from './model-errors';

/** Asks once more without what the model thought where its provider cannot read it, and says what the call took. */
export async function replied(
  { agent, items }: Pick<ModelRequest, 'agent' | 'items'>,
  price: AboutModel['price'],
  ask: (items: Item[]) => Promise<Collected>,
): Promise<Reply & { usage: Usage }> {
  const reply = await ask(items).catch((error) => {
    if (!(error instanceof ThoughtsRefused && hasOpaque(items))) throw error;
    return ask(withoutOpaque(items));
  });
  const usage = reply.usage ?? estimatedUsage({ agent, items }, JSON.stringify([reply.text, reply.toolCalls]));
  return { ...reply, usage: { ...priced(usage, price), modelCalls: 1 } };
}

/**
 * What comes over the wire. An error that its reader throws does not pass through here, so that it is not mapped.
 *
 * @param refusal maps what the opening throws; as what the stream throws, unless given.
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
    for await (const event of stream) if (typeof event === 'object' && event !== null) yield event;
  } catch (error) {
    throw await failure(error);
  }
}
