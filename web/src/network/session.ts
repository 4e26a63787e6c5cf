/** Who is signed in, and where the API is. */
export interface Session {
  /** As the person knows it: a name, an address. */
  user: string;
  /** '' where page and API have one origin. */
  apiUrl: string;
  /** A token that is good, as far as is known. */
  token(): Promise<string>;
  /** The API refused the token: get another one. @throws where there is none without signing in again. */
  renew(): Promise<void>;
  signOut?(): void;
  /** On a laptop: the users to choose from, and the choice. */
  others?: { users: readonly string[]; become(user: string): void };
}

/** `/config.json`: written by the stack at deploy; on a laptop the local cloud answers `{mode: "local"}`. */
export type Config =
  | { mode: 'local' }
  | {
      mode: 'cognito';
      /** Of the tokens: `https://cognito-idp.<region>.amazonaws.com/<pool>`. */
      issuer: string;
      clientId: string;
      /** Of the sign-in pages: `https://<prefix>.auth.<region>.amazoncognito.com`. */
      domain: string;
      apiUrl: string;
    };

export async function readConfig(): Promise<Config> {
  const response = await fetch('/config.json', { cache: 'no-cache' });
  if (!response.ok) throw new Error(`/config.json answered ${response.status}.`);
  return configOf(await response.json());
}

/** @throws naming the field that is missing. */
export function configOf(given: unknown): Config {
  const config = given as Record<string, unknown>;
  if (config?.mode === 'local') return { mode: 'local' };
  if (config?.mode !== 'cognito') throw new Error('/config.json: mode must be "local" or "cognito".');
  for (const field of ['issuer', 'clientId', 'domain', 'apiUrl'])
    if (typeof config[field] !== 'string' || !config[field]) throw new Error(`/config.json: ${field} is missing.`);
  return config as Config;
}
