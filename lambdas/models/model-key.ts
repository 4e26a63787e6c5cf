import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { secret } from '../../runtime/secret';

export interface ModelKey {
  get(): Promise<string>;
  /**
   * Drops a key that the server refused, and reads the secret again.
   *
   * @returns whether the secret now has another key, which is worth another attempt.
   */
  replaced(refused: string): Promise<boolean>;
}

/** For a server without keys. The SDK requires a value. */
export const noKey: ModelKey = { get: async () => 'none', replaced: async () => false };

/** @param provider named in errors; absent for the deployment's own provider. */
export function modelKey(
  client: SecretsManagerClient,
  arnVariable = 'MODEL_KEY_SECRET_ARN',
  provider?: string,
): ModelKey {
  const whose = provider ? `the key of the provider ${provider}` : "the model's key";
  const { get, forget } = secret(client, arnVariable, whose);
  return {
    get,
    async replaced(refused) {
      forget();
      const renewed = await get();
      if (renewed !== refused) return true;
      forget();
      return false;
    },
  };
}
