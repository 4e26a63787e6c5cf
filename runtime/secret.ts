import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ConfigurationError } from '../core/text/errors';
import { variable } from './environment';

const goodForMs = 5 * 60_000;

/** A key for somebody else's service. Its value goes into a request, and nowhere else: no log, no error, no row. */
export interface Secret {
  /** @throws ConfigurationError when it has no value. */
  get(): Promise<string>;
  /** Nothing when it has no value. */
  find(): Promise<string | undefined>;
  /** The next one who asks reads it anew. */
  forget(): void;
}

/**
 * A secret of Secrets Manager, kept for a few minutes in the warm process.
 *
 * @param arnVariable the environment variable with the secret's ARN.
 * @param whose for errors, as in "the secret with the model's key".
 */
export function secret(client: SecretsManagerClient, arnVariable: string, whose: string): Secret {
  let cached: { key?: string; until: number } | undefined;

  async function find(): Promise<string | undefined> {
    if (cached && cached.until > Date.now()) return cached.key;
    const key = await storedValue(client, variable(arnVariable));
    // It goes into a header or an address; what does not fit there would be quoted in the error.
    if (key && !/^[\x21-\x7e]+$/.test(key)) {
      throw new ConfigurationError(`The secret with ${whose} holds something that is no key: put the key into it.`);
    }
    cached = { key, until: Date.now() + goodForMs };
    return key;
  }

  return {
    find,
    async get() {
      const key = await find();
      if (key) return key;
      cached = undefined;
      throw new ConfigurationError(`The secret with ${whose} is empty: put the key into it.`);
    },
    forget() {
      cached = undefined;
    },
  };
}

/** A secret that nobody has put a value into yet is told as one that is not found. */
async function storedValue(client: SecretsManagerClient, SecretId: string): Promise<string | undefined> {
  try {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
    return SecretString?.trim() || undefined;
  } catch (error) {
    if ((error as Error).name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}
