import { functionTools, type Registry } from './registry';

/** The members of a group, or the users whose token has a claim with this value. */
export type OtherApprovers = { group: string } | { claim: string; value: string };
/** The people who decide about a tool's approvals. */
export type Approvers = 'owner' | OtherApprovers;

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

/** Returns the deciders that the caller is: the user, the groups, and the claims that a tool names. */
export function decidersOf(caller: Caller, registry: Registry): string[] {
  const named = functionTools(registry).map(({ approval }) => deciderOf(approval?.approvers, caller.user));
  const groups = caller.groups.map((group) => deciderOf({ group }, caller.user));
  return [...new Set([deciderOf('owner', caller.user), ...groups, ...named.filter((one) => isDecider(one, caller))])];
}

/** Returns the groups and claims that tools name as their approvers, each once. */
export function namedApprovers(registry: Registry): OtherApprovers[] {
  const named = functionTools(registry).map(({ approval }) => deciderOf(approval?.approvers, ''));
  return [...new Set(named)].flatMap((decider) => approversIn(decider) ?? []);
}

/** Names the approvers for people. */
export const approverWords = (approvers: OtherApprovers): string =>
  'group' in approvers
    ? `the members of the group "${approvers.group}"`
    : `users whose token has the claim "${approvers.claim}" with the value "${approvers.value}"`;
