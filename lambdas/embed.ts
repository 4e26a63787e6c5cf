import type { Context } from 'aws-lambda';
import { sideBySide } from '../core/base/time/side-by-side';
import { rowsIndex } from '../core/conversations/embeddings/message-index';
import { embedMessages } from '../core/people/meaning/embed-messages';
import { placesOf } from '../core/people/meaning/said';
import { deployedEmbedder } from '../runtime/embedder';
import { tableOfDeployment } from '../runtime/environment';
import { log, logged, withFields } from '../runtime/log';
import { count } from '../runtime/metrics';
import { embeddingPrice } from '../runtime/prices';
import { EmbedRequest } from './ask-embed';

const table = tableOfDeployment();
const index = rowsIndex(table);
const ofServer = deployedEmbedder();
const embedder = { ...ofServer, price: embeddingPrice(ofServer.model) };
const now = () => new Date();

const conversationsAtOnce = 4;
/** Time for a batch: one request to the server, and one transaction. */
const batchMs = 25_000;

/**
 * Embed: embeds what was said, so that it is found by meaning, and finds it. It may run twice, and at the same time.
 *
 * @throws an error of the server, if it is to find something. What it cannot embed, Reconcile begins later.
 */
export const handler = logged(async (event: unknown, context: Context) => {
  const request = EmbedRequest.parse(event);
  if ('find' in request) {
    const { words, ...find } = request.find;
    const [vector] = (await embedder.embed([words])).vectors;
    const found = await placesOf({ index, now }, { ...find, vector: vector!, model: embedder.model });
    if (!found.isWhole) log.warn('not all that was said was compared', { places: found.places.length });
    return found;
  }
  const isTimeLeft = () => context.getRemainingTimeInMillis() > batchMs;
  const embedding = { table, index, embedder, now, isTimeLeft };
  const left: string[] = [];
  await sideBySide(request.conversations, conversationsAtOnce, ({ id: conversationId, seqs }) =>
    withFields({ conversationId }, async () => {
      try {
        const { messages, tokens } = await embedMessages(embedding, conversationId, seqs);
        if (messages > 0) count('embedded', { EmbeddingTokens: tokens }, {}, { messages });
      } catch (error) {
        const { name } = error as Error;
        // It is noted, or there are no embeddings at all. Anything else is the table's, and Lambda invokes this again.
        if (name !== 'ToolFailed' && name !== 'TellModel') throw error;
        left.push(conversationId);
        log.warn('not embedded', { error: name });
      }
    }),
  );
  return { left };
});
