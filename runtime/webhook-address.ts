import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { signWebhook } from '../core/base/state/webhook';
import type { ToolRuntime } from '../core/machines/loop/run-tool';
import { variable } from './environment';
import { secret } from './secret';

/**
 * Returns a function that creates the signed, single-use address for an outside system. The function throws ConfigurationError if the key that
 * signs has no value.
 *
 * @example
 * ```ts
 * import { webhookAddress } from 'vigil';
 *
 * // `serveTool(order, webhookAddress())` does this for each call, and gives the address to `execute` as `webhookUrl`.
 * const addressOf = webhookAddress();
 * const address = await addressOf('conversation-1', 'callback-1');
 * new URL(address).origin; // → 'https://api.example.com'
 * ```
 */
export function webhookAddress(): Required<ToolRuntime>['webhookUrl'] {
  const key = secret(new SecretsManagerClient({}), 'WEBHOOK_KEY_SECRET_ARN', 'the key that signs webhooks');
  return async (conversationId, callbackId) => {
    const token = signWebhook(await key.get(), conversationId, callbackId);
    return `${variable('API_URL').replace(/\/$/, '')}/webhooks/${token}`;
  };
}
