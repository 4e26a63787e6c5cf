import { createHash, createHmac, getDiffieHellman, hkdfSync, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AdminCreateUserCommand,
  AdminSetUserPasswordCommand,
  type CognitoIdentityProviderClient,
  InitiateAuthCommand,
  RespondToAuthChallengeCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { type User, userWith } from '../support/api-client';

/** The parts of a deployment that a person needs to sign in. */
export interface Deployed {
  cognito: CognitoIdentityProviderClient;
  /** The address of the HTTP API. */
  api: string;
  userPoolId: string;
  clientId: string;
}

const lookAgainMs = 500;

/** Creates a user, as an administrator does, with a random password, and signs in. */
export async function person(deployed: Deployed, name: string): Promise<User> {
  const { cognito, userPoolId: UserPoolId } = deployed;
  const Username = `${name}@example.com`;
  const Password = `Aa1!${randomBytes(24).toString('base64url')}`;
  const UserAttributes = [
    { Name: 'email', Value: Username },
    { Name: 'email_verified', Value: 'true' },
  ];
  await cognito.send(new AdminCreateUserCommand({ UserPoolId, Username, MessageAction: 'SUPPRESS', UserAttributes }));
  await cognito.send(new AdminSetUserPasswordCommand({ UserPoolId, Username, Password, Permanent: true }));
  return userWith({
    url: deployed.api,
    signIn: () => accessToken(deployed, Username, Password),
    nextChange: async (writes) => {
      await sleep(lookAgainMs);
      return writes;
    },
  });
}

// RFC 5054 with the group of 3072 bits of RFC 3526, and the key as Cognito derives it.
const prime = BigInt(`0x${getDiffieHellman('modp15').getPrime('hex')}`);
const generator = 2n;

/** Signs in by SRP, the one flow that the client of programs allows. */
async function accessToken(
  { cognito, userPoolId, clientId }: Deployed,
  username: string,
  password: string,
): Promise<string> {
  const secret = toNumber(randomBytes(128));
  const publicA = power(generator, secret);
  const AuthParameters = { USERNAME: username, SRP_A: publicA.toString(16) };
  const asked = await cognito.send(
    new InitiateAuthCommand({ AuthFlow: 'USER_SRP_AUTH', ClientId: clientId, AuthParameters }),
  );
  const { SRP_B = '', SALT = '', SECRET_BLOCK = '', USER_ID_FOR_SRP: userId = '' } = asked.ChallengeParameters!;
  const pool = userPoolId.split('_')[1]!;
  const publicB = BigInt(`0x${SRP_B}`);
  const u = toNumber(hash(padded(publicA), padded(publicB)));
  const x = toNumber(hash(padded(BigInt(`0x${SALT}`)), hash(Buffer.from(`${pool}${userId}:${password}`))));
  const k = toNumber(hash(padded(prime), padded(generator)));
  const base = (((publicB - k * power(generator, x)) % prime) + prime) % prime;
  const key = hkdfSync('sha256', padded(power(base, secret + u * x)), padded(u), 'Caldera Derived Key', 16);
  const timestamp = cognitoTime(new Date());
  const signature = createHmac('sha256', Buffer.from(key))
    .update(pool + userId)
    .update(Buffer.from(SECRET_BLOCK, 'base64'))
    .update(timestamp)
    .digest('base64');
  const ChallengeResponses = {
    USERNAME: userId,
    PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
    PASSWORD_CLAIM_SIGNATURE: signature,
    TIMESTAMP: timestamp,
  };
  const signedIn = await cognito.send(
    new RespondToAuthChallengeCommand({
      ChallengeName: 'PASSWORD_VERIFIER',
      ClientId: clientId,
      ChallengeResponses,
    }),
  );
  return signedIn.AuthenticationResult!.AccessToken!;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let square = base % prime, left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % prime;
    square = (square * square) % prime;
  }
  return result;
}

const toNumber = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`);
const hash = (...parts: Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();

/** Returns a number as bytes. A leading zero keeps it positive. */
function padded(value: bigint): Buffer {
  const digits = value.toString(16);
  const whole = digits.length % 2 ? `0${digits}` : digits;
  return Buffer.from(/^[89a-f]/.test(whole) ? `00${whole}` : whole, 'hex');
}

/** Returns a time as Cognito's clients write it: `Mon Nov 30 01:02:03 UTC 2026`. */
function cognitoTime(time: Date): string {
  const [weekday, day, month, year, clock] = time.toUTCString().replace(',', '').split(' ');
  return `${weekday} ${month} ${Number(day)} ${clock} UTC ${year}`;
}
