import { isDeepStrictEqual } from 'node:util';
import { ttlAfter } from '../../base/time/ttl';
import { approversIn, type Caller, deciderOf, isDecider } from '../agent/approvers';
import type { Registry } from '../agent/registry';
import { key } from '../rows/keys';
import { ifReadable } from '../rows/readable';
import { SeenDeciders } from '../rows/rows';
import { overwrite, readItem, type Table } from '../store/table';
import { namedApprovers } from './deciders';
import { nameOf } from './person-name';

/**
 * Who can decide is in the tokens of requests only. So whoever reads what waits for them is remembered as an approver, for as long as a
 * sign-in lasts. It gives no right: each decision is checked against the token that it comes with.
 */
const keptDays = 30;
const dayMs = 86_400_000;

const keyOf = (user: string) => ({ pk: key.user(user), sk: key.seenDeciders });

async function readSeen(table: Table, user: string): Promise<SeenDeciders | undefined> {
  const row = await readItem(table, keyOf(user));
  return ifReadable(SeenDeciders, row);
}

/** Notes as which of the approvers that tools name a user is seen. It writes once a day, and when that has changed. */
export async function noteDeciders(table: Table, registry: Registry, caller: Caller, now: Date): Promise<void> {
  const named = namedApprovers(registry).map((approvers) => deciderOf(approvers, ''));
  if (named.length === 0) return;
  const deciders = named.filter((decider) => isDecider(decider, caller)).sort();
  const seen = await readSeen(table, caller.user);
  if (!seen && deciders.length === 0) return;
  const isFresh = seen !== undefined && now.getTime() - Date.parse(seen.seenAt) < dayMs;
  const name = nameOf(caller);
  if (isFresh && seen.name === name && isDeepStrictEqual(seen.deciders, deciders)) return;
  const put: SeenDeciders & { ttl: number } = {
    deciders,
    ...(name && { name }),
    seenAt: now.toISOString(),
    ttl: ttlAfter(now, keptDays),
  };
  await overwrite(table, '', { ...keyOf(caller.user), put });
}

/** Returns a user with the name, groups and claims as which they were seen lately, as far as tools name them. */
export async function knownCaller(table: Table, user: string, now: Date): Promise<Caller & { name?: string }> {
  const { deciders = [], seenAt = '', name } = (await readSeen(table, user)) ?? {};
  // The table removes an expired row some days later.
  const isKnown = now.getTime() - Date.parse(seenAt) < keptDays * dayMs;
  const approvers = isKnown ? deciders.flatMap((decider) => approversIn(decider) ?? []) : [];
  return {
    user,
    ...(isKnown && name && { name }),
    groups: approvers.flatMap((one) => ('group' in one ? [one.group] : [])),
    claims: Object.fromEntries(approvers.flatMap((one) => ('claim' in one ? [[one.claim, one.value]] : []))),
  };
}
