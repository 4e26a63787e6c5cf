import { filesOfItem, hasOpaque, withoutOpaque } from '../../core/base/content/items';
import type { GuardedFile } from '../../core/base/content/parts';
import { addUsage, noUsage, type Usage } from '../../core/base/state/schemas';
import { ModelUnreadable } from '../../core/base/text/errors';
import type { Instructed } from '../../core/conversations/agent/agent';
import type { AboutModel, ModelRequest, Reply } from '../../core/conversations/agent/model';
import { estimatedUsage, priced } from '../../core/conversations/agent/prices';
import type { Collected, Counts } from './api';
import { ThoughtsRefused } from './model-errors';
import { FilesRefused, refusedFiles } from './refused-files';

type Request = Pick<ModelRequest, 'agent' | 'items' | 'reading' | 'onText'>;

/** Sends a request. `why` returns why a file is left out of it. */
export type Ask = (
  request: Pick<Request, 'agent' | 'items' | 'onText'> & Pick<ReturnType<typeof refusedFiles>, 'why'>,
) => Promise<Collected>;

/**
 * Gets a reply with its usage. If the provider cannot read its model's earlier reasoning, asks once more without it; if it refuses a file,
 * without that file, which is noted for later steps.
 */
export async function replied(
  { agent, items, reading, onText }: Request,
  price: AboutModel['price'],
  ask: Ask,
): Promise<Reply & { usage: Usage }> {
  let sent = items;
  let probed: Usage | undefined;
  const usageFor = (reply: Collected, of: Pick<Request, 'agent' | 'items'>): Usage => {
    const { counts } = reply;
    const usage = usageOf(counts, estimatedUsage(of, JSON.stringify([reply.text, reply.toolCalls])));
    const forHour = Math.min(counts?.writtenForHour ?? 0, usage.cacheWriteTokens ?? 0);
    return { ...priced(usage, price, forHour), modelCalls: 1 };
  };
  async function isTaken(files: GuardedFile[]): Promise<boolean> {
    const probe = {
      agent: withoutRest(agent),
      items: [{ kind: 'message' as const, by: 'user' as const, text: probeWords, files }],
    };
    try {
      const usage = usageFor(await ask({ ...probe, onText: () => {}, why: () => undefined }), probe);
      probed = probed ? addUsage(probed, usage) : usage;
      return true;
    } catch (error) {
      const { name } = error as Error;
      if (name === 'ModelThrottled' || name === 'ModelUnavailable') throw error;
      // A reply of another kind, such as one that is cut off before its first word, shows that the files were read.
      return !(error instanceof FilesRefused);
    }
  }
  const files = items.flatMap(filesOfItem);
  const refused = refusedFiles({ files, isTaken });
  const once = () => ask({ agent, items: sent, onText, why: refused.why });
  const askAgain = async (error: unknown): Promise<Collected> => {
    if (error instanceof ThoughtsRefused && hasOpaque(sent)) sent = withoutOpaque(sent);
    else if (!(error instanceof FilesRefused && (await refused.after(error)))) throw error;
    return once().catch(askAgain);
  };
  const reply = await once().catch(askAgain);
  // It was taken without them. Without the note, they are found again.
  for (const [id, why] of refused.taken())
    await reading?.refused(files.find((file) => file.id === id)!, why).catch(() => undefined);
  const { counts: _, ...said } = reply;
  const usage = usageFor(reply, { agent, items });
  return { ...said, usage: probed ? addUsage(probed, usage) : usage };
}

const probeWords = 'Answer with the word "yes".';
/** A short request of the same model: what it says is not used. */
const withoutRest = (agent: Instructed): Instructed => ({
  ...agent,
  instructions: '',
  tools: [],
  hosted: [],
  output: undefined,
  model: { ...agent.model, effort: undefined, verbosity: undefined, maxOutputTokens: probeTokens },
});
/** The least that every API takes. */
const probeTokens = 16;

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
