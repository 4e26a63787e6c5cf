import { type Handwritten, handwritten, lambdaResources } from '../template/handwritten-assembly';
import { readTemplate } from '../template/template';
import { openIam } from './iam';
import { dynamodbRequests } from './requests';

const place = { accountId: '000000000000', region: 'us-east-1', apiUrl: '' };
const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/T';
let made: Handwritten | undefined;
afterEach(() => made?.remove());

const iamOf = async (...statements: object[]) => {
  made = handwritten(lambdaResources('Fn', { statements }), { Fn: '' });
  return openIam(await readTemplate(made.assembly, place));
};
const principal = { roleArn: 'arn:aws:iam::000000000000:role/Small-FnRole', session: 'Small-Fn' };
const allow = (Action: unknown, Resource: unknown, more: object = {}) => ({
  Effect: 'Allow',
  Action,
  Resource,
  ...more,
});

test.each([
  ['the exact action and resource', [allow('dynamodb:PutItem', table)], true],
  ['wildcards', [allow(['dynamodb:Put*'], 'arn:aws:dynamodb:*:*:table/?')], true],
  ['another action', [allow('dynamodb:GetItem', table)], false],
  ['another resource', [allow('dynamodb:*', `${table}2`)], false],
  ['no statement', [], false],
  ['a deny and an allow', [allow('*', '*'), { Effect: 'Deny', Action: 'dynamodb:PutItem', Resource: '*' }], false],
  ['NotAction of others', [{ Effect: 'Allow', NotAction: 'dynamodb:Delete*', Resource: '*' }], true],
  ['NotAction of this one', [{ Effect: 'Allow', NotAction: 'dynamodb:*', Resource: '*' }], false],
  ['NotResource of this one', [{ Effect: 'Allow', Action: '*', NotResource: table }], false],
  [
    'a condition that holds',
    [allow('*', '*', { Condition: { StringEquals: { 'aws:RequestedRegion': ['us-east-1'] } } })],
    true,
  ],
  [
    'a condition that does not',
    [allow('*', '*', { Condition: { StringNotLike: { 'aws:RequestedRegion': 'us-*' } } })],
    false,
  ],
])('%s', async (_name, statements, expected) => {
  const iam = await iamOf(...statements);
  expect(iam.allows({ principal, action: 'dynamodb:PutItem', resource: table })).toBe(expected);
});

test('an error has AWS’s wording', async () => {
  const iam = await iamOf();
  expect(() => iam.authorize({ principal, action: 'dynamodb:PutItem', resource: table })).toThrow(
    expect.objectContaining({
      name: 'AccessDeniedException',
      message:
        'User: arn:aws:sts::000000000000:assumed-role/Small-FnRole/Small-Fn is not authorized to perform: dynamodb:PutItem on resource: ' +
        `${table} because no identity-based policy allows the dynamodb:PutItem action`,
    }),
  );
});

test.each([
  [{ Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } } }, 'condition IpAddress'],
  [{ Condition: { StringEquals: { 'aws:PrincipalTag/team': 'x' } } }, 'condition key aws:PrincipalTag/team'],
  [{ Principal: '*' }, 'Principal in a policy statement'],
])('%j is not understood, and said so', async (more, message) => {
  await expect(iamOf(allow('*', '*', more))).rejects.toThrow(message);
});

test('a transaction needs the actions of its items', () => {
  const TransactItems = [{ Put: { TableName: 'T' } }, { ConditionCheck: { TableName: 'U' } }];
  expect(dynamodbRequests('TransactWriteItems', { TransactItems }, { ...place, stackName: '' })).toEqual([
    { action: 'dynamodb:PutItem', resource: table },
    { action: 'dynamodb:ConditionCheckItem', resource: table.replace(/T$/, 'U') },
  ]);
});

test('a query of an index needs a right to the index', () => {
  const asked = dynamodbRequests('Query', { TableName: 'T', IndexName: 'byOwner' }, { ...place, stackName: '' });
  expect(asked).toEqual([{ action: 'dynamodb:Query', resource: `${table}/index/byOwner` }]);
});
