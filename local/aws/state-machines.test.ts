import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DescribeExecutionCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { type Handwritten, handwritten, lambdaResources } from '../../test/support/handwritten/assembly';
import { machineResources } from '../../test/support/handwritten/machine';
import { type LocalCloud, startLocalCloud } from '../cloud';

const call = (Resource: unknown) => ({ StartAt: 'Call', States: { Call: { Type: 'Task', Resource, End: true } } });
const resources = {
  ...lambdaResources('Echo'),
  ...lambdaResources('Heard'),
  ...machineResources('Machine', call('${Function}'), 'Echo'),
  ...machineResources('Refused', call('arn:aws:lambda:us-east-1:000000000000:function:Small-Echo')),
  ...machineResources('Failing', { StartAt: 'No', States: { No: { Type: 'Fail', Error: 'Broken' } } }),
  Rule: {
    Type: 'AWS::Events::Rule',
    Properties: {
      EventPattern: { source: ['aws.states'], detail: { status: ['FAILED'], stateMachineArn: [{ Ref: 'Failing' }] } },
      Targets: [{ Id: 'Target0', Arn: { 'Fn::GetAtt': ['Heard', 'Arn'] } }],
    },
  },
  Permission: {
    Type: 'AWS::Lambda::Permission',
    Properties: {
      Action: 'lambda:InvokeFunction',
      FunctionName: { 'Fn::GetAtt': ['Heard', 'Arn'] },
      Principal: 'events.amazonaws.com',
      SourceArn: { 'Fn::GetAtt': ['Rule', 'Arn'] },
    },
  },
};

let made: Handwritten;
let cloud: LocalCloud;
let sfn: SFNClient;

beforeAll(async () => {
  const functions = {
    Echo: 'exports.handler = async (event) => event;',
    Heard: 'exports.handler = async (event) => console.log(JSON.stringify(event));',
  };
  made = handwritten(resources, functions);
  cloud = await startLocalCloud({ assembly: made.assembly, stateDirectory: made.stateDirectory });
  sfn = new SFNClient({
    region: 'us-east-1',
    endpoint: cloud.awsUrl,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
});
afterAll(async () => {
  sfn.destroy();
  await cloud.stop();
  made.remove();
});

async function run(machine: string, input: object) {
  const stateMachineArn = cloud.resources.stateMachineArn(machine);
  const { executionArn } = await sfn.send(new StartExecutionCommand({ stateMachineArn, input: JSON.stringify(input) }));
  for (let attempt = 0; attempt < 3_000; attempt++) {
    const execution = await sfn.send(new DescribeExecutionCommand({ executionArn }));
    if (execution.status !== 'RUNNING') return execution;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('The execution does not end.');
}

test('a state machine whose role may not invoke the function fails as on AWS', async () => {
  const { status, error, cause } = await run('Refused', {});
  expect([status, error]).toEqual(['FAILED', 'Lambda.AWSLambdaException']);
  expect(cause).toContain(
    ':assumed-role/Small-RefusedRole/states is not authorized to perform: lambda:InvokeFunction on resource',
  );
});

test('a failed execution reaches the rule’s target in EventBridge’s format', async () => {
  const { executionArn, stateMachineArn } = await run('Failing', {});
  const file = join(made.stateDirectory, 'logs/Heard.log');
  // The platform's own line may come before the function's.
  const heard = () => (existsSync(file) ? readFileSync(file, 'utf8') : '').match(/^\{.*\}$/m)?.[0];
  for (let attempt = 0; attempt < 3_000 && !heard(); attempt++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(JSON.parse(heard() ?? '')).toMatchObject({
    version: '0',
    'detail-type': 'Step Functions Execution Status Change',
    source: 'aws.states',
    account: '000000000000',
    region: 'us-east-1',
    resources: [executionArn],
    detail: { executionArn, stateMachineArn, status: 'FAILED', error: 'Broken' },
  });
});
