import { type Handwritten, handwritten, lambdaResources } from '../../test/support/handwritten/assembly';
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

test.each([
  [{ Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } } }, 'condition IpAddress'],
  [{ Condition: { StringEquals: { 'aws:PrincipalTag/team': 'x' } } }, 'condition key aws:PrincipalTag/team'],
  [{ Principal: '*' }, 'Principal in a policy statement'],
])('%j is not understood, and said so', async (more, message) => {
  await expect(iamOf(allow('*', '*', more))).rejects.toThrow(message);
});

const asked = (operation: string, input: object) =>
  dynamodbRequests(operation, input as Record<string, unknown>, { ...place, stackName: '' }, (_table, index) =>
    index === undefined ? 'pk' : 'owner',
  );

test('a transaction needs the actions of its items', () => {
  const TransactItems = [
    { Put: { TableName: 'T', Item: { pk: { S: 'C#1' } } } },
    { ConditionCheck: { TableName: 'U', Key: { pk: { S: 'C#2' } } } },
  ];
  expect(asked('TransactWriteItems', { TransactItems })).toEqual([
    { action: 'dynamodb:PutItem', resource: table, leadingKeys: ['C#1'] },
    { action: 'dynamodb:ConditionCheckItem', resource: table.replace(/T$/, 'U'), leadingKeys: ['C#2'] },
  ]);
});

test('a query of an index needs a right to the index, by the index’s key', () => {
  const query = {
    TableName: 'T',
    IndexName: 'byOwner',
    KeyConditionExpression: '#o = :o',
    ExpressionAttributeNames: { '#o': 'owner' },
    ExpressionAttributeValues: { ':o': { S: 'ada' } },
  };
  expect(asked('Query', query)).toEqual([
    { action: 'dynamodb:Query', resource: `${table}/index/byOwner`, leadingKeys: ['ada'] },
  ]);
});

const own = { pk: { S: 'C#1' }, sk: { S: 'META' } };
const foreign = { pk: { S: 'B#1' }, sk: { S: 'META' } };
const values = { ':pk': { S: 'B#1' }, ':own': { S: 'C#1' }, ':sk': { S: 'A' } };
const query = (KeyConditionExpression: string, more: object = {}) => ({
  TableName: 'T',
  KeyConditionExpression,
  ExpressionAttributeValues: values,
  ...more,
});

test.each<[string, string, object, string[]]>([
  ['an item', 'GetItem', { TableName: 'T', Key: foreign }, ['B#1']],
  ['a written item', 'PutItem', { TableName: 'T', Item: foreign }, ['B#1']],
  ['the key that the action reads, not one beside it', 'PutItem', { TableName: 'T', Item: foreign, Key: own }, ['B#1']],
  ['a query', 'Query', query('pk = :pk AND begins_with(sk, :sk)'), ['B#1']],
  ['a query that brings a key along', 'Query', query('pk=:pk', { Key: own }), ['B#1']],
  ['a query by another name', 'Query', query('(#a = :pk)', { ExpressionAttributeNames: { '#a': 'pk' } }), ['B#1']],
  ['a query of two partitions: none', 'Query', query('pk = :own OR pk = :pk'), []],
  ['a query without its partition: none', 'Query', query('sk = :sk'), []],
  ['a scan: none', 'Scan', { TableName: 'T', Key: own }, []],
  ['a scan that brings a transaction along', 'Scan', { TableName: 'T', TransactItems: [{ Get: { Key: own } }] }, []],
  ['a batch', 'BatchGetItem', { RequestItems: { T: { Keys: [own, foreign] } } }, ['C#1', 'B#1']],
  [
    'a batch of writes',
    'BatchWriteItem',
    { RequestItems: { T: [{ PutRequest: { Item: own, Key: own } }, { DeleteRequest: { Key: foreign, Item: own } }] } },
    ['C#1', 'B#1'],
  ],
])('the leading keys of %s', (_what, operation, input, keys) => {
  expect(asked(operation, input).map(({ leadingKeys }) => leadingKeys)).toEqual([keys]);
});

describe('a condition on sets of values', () => {
  const onlyC = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['C#*', 'U#*'] } };
  const named = { Null: { 'dynamodb:LeadingKeys': 'false' } };
  const unnamed = { Null: { 'dynamodb:LeadingKeys': 'true' } };
  const noneB = { 'ForAllValues:StringNotLike': { 'dynamodb:LeadingKeys': 'B#*' } };
  const someB = { 'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': 'B#*' } };

  test.each<[string, object, string[], boolean]>([
    ['all values match', onlyC, ['C#1', 'U#1'], true],
    ['one value does not match', onlyC, ['C#1', 'B#1'], false],
    ['there is no value, and ForAllValues holds', onlyC, [], true],
    ['there is no value, and Null refuses it', { ...onlyC, ...named }, [], false],
    ['there is a value, and Null accepts it', { ...onlyC, ...named }, ['C#1'], true],
    ['Null wants none', unnamed, ['C#1'], false],
    ['Null wants none, and there is none', unnamed, [], true],
    ['a negated one, and no value matches', noneB, ['C#1'], true],
    ['a negated one, and a value matches', noneB, ['C#1', 'B#1'], false],
    ['any value', someB, ['C#1', 'B#1'], true],
    ['any value, and there is none', someB, [], false],
  ])('%s', async (_name, Condition, leadingKeys, expected) => {
    const iam = await iamOf(allow('*', '*', { Condition }));
    expect(iam.allows({ principal, action: 'dynamodb:PutItem', resource: table, leadingKeys })).toBe(expected);
  });

  test('a key with several values needs an operator for sets', async () => {
    const Condition = { StringLike: { 'dynamodb:LeadingKeys': 'C#*' } };
    await expect(iamOf(allow('*', '*', { Condition }))).rejects.toThrow('needs ForAllValues or ForAnyValue');
  });
});
