import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { secret } from './secret';

export interface ModelKey {
  get(): Promise<string>;
  /**
   * The server refused this key: it is forgotten, and the secret is read again.
   *
   * @returns whether the secret holds another one by now, which is worth another attempt.
   */
  replaced(refused: string): Promise<boolean>;
}

export function modelKey(client: SecretsManagerClient): ModelKey {
  const { get, forget } = secret(client, 'MODEL_KEY_SECRET_ARN', "the model's key");
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
