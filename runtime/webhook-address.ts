import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { ToolRuntime } from '../core/loop/run-tool';
import { signWebhook } from '../core/state/webhook';
import { variable } from './environment';
import { secret } from './secret';

/** Returns a function that creates the signed, single-use address for an outside system. */
export function webhookAddress(): Required<ToolRuntime>['webhookUrl'] {
  const key = secret(new SecretsManagerClient({}), 'WEBHOOK_KEY_SECRET_ARN', 'the key that signs webhooks');
  return async (conversationId, callbackId) => {
    const token = signWebhook(await key.get(), conversationId, callbackId);
    return `${variable('API_URL').replace(/\/$/, '')}/webhooks/${token}`;
  };
}
