import type { People } from '../people/people';

/** The signed-in user, and the address of the API. */
export interface Session {
  /** The name to display: a name or an e-mail address. */
  user: string;
  /** '' if page and API have one origin. */
  apiUrl: string;
  /** Returns a token that has not expired, as far as the page knows. */
  token(): Promise<string>;
  /** Gets another token, after the API rejected this one. @throws if that needs a new sign-in. */
  renew(): Promise<void>;
  signOut?(): void;
  /** On a laptop: the people to choose from, unless the page's address names one. */
  people?: People;
}

/**
 * Returns the function that makes ids for new conversations. The page chooses them, because it shows a conversation
 * before it is stored. An id that the user may choose begins with a digest of the token's user
 * (`core/base/text/ids.ts`).
 */
export async function conversationIds(token: string): Promise<() => string> {
  const user = new TextEncoder().encode(String(claimsIn(token).sub));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', user));
  const hex = Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return () => `u${hex}_${crypto.randomUUID()}`;
}

/** Reads a token without verifying it: the API does that. */
export function claimsIn(token = ''): Record<string, unknown> {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return JSON.parse(atob(payload)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/**
 * The content of `/config.json`. The stack writes it during the deployment; the local cloud answers `{mode: "local"}`.
 */
export type Config =
  | { mode: 'local' }
  | {
      mode: 'cognito';
      /** The issuer of the tokens: `https://cognito-idp.<region>.amazonaws.com/<pool>`. */
      issuer: string;
      clientId: string;
      /** The address of the sign-in pages: `https://<prefix>.auth.<region>.amazoncognito.com`. */
      domain: string;
      apiUrl: string;
    }
  | {
      /** Any issuer of OpenID Connect, whose discovery document names its endpoints. */
      mode: 'oidc';
      issuer: string;
      clientId: string;
      /** Separated by spaces. */
      scope: string;
      /** More parameters of the sign-in request. */
      parameters?: Record<string, string>;
      apiUrl: string;
    };

const required = {
  cognito: ['issuer', 'clientId', 'domain', 'apiUrl'],
  oidc: ['issuer', 'clientId', 'scope', 'apiUrl'],
};

export async function readConfig(): Promise<Config> {
  const response = await fetch('/config.json', { cache: 'no-cache' });
  if (!response.ok) throw new Error(`/config.json: the server responded with status ${response.status}.`);
  return configOf(await response.json());
}

/**
 * @throws Error that names the missing field.
 */
export function configOf(given: unknown): Config {
  const config = given as Record<string, unknown>;
  const mode = config?.mode;
  if (mode === 'local') return { mode };
  if (mode !== 'cognito' && mode !== 'oidc')
    throw new Error('/config.json: mode must be "local", "cognito" or "oidc".');
  for (const field of required[mode])
    if (typeof config[field] !== 'string' || !config[field]) throw new Error(`/config.json: ${field} is missing.`);
  return config as Config;
}
