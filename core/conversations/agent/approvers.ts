import type { StoredCallback, StoredStep } from '../rows/rows';
import type { Approval } from './tool';

/** The members of a group, or the users whose token has a claim with this value. */
export type OtherApprovers = { group: string } | { claim: string; value: string };
/** The people who decide about a tool's approvals. */
export type Approvers = 'owner' | OtherApprovers;

/** One of several steps of an approval. The steps are decided in order. */
export interface ApprovalStep {
  by: Approvers;
  /** How many different people must approve: by default one. */
  count?: number;
  /** Who else may approve in this step if it is not complete so many seconds after it became due. Not in a step of the owner. */
  escalation?: { afterSeconds: number; to: OtherApprovers };
}

/** The sender of a request. Groups and claims come from the verified token. */
export interface Caller {
  user: string;
  groups: readonly string[];
  claims: Readonly<Record<string, string>>;
}

/** Returns a decider as it is stored: `user:<sub>`, `group:<name>` or `claim:<name>=<value>`. */
export function deciderOf(approvers: Approvers | undefined, owner: string): string {
  if (approvers === undefined || approvers === 'owner') return `user:${owner}`;
  return 'group' in approvers ? `group:${approvers.group}` : `claim:${approvers.claim}=${approvers.value}`;
}

/** Returns the names that a caller has as a decider: their own, and those of the groups of their token. */
export const ownDeciders = ({ user, groups }: Pick<Caller, 'user' | 'groups'>): string[] => [
  deciderOf('owner', user),
  ...groups.map((group) => deciderOf({ group }, user)),
];

/** Returns the user that a stored decider names; undefined for a group or a claim. */
export const userIn = (decider: string): string | undefined =>
  decider.startsWith(ofUser) ? decider.slice(ofUser.length) : undefined;
const ofUser = deciderOf('owner', '');

/** Returns the approvers that a stored decider names; undefined for a single user, who is the owner. */
export function approversIn(decider: string | undefined): OtherApprovers | undefined {
  const [, kind, name = ''] = /^(group|claim):(.*)$/s.exec(decider ?? '') ?? [];
  if (kind === 'group') return { group: name };
  if (kind !== 'claim') return undefined;
  // No claim's name has a `=`, but a value may.
  const end = name.indexOf('=');
  return { claim: name.slice(0, end), value: name.slice(end + 1) };
}

export function isDecider(decider: string, { user, groups, claims }: Caller): boolean {
  const others = approversIn(decider);
  if (!others) return decider === deciderOf('owner', user);
  return 'group' in others ? groups.includes(others.group) : claims[others.claim] === others.value;
}

/** Returns the steps of an approval. The short form is one step with one decision. */
export const stepsIn = (approvers: Approvers | readonly ApprovalStep[] = 'owner'): readonly ApprovalStep[] =>
  isSteps(approvers) ? approvers : [{ by: approvers }];

const isSteps = (approvers: Approvers | readonly ApprovalStep[]): approvers is readonly ApprovalStep[] =>
  Array.isArray(approvers);

/** Returns the fields of a callback that an approval's definition fixes. */
export function ruleOf(
  { approvers, reminders }: Partial<Approval>,
  owner: string,
): Pick<StoredCallback, 'decider' | 'steps' | 'reminders'> {
  const steps = stepsIn(approvers).map(
    ({ by, count = 1, escalation }): StoredStep => ({
      decider: deciderOf(by, owner),
      ...(count > 1 && { count }),
      ...(escalation && {
        escalation: { decider: deciderOf(escalation.to, owner), afterSeconds: escalation.afterSeconds },
      }),
    }),
  );
  const [first, ...others] = steps;
  const isSimple = others.length === 0 && first!.count === undefined && !first!.escalation;
  return {
    decider: first!.decider,
    ...(!isSimple && { steps }),
    ...(reminders && { reminders: { everySeconds: reminders.everySeconds, atMost: reminders.atMost ?? 3 } }),
  };
}

/**
 * Returns the list in which a step's approvers find what waits for them: the decider, or the pair of deciders if the step escalates. A row
 * is in one list, so those to whom it escalates look into it from the beginning.
 */
export const listFor = (decider: string, escalatesTo?: string): string =>
  escalatesTo === undefined ? decider : `either:${JSON.stringify([decider, escalatesTo])}`;

/** Names the approvers for people. */
export const approverWords = (approvers: OtherApprovers): string =>
  'group' in approvers
    ? `the members of the group "${approvers.group}"`
    : `users whose token has the claim "${approvers.claim}" with the value "${approvers.value}"`;
