import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shipped } from '../agents';
import { functionTools } from '../core/conversations/agent/registry';
import { type Iam, openIam } from '../local/iam/iam';
import { partitionKeysIn } from '../local/iam/leading-keys';
import { openPrincipals, type Principals } from '../local/iam/principals';
import { dynamodbRequests } from '../local/iam/requests';
import { readTemplate, type Template } from '../local/template/template';
import { functionId } from '../statemachines/function-id';
import { synthesized } from './support/clouds/synthesized';

// Each role of the template tries every kind of partition of every table, in every way that DynamoDB has, under the
// policies as the local cloud evaluates them.

const folder = mkdtempSync(join(tmpdir(), 'vigil-tenants-'));
let template: Template;
let iam: Iam;
let principals: Principals;
beforeAll(async () => {
  await synthesized(folder);
  template = await readTemplate(folder, { accountId: '000000000000', region: 'us-east-1', apiUrl: '' });
  iam = openIam(template);
  principals = openPrincipals(template.ofType('AWS::Lambda::Function'), 'secret');
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

const everywhere = ['C#', 'U#', 'N#', 'B#', 'P#', 'NUMBER#', 'V#', 'E#', 'X#'];

/** What each function may reach of the conversation table. Those of isolated tools are missing: they reach nothing. */
const declared: Record<string, string[]> = {
  ...Object.fromEntries(['Settle', 'FireTimer', 'NextUndo', 'Relay'].map((id) => [id, ['C#', 'N#']])),
  Reconcile: ['C#', 'N#', 'V#'],
  RunIsolated: ['C#'],
  CallModel: ['C#', 'U#', 'N#'],
  Api: ['C#', 'U#', 'N#'],
  ...Object.fromEntries(
    functionTools(shipped)
      .filter(({ isolated }) => !isolated)
      .map(({ name, needs }) => [functionId(name), ['C#', ...(needs?.partitions ?? [])]]),
  ),
};
/** What some reach besides, by a few actions: the vectors of what was said. */
const besides: Record<string, Record<string, string[]>> = {
  Api: { PutItem: ['E#'], 'TransactWriteItems with Put': ['E#'] },
  ...Object.fromEntries(
    ['Relay', 'Reconcile'].map((id) => [
      id,
      {
        GetItem: ['E#'],
        TransactGetItems: ['E#'],
        Query: ['E#'],
        PutItem: ['E#'],
        'TransactWriteItems with Put': ['E#'],
      },
    ]),
  ),
};
/** Functions with fewer actions. */
const partly: Record<string, Record<string, string[]>> = {
  Ask: { GetItem: ['C#'], UpdateItem: ['C#'], TransactGetItems: ['C#'], 'TransactWriteItems with Update': ['C#'] },
  Subscribe: { GetItem: ['C#'], TransactGetItems: ['C#'] },
  Embed: {
    GetItem: ['C#', 'E#'],
    TransactGetItems: ['C#', 'E#'],
    Query: ['C#', 'E#'],
    PutItem: ['E#'],
    UpdateItem: ['N#'],
    'TransactWriteItems with Put': ['E#'],
    'TransactWriteItems with Update': ['N#'],
  },
  // What is pushed asks META who may read it.
  Disconnect: { GetItem: ['C#'], TransactGetItems: ['C#'] },
  Broadcast: { GetItem: ['C#', 'U#'], TransactGetItems: ['C#', 'U#'] },
  Notify: {
    GetItem: ['C#', 'U#'],
    TransactGetItems: ['C#', 'U#'],
    Query: ['C#'],
    PutItem: ['U#'],
    UpdateItem: ['U#'],
    'TransactWriteItems with Put': ['U#'],
    'TransactWriteItems with Update': ['U#'],
  },
};

const key = (prefix: string) => ({ pk: { S: `${prefix}another` }, sk: { S: 'META' } });
const tableNamed = (logicalId: string) =>
  template.ofType('AWS::DynamoDB::Table').find((one) => one.logicalId === logicalId)!.ref;

/** A request of each kind for one partition. */
const requests: Record<string, (TableName: string, prefix: string) => [operation: string, input: object]> = {
  GetItem: (TableName, prefix) => ['GetItem', { TableName, Key: key(prefix) }],
  Query: (TableName, prefix) => [
    'Query',
    {
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': key(prefix).pk },
    },
  ],
  PutItem: (TableName, prefix) => ['PutItem', { TableName, Item: key(prefix) }],
  UpdateItem: (TableName, prefix) => ['UpdateItem', { TableName, Key: key(prefix) }],
  TransactGetItems: (TableName, prefix) => [
    'TransactGetItems',
    { TransactItems: [{ Get: { TableName, Key: key(prefix) } }] },
  ],
  'TransactWriteItems with Put': (TableName, prefix) => [
    'TransactWriteItems',
    { TransactItems: [{ Put: { TableName, Item: key(prefix) } }] },
  ],
  'TransactWriteItems with Update': (TableName, prefix) => [
    'TransactWriteItems',
    { TransactItems: [{ Update: { TableName, Key: key(prefix) } }] },
  ],
};
/** What no function may do with the conversation table, in any partition. */
const forbidden: Record<string, (TableName: string, prefix: string) => [operation: string, input: object]> = {
  DeleteItem: (TableName, prefix) => ['DeleteItem', { TableName, Key: key(prefix) }],
  BatchGetItem: (TableName, prefix) => ['BatchGetItem', { RequestItems: { [TableName]: { Keys: [key(prefix)] } } }],
  BatchWriteItem: (TableName, prefix) => [
    'BatchWriteItem',
    { RequestItems: { [TableName]: [{ PutRequest: { Item: key(prefix) } }] } },
  ],
  'TransactWriteItems with Delete': (TableName, prefix) => [
    'TransactWriteItems',
    { TransactItems: [{ Delete: { TableName, Key: key(prefix) } }] },
  ],
  Scan: (TableName) => ['Scan', { TableName }],
  'Scan of the owners’ index': (TableName) => ['Scan', { TableName, IndexName: 'byOwner' }],
  'Scan of the deciders’ index': (TableName) => ['Scan', { TableName, IndexName: 'byDecider' }],
  ExecuteStatement: (TableName) => ['ExecuteStatement', { Statement: `SELECT * FROM "${TableName}"` }],
  'Query without a key': (TableName) => ['Query', { TableName }],
};

function allowed(id: string, [operation, input]: [string, object]): boolean {
  const principal = principals.roleOf(template.ofType('AWS::Lambda::Function').find((one) => one.logicalId === id)!);
  const asked = dynamodbRequests(
    operation,
    input as Record<string, unknown>,
    template.place,
    partitionKeysIn(template),
  );
  return asked.length > 0 && asked.every((one) => iam.allows({ principal, ...one }));
}

const functions = () => template.ofType('AWS::Lambda::Function').map(({ logicalId }) => logicalId);

test('each function reaches exactly the partitions that it declares, and those of isolated tools reach none (R148)', () => {
  const table = tableNamed('ConversationTable');
  const reached = (id: string) =>
    Object.fromEntries(
      Object.entries(requests).map(([name, request]) => [
        name,
        everywhere.filter((prefix) => allowed(id, request(table, prefix))),
      ]),
    );
  const all = Object.keys(requests);
  const whole = (id: string, name: string) => sorted([...(declared[id] ?? []), ...(besides[id]?.[name] ?? [])]);
  const expected = (id: string) =>
    Object.fromEntries(all.map((name) => [name, partly[id] ? sorted(partly[id][name] ?? []) : whole(id, name)]));
  expect(functions().length).toBeGreaterThan(25);
  for (const id of functions()) expect({ id, ...reached(id) }).toEqual({ id, ...expected(id) });
});

const sorted = (prefixes: string[]) => everywhere.filter((prefix) => prefixes.includes(prefix));

test('no function deletes, scans, or reads in batches, but Reconcile scans the index of what is open (R148)', () => {
  const table = tableNamed('ConversationTable');
  const may = functions().flatMap((id) =>
    Object.entries(forbidden).flatMap(([name, request]) =>
      everywhere.filter((prefix) => allowed(id, request(table, prefix))).map((prefix) => `${id}: ${name} of ${prefix}`),
    ),
  );
  expect(may).toEqual(everywhere.map((prefix) => `Reconcile: Scan of the deciders’ index of ${prefix}`));
});

test('a transaction that touches one foreign partition is refused (R148)', () => {
  const TableName = tableNamed('ConversationTable');
  const put = (prefix: string) => ({ Put: { TableName, Item: key(prefix) } });
  const transaction = (...prefixes: string[]): [string, object] => [
    'TransactWriteItems',
    { TransactItems: prefixes.map(put) },
  ];
  expect(allowed('Transfer', transaction('C#', 'B#', 'P#', 'NUMBER#'))).toBe(true);
  expect(allowed('Transfer', transaction('C#', 'U#'))).toBe(false);
  expect(allowed('Reminder', transaction('C#', 'B#'))).toBe(false);
});

test('only Api reads the indexes, tools that declare it the list of timers, and only the functions of the live view reach its table (R148)', () => {
  const listed = (IndexName: string, key: string, list = 'another'): [string, object] => [
    'Query',
    {
      TableName: tableNamed('ConversationTable'),
      IndexName,
      KeyConditionExpression: '#key = :key',
      ExpressionAttributeNames: { '#key': key },
      ExpressionAttributeValues: { ':key': { S: list } },
    },
  ];
  for (const list of [listed('byOwner', 'owner'), listed('byDecider', 'openFor')])
    expect(functions().filter((id) => allowed(id, list))).toEqual(['Api']);
  const timers = listed('byDecider', 'openFor', 'timers:another');
  expect(
    functions()
      .filter((id) => allowed(id, timers))
      .sort(),
  ).toEqual(['Api', 'CancelTimer', 'ListTimers']);
  const live = tableNamed('LiveTable');
  const others = { ...requests, ...forbidden };
  const reaches = (id: string) => Object.values(others).some((request) => allowed(id, request(live, 'C#')));
  expect(functions().filter(reaches).sort()).toEqual([
    'Api',
    'Broadcast',
    'CallModel',
    'Connect',
    'Disconnect',
    'Notify',
    'Subscribe',
  ]);
});
