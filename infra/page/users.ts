import type { IUserPool, IUserPoolClient } from 'aws-cdk-lib/aws-cognito';
import { ConfigurationError } from '../../core/text/errors';

/** Whose tokens the API accepts. The `sub` of a token is the owner of the conversations that it starts. */
export interface Users {
  /** The issuer that tokens name, and where its public keys are. */
  readonly issuer: string;
  /** The clients or audiences, of which a token names one. */
  readonly audience: string[];
  /** The scopes of which a token needs one. Without any, the audience alone decides. */
  readonly scopes: string[];
  /** The value of `token_use` that a token must have. Only Cognito's tokens have it. */
  readonly tokenUse: 'access' | 'any';
  /** The page's sign-in, if these users can sign in by redirect. */
  forPage?(): PageSignIn;
}

export interface PageSignIn {
  /** The address of the sign-in pages. */
  readonly domain: string;
  /**
   * Adds a client for a page that signs in by redirect: with a code, never with a token in the address.
   *
   * @returns the client id.
   */
  addPage(origin: string): string;
}

/** An existing user pool of Cognito, with a client for programs. */
export interface ExistingPool {
  readonly userPool: IUserPool;
  readonly client: IUserPoolClient;
  /** Default: `aws.cognito.signin.user.admin`, the scope of tokens that Cognito's own API gives. */
  readonly scopes?: string[];
}

/** Any OpenID Connect issuer. */
export interface Issuer {
  /** As tokens name it. `<issuer>/.well-known/openid-configuration` must exist. */
  readonly issuer: string;
  /** What the access tokens for this API name as `aud`. An audience of its own keeps ID tokens out. */
  readonly audience: string[];
  readonly scopes?: string[];
}

export type Auth = ExistingPool | Issuer;

/** @throws ConfigurationError that names the prop. */
export function usersOf(auth: Auth): Users {
  if ('issuer' in auth) {
    const { issuer, audience, scopes = [] } = auth;
    if (!URL.canParse(issuer) || new URL(issuer).protocol !== 'https:')
      throw new ConfigurationError(`auth.issuer is "${issuer}": it must be an https address.`);
    if (audience.length === 0) throw new ConfigurationError('auth.audience is empty: name the audience of the API.');
    return { issuer, audience, scopes, tokenUse: 'any' };
  }
  const { userPool, client, scopes = ['aws.cognito.signin.user.admin'] } = auth;
  const issuer = `https://${userPool.userPoolProviderName}`;
  return { issuer, audience: [client.userPoolClientId], scopes, tokenUse: 'access' };
}
