import {
  type ApprovalStep,
  approversIn,
  type Caller,
  deciderOf,
  isDecider,
  listFor,
  type OtherApprovers,
  ownDeciders,
  stepsIn,
} from '../agent/approvers';
import { functionTools, type Registry } from '../agent/registry';
import type { StoredStandIn } from '../rows/rows';

/**
 * Returns the lists of approvals that the caller looks into: of the user, the groups, and the claims and pairs that
 * tools name, also those of absent people in whose place the caller decides.
 */
export function decidersOf(
  caller: Caller,
  registry: Registry,
  standIns: readonly Pick<StoredStandIn, 'deciders'>[] = [],
): string[] {
  const instead = standIns.flatMap(({ deciders }) => deciders);
  const decides = (decider: string) => isDecider(decider, caller) || instead.includes(decider);
  const named = stepsNamed(registry).flatMap(({ by, escalation }) => {
    const decider = deciderOf(by, caller.user);
    const other = escalation && deciderOf(escalation.to, caller.user);
    const isOne = decides(decider) || (other !== undefined && decides(other));
    return isOne ? [listFor(decider, other)] : [];
  });
  return [...new Set([...ownDeciders(caller), ...instead, ...named])];
}

/** Returns the steps of all approvals, and those who may take over from agents. */
function stepsNamed(registry: Registry): ApprovalStep[] {
  const people = [...registry.agents.values()].flatMap((agent) => agent.people ?? []);
  return [
    ...functionTools(registry).flatMap(({ approval }) => stepsIn(approval?.approvers)),
    ...people.map(({ group, escalation }) => ({ by: { group }, escalation })),
  ];
}

/** Returns the groups and claims that tools name as their approvers, and agents as their people, each once. */
export function namedApprovers(registry: Registry): OtherApprovers[] {
  const named = stepsNamed(registry).flatMap(({ by, escalation }) => [by, ...(escalation ? [escalation.to] : [])]);
  return [...new Set(named.map((approvers) => deciderOf(approvers, '')))].flatMap(
    (decider) => approversIn(decider) ?? [],
  );
}
