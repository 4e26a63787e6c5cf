import { type JWTPayload, jwtVerify } from 'jose';
import type { Clock } from 'vigil-stepfunctions';
import type { Resource } from '../template/template';
import type { Identity } from './identity';

/**
 * The JWT authorizer of an HTTP API, with the checks that AWS documents: signature by the issuer's key, `iss`, `aud` or
 * `client_id`, `exp`, `nbf`, `iat`, and one of the route's scopes.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
 */
export type Authorize = (header: string | undefined, scopes: readonly string[]) => Promise<Verdict>;

type Verdict =
  | { allowed: true; claims: Record<string, string>; scopes: string[] | null }
  | { allowed: false; status: 401 | 403; headers: Record<string, string> };

/** The greatest tolerated lead of the issuer's clock. AWS does not document its own tolerance. */
const toleratedSeconds = 5;

export function jwtAuthorizer(authorizer: Resource, identity: Identity, clock: Clock): Authorize {
  const { AuthorizerType, IdentitySource, JwtConfiguration } = authorizer.properties;
  const { Issuer, Audience } = (JwtConfiguration ?? {}) as { Issuer?: string; Audience?: string[] };
  if (AuthorizerType !== 'JWT')
    throw new Error(`The local cloud does not support ${AuthorizerType} authorizers (${authorizer.logicalId}).`);
  const [source] = IdentitySource as string[];
  if (source?.toLowerCase() !== '$request.header.authorization') {
    throw new Error(`The local cloud reads tokens from the Authorization header only (${authorizer.logicalId}).`);
  }
  const key = identity.keyOf(Issuer ?? '');
  if (!key) throw new Error(`The issuer ${Issuer} is not a user pool of this template (${authorizer.logicalId}).`);

  return async (header, required) => {
    const token = header?.replace(/^Bearer /i, '');
    if (!token) return refused(401);
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['RS256'],
        issuer: Issuer,
        currentDate: new Date(clock.now()),
        requiredClaims: ['exp'],
      });
      if ((payload.iat ?? 0) > clock.now() / 1_000 + toleratedSeconds) return refused(401);
      const audience = payload.aud ?? payload.client_id;
      if (![audience].flat().some((one) => Audience?.includes(String(one)))) return refused(401);
      const granted = [payload.scope ?? payload.scp ?? []].flat().flatMap((one) => String(one).split(' '));
      if (required.length && !required.some((scope) => granted.includes(scope))) return refused(403);
      return { allowed: true, claims: claimsOf(payload), scopes: required.length ? granted : null };
    } catch {
      // The reason why a token is invalid is never revealed or logged.
      return refused(401);
    }
  };
}

function refused(status: 401 | 403): Verdict {
  return { allowed: false, status, headers: status === 401 ? { 'www-authenticate': 'Bearer' } : {} };
}

/** The event has every claim as text, and lists as `[a b]`. */
function claimsOf(payload: JWTPayload): Record<string, string> {
  const entries = Object.entries(payload).map(([name, value]) => [
    name,
    Array.isArray(value) ? `[${value.join(' ')}]` : String(value),
  ]);
  return Object.fromEntries(entries);
}
