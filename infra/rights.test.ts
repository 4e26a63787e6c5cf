import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shipped } from '../agents';
import { functionTools } from '../core/conversations/agent/registry';
import type { Tool } from '../core/conversations/agent/tool';
import { type Iam, openIam } from '../local/iam/iam';
import { partitionKeysIn } from '../local/iam/leading-keys';
import { openPrincipals, type Principals } from '../local/iam/principals';
import { dynamodbRequests } from '../local/iam/requests';
import { type Template as Deployment, readTemplate } from '../local/template/template';
import { functionId } from '../statemachines/function-id';
import { emptyBundles } from '../test/support/clouds/empty-bundles';
import { newApp } from '../test/support/clouds/new-app';
import { synthesized } from '../test/support/clouds/synthesized';
import { rights, type Template, text } from '../test/support/template-rights';
import { VigilStack } from './vigil-app';

const folder = mkdtempSync(join(tmpdir(), 'vigil-rights-'));
let template: Template;
/**
 * Without the rights that every role has, to write its log and send traces, and without those in partitions of the table, of which
 * there is a list below.
 */
let may: Record<string, string[]>;
/** As the local cloud reads it. */
let deployment: Deployment;

beforeAll(async () => {
  template = JSON.parse(readFileSync((await synthesized(folder)).template, 'utf8'));
  may = Object.fromEntries(Object.entries(rights(template)).map(([id, list]) => [id, list.filter(isShown)]));
  deployment = await readTemplate(folder, { accountId: '000000000000', region: 'us-east-1', apiUrl: '' });
});
afterAll(() => rmSync(folder, { recursive: true }));

const properties = (id: string) => template.Resources[id]!.Properties;
const ids = (type: string) => Object.keys(template.Resources).filter((id) => template.Resources[id]!.Type === type);
const isShown = (right: string) => !/^(logs|xray):| on ConversationTable\.Arn of /.test(right);

const webhookKey = () => ids('AWS::SecretsManager::Secret').find((id) => id.startsWith('WebhookKey'))!;
const pushKey = () => ids('AWS::SecretsManager::Secret').find((id) => id.includes('PushKey'))!;

/** On files, and without knowing that one is missing, nothing can be read. */
const onFiles = (...actions: string[]) => [
  ...actions.map((action) => `s3:${action} on FilesBucket.Arn/files/*`),
  ...(actions.includes('GetObject') ? ['s3:ListBucket on FilesBucket.Arn'] : []),
];
const onLive = (...actions: string[]) => actions.map((action) => `dynamodb:${action} on LiveTable.Arn`);
const invokes = (...functions: string[]) => functions.map((id) => `lambda:InvokeFunction on ${id}.Arn`);
const reads = (...secrets: string[]) => secrets.map((id) => `secretsmanager:GetSecretValue on ${id}`);
const onExecutions = (action: string, ...machines: string[]) =>
  machines.map(
    (machine) => `states:${action} on arn:AWS::Partition:states:AWS::Region:AWS::AccountId:execution:${machine}.Name:*`,
  );

const isolated = ['CurrentTime', 'InternetSearch', 'RunCode', 'ScrapeWebsite'];
const machines = ['AgentLoop', 'Timer', 'Rollback'];

/** What each role may do. Those that are missing may do nothing. */
function expected(): Record<string, string[]> {
  const stream = [
    ...['DescribeStream', 'GetRecords', 'GetShardIterator'].map(
      (action) => `dynamodb:${action} on ConversationTable.StreamArn`,
    ),
    'dynamodb:ListStreams on ConversationTable.Arn/stream/*',
  ];
  // To keep what it could not handle.
  const undelivered = `sqs:SendMessage on ${ids('AWS::SQS::Queue')[0]}.Arn`;
  const [socket] = ids('AWS::ApiGatewayV2::Api').filter((id) => properties(id).ProtocolType === 'WEBSOCKET');
  const connections = (...methods: string[]) =>
    methods.map(
      (method) =>
        `execute-api:ManageConnections on arn:AWS::Partition:execute-api:AWS::Region:AWS::AccountId:${socket}/live/${method}/@connections/*`,
    );
  // To perform committed actions.
  const acts = [
    'states:SendTaskSuccess on AgentLoop',
    ...machines.map((machine) => `states:StartExecution on ${machine}`),
    ...onExecutions('StopExecution', 'AgentLoop', 'Timer'),
  ];
  // They are told to end work that is no longer needed.
  const workers = invokes('CallModel', 'RunIsolated');
  const byIndex = (...indexes: string[]) =>
    indexes.map((index) => `dynamodb:Query on ConversationTable.Arn/index/${index}`);
  /** The functions of its definition, and itself. */
  const machine = (id: string) => {
    const { DefinitionSubstitutions } = properties(id) as { DefinitionSubstitutions: Record<string, unknown> };
    const { Partition: _, ...arns } = DefinitionSubstitutions;
    return [
      ...Object.values(arns).map((arn) => `lambda:InvokeFunction on ${text(arn)}`),
      `states:StartExecution on ${id}`,
    ];
  };
  return {
    ...Object.fromEntries(machines.map((id) => [id, machine(id)])),
    CallModel: [
      ...onLive('Query'),
      ...connections('POST'),
      ...onFiles('GetObject', 'PutObject'),
      ...reads('OpenaiApiKey'),
    ],
    InternetSearch: reads('SerperApiKey'),
    ScrapeWebsite: reads('BrowserlessToken'),
    RunIsolated: [...invokes(...isolated), ...onFiles('GetObject', 'PutObject'), undelivered],
    Remember: reads('OpenaiApiKey'),
    Recall: reads('OpenaiApiKey'),
    ListTimers: byIndex('byDecider of timers:*'),
    CancelTimer: byIndex('byDecider of timers:*'),
    // It answers a task token if the answer came first.
    Ask: ['states:SendTaskSuccess on AgentLoop'],
    Api: [
      ...byIndex('byDecider', 'byOwner'),
      ...onLive('GetItem', 'PutItem'),
      ...reads(webhookKey(), pushKey()),
      ...onExecutions('GetExecutionHistory', ...machines),
      ...acts,
      ...onFiles('GetObject', 'PutObject'),
      ...invokes('Embed'),
    ],
    Embed: [...reads('OpenaiApiKey'), undelivered],
    Settle: [undelivered],
    Relay: [...stream, ...acts, undelivered, ...workers],
    Reconcile: [
      // Of what is open.
      'dynamodb:Scan on ConversationTable.Arn/index/byDecider',
      'dynamodb:DescribeTable on ConversationTable.Arn',
      ...onExecutions('DescribeExecution', ...machines),
      ...acts,
      ...workers,
      ...invokes('Embed'),
      ...onFiles('DeleteObject'),
    ],
    Connections: [
      ...onLive('DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
      ...connections('POST', 'DELETE'),
    ],
    Broadcast: [
      ...stream,
      undelivered,
      ...onLive('DeleteItem', 'GetItem', 'Query', 'UpdateItem'),
      'states:StartExecution on Notice',
      ...invokes('Embed'),
      `events:PutEvents on ${ids('AWS::Events::EventBus')[0]}.Arn`,
      ...connections('POST', 'DELETE'),
    ],
    Notify: [...onLive('Query'), ...reads(pushKey())],
    Notice: invokes('Notify'),
  };
}

test('each role has these rights and no other: one secret for its user, files for few, one index to scan (R35, R148, R154, R169, R207, R211, R230)', () => {
  const all = Object.fromEntries(Object.keys(may).map((id) => [id, [] as string[]]));
  const sorted = Object.entries(expected()).map(([id, list]) => [id, list.sort()]);
  expect(may).toEqual({ ...all, ...Object.fromEntries(sorted) });
  // The definition of the loop has Settle, and no function of an isolated tool.
  expect(may.AgentLoop).toContain('lambda:InvokeFunction on Settle.Arn');
  for (const id of Object.keys(may).filter((one) => one !== 'RunIsolated'))
    expect(may[id]!.filter((right) => invokes(...isolated).includes(right))).toEqual([]);
});

test('Reconcile runs each hour (R169)', () => {
  const [schedule] = ids('AWS::Events::Rule').filter((id) => properties(id).ScheduleExpression);
  expect(properties(schedule!)).toMatchObject({ ScheduleExpression: 'rate(1 hour)', State: 'ENABLED' });
  expect(text((properties(schedule!).Targets as { Arn: unknown }[])[0]!.Arn)).toBe('Reconcile.Arn');
});

test('a secret is created without a value, because a generated one would look like a key', () => {
  for (const id of ids('AWS::SecretsManager::Secret').filter((one) => one !== webhookKey() && one !== pushKey()))
    expect(Object.keys(properties(id)).sort()).toEqual(['Description', 'Tags']);
});

test('a tool that works with files reaches those (R213)', () => {
  const filing = (tool: Tool) => (tool.name === 'reminder' ? { ...tool, needs: { files: true as const } } : tool);
  const tools = new Map([...shipped.tools].map(([name, tool]) => [name, filing(tool) as Tool]));
  const app = newApp();
  const agents = { ...emptyBundles(join(folder, 'empty')), agents: { ...shipped, tools } };
  const stack = new VigilStack(app, 'Vigil', { agents });
  const { Reminder } = rights(app.synth().getStackArtifact(stack.artifactId).template);
  const more = Reminder!.filter((right) => !rights(template).Reminder!.includes(right));
  expect(more.filter(isShown)).toEqual(onFiles('GetObject', 'PutObject').sort());
});

test('each function writes its own log only, and only log delivery and traces are allowed on *', () => {
  for (const id of ids('AWS::Lambda::Function')) {
    const logs = rights(template)[id]!.filter((right) => right.startsWith('logs:Put'));
    expect(logs).toEqual([
      `logs:PutLogEvents on ${text((properties(id).LoggingConfig as { LogGroup: unknown }).LogGroup)}.Arn`,
    ]);
  }
  const all = Object.values(rights(template)).flat();
  const known = /^(xray:|logs:\w*(Delivery|Deliveries|ResourcePolic|LogGroups))/;
  expect(all.filter((right) => (right.endsWith(' on *') && !known.test(right)) || /^[^ ]*:\*/.test(right))).toEqual([]);
});

// Each role of the template tries every kind of partition of every table, in every way that DynamoDB has, under the policies as the local
// cloud evaluates them.

let iam: Iam;
let principals: Principals;
beforeAll(() => {
  iam = openIam(deployment);
  principals = openPrincipals(deployment.ofType('AWS::Lambda::Function'), 'secret');
});

const everywhere = ['C#', 'U#', 'N#', 'B#', 'P#', 'NUMBER#', 'V#', 'E#', 'X#'];

/** What each function may reach of the conversation table. Those of isolated tools are missing: they reach nothing. */
const declared: Record<string, string[]> = {
  ...Object.fromEntries(['Settle', 'Relay'].map((id) => [id, ['C#', 'N#']])),
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
  // What is pushed asks META who may read it.
  Connections: { GetItem: ['C#'], TransactGetItems: ['C#'] },
  Embed: {
    GetItem: ['C#', 'E#'],
    TransactGetItems: ['C#', 'E#'],
    Query: ['C#', 'E#'],
    PutItem: ['E#'],
    UpdateItem: ['N#'],
    'TransactWriteItems with Put': ['E#'],
    'TransactWriteItems with Update': ['N#'],
  },
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
  deployment.ofType('AWS::DynamoDB::Table').find((one) => one.logicalId === logicalId)!.ref;

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
  const principal = principals.roleOf(deployment.ofType('AWS::Lambda::Function').find((one) => one.logicalId === id)!);
  const asked = dynamodbRequests(
    operation,
    input as Record<string, unknown>,
    deployment.place,
    partitionKeysIn(deployment),
  );
  return asked.length > 0 && asked.every((one) => iam.allows({ principal, ...one }));
}

const functions = () => deployment.ofType('AWS::Lambda::Function').map(({ logicalId }) => logicalId);

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
  expect(functions().filter(reaches).sort()).toEqual(['Api', 'Broadcast', 'CallModel', 'Connections', 'Notify']);
});
