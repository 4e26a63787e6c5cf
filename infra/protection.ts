import { CfnCondition, CfnOutput, CfnParameter, Fn, type Stack } from 'aws-cdk-lib';

/** Whether the data refuse to be deleted: as the app says, or by a parameter of the stack. */
export type Protection = boolean | CfnCondition;

/**
 * Returns what the app says, or else declares the parameter `DeletionProtection`, which is off until a deployment sets it.
 * CloudFormation cannot delete what is protected, so a first deployment that fails would leave a stack that is neither there
 * nor gone. Later deployments keep a parameter's value.
 */
export function protection(stack: Stack, given?: boolean): Protection {
  if (given !== undefined) return given;
  const parameter = new CfnParameter(stack, 'DeletionProtection', {
    description:
      'Whether the table and the user pool refuse to be deleted: off for the first deployment, on from the second',
    allowedValues: ['off', 'on'],
    default: 'off',
  });
  const isOn = new CfnCondition(stack, 'DeletionProtectionIsOn', {
    expression: Fn.conditionEquals(parameter.valueAsString, 'on'),
  });
  const isOff = new CfnCondition(stack, 'DeletionProtectionIsOff', { expression: Fn.conditionNot(isOn) });
  new CfnOutput(stack, 'NotYetProtected', {
    value:
      'Deploy once more, with --parameters DeletionProtection=on: the table and the user pool then refuse to be deleted.',
    condition: isOff,
  });
  return isOn;
}

/** Returns a property's value: one of two, by whether the data are protected. */
export const byProtection = (protection: Protection, on: unknown, off: unknown): unknown =>
  typeof protection === 'boolean' ? (protection ? on : off) : Fn.conditionIf(protection.logicalId, on, off);
