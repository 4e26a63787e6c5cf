import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { secret } from '../../runtime/secret';

export interface ModelKey {
  get(): Promise<string>;
  /**
   * The server refused this key: it is forgotten, and the secret is read again.
   *
   * @returns whether the secret holds another one by now, which is worth another attempt.
   */
  replaced(refused: string): Promise<boolean>;
}

/** Of a server that asks for none. The SDK wants one all the same. */
export const noKey: ModelKey = { get: async () => 'none', replaced: async () => false };

/** @param provider whose key it is, for errors; none for the deployment's own. */
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
