import OpenAI from 'openai';
import { ToolFailed } from '../core/errors';
import type { Embedder } from '../core/memory';
import { optionalVariable } from './environment';
import type { Secret } from './secret';

const defaultModel = 'text-embedding-3-small';
/** Short vectors lose little and a thousand of them are one megabyte. */
const dimensions = 256;
const timeoutMs = 20_000;

/**
 * Embeddings by any server of the OpenAI API.
 *
 * @throws ToolFailed, worth another attempt, for whatever the server does not answer well.
 */
export function openaiEmbedder(key: Pick<Secret, 'get'>): Embedder {
  const model = optionalVariable('VIGIL_EMBEDDING_MODEL') ?? defaultModel;
  return {
    model,
    async embed(input) {
      const apiKey = await key.get();
      const baseURL = optionalVariable('OPENAI_BASE_URL');
      const client = new OpenAI({ apiKey, baseURL, maxRetries: 0, timeout: timeoutMs, logLevel: 'off' });
      const { data } = await client.embeddings
        .create({ model, input, dimensions, encoding_format: 'float' })
        .catch((cause: Error) => {
          throw new ToolFailed('The server of the embeddings did not answer.', { cause });
        });
      return data.map(({ embedding }) => Float32Array.from(embedding));
    },
  };
}
