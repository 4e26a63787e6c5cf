import { Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { defineProvider } from '../../core/base/models/provider';
import { defineAgent } from '../../core/conversations/agent/agent';
import { grantModels } from '../../infra/functions/model-providers';
import type { VigilFunction } from '../../infra/functions/vigil-function';
import { newApp } from '../../test/support/clouds/new-app';

const provider = defineProvider({ name: 'bedrock', kind: 'bedrock' });
const profile = 'arn:aws:bedrock:eu-central-1:123456789012:application-inference-profile/a1b2';
const guardrail = { id: 'gr1abc', version: '3' };
const models = [
  'gpt-6-luna',
  { provider, name: profile },
  { provider, name: 'eu.anthropic.claude-sonnet-5', guardrail },
  {
    provider: defineProvider({ name: 'far', kind: 'bedrock', region: 'us-east-1' }),
    name: 'amazon.nova-pro',
    guardrail,
  },
];

test('CallModel may invoke the models that agents name and apply their guardrails, each in its region (R133, R206)', () => {
  const stack = new Stack(newApp(), 'S', { env: { account: '123456789012', region: 'eu-central-1' } });
  const role = new Role(stack, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  const added = jest.spyOn(role, 'addToPolicy');
  const agents = models.map((model, n) =>
    defineAgent({ name: `a${n}`, purpose: 'p', instructions: 'i', tools: [], model }),
  );
  grantModels(stack, { role } as unknown as VigilFunction, agents);
  // As it is deployed, with the pseudo parameter for the partition.
  const statements = added.mock.calls.map(([statement]) =>
    JSON.parse(JSON.stringify(stack.resolve(statement.toStatementJson())), (_, value) =>
      value?.['Fn::Join']
        ? value['Fn::Join'][1]
            .map((part: string | { Ref: string }) => (typeof part === 'string' ? part : part.Ref))
            .join('')
        : value,
    ),
  );
  const arn = (rest: string) => `arn:AWS::Partition:bedrock:${rest}`;
  const Action = 'bedrock:InvokeModelWithResponseStream';
  expect(statements).toEqual([
    {
      Effect: 'Allow',
      Action: 'bedrock:ApplyGuardrail',
      Resource: [arn('eu-central-1:123456789012:guardrail/gr1abc'), arn('us-east-1:123456789012:guardrail/gr1abc')],
    },
    {
      Effect: 'Allow',
      Action,
      Resource: [
        arn('eu-central-1:123456789012:inference-profile/eu.anthropic.claude-sonnet-5'),
        arn('*::foundation-model/anthropic.claude-sonnet-5'),
        arn('us-east-1::foundation-model/amazon.nova-pro'),
        profile,
      ],
    },
    {
      Effect: 'Allow',
      Action,
      Resource: [arn('*::foundation-model/*'), arn('*:123456789012:inference-profile/*')],
      Condition: { StringEquals: { 'bedrock:InferenceProfileArn': [profile] } },
    },
  ]);
});
