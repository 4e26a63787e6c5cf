import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import OpenAI from 'openai';
import type { Embedder } from '../core/memory/memory';
import { TellModel, ToolFailed } from '../core/text/errors';
import { optionalVariable } from './environment';
import { secret } from './secret';

const defaultModel = 'text-embedding-3-small';
/** Short vectors lose little and a thousand of them are one megabyte. */
const dimensions = 256;
const timeoutMs = 20_000;
/** What servers answer that have no such path, or no such model. */
const noEmbeddings = [400, 404, 405, 501];
const memoryIsOff = 'Memory is off: the server of the models has no embeddings. Say so if it matters.';

/**
 * The deployment's embeddings: of the server of EMBEDDING_BASE_URL, otherwise of the models' own. One for all agents, since
 * vectors of two models do not compare.
 *
 * @throws ToolFailed, worth another attempt, for whatever the server does not answer well; TellModel where there are no
 *   embeddings: then memory is off, and nothing fails for it.
 */
export function deployedEmbedder(secrets = new SecretsManagerClient({})): Embedder {
  const key = secret(secrets, 'EMBEDDING_KEY_SECRET_ARN', 'the key of the embeddings');
  const model = optionalVariable('VIGIL_EMBEDDING_MODEL') ?? defaultModel;
  const own = optionalVariable('EMBEDDING_BASE_URL');
  // Not every server takes the field; where it is unknown, the vectors are as long as the model makes them.
  const length = model.startsWith('text-embedding-3') ? { dimensions } : {};
  return {
    model,
    async embed(input) {
      if (model === 'none') throw new TellModel(memoryIsOff);
      // A server of one's own may ask for none.
      const apiKey = own ? ((await key.find()) ?? 'none') : await key.get();
      const baseURL = own ?? optionalVariable('OPENAI_BASE_URL');
      const client = new OpenAI({ apiKey, baseURL, maxRetries: 0, timeout: timeoutMs, logLevel: 'off' });
      const { data } = await client.embeddings
        .create({ model, input, ...length, encoding_format: 'float' })
        .catch((cause: Error) => {
          if (noEmbeddings.includes((cause as { status?: number }).status ?? 0))
            throw new TellModel(memoryIsOff, { cause });
          throw new ToolFailed('The server of the embeddings did not answer.', { cause });
        });
      return data.map(({ embedding }) => Float32Array.from(embedding));
    },
  };
}
