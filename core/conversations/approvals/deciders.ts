import {
  approversIn,
  type Caller,
  deciderOf,
  isDecider,
  listFor,
  type OtherApprovers,
  stepsIn,
} from '../agent/approvers';
import { functionTools, type Registry } from '../agent/registry';

/** Returns the lists of approvals that the caller looks into: of the user, the groups, and the claims and pairs that tools name. */
export function decidersOf(caller: Caller, registry: Registry): string[] {
  const named = functionTools(registry).flatMap(({ approval }) =>
    stepsIn(approval?.approvers).flatMap(({ by, escalation }) => {
      const decider = deciderOf(by, caller.user);
      const other = escalation && deciderOf(escalation.to, caller.user);
      const isOne = isDecider(decider, caller) || (other !== undefined && isDecider(other, caller));
      return isOne ? [listFor(decider, other)] : [];
    }),
  );
  const groups = caller.groups.map((group) => deciderOf({ group }, caller.user));
  return [...new Set([deciderOf('owner', caller.user), ...groups, ...named])];
}

/** Returns the groups and claims that tools name as their approvers, each once. */
export function namedApprovers(registry: Registry): OtherApprovers[] {
  const named = functionTools(registry).flatMap(({ approval }) =>
    stepsIn(approval?.approvers).flatMap(({ by, escalation }) => [by, ...(escalation ? [escalation.to] : [])]),
  );
  return [...new Set(named.map((approvers) => deciderOf(approvers, '')))].flatMap(
    (decider) => approversIn(decider) ?? [],
  );
}
