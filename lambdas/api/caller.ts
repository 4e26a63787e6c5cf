import type { LambdaEvent } from 'hono/aws-lambda';
import type { Caller } from '../../core/agent/approvers';

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
