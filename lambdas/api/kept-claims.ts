import { type Claims, claimsBytes } from '../../core/base/state/given';
import { ConfigurationError } from '../../core/base/text/errors';
import type { Caller } from '../../core/conversations/agent/approvers';
import { optionalVariable } from '../../runtime/environment';

/** The names of the claims that the deployment keeps with conversations. Without the setting, none. */
export const keptClaims = (): string[] =>
  (optionalVariable('VIGIL_CLAIMS') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/**
 * Returns those claims of a verified token; undefined if it has none of them.
 *
 * @throws ConfigurationError if they are too large to keep.
 */
export function claimsKept(names: readonly string[], { claims }: Pick<Caller, 'claims'>): Claims | undefined {
  const kept = Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(claims, name) ? [[name, claims[name]!]] : [])),
  );
  if (Object.keys(kept).length === 0) return undefined;
  if (Buffer.byteLength(JSON.stringify(kept)) <= claimsBytes) return kept;
  throw new ConfigurationError(
    `VIGIL_CLAIMS: a token's claims have more than ${claimsBytes} bytes. Name fewer claims.`,
  );
}
