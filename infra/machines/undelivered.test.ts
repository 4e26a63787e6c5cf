import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesized } from '../../test/support/clouds/synthesized';
import type { Resource, Template } from '../../test/support/template-rights';

// What cannot be delivered is kept. `infra/watch/alarms.test.ts` shows the alarms.

const folder = mkdtempSync(join(tmpdir(), 'vigil-undelivered-'));
let template: Template;
/** `Fn::GetAtt` of the queue. */
let queueArn: object;

const ofType = (type: string): [string, Resource][] =>
  Object.entries(template.Resources).filter(([, { Type }]) => Type === type);
const statusRule = () => ofType('AWS::Events::Rule').find(([, { Properties }]) => Properties.EventPattern)!;
const propertiesOf = (type: string) => ofType(type).map(([, { Properties }]) => Properties);

beforeAll(async () => {
  template = JSON.parse(readFileSync((await synthesized(folder)).template, 'utf8'));
  queueArn = { 'Fn::GetAtt': [ofType('AWS::SQS::Queue')[0]![0], 'Arn'] };
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

test('one queue keeps it encrypted for two weeks, and its address is an output', () => {
  expect(propertiesOf('AWS::SQS::Queue')).toEqual([
    { MessageRetentionPeriod: 14 * 86_400, SqsManagedSseEnabled: true },
  ]);
  expect(template.Outputs.UndeliveredQueueUrl?.Value).toEqual({ Ref: ofType('AWS::SQS::Queue')[0]![0] });
});

test('both readers of the stream keep what they could not handle within six hours', () => {
  const destination = {
    DestinationConfig: { OnFailure: { Destination: queueArn } },
    MaximumRecordAgeInSeconds: 21_600,
  };
  expect(propertiesOf('AWS::Lambda::EventSourceMapping')).toEqual([
    expect.objectContaining(destination),
    expect.objectContaining(destination),
  ]);
});

test('a status change is kept if EventBridge cannot deliver it, and if Settle fails to handle it', () => {
  expect(statusRule()[1].Properties).toMatchObject({ Targets: [{ DeadLetterConfig: { Arn: queueArn } }] });
  const kept = propertiesOf('AWS::Lambda::EventInvokeConfig') as { FunctionName: { Ref: string } }[];
  expect(kept.filter(({ FunctionName }) => FunctionName.Ref === 'Settle')).toEqual([
    {
      FunctionName: { Ref: 'Settle' },
      Qualifier: '$LATEST',
      DestinationConfig: { OnFailure: { Destination: queueArn } },
    },
  ]);
});

test('the queue accepts TLS only, and EventBridge as the only service, for this one rule', () => {
  const [{ PolicyDocument }] = propertiesOf('AWS::SQS::QueuePolicy') as [{ PolicyDocument: { Statement: object[] } }];
  expect(PolicyDocument.Statement).toEqual([
    {
      Effect: 'Deny',
      Principal: { AWS: '*' },
      Action: 'sqs:*',
      Resource: queueArn,
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    },
    {
      Effect: 'Allow',
      Principal: { Service: 'events.amazonaws.com' },
      Action: 'sqs:SendMessage',
      Resource: queueArn,
      Condition: { ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [statusRule()[0], 'Arn'] } } },
    },
  ]);
});
