import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { Throttled } from '../core/base/text/errors';
import type { Near } from '../core/conversations/embeddings/message-index';
import type { WordsAsked } from '../core/people/finding/find';
import { optionalVariable, variable } from '../runtime/environment';

/** What Embed is asked: to embed messages, or for the places that are nearest to some words. */
export const EmbedRequest = z.union([
  z.object({ conversations: z.array(z.object({ id: z.string(), seqs: z.array(z.number().int()) })) }),
  z.object({
    find: z.object({
      scope: z.object({
        owner: z.string().min(1),
        shared: z.array(z.object({ owner: z.string().min(1), conversationId: z.string() })).optional(),
      }),
      words: z.string().min(1),
      limit: z.number().int().min(1).max(100),
      recent: z.array(z.string()).optional(),
    }),
  }),
]);
export type EmbedRequest = z.infer<typeof EmbedRequest>;

const Place = z.object({
  conversationId: z.string(),
  seq: z.number().int(),
  digest: z.string(),
  similarity: z.number(),
});
const Found = z.object({ places: z.array(Place) });
const Tried = z.object({ left: z.array(z.string()) });

type Embeds = Extract<EmbedRequest, { conversations: object }>['conversations'];

/** Embed alone has the key of the embeddings. Undefined if this deployment embeds no messages. */
const functionName = () => (optionalVariable('VIGIL_EMBED_MESSAGES') === 'on' ? variable('EMBED_ARN') : undefined);

/** Has messages embedded. It is not waited for: Lambda invokes it again if it ends before. */
export function embedLater(client: LambdaClient): ((conversations: Embeds) => Promise<void>) | undefined {
  const FunctionName = functionName();
  if (!FunctionName) return undefined;
  return async (conversations) => {
    const Payload = JSON.stringify({ conversations } satisfies EmbedRequest);
    await client.send(new InvokeCommand({ FunctionName, InvocationType: 'Event', Payload }));
  };
}

/**
 * Has what is left of a conversation embedded, and waits for it: a backlog is worked off no faster than its server answers. Returns whether the
 * server has answered.
 */
export function embedByEmbed(client: LambdaClient): ((conversationId: string) => Promise<boolean>) | undefined {
  const FunctionName = functionName();
  if (!FunctionName) return undefined;
  return async (id) => {
    const { left } = Tried.parse(await invoke(client, FunctionName, { conversations: [{ id, seqs: [] }] }));
    return left.length === 0;
  };
}

/** Finds places by meaning. */
export function placesByEmbed(client: LambdaClient) {
  const FunctionName = functionName();
  if (!FunctionName) return undefined;
  return async (find: WordsAsked, abortSignal: AbortSignal): Promise<Near[]> =>
    Found.parse(await invoke(client, FunctionName, { find }, abortSignal)).places;
}

async function invoke(
  client: LambdaClient,
  FunctionName: string,
  request: EmbedRequest,
  abortSignal?: AbortSignal,
): Promise<unknown> {
  const command = new InvokeCommand({ FunctionName, Payload: JSON.stringify(request) });
  const { FunctionError, Payload } = await client.send(command, { abortSignal });
  if (FunctionError) throw new Throttled('Embed has failed. Its log says why.');
  return JSON.parse(Buffer.from(Payload!).toString());
}
