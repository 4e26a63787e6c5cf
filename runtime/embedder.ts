import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import OpenAI from 'openai';
import type { Embedder } from '../core/memory/memory';
import { TellModel, ToolFailed } from '../core/text/errors';
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
  return {
    model,
    async embed(input) {
      if (model === 'none') throw new TellModel(memoryIsOff);
      // A self-hosted server may need no key.
      const apiKey = own ? ((await key.find()) ?? 'none') : await key.get();
      const baseURL = own ?? optionalVariable('OPENAI_BASE_URL');
      const client = new OpenAI({ apiKey, baseURL, maxRetries: 0, timeout: timeoutMs, logLevel: 'off' });
      const { data } = await client.embeddings
        .create({ model, input, ...length, encoding_format: 'float' })
        .catch((cause: Error) => {
          if (noEmbeddings.includes((cause as { status?: number }).status ?? 0))
            throw new TellModel(memoryIsOff, { cause });
          throw new ToolFailed('The embeddings server did not answer.', { cause });
        });
      return data.map(({ embedding }) => Float32Array.from(embedding));
    },
  };
}
