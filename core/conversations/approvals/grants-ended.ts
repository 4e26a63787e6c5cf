import { WrongState } from '../../base/text/errors';
import { isOfLaterVersion } from '../rows/formats';
import { key } from '../rows/keys';
import { ifReadable, parsedAs } from '../rows/readable';
import { GrantsEnded } from '../rows/rows';
import { retryOnConflict } from '../store/retry-on-conflict';
import { readItem, type Table, write } from '../store/table';
import type { RowWrite } from '../store/write';
import type { SignInToken } from './grant';

/** The token of a request, and its time. */
export interface SignedIn {
  token: SignInToken;
  now: Date;
}

const at = (user: string) => ({ pk: key.user(user), sk: key.grantsEnded });

/** Reads when a user has ended all grants, and what fences that. If it cannot be read, no token grants anything. */
async function readEnded(table: Table, user: string): Promise<{ version?: number; endedAt: number }> {
  const row = await readItem(table, at(user));
  if (!row) return { endedAt: 0 };
  const isLater = isOfLaterVersion(row as Record<string, unknown>);
  const ended = isLater ? parsedAs(GrantsEnded, row) : ifReadable(GrantsEnded, row);
  return ended ?? { version: 0, endedAt: Number.MAX_SAFE_INTEGER };
}

/** Returns the time, in seconds since 1970, until which tokens were issued that grant nothing more. What they have granted before has ended, too. */
export const readGrantsEnded = async (table: Table, user: string): Promise<number> =>
  (await readEnded(table, user)).endedAt;

/** Ends what works without a token: tokens that were issued until now grant nothing more. */
export async function endGrants(table: Table, user: string, now: Date): Promise<void> {
  const endedAt = Math.floor(now.getTime() / 1_000);
  await retryOnConflict('Your grants keep changing.', async () => {
    const { version, endedAt: before } = await readEnded(table, user);
    if (version && before >= endedAt) return true;
    // A version that cannot be read fences nothing.
    const onlyIf = version === undefined ? 'absent' : version > 0 ? { version } : undefined;
    const put = { version: (version ?? 0) + 1, endedAt };
    return (await write(table, user, [{ ...at(user), put, onlyIf }])) || undefined;
  });
}

/**
 * Returns the write that makes a grant fail if the user ends all grants meanwhile.
 *
 * @throws WrongState if they have ended what this token could grant.
 */
export async function grantWrite(table: Table, user: string, token: SignInToken): Promise<RowWrite> {
  const { version, endedAt } = await readEnded(table, user);
  assertMayGrant(endedAt, token);
  return version === undefined
    ? { ...at(user), put: { version: 1, endedAt: 0 }, onlyIf: 'absent' }
    : { ...at(user), set: {}, onlyIf: { version } };
}

/** @throws WrongState if a token was issued before its user ended all grants. */
export function assertMayGrant(endedAt: number, { issuedAt }: SignInToken): void {
  if (issuedAt > endedAt) return;
  throw new WrongState('You have ended the grants of all sign-ins. Sign in again to grant this.', {
    kind: 'grants-ended',
  });
}
