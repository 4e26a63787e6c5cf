import type { LambdaEvent } from 'hono/aws-lambda';
import type { Caller } from '../../core/conversations/agent/approvers';
import type { SignInToken } from '../../core/conversations/approvals/grant';
import type { SignedIn } from '../../core/conversations/approvals/grants-ended';

type Claims = Caller['claims'];

/** The claims of the token that the gateway has verified. */
export function claimsOf(event: LambdaEvent): Claims {
  const { authorizer } = event.requestContext as { authorizer?: { jwt?: { claims?: Claims } } };
  return authorizer?.jwt?.claims ?? {};
}

/** The gateway has verified the token, but not its use: an ID token is for the page alone, and a client is no user. */
export const userIn = ({ sub, token_use, client_id }: Claims, use = 'access'): string | undefined =>
  (use === 'any' || token_use === use) && sub !== client_id ? sub : undefined;

/** API Gateway writes a list as text: `[editors staff]`. */
export const groupsIn = (claims: Claims): string[] =>
  (claims['cognito:groups'] ?? '')
    .replace(/^\[|\]$/g, '')
    .split(' ')
    .filter((group) => group !== '');

/** No issuer's access tokens last longer. */
const longestTokenSeconds = 86_400;

/**
 * Returns what a token says about its sign-in, in the claims that issuers have: Cognito's `origin_jti`, OpenID Connect's `sid`, or
 * when the user signed in. All of them are the same in each token that the sign-in is refreshed to.
 */
export function signInTokenIn(claims: Claims): SignInToken {
  const { sub, origin_jti, sid, auth_time, jti, iat, exp } = claims;
  const until = Number(exp);
  return {
    id: jti ?? `${sub} ${exp}`,
    signIn: origin_jti ?? sid ?? auth_time,
    until,
    ...(isSeconds(auth_time) && { signedInAt: Number(auth_time) }),
    issuedAt: isSeconds(iat) ? Number(iat) : until - longestTokenSeconds,
  };
}

/** Returns who asks now, for what only a sign-in grants. */
export const signedInNow = ({ claims }: Pick<Caller, 'claims'>): SignedIn => ({
  token: signInTokenIn(claims),
  now: new Date(),
});

const isSeconds = (claim: string | undefined): claim is string => /^\d{1,12}$/.test(claim ?? '');

/** Cognito writes it as a text, others as a boolean, and API Gateway all claims as texts. Anything else is not verified. */
export const verifiedAddressIn = ({ email, email_verified }: Record<string, unknown>): string | undefined =>
  typeof email === 'string' && email !== '' && (email_verified === true || email_verified === 'true')
    ? email
    : undefined;
