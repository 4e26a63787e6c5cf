import type { Engine } from '../engine/engine';
import type { StateMachine } from '../engine/machines';
import { ApiError, validationFailed } from './api-error';

export const machineArn = ({ options }: Engine, name: string): string =>
  `arn:aws:states:${options.region}:${options.accountId}:stateMachine:${name}`;

/** The state machine of an ARN, which may name one of its versions. Throws StateMachineDoesNotExist. */
export function findMachine(engine: Engine, arn: string): StateMachine {
  const machine = engine.catalogue.machines.get(arn);
  if (machine === undefined) throw new ApiError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`);
  return machine;
}

/** A state machine that can be changed, and starts executions. Throws StateMachineDoesNotExist and StateMachineDeleting. */
export function findActive(engine: Engine, arn: string): StateMachine {
  const machine = findMachine(engine, arn);
  checkActive(machine);
  return machine;
}

/** Throws StateMachineDeleting. */
export function checkActive({ status, arn }: StateMachine): void {
  if (status === 'DELETING') throw new ApiError('StateMachineDeleting', `State Machine is being deleted: '${arn}'`);
}

/** `…:stateMachine:name:3` is the third version of `…:stateMachine:name`. */
export function splitVersion(arn: string): [base: string, version: number | undefined] {
  const parts = arn.split(':');
  return parts.length > 7 && /^\d+$/.test(parts[7]!)
    ? [parts.slice(0, 7).join(':'), Number(parts[7])]
    : [arn, undefined];
}

/** `…:stateMachine:name:live` is the alias `live` of `…:stateMachine:name`. */
export function splitAlias(arn: string): [base: string, alias: string | undefined] {
  const parts = arn.split(':');
  return parts.length > 7 && !/^\d+$/.test(parts[7]!) ? [parts.slice(0, 7).join(':'), parts[7]] : [arn, undefined];
}

/** The ARN itself. Throws ValidationException for one that names a version or an alias. */
export function unqualified(arn: string): string {
  if (arn.split(':').length === 7) return arn;
  throw validationFailed(`A qualified state machine ARN is not valid for this operation: '${arn}'`);
}
