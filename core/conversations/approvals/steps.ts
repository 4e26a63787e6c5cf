import { type Caller, isDecider, listFor } from '../agent/approvers';
import type { StoredAssignment, StoredCallback, StoredDecision, StoredStandIn, StoredStep } from '../rows/rows';

/**
 * The rule of an approval with several decisions. It is fixed when the approval is asked, and all of it is a function of the callback's row
 * and the clock: who may decide now, what is complete, and when those who can decide are told again. So nothing has to run for a step to
 * escalate.
 *
 * - The steps are decided in order. In each, so many different people approve as it counts.
 * - One person decides once, in whatever capacity. One denial ends it.
 * - What is approved is the digest of the arguments. The first to decide may change them; approvals of others do not count.
 */
export type Ruled = Pick<
  StoredCallback,
  'decider' | 'steps' | 'decisions' | 'excludesOwner' | 'createdAt' | 'dueSince' | 'reminders' | 'expiresAt'
>;

/** Returns the steps; a callback without a rule is one step of its decider. */
export const stepsOf = ({ steps, decider }: Ruled): StoredStep[] => steps ?? [{ decider: decider ?? '' }];

/** Returns the step that is due, from 0; the number of steps if all are decided. */
export function dueStep(callback: Ruled): number {
  const approvals = (callback.decisions ?? []).filter(({ approved }) => approved);
  const digest = approvals.at(-1)?.digest;
  const counted = (index: number) => approvals.filter((one) => one.step === index && one.digest === digest).length;
  const steps = stepsOf(callback);
  const due = steps.findIndex(({ count = 1 }, index) => counted(index) < count);
  return due < 0 ? steps.length : due;
}

/** Returns when the due step escalates; undefined if it does not. */
export function escalatesAt(callback: Ruled): string | undefined {
  const { escalation } = stepsOf(callback)[dueStep(callback)] ?? {};
  return escalation && after(sinceOf(callback), escalation.afterSeconds);
}

const sinceOf = ({ dueSince, createdAt, expiresAt }: Ruled): string => dueSince ?? createdAt ?? expiresAt;
const after = (time: string, seconds: number): string => new Date(Date.parse(time) + seconds * 1_000).toISOString();

/** Returns who may decide at this time, as `deciderOf` names them; those of the last step if all are decided. */
export function decidersNow(callback: Ruled, now: Date): string[] {
  const step = stepsOf(callback)[dueStep(callback)] ?? stepsOf(callback).at(-1)!;
  const escalated = (escalatesAt(callback) ?? '~') <= now.toISOString() ? [step.escalation!.decider] : [];
  return [step.decider, ...escalated];
}

/** Returns the list in which the deciders of the due step find the callback. */
export function listOf(callback: Ruled): string | undefined {
  const { decider, escalation } = stepsOf(callback)[dueStep(callback)] ?? {};
  return callback.decider === undefined || decider === undefined ? undefined : listFor(decider, escalation?.decider);
}

/**
 * What a person is for an approval at this time.
 *
 * - `may decide`: in the step that is due.
 * - `has decided`: and may only deny it now.
 * - `another time`: in another step, or after an escalation. It is no secret from them.
 */
export type Capacity = 'may decide' | 'has decided' | 'another time';

/** Returns what a caller is for an approval; undefined for a stranger. */
export function capacityOf(callback: Ruled, owner: string, caller: Caller, now: Date): Capacity | undefined {
  const involved = stepsOf(callback).flatMap(({ decider, escalation }) => [
    decider,
    ...(escalation ? [escalation.decider] : []),
  ]);
  if (callback.excludesOwner && caller.user === owner) return undefined;
  if (hasDecided(callback, caller.user)) return 'has decided';
  if (decidersNow(callback, now).some((decider) => isDecider(decider, caller))) return 'may decide';
  return involved.some((decider) => isDecider(decider, caller)) ? 'another time' : undefined;
}

/** Whether a person has decided, or somebody in their place. */
export const hasDecided = ({ decisions = [] }: Ruled, user: string): boolean =>
  decisions.some(({ by, inPlaceOf }) => by === user || inPlaceOf === user);

/** Returns in whose place a person has decided; undefined if they have not, or in their own right. */
export const hasDecidedInPlaceOf = ({ decisions = [] }: Ruled, user: string): string | undefined =>
  decisions.find(({ by }) => by === user)?.inPlaceOf;

/**
 * Returns the absent person in whose place a caller may decide at this time. Nobody decides so about a call of their own conversation, and
 * nobody twice: not for two people, nor for one who has decided.
 */
export function standInOf(
  callback: Ruled,
  owner: string,
  { user }: Caller,
  standIns: readonly StoredStandIn[],
  now: Date,
): StoredStandIn | undefined {
  if (user === owner || hasDecided(callback, user)) return undefined;
  const deciders = decidersNow(callback, now);
  return standIns.find(
    (one) =>
      !(callback.excludesOwner && one.user === owner) &&
      !hasDecided(callback, one.user) &&
      one.deciders.some((decider) => deciders.includes(decider)),
  );
}

/** Returns who is asked to decide. What was asked in another step, or of somebody who has decided since, is over. */
export function assignmentOf(callback: Ruled & Pick<StoredCallback, 'assigned'>): StoredAssignment | undefined {
  const { assigned } = callback;
  return assigned?.step === dueStep(callback) && !hasDecided(callback, assigned.to) ? assigned : undefined;
}

/** The fields that an approval changes while others are still to decide. */
export type Passed = Pick<StoredCallback, 'decider' | 'decisions' | 'dueSince'>;

/**
 * Returns the callback after a further approval.
 *
 * @returns `isComplete`: no step is left, so the call is approved.
 */
export function afterApproval<Callback extends Ruled>(
  callback: Callback,
  decision: Omit<StoredDecision, 'step'>,
): { passed: Callback & Passed; isComplete: boolean } {
  const step = dueStep(callback);
  const decided = { ...callback, decisions: [...(callback.decisions ?? []), { ...decision, step }] };
  const due = dueStep(decided);
  const next = stepsOf(decided)[due];
  const isNew = next !== undefined && due !== step;
  return {
    passed: { ...decided, ...(next && { decider: next.decider }), ...(isNew && { dueSince: decision.at }) },
    isComplete: next === undefined,
  };
}

/** Returns when those who can decide are told next after a time: the due step escalates, or a reminder is due. */
export function toldNext(callback: Ruled, from: Date): Date | undefined {
  const { reminders, expiresAt } = callback;
  const since = sinceOf(callback);
  const reminded = Array.from({ length: reminders?.atMost ?? 0 }, (_, index) =>
    after(since, (index + 1) * reminders!.everySeconds),
  );
  const times = [...reminded, escalatesAt(callback) ?? expiresAt].sort();
  const next = times.find((time) => time > from.toISOString() && time < expiresAt);
  return next === undefined ? undefined : new Date(next);
}
