import { WrongState } from '../../base/text/errors';
import { key } from '../rows/keys';
import { ifReadable } from '../rows/readable';
import { GrantsEnded } from '../rows/rows';
import { retryOnConflict } from '../store/retry-on-conflict';
import { readItem, type Table, write } from '../store/table';
import type { SignInToken } from './grant';

/** The token of a request, and its time. */
export interface SignedIn {
  token: SignInToken;
  now: Date;
}

const at = (user: string) => ({ pk: key.user(user), sk: key.grantsEnded });

/**
 * Ends what tokens that were issued until now may grant: what works without a token. What they have granted is ended by who wrote it, afterwards. Who
 * grants something reads its own row first and then `assertMayGrant`, so that one of both finds the other.
 */
export const endGrants = (table: Table, user: string, now: Date): Promise<void> =>
  retryOnConflict('Your grants keep changing.', async () => {
    const endedAt = Math.floor(now.getTime() / 1_000);
    const row = await readItem(table, at(user));
    const { version = 0, endedAt: before = 0 } = ifReadable(GrantsEnded, row ?? {}) ?? {};
    if (before >= endedAt) return true;
    const onlyIf = row ? (version > 0 ? { version } : undefined) : 'absent';
    return (await write(table, user, [{ ...at(user), put: { version: version + 1, endedAt }, onlyIf }])) || undefined;
  }).then(() => undefined);

/** @throws WrongState if the user has ended what this token could grant. If that cannot be read, no token grants anything. */
export async function assertMayGrant(table: Table, user: string, { issuedAt }: SignInToken): Promise<void> {
  const row = await readItem(table, at(user));
  if (!row) return;
  if (issuedAt > (ifReadable(GrantsEnded, row)?.endedAt ?? Number.MAX_SAFE_INTEGER)) return;
  throw new WrongState('You have ended the grants of all sign-ins. Sign in again to grant this.', {
    kind: 'grants-ended',
  });
}
