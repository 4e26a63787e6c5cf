import { type BedrockChoice, bedrockKind } from './provider';

const provider = { name: 'bedrock', kind: 'bedrock' as const };
const place = { partition: 'aws', account: '123456789012', region: 'eu-central-1' };
const rights = (...models: ({ name: string } & BedrockChoice)[]) =>
  bedrockKind.rights!(
    models.map((choice) => ({ provider, choice })),
    place,
  );
const invoke = 'bedrock:InvokeModelWithResponseStream';

test('models that agents name may be invoked, and those behind an inference profile (R133)', () => {
  expect(rights({ name: 'openai.gpt-6.1-terra' }, { name: 'eu.anthropic.claude-sonnet-5' })).toMatchObject([
    {
      action: invoke,
      resources: [
        'arn:aws:bedrock:eu-central-1::foundation-model/openai.gpt-6.1-terra',
        'arn:aws:bedrock:eu-central-1:123456789012:inference-profile/eu.anthropic.claude-sonnet-5',
        'arn:aws:bedrock:*::foundation-model/anthropic.claude-sonnet-5',
      ],
    },
  ]);
});

test('a provider with a region has its models there (R133)', () => {
  const calls = [{ provider: { ...provider, region: 'us-west-2' }, choice: { name: 'm' } }];
  expect(bedrockKind.rights!(calls, place)).toMatchObject([
    { resources: ['arn:aws:bedrock:us-west-2::foundation-model/m'] },
  ]);
});

test('any model may be invoked through an application inference profile, and only through it (R133)', () => {
  const profile = 'arn:aws:bedrock:eu-central-1:123456789012:application-inference-profile/a1b2';
  expect(rights({ name: profile })).toMatchObject([
    { action: invoke, resources: [profile] },
    { action: invoke, conditions: { StringEquals: { 'bedrock:InferenceProfileArn': [profile] } } },
  ]);
});

test('the guardrails that agents name may be applied (R206)', () => {
  const arn = 'arn:aws:bedrock:eu-central-1:123456789012:guardrail/b2';
  const models = ['a1', arn].map((id) => ({ name: 'amazon.nova-pro-v2:0', guardrail: { id, version: '1' } }));
  expect(rights(...models)[0]).toEqual({
    action: 'bedrock:ApplyGuardrail',
    resources: ['arn:aws:bedrock:eu-central-1:123456789012:guardrail/a1', arn],
  });
});
