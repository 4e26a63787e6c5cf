import { Stack, Token } from 'aws-cdk-lib';
import type { IUserPool, IUserPoolClient, ResourceServerScope } from 'aws-cdk-lib/aws-cognito';
import { ConfigurationError } from '../../core/base/text/errors';
import { urlIn } from '../../core/base/text/web-address';

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
  /** Adds a public client with a scope of its own, if these users are the stack's own user pool. */
  addClient?(id: string, client: NewClient): AddedClient;
}

/** A client that signs users in by redirect, with PKCE. */
export interface NewClient {
  /** One of those that the pool is created with. Tokens for it are none for the API. */
  readonly scope: ResourceServerScope;
  readonly callbackUrls: string[];
}

export interface AddedClient {
  readonly clientId: string;
  /** As tokens have it. */
  readonly scope: string;
  /** Where its users sign in. */
  readonly signInUrl: string;
}

/** The sign-in of a page by redirect: with a code, never with a token in the address. */
export interface PageSignIn {
  /** The origins that the page connects to. */
  readonly origins: string[];
  /** Returns what the page at this origin has to know (`Config` in `web/src/network/session.ts`). */
  configOf(origin: string): Record<string, unknown>;
}

/** The hosted page's client at an existing user pool or issuer: public, with the code flow and PKCE. */
export interface PageClient {
  /** Its redirect address, also after signing out, is that of the page, with a slash at the end. */
  readonly clientId: string;
  /** Default: `openid`, `email` and the scopes of the API. Many issuers give refresh tokens for `offline_access` only. */
  readonly scopes?: string[];
  /** More parameters of the sign-in request, as `{ audience: 'vigil' }` for Auth0. */
  readonly parameters?: Record<string, string>;
  /** Origins of the token endpoint and the others, if they are not that of the issuer. A user pool's are its domain's. */
  readonly origins?: string[];
}

/** An existing user pool of Cognito, with a client for programs. */
export interface ExistingPool {
  readonly userPool: IUserPool;
  readonly client: IUserPoolClient;
  /** For the hosted page. */
  readonly page?: PageClient;
  /** Default: `aws.cognito.signin.user.admin`, the scope of tokens that Cognito's own API gives. */
  readonly scopes?: string[];
}

/** Any OpenID Connect issuer. */
export interface Issuer {
  /** As tokens name it. `<issuer>/.well-known/openid-configuration` must exist. */
  readonly issuer: string;
  /** The `aud` values of the access tokens for this API. A separate audience keeps ID tokens out. */
  readonly audience: string[];
  readonly scopes?: string[];
  /** For the hosted page. */
  readonly page?: PageClient;
}

export type Auth = ExistingPool | Issuer;

/** @throws ConfigurationError that names the prop. */
export function usersOf(auth: Auth): Users {
  if ('issuer' in auth) {
    const { issuer, audience, scopes = [], page } = auth;
    if (urlIn(issuer)?.protocol !== 'https:')
      throw new ConfigurationError(`auth.issuer is "${issuer}": it must be an https address.`);
    if (audience.length === 0) throw new ConfigurationError('auth.audience is empty: name the audience of the API.');
    const forPage = page && (() => signInAt(issuer, new URL(issuer).origin, scopes, page));
    return { issuer, audience, scopes, tokenUse: 'any', forPage };
  }
  const { userPool, client, scopes = ['aws.cognito.signin.user.admin'], page } = auth;
  if (page && !page.origins?.length)
    throw new ConfigurationError('auth.page.origins is empty: name the address of the user pool’s sign-in pages.');
  const issuer = `https://${userPool.userPoolProviderName}`;
  const origin = `https://cognito-idp.${userPool.env.region}.${Stack.of(userPool).urlSuffix}`;
  const forPage = page && (() => signInAt(issuer, origin, scopes, page));
  const audience = [client.userPoolClientId, ...(page ? [page.clientId] : [])];
  return { issuer, audience, scopes, tokenUse: 'access', forPage };
}

function signInAt(issuer: string, ownOrigin: string, ofApi: string[], page: PageClient): PageSignIn {
  const { clientId, scopes = ['openid', 'email', ...ofApi], parameters = {}, origins = [] } = page;
  const wrong = origins.find((one) => !Token.isUnresolved(one) && urlIn(one)?.origin !== one);
  if (wrong)
    throw new ConfigurationError(
      `auth.page.origins: ${wrong} is not an origin: write it like https://login.example.com`,
    );
  const config = { mode: 'oidc', issuer, clientId, scope: scopes.join(' '), parameters };
  return { origins: [ownOrigin, ...origins], configOf: () => config };
}
