/** The domains of the AWS console, by partition. */
const consoles: Record<string, string> = {
  aws: 'console.aws.amazon.com',
  'aws-cn': 'console.amazonaws.cn',
  'aws-us-gov': 'console.amazonaws-us-gov.com',
};

/**
 * Returns the address of an execution in the console of AWS.
 *
 * @param stateMachineArn `arn:<partition>:states:<region>:<account>:stateMachine:<name>`.
 * @returns undefined in a partition whose console is not known.
 */
export function executionAddress(stateMachineArn: string, runId: string, segment: number): string | undefined {
  const [, partition, region] = /^arn:([\w-]+):states:([\w-]+):\d+:stateMachine:[\w-]+$/.exec(stateMachineArn) ?? [];
  const host = partition && Object.hasOwn(consoles, partition) && consoles[partition];
  if (!host) return undefined;
  // The name that `executionName` in core/base/state/loop-state.ts derives.
  const arn = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${runId}-${segment}`;
  const start = partition === 'aws' ? `https://${region}.${host}` : `https://${host}`;
  return `${start}/states/home?region=${region}#/v2/executions/details/${arn}`;
}
