import { Absence, type StandIn } from '../../base/state/schemas';
import { InvalidInput } from '../../base/text/errors';
import { ttlAfter } from '../../base/time/ttl';
import { approversIn, type Caller, deciderOf, isDecider } from '../agent/approvers';
import type { Registry } from '../agent/registry';
import { key } from '../rows/keys';
import { ifReadable, onlyReadable } from '../rows/readable';
import { StoredAbsence, StoredStandIn } from '../rows/rows';
import { retryOnConflict } from '../store/retry-on-conflict';
import { ignoreConflict, readItem, readPartition, type Table, write } from '../store/table';
import type { RowWrite } from '../store/write';
import { namedApprovers } from './deciders';
import type { SignInToken } from './grant';
import { grantWrite } from './grants-ended';

/**
 * Absences: an approver names somebody who decides in their place for some days. It covers what they decide as a member of a group or by
 * a claim, as their token says when they name somebody, and nothing of their own conversations. Nobody passes it on.
 */

/** As long as a sign-in lasts: the groups of an absent person are not looked at again. */
const mostDays = 30;
const keptDays = 90;
const dayMs = 86_400_000;
/** A process that decides in somebody's place may be slow: an absence that is over by the clock is still ended for it. */
const slowMs = 3_600_000;

async function readAbsence(table: Table, user: string): Promise<StoredAbsence | undefined> {
  const row = await readItem(table, { pk: key.user(user), sk: key.absence });
  return ifReadable(StoredAbsence, row);
}

/**
 * Names who decides in the caller's place. It replaces what was named before. One token grants it until that token ends; a later token of the
 * same sign-in confirms it by the same request, so whoever has stolen a token has no more than that (`grant.ts`).
 *
 * @param token of the request. Absent if code names them.
 * @throws InvalidInput naming the field. WrongState if the user has ended what this token could grant.
 */
export async function beAbsent(
  table: Table,
  registry: Registry,
  caller: Caller,
  { to, from, until }: Absence,
  now: Date,
  token?: SignInToken,
): Promise<void> {
  if (to === caller.user) throw new InvalidInput('to', 'name somebody else than yourself');
  if (until <= from || until <= now.toISOString()) throw new InvalidInput('until', 'must be later than `from` and now');
  if (Date.parse(until) > now.getTime() + mostDays * dayMs)
    throw new InvalidInput('until', `may be at most ${mostDays} days from now`);
  const named = namedApprovers(registry).map((approvers) => deciderOf(approvers, ''));
  const deciders = named.filter((decider) => isDecider(decider, caller));
  if (deciders.length === 0) throw new InvalidInput('to', 'you approve nothing as a member of a group or by a claim');
  const put: StoredStandIn = { version: 1, user: caller.user, deciders, grantedAt: now.toISOString(), from, until };
  await changeAbsence(table, caller.user, now, async (before) => {
    const unconfirmed = token && !isConfirmedBy(before, { to, until }, token, now) ? unconfirmedBy(token) : {};
    const { unconfirmedUntil } = unconfirmed;
    const standIn = { ...put, ...(unconfirmedUntil && { unconfirmedUntil }), ttl: ttlAfter(until, keptDays) };
    return {
      next: { to, from, until, ...unconfirmed },
      rows: [
        { pk: key.user(to), sk: key.standIn(caller.user), put: standIn },
        ...(token ? [await grantWrite(table, caller.user, token)] : []),
      ],
    };
  });
}

const unconfirmedBy = ({ id, signIn, until }: SignInToken): Pick<StoredAbsence, 'token' | 'unconfirmedUntil'> => ({
  token: { id, ...(signIn !== undefined && { signIn }) },
  unconfirmedUntil: new Date(until * 1_000).toISOString(),
});

/** Whether the same is asked for again: by a later token of the sign-in, or after that. */
function isConfirmedBy(
  before: StoredAbsence | undefined,
  { to, until }: Pick<Absence, 'to' | 'until'>,
  { id, signIn }: SignInToken,
  now: Date,
): boolean {
  if (!before || before.to !== to || before.until !== until || !isOpenAt(before, now)) return false;
  return before.token === undefined || (before.token.signIn === signIn && before.token.id !== id);
}

const isOpenAt = (
  { until, unconfirmedUntil = until, endedAt }: Pick<StoredAbsence, 'until' | 'unconfirmedUntil' | 'endedAt'>,
  now: Date,
): boolean => endedAt === undefined && now.toISOString() < (unconfirmedUntil < until ? unconfirmedUntil : until);

/** Ends an absence. Ending it twice changes nothing. */
export const endAbsence = (table: Table, user: string, now: Date): Promise<void> =>
  changeAbsence(table, user, now, async () => ({ rows: [] }));

/** Both rows change in one transaction: that of the absent person fences it. */
async function changeAbsence(
  table: Table,
  user: string,
  now: Date,
  decide: (before: StoredAbsence | undefined) => Promise<{ next?: Omit<StoredAbsence, 'version'>; rows: RowWrite[] }>,
): Promise<void> {
  await retryOnConflict('Your absence keeps changing.', async () => {
    const before = await readAbsence(table, user);
    const { next, rows } = await decide(before);
    const isOpen =
      before !== undefined && before.endedAt === undefined && Date.parse(before.until) > now.getTime() - slowMs;
    if (!next && !isOpen) return true;
    const endedAt = now.toISOString();
    const version = (before?.version ?? 0) + 1;
    const absence = next ? { ...next, version } : { ...before!, version, endedAt };
    const own: RowWrite = {
      pk: key.user(user),
      sk: key.absence,
      put: { ...absence, ttl: ttlAfter(absence.until, keptDays) },
      onlyIf: before ? { version: before.version } : 'absent',
    };
    const ended = { pk: key.user(before?.to ?? ''), sk: key.standIn(user), set: { endedAt }, onlyIf: { user } };
    const isReplaced = isOpen && before.to !== next?.to;
    // It is decided again if another row has changed, too: that of the other user, or the end of all grants.
    return (await write(table, '', [own, ...rows, ...(isReplaced ? [ended] : [])]).catch(ignoreConflict)) || undefined;
  });
}

/** Reads in whose place a user decides at this time. */
export async function readStandIns(table: Table, user: string, now: Date): Promise<StoredStandIn[]> {
  const rows = await readPartition(table, key.user(user), key.standIns, `${key.standIns}~`);
  const at = now.toISOString();
  return onlyReadable(StoredStandIn, rows).filter((one) => one.from <= at && isOpenAt(one, now));
}

/** Returns the write that notes a decision in somebody's place. It fails if the absence was ended or changed meanwhile. */
export const usesStandIn = (
  user: string,
  { user: absent, version, grantedAt }: StoredStandIn,
  now: Date,
): RowWrite => ({
  pk: key.user(user),
  sk: key.standIn(absent),
  set: { usedAt: now.toISOString() },
  onlyIf: { version, grantedAt, endedAt: null },
});

/** Returns a user's absence, unless it is over, and in whose place the user decides. */
export async function absenceOf(
  table: Table,
  user: string,
  now: Date,
): Promise<{ absence?: Absence; standsInFor: StandIn[] }> {
  const absence = await readAbsence(table, user);
  const isOpen = absence && isOpenAt(absence, now);
  const standsInFor = (await readStandIns(table, user, now)).map(({ user: absent, from, until, deciders }) => ({
    user: absent,
    from,
    until,
    approvers: deciders.flatMap((decider) => approversIn(decider) ?? []),
  }));
  return { ...(isOpen && { absence: Absence.parse(absence) }), standsInFor };
}
