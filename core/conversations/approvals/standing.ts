import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { StandingLimits, StandingOffer, StandingUse } from '../../base/state/schemas';
import { InvalidInput, NotFound } from '../../base/text/errors';
import { ttlAfter } from '../../base/time/ttl';
import { stepsIn } from '../agent/approvers';
import type { FunctionTool, Tool } from '../agent/tool';
import { digestOf } from '../calls/approved';
import { readCall } from '../calls/call';
import { key } from '../rows/keys';
import { onlyReadable } from '../rows/readable';
import { type StoredCall, type StoredCallback, StoredStanding, standingRow } from '../rows/rows';
import { retryOnConflict } from '../store/retry-on-conflict';
import { readPartition, type Table, write } from '../store/table';
import type { RowWrite } from '../store/write';

/**
 * Standing approvals: what a user allows for later, from the card of an approval.
 *
 * A call is made on the authority of one if its tool's own rule is the only reason to ask: no guard asks, nothing from outside was read, and
 * the tool has not asked itself. It is counted in the transaction that stores the call, before anything can be done, on condition that
 * the row is as it was read. So calls beside each other, and a revocation beside a call, have one order, and no limit is passed. A call that
 * ends `failed` or `cancelled` certainly had no effect, for good: its share is free, and is found when it is needed.
 */

/** Expired and revoked ones are shown for so long. */
const keptDays = 90;
const dayMs = 86_400_000;
/** The most that a user may have at once. */
const mostOfUser = 50;

/** Returns what an approval of the tool offers; undefined if each call is approved by itself. */
export function offerOf({ approval }: FunctionTool): StandingOffer | undefined {
  const { standing, money, approvers } = approval ?? {};
  if (!standing || stepsIn(approvers).some(({ by }) => by !== 'owner')) return undefined;
  const { mayDiffer = [], mostCalls = 20, mostDays = 30 } = standing;
  return { mayDiffer: [...mayDiffer], ...(money && { money }), mostCalls, mostDays };
}

/** Returns the arguments that stay the same. */
function sameOf(args: object, mayDiffer: readonly string[], money: object = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).filter(([name]) => !mayDiffer.includes(name) && !Object.hasOwn(money, name)),
  );
}

/**
 * Returns the write that makes a standing approval of an approved call. It commits with the approval.
 *
 * @param args the approved arguments. The limits must cover them.
 * @throws InvalidInput naming the limit.
 */
export async function putStanding(
  table: Table,
  { user, conversationId }: { user: string; conversationId: string },
  { id: callbackId, tool = '', agent = '', standing: offer }: StoredCallback,
  { args, limits }: { args: object; limits: StandingLimits },
  now: Date,
): Promise<RowWrite> {
  const refuse = (field: string, words: string): never => {
    throw new InvalidInput(`standing${field && '.'}${field}`, words);
  };
  if (!offer) return refuse('', 'this approval does not offer one: leave it out');
  const { mayDiffer, money = {}, mostCalls, mostDays } = offer;
  if (limits.calls > mostCalls) refuse('calls', `may be at most ${mostCalls}`);
  if (limits.days > mostDays) refuse('days', `may be at most ${mostDays}`);
  const extra = Object.keys(limits.money ?? {}).find((name) => !Object.hasOwn(money, name));
  if (extra !== undefined) refuse(`money.${extra}`, 'is no amount of this approval');
  const amounts = Object.entries(money).map(([name, currency]) => {
    const limit = Object.hasOwn(limits.money ?? {}, name) ? limits.money![name] : undefined;
    if (!limit) return refuse(`money.${name}`, 'is missing: give the largest amount of a call, and in all');
    const amount = (args as Record<string, unknown>)[name];
    if (typeof amount === 'number' && limit.perCall < amount)
      refuse(`money.${name}.perCall`, 'is less than what you approve now');
    if (limit.inAll < limit.perCall) refuse(`money.${name}.inAll`, 'is less than the largest amount of a call');
    return [name, { ...limit, currency }] as const;
  });
  const active = (await readStandings(table, user)).filter((one) => isActive(one, now));
  if (active.length >= mostOfUser) refuse('', `you have ${mostOfUser} of them: revoke one first`);
  const id = `sa_${createHash('sha256').update(`${conversationId} ${callbackId}`).digest('hex').slice(0, 24)}`;
  const expiresAt = new Date(now.getTime() + limits.days * dayMs).toISOString();
  const standing: StoredStanding = {
    id,
    version: 1,
    tool,
    agent,
    same: sameOf(args, mayDiffer, money),
    mayDiffer,
    ...(amounts.length > 0 && { money: Object.fromEntries(amounts) }),
    calls: limits.calls,
    uses: [],
    createdAt: now.toISOString(),
    expiresAt,
    madeFrom: { conversationId, callbackId },
  };
  const put = { ...standingRow(standing), ttl: ttlAfter(expiresAt, keptDays) };
  return { pk: key.user(user), sk: key.standing(id), put, onlyIf: 'absent' };
}

/** Reads the standing approvals of a user. One that cannot be read allows nothing. */
export async function readStandings(table: Table, user: string): Promise<StoredStanding[]> {
  const rows = await readPartition(table, key.user(user), key.standings, `${key.standings}~`);
  return onlyReadable(StoredStanding, rows);
}

const isActive = ({ revokedAt, expiresAt }: StoredStanding, now: Date): boolean =>
  revokedAt === undefined && expiresAt > now.toISOString();

/**
 * Revokes a standing approval. A call that is already stored on its authority is made.
 *
 * @throws NotFound if the user has no such one.
 */
export async function revokeStanding(table: Table, user: string, id: string, now: Date): Promise<void> {
  await retryOnConflict(`The standing approval ${id} keeps changing.`, async () => {
    const standing = (await readStandings(table, user)).find((one) => one.id === id);
    if (!standing) throw new NotFound(`You have no standing approval ${id}.`);
    if (standing.revokedAt !== undefined) return true;
    const set = { revokedAt: now.toISOString(), ttl: ttlAfter(now, keptDays) };
    const row = { pk: key.user(user), sk: key.standing(id), set, onlyIf: { version: standing.version } };
    return (await write(table, '', [row])) || undefined;
  });
}

/** The calls and the callbacks of a step, and the writes that count those which nobody is asked about. */
interface Allowed {
  calls: StoredCall[];
  callbacks: StoredCallback[];
  rows: RowWrite[];
}

/**
 * Makes the calls that a standing approval allows run without asking. Nothing is read unless an approval offers one.
 *
 * @param calls and the callbacks that they would wait for.
 */
export async function allowStanding(
  table: Table,
  { user, conversationId }: { user: string; conversationId: string },
  { calls, callbacks }: { calls: StoredCall[]; callbacks: StoredCallback[] },
  tools: readonly Tool[],
  now: Date,
): Promise<Allowed> {
  const offering = callbacks.filter(({ standing }) => standing !== undefined);
  if (offering.length === 0) return { calls, callbacks, rows: [] };
  const standings = (await readStandings(table, user)).filter((one) => isActive(one, now));
  const changed = new Map<string, StoredStanding>();
  const allowed = new Map<string, StoredCall>();
  for (const callback of offering) {
    const call = calls.find(({ id }) => id === callback.callId);
    const tool = tools.find(({ name }) => name === call?.tool);
    if (!call || tool?.kind !== 'function') continue;
    for (const read of standings) {
      const args = callback.arguments as Record<string, unknown>;
      const amounts = amountsFor(read, call, tool, args);
      const use = { conversationId, callId: call.id, at: now.toISOString(), ...(amounts && { amounts }) };
      const used = amounts && (await withUse(table, changed.get(read.id) ?? read, use));
      if (!used) continue;
      changed.set(read.id, used);
      const { callbackId: _, decider: __, ...rest } = call;
      allowed.set(call.id, {
        ...rest,
        status: 'queued',
        approved: digestOf(args),
        decidedBy: user,
        standing: read.id,
      });
      break;
    }
  }
  return {
    calls: calls.map((call) => allowed.get(call.id) ?? call),
    callbacks: callbacks.filter(({ callId = '' }) => !allowed.has(callId)),
    rows: [...changed.values()].map(({ id, version, uses }) => ({
      pk: key.user(user),
      sk: key.standing(id),
      set: { uses },
      onlyIf: { version, revokedAt: null },
    })),
  };
}

/** Returns the amounts of a call that is one of those which a standing approval is for; undefined if it is not. */
function amountsFor(
  { tool: name, agent, same, mayDiffer, money = {} }: StoredStanding,
  call: StoredCall,
  tool: FunctionTool,
  args: Record<string, unknown>,
): Record<string, number> | undefined {
  if (name !== call.tool || agent !== call.agent) return undefined;
  // A deployment may have taken back what it offered.
  const offer = offerOf(tool);
  const currencies = Object.fromEntries(Object.entries(money).map(([field, { currency }]) => [field, currency]));
  if (!offer || !isDeepStrictEqual(currencies, { ...offer.money })) return undefined;
  if (mayDiffer.some((field) => !offer.mayDiffer.includes(field))) return undefined;
  if (!isDeepStrictEqual(sameOf(args, mayDiffer, money), same)) return undefined;
  const amounts = Object.entries(money).map(([field, { perCall }]) => [field, args[field], perCall] as const);
  const isWithin = amounts.every(
    ([, amount, perCall]) => Number.isSafeInteger(amount) && (amount as number) >= 0 && (amount as number) <= perCall,
  );
  return isWithin ? Object.fromEntries(amounts.map(([field, amount]) => [field, amount as number])) : undefined;
}

/** Returns the standing approval with a further use; undefined if a limit would be passed. */
async function withUse(table: Table, standing: StoredStanding, use: StandingUse): Promise<StoredStanding | undefined> {
  const whole = { ...standing, uses: [...standing.uses, use] };
  if (isWithinLimits(whole)) return whole;
  const kept: StandingUse[] = [];
  for (const one of standing.uses) if (!(await hadNoEffect(table, one))) kept.push(one);
  const freed = { ...standing, uses: [...kept, use] };
  return isWithinLimits(freed) ? freed : undefined;
}

/** Whether the uses stay within all limits. */
function isWithinLimits({ uses, calls, money = {} }: StoredStanding): boolean {
  const sum = (field: string) => uses.reduce((total, { amounts }) => total + (amounts?.[field] ?? 0), 0);
  return uses.length <= calls && Object.entries(money).every(([field, { inAll }]) => sum(field) <= inAll);
}

/** Whether a call has ended and certainly had no effect. One whose row is gone may have had one. */
async function hadNoEffect(table: Table, { conversationId, callId }: StandingUse): Promise<boolean> {
  const call = await readCall(table, conversationId, callId);
  return call?.status === 'failed' || call?.status === 'cancelled';
}
