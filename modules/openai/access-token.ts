import { retryAfter } from 'vigil-client/shared';
import * as z from 'zod';
import type { Provider } from '../../core/base/models/provider';
import { ConfigurationError, ModelUnavailable } from '../../core/base/text/errors';
import type { ModelKey } from '../../lambdas/models/model-key';
import { isHeaderToken, tokenLifeMs } from '../../runtime/token-answer';

type Oauth = NonNullable<Extract<Provider, { kind: 'openai' }>['oauth']>;

const Answer = z.object({
  access_token: z.string().refine(isHeaderToken),
  expires_in: z.unknown().optional(),
});

/** A token is renewed this long before it expires. */
const leftMs = 120_000;
const timeoutMs = 20_000;

/**
 * Requests access tokens with a client secret: OAuth 2.0, client credentials (RFC 6749, section 4.4). A token is cached in the warm
 * process until it expires.
 *
 * @param provider named in errors.
 */
export function accessToken(clientSecret: ModelKey, { tokenUrl, clientId, scope }: Oauth, provider: string): ModelKey {
  let kept: { token: string; until: number } | undefined;

  async function ask(): Promise<string> {
    const secret = await clientSecret.get();
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secret,
      scope,
    });
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(tokenUrl, { method: 'POST', body, signal }).catch((cause: Error) => {
      throw new ModelUnavailable(`The token server of ${provider} did not answer.`, { cause });
    });
    if (response.status === 400 || response.status === 401) {
      // The secret may have been replaced since it was read.
      if (await clientSecret.replaced(secret)) return ask();
      const what = `The token server of ${provider} refused the client (${response.status})`;
      throw new ConfigurationError(`${what}: check oauth.clientId, oauth.scope and the secret.`);
    }
    const answer = Answer.safeParse(response.ok ? await response.json().catch(() => undefined) : undefined);
    if (!answer.success)
      throw new ModelUnavailable(`The token server of ${provider} returned no token (${response.status}).`, {
        notBefore: response.ok ? undefined : retryAfter(response.headers, new Date()),
      });
    kept = { token: answer.data.access_token, until: Date.now() + tokenLifeMs(answer.data.expires_in) - leftMs };
    return kept.token;
  }

  return {
    get: async () => (kept && kept.until > Date.now() ? kept.token : ask()),
    async replaced(refused) {
      kept = undefined;
      return (await ask()) !== refused;
    },
  };
}
