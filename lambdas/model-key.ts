import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ConfigurationError } from '../core/errors';
import { variable } from './environment';

const goodForMs = 5 * 60_000;

/** Reads the model's key from Secrets Manager, and keeps it for a few minutes in the warm process. */
export function modelKey(client: SecretsManagerClient): { get(): Promise<string>; forget(): void } {
  let cached: { key: string; until: number } | undefined;
  return {
    async get() {
      if (cached && cached.until > Date.now()) return cached.key;
      const SecretId = variable('MODEL_KEY_SECRET_ARN');
      const { SecretString: key } = await client.send(new GetSecretValueCommand({ SecretId }));
      if (!key?.trim()) throw new ConfigurationError("The secret with the model's key is empty: put the key into it.");
      cached = { key: key.trim(), until: Date.now() + goodForMs };
      return cached.key;
    },
    /** The server refused it: it may have been replaced. */
    forget() {
      cached = undefined;
    },
  };
}
