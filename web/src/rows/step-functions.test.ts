import { executionName } from '../../../core/base/state/loop-state';
import { executionAddress } from './step-functions';

const arn = (partition: string, region: string) =>
  `arn:${partition}:states:${region}:123456789012:stateMachine:AgentLoop`;

test.each([
  ['aws', 'eu-central-1', 'https://eu-central-1.console.aws.amazon.com'],
  ['aws-cn', 'cn-north-1', 'https://console.amazonaws.cn'],
  ['aws-us-gov', 'us-gov-west-1', 'https://console.amazonaws-us-gov.com'],
])('the address of an execution in the partition %s (R163)', (partition, region, start) => {
  const execution = `arn:${partition}:states:${region}:123456789012:execution:AgentLoop:${executionName('r_000001_a', 3)}`;
  expect(executionAddress(arn(partition, region), 'r_000001_a', 3)).toBe(
    `${start}/states/home?region=${region}#/v2/executions/details/${execution}`,
  );
});

test.each([
  '',
  'arn:aws:lambda:eu-central-1:123456789012:function:x',
  arn('aws-iso', 'us-iso-east-1'),
  arn('constructor', 'x-1'),
])('%j leads nowhere', (wrong) => expect(executionAddress(wrong, 'r', 1)).toBeUndefined());
