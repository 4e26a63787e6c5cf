import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  randomUUID,
} from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type JWTPayload, SignJWT } from 'jose';
import type { Clock } from 'vigil-stepfunctions';
import type { Properties, Resource, Template } from '../template/template';

/**
 * Replaces the template's Cognito user pool: signs tokens for any user name, with the pool's issuer and its client's
 * id, so that the deployed API's own verification runs on them. There are no passwords: whoever can reach `/_local` is
 * any user.
 */
export interface Identity {
  /** Returns a signed access token for a person, valid by the local clock for as long as the client's tokens are. */
  tokenFor(person: Person): Promise<{ token: string; expiresAt: string }>;
  /** Returns a signed token of the template's client for machines, which is no user's; undefined if there is none. */
  machineToken(): Promise<{ token: string; expiresAt: string }> | undefined;
  /** Returns the key that verifies an issuer's tokens, or undefined for an unknown issuer. */
  keyOf(issuer: string): KeyObject | undefined;
}

export interface IdentityOptions {
  /** See `openSigningKey`. */
  privateKey: KeyObject;
  template: Template;
  clock: Clock;
}

/** Who a token is for, and what else it says. The claims of the token itself cannot be replaced. */
interface Person {
  user: string;
  groups?: readonly string[];
  claims?: Readonly<Record<string, string>>;
}

const keyFile = 'identity.pem';

export function openIdentity({ privateKey, template, clock }: IdentityOptions): Identity {
  const publicKey = createPublicKey(privateKey);
  const pools = template.ofType('AWS::Cognito::UserPool');
  const [pool] = pools;
  const clients = template
    .ofType('AWS::Cognito::UserPoolClient')
    .filter(({ properties }) => properties.UserPoolId === pool?.ref);
  const isMachine = ({ properties }: Resource) =>
    ((properties.AllowedOAuthFlows ?? []) as string[]).includes('client_credentials');
  const client = clients.find((one) => !isMachine(one));
  const machine = clients.find(isMachine);
  const issuers = new Set(pools.map((one) => one.attributes.ProviderURL));
  /** The time of a user's sign-in, and the id that all tokens of the sign-in have. After a restart, everybody signs in again. */
  const signIns = new Map<string, { origin_jti: string; auth_time: number }>();
  function signInOf(user: string): { origin_jti: string; auth_time: number } {
    const seconds = Math.floor(clock.now() / 1_000);
    const known = signIns.get(user);
    if (known && seconds < known.auth_time + signInSeconds) return known;
    const next = { origin_jti: randomUUID(), auth_time: seconds };
    signIns.set(user, next);
    return next;
  }
  async function signed(of: Resource, subject: string, claims: JWTPayload) {
    const seconds = Math.floor(clock.now() / 1_000);
    const until = seconds + accessSeconds(of.properties);
    const token = await new SignJWT({
      ...claims,
      client_id: of.ref,
      scope: scopesOf(of.properties).join(' '),
      token_use: 'access',
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'local' })
      .setSubject(subject)
      .setIssuer(pool?.attributes.ProviderURL ?? '')
      .setJti(randomUUID())
      .setIssuedAt(seconds)
      .setExpirationTime(until)
      .sign(privateKey);
    return { token, expiresAt: new Date(until * 1_000).toISOString() };
  }

  return {
    keyOf: (issuer) => (issuers.has(issuer) ? publicKey : undefined),
    machineToken: () => machine && signed(machine, machine.ref, {}),
    async tokenFor({ user, groups = [], claims }) {
      if (!client) throw new Error('Cannot sign a token: the template has no user pool with a client.');
      // As in Cognito, there is no claim without a group.
      const member = groups.length > 0 && { 'cognito:groups': [...groups] };
      return signed(client, userId(user), {
        ...claims,
        'cognito:username': user,
        username: user,
        ...signInOf(user),
        ...member,
      });
    },
  };
}

/** Cognito gives a token of a sign-in without OAuth this one scope. */
function scopesOf({ AllowedOAuthFlowsUserPoolClient, AllowedOAuthScopes }: Properties): string[] {
  return AllowedOAuthFlowsUserPoolClient ? (AllowedOAuthScopes as string[]) : ['aws.cognito.signin.user.admin'];
}

/** A refresh token of Cognito lasts for 30 days after the sign-in, also when it is rotated. */
const signInSeconds = 30 * 86_400;

const unitSeconds: Record<string, number> = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 };

function accessSeconds({ AccessTokenValidity = 1, TokenValidityUnits = {} }: Properties): number {
  const { AccessToken = 'hours' } = TokenValidityUnits as { AccessToken?: string };
  return Number(AccessTokenValidity) * (unitSeconds[AccessToken] ?? 3_600);
}

/**
 * Returns the id of a user on a laptop and in tests, the `sub` of their tokens: an opaque UUID as in Cognito, the same after every restart.
 *
 * @example
 * ```ts
 * import { userId } from 'vigil/testing';
 *
 * userId('ada'); // → '161ce2d6-c94e-5370-ae8d-e4ef61181c56'
 * // For a schedule that asks `process.env.CHASED_USERS` for its users:
 * // await startVigil({ variables: { CHASED_USERS: userId('ada') } })
 * ```
 */
export function userId(user: string): string {
  // Whoever is this user sees what the deployment's own schedules do.
  if (user === 'deployment') return user;
  const hex = createHash('sha256').update(`vigil user ${user}`).digest('hex');
  // A digest is ASCII.
  return [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** The key is kept across restarts, so that an open page stays signed in. */
export async function openSigningKey(stateDirectory: string): Promise<KeyObject> {
  const file = join(stateDirectory, keyFile);
  const stored = await readFile(file, 'utf8').catch(() => undefined);
  if (stored) return createPrivateKey(stored);
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2_048 });
  await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  return privateKey;
}
