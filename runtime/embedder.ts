import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import OpenAI from 'openai';
import { retryAfter } from 'vigil-client/shared';
import * as z from 'zod';
import { charactersPerToken } from '../core/base/models/models';
import { TellModel, ToolFailed } from '../core/base/text/errors';
import type { Embedder } from '../core/people/memory/memory';
import { optionalVariable } from './environment';
import { secret } from './secret';

const defaultModel = 'text-embedding-3-small';
/** Short vectors lose little accuracy, and a thousand of them are one megabyte. */
const dimensions = 256;
const timeoutMs = 20_000;
/** Statuses of servers without embeddings, or without this model. */
const noEmbeddings = [400, 404, 405, 501];
const memoryIsOff = 'Memory is off: the model server has no embeddings. Tell the user if it matters.';

/**
 * Creates the deployment's embedder, which uses the server of EMBEDDING_BASE_URL, or else the models' own server. All agents share it,
 * because vectors of different models cannot be compared.
 *
 * `embed` throws ToolFailed, which is retried, if the server fails. It throws TellModel if there are no embeddings: memory is then off.
 */
export function deployedEmbedder(secrets = new SecretsManagerClient({})): Embedder {
  const key = secret(secrets, 'EMBEDDING_KEY_SECRET_ARN', 'the embeddings key');
  const model = optionalVariable('VIGIL_EMBEDDING_MODEL') ?? defaultModel;
  const own = optionalVariable('EMBEDDING_BASE_URL');
  // Only these models accept the field. Vectors of other models have their default length.
  const length = model.startsWith('text-embedding-3') ? { dimensions } : {};
  /** The server asks not to be asked before. */
  let closedUntil: Date | undefined;
  return {
    model,
    async embed(input) {
      if (model === 'none') throw new TellModel(memoryIsOff);
      if (closedUntil && closedUntil > new Date())
        throw new ToolFailed('The embeddings server asks for a pause.', { notBefore: closedUntil });
      // A server of the deployment's own never sees the key of the models.
      const apiKey = own ? 'none' : await key.get();
      const baseURL = own ?? optionalVariable('OPENAI_BASE_URL');
      const client = new OpenAI({ apiKey, baseURL, maxRetries: 0, timeout: timeoutMs, logLevel: 'off' });
      const answer = await client.embeddings
        .create({ model, input, ...length, encoding_format: 'float' })
        .catch((cause: Error) => {
          const { status = 0, headers } = cause as { status?: number; headers?: Headers };
          if (noEmbeddings.includes(status)) throw new TellModel(memoryIsOff, { cause });
          closedUntil = headers && retryAfter(headers, new Date());
          throw new ToolFailed('The embeddings server did not answer.', { cause, notBefore: closedUntil });
        });
      const { data, usage } = Answer.safeParse(answer).data ?? {};
      return { vectors: vectorsIn(data, input.length), tokens: usage?.prompt_tokens ?? estimatedTokens(input) };
    },
  };
}

/** For servers that do not report it. */
const estimatedTokens = (input: readonly string[]): number =>
  Math.ceil(input.reduce((sum, { length }) => sum + length, 0) / charactersPerToken);

/** The SDK passes on whatever JSON it gets, `null` too. */
const Answer = z.object({
  data: z.unknown(),
  usage: z.object({ prompt_tokens: z.number().int().nonnegative() }).optional().catch(undefined),
});
const Embedding = z.object({
  index: z.number().int().nonnegative().optional().catch(undefined),
  embedding: z.array(z.number()).min(1).max(10_000),
});

/**
 * Returns the vectors of an embeddings server's answer, in the order of the texts. They have numbers only, as many as texts, of one length.
 *
 * @throws ToolFailed for any other answer: such a vector would be stored and never be found.
 */
export function vectorsIn(data: unknown, count: number): Float32Array[] {
  const { data: read } = z.array(Embedding).length(count).safeParse(data);
  const inOrder = read?.every(({ index }) => index !== undefined) ? read.toSorted((a, b) => a.index! - b.index!) : read;
  const vectors = inOrder?.map(({ embedding }) => Float32Array.from(embedding)) ?? [];
  const isUsable = (vector: Float32Array) => vector.length === vectors[0]!.length && vector.every(Number.isFinite);
  if (!read || !vectors.every(isUsable)) throw new ToolFailed('The embeddings server did not answer with vectors.');
  return vectors;
}
