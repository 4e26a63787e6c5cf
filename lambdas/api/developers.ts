import type { Caller } from '../../core/conversations/agent/approvers';
import { optionalVariable, variable } from '../../runtime/environment';

/** Developers, who see more than other users, agents' instructions and the state machine of the runs, and may replace more in a fork. */
export interface Developers {
  /** A group of the user directory; `*` for every user. Without one, nobody is a developer. */
  group?: string;
  stateMachineArn: string;
}

export const developers = (): Developers => ({
  group: optionalVariable('VIGIL_DEVELOPERS_GROUP'),
  stateMachineArn: variable('STATE_MACHINE_ARN'),
});

export const isDeveloper = ({ group }: Developers, { groups }: Pick<Caller, 'groups'>): boolean =>
  group === '*' || (group !== undefined && groups.includes(group));

/** The state machine's ARN has the account's id, so not every user gets it. */
export const machineFor = (of: Developers, caller: Pick<Caller, 'groups'>): { stateMachineArn?: string } =>
  isDeveloper(of, caller) ? { stateMachineArn: of.stateMachineArn } : {};
