import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Handwritten, handwritten } from '../../test/support/handwritten/assembly';
import { leftOpen, unsetNeeds } from './left-open';
import { readTemplate } from './template';

const place = { accountId: '000000000000', region: 'eu-west-1', apiUrl: 'http://127.0.0.1:3000' };
let made: Handwritten | undefined;
afterEach(() => made?.remove());

const read = async (resources: Record<string, object>) => {
  made = handwritten(resources);
  return readTemplate(made.assembly, place);
};

const secret = (Name: unknown) => ({ Type: 'AWS::SecretsManager::Secret', Properties: { Name } });

test.each([
  ['Ref of a pseudo parameter', { Ref: 'AWS::Region' }, 'eu-west-1'],
  ['Ref of a resource', { Ref: 'Topic' }, 'arn:aws:sns:eu-west-1:000000000000:Small-Topic'],
  ['Fn::GetAtt', { 'Fn::GetAtt': ['Topic', 'TopicName'] }, 'Small-Topic'],
  ['Fn::Join', { 'Fn::Join': ['-', ['a', { Ref: 'AWS::Partition' }]] }, 'a-aws'],
  ['Fn::Sub', { 'Fn::Sub': '${AWS::StackName}/${Topic.TopicName}/${!Kept}' }, 'Small/Small-Topic/${Kept}'],
  ['Fn::Sub with values', { 'Fn::Sub': ['${a}!', { a: { Ref: 'AWS::AccountId' } }] }, '000000000000!'],
  ['Fn::Select and Fn::Split', { 'Fn::Select': [5, { 'Fn::Split': [':', { Ref: 'Topic' }] }] }, 'Small-Topic'],
])('%s is resolved', async (_name, given, expected) => {
  const template = await read({ Topic: { Type: 'AWS::SNS::Topic' }, Secret: secret(given) });
  expect(template.resources.find(({ logicalId }) => logicalId === 'Secret')?.properties.Name).toBe(expected);
});

test('conditions choose values and resources', async () => {
  made = handwritten({});
  const template = {
    Conditions: {
      Here: { 'Fn::Equals': [{ Ref: 'AWS::Region' }, 'eu-west-1'] },
      There: { 'Fn::Not': [{ Condition: 'Here' }] },
    },
    Resources: {
      Kept: { ...secret({ 'Fn::If': ['Here', 'here', 'there'] }), Condition: 'Here' },
      Dropped: { ...secret('x'), Condition: 'There' },
    },
  };
  writeFileSync(join(made.assembly, 'Small.template.json'), JSON.stringify(template));
  const { resources } = await readTemplate(made.assembly, place);
  expect(resources.map(({ logicalId, properties }) => [logicalId, properties.Name])).toEqual([['Kept', 'here']]);
});

test('ids are the same at every start', async () => {
  const resources = {
    Pool: { Type: 'AWS::Cognito::UserPool' },
    Api: { Type: 'AWS::ApiGatewayV2::Api' },
    Secret: secret('a/KEY'),
  };
  const first = (await read(resources)).resources.map(({ ref }) => ref);
  made?.remove();
  expect((await read(resources)).resources.map(({ ref }) => ref)).toEqual(first);
});

test('a resource type that is not supported stops the start with its name', async () => {
  await expect(read({ Bucket: { Type: 'AWS::Kinesis::Stream' } })).rejects.toThrow(
    'The local cloud does not support AWS::Kinesis::Stream (Bucket).',
  );
});

test('a property that is not supported stops the start with its name', async () => {
  const table = { Type: 'AWS::DynamoDB::Table', Properties: { KinesisStreamSpecification: {} } };
  await expect(read({ Table: table })).rejects.toThrow(
    'does not support the property KinesisStreamSpecification of AWS::DynamoDB::Table (Table).',
  );
});

test('an intrinsic function that is not supported stops the start with its name', async () => {
  await expect(read({ Secret: secret({ 'Fn::ImportValue': 'x' }) })).rejects.toThrow(
    'does not support Fn::ImportValue at Secret.',
  );
});

test('a circular reference stops the start', async () => {
  const rule = (other: string) => ({
    Type: 'AWS::Events::Rule',
    Properties: { Name: { 'Fn::GetAtt': [other, 'Arn'] } },
  });
  await expect(read({ A: rule('B'), B: rule('A') })).rejects.toThrow('circular');
});

describe('what tools need (R247)', () => {
  const need = (name: string, kind: 'secret' | 'variable', more: object = {}) => ({
    name,
    kind,
    tools: ['chase'],
    optionalFor: [],
    ...more,
  });
  const needing = async (...Needs: object[]) => {
    made = handwritten({});
    const Variables = { INVOICES_URL: 'https://invoices.example', SHOP_URL: '', INVOICES_API_KEY_SECRET_ARN: 'arn' };
    const Chase = { Type: 'AWS::Lambda::Function', Properties: { Environment: { Variables } } };
    const template = JSON.stringify({ Metadata: { Needs }, Resources: { Chase } });
    writeFileSync(join(made.assembly, 'Small.template.json'), template);
    return readTemplate(made.assembly, place);
  };

  test('is read from the environment under any name, and replaces what the template has', async () => {
    const template = await needing(need('INVOICES_API_KEY', 'secret'), need('INVOICES_URL', 'variable'));
    const environment = { INVOICES_API_KEY: 'k', INVOICES_URL: 'http://127.0.0.1:9', OTHER_URL: 'x' };
    expect(leftOpen(template, environment)).toEqual({ INVOICES_API_KEY: 'k', INVOICES_URL: 'http://127.0.0.1:9' });
  });

  test('is unset if neither the template nor this machine has a value, and a tool cannot do without', async () => {
    const template = await needing(
      need('INVOICES_API_KEY', 'secret'),
      need('INVOICES_URL', 'variable'),
      need('SHOP_URL', 'variable'),
      need('MAIL_TOKEN', 'secret', { tools: [], optionalFor: ['mail'] }),
    );
    const names = (values: Record<string, string>) => unsetNeeds(template, values).map(({ name }) => name);
    expect(names({})).toEqual(['INVOICES_API_KEY', 'SHOP_URL']);
    expect(names({ INVOICES_API_KEY: 'k', SHOP_URL: 'http://127.0.0.1:9' })).toEqual([]);
  });
});
