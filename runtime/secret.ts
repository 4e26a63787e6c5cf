import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ConfigurationError } from '../core/base/text/errors';
import { variable } from './environment';

const goodForMs = 5 * 60_000;

/** A key for a third-party service. Use its value in requests only, never in a log, an error or a row. */
export interface Secret {
  /** @throws ConfigurationError if it has no value. */
  get(): Promise<string>;
  /** Returns undefined if it has no value. */
  find(): Promise<string | undefined>;
  /** Clears the cache, so the next call reads the secret again. */
  forget(): void;
}

/**
 * Returns a secret of Secrets Manager, cached for a few minutes in the warm process.
 *
 * @param arnVariable the environment variable with the secret's ARN.
 * @param whose names it in errors, as in "the secret with the model's key".
 */
export function secret(client: SecretsManagerClient, arnVariable: string, whose: string): Secret {
  let cached: { key?: string; until: number } | undefined;

  async function find(): Promise<string | undefined> {
    if (cached && cached.until > Date.now()) return cached.key;
    const key = await storedValue(client, variable(arnVariable));
    // The key goes into a header or an address. If it did not fit there, the error would quote it.
    if (key && !/^[\x21-\x7e]+$/.test(key)) {
      throw new ConfigurationError(`The secret with ${whose} does not contain a valid key: put the key into it.`);
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

/** Secrets Manager reports a secret without a value as not found. */
async function storedValue(client: SecretsManagerClient, SecretId: string): Promise<string | undefined> {
  try {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
    return SecretString?.trim() || undefined;
  } catch (error) {
    if ((error as Error).name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}
