import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ConfigurationError } from '../core/errors';
import { variable } from './environment';

const goodForMs = 5 * 60_000;

export interface ModelKey {
  get(): Promise<string>;
  /**
   * The server refused this key: it is forgotten, and the secret is read again.
   *
   * @returns whether the secret holds another one by now, which is worth another attempt.
   */
  replaced(refused: string): Promise<boolean>;
}

/** Reads the model's key from Secrets Manager, and keeps it for a few minutes in the warm process. */
export function modelKey(client: SecretsManagerClient): ModelKey {
  let cached: { key: string; until: number } | undefined;

  async function get(): Promise<string> {
    if (cached && cached.until > Date.now()) return cached.key;
    const SecretId = variable('MODEL_KEY_SECRET_ARN');
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
    const key = SecretString?.trim();
    if (!key) throw new ConfigurationError("The secret with the model's key is empty: put the key into it.");
    // It goes into a header; what does not fit there would be quoted in the error.
    if (!/^[\x21-\x7e]+$/.test(key)) {
      throw new ConfigurationError(
        "The secret with the model's key holds something that is no key: put the key into it.",
      );
    }
    cached = { key, until: Date.now() + goodForMs };
    return key;
  }

  return {
    get,
    async replaced(refused) {
      cached = undefined;
      const renewed = await get();
      if (renewed !== refused) return true;
      cached = undefined;
      return false;
    },
  };
}
