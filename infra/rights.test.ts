import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shipped } from '../agents';
import { defineAgent } from '../core/conversations/agent/agent';
import { registry } from '../core/conversations/agent/registry';
import { newApp } from '../test/support/clouds/new-app';
import { keptBundles, synthesized } from '../test/support/clouds/synthesized';
import { rights, type Template, text } from '../test/support/template-rights';
import { reminder } from '../tools/reminder';
import { settingsFrom } from './settings';
import { VigilStack } from './vigil-app';

const folder = mkdtempSync(join(tmpdir(), 'vigil-rights-'));
let template: Template;
/**
 * Without the rights that every role has, to write its log and send traces, and without those in partitions of the table, of which
 * `test/tenants.test.ts` has the list.
 */
let may: Record<string, string[]>;

beforeAll(async () => {
  template = JSON.parse(readFileSync((await synthesized(folder)).template, 'utf8'));
  may = Object.fromEntries(Object.entries(rights(template)).map(([id, list]) => [id, list.filter(isShown)]));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

const properties = (id: string) => template.Resources[id]!.Properties;
const ids = (type: string) => Object.keys(template.Resources).filter((id) => template.Resources[id]!.Type === type);
const isShown = (right: string) => !/^(logs|xray):| on ConversationTable\.Arn of /.test(right);

const webhookKey = () => ids('AWS::SecretsManager::Secret').find((id) => id.startsWith('WebhookKey'))!;
const pushKey = () => ids('AWS::SecretsManager::Secret').find((id) => id.includes('PushKey'))!;
const onStream = [
  ...['DescribeStream', 'GetRecords', 'GetShardIterator'].map(
    (action) => `dynamodb:${action} on ConversationTable.StreamArn`,
  ),
  'dynamodb:ListStreams on ConversationTable.Arn/stream/*',
];
/** To keep what it could not handle. */
const onUndelivered = () => `sqs:SendMessage on ${ids('AWS::SQS::Queue')[0]}.Arn`;
/** The live view's socket. */
const connections = () => {
  const [socket] = ids('AWS::ApiGatewayV2::Api').filter((id) => properties(id).ProtocolType === 'WEBSOCKET');
  return `arn:AWS::Partition:execute-api:AWS::Region:AWS::AccountId:${socket}/live`;
};
/** The rights to perform committed actions. */
const onMachines = [
  'states:SendTaskSuccess on AgentLoop',
  ...['AgentLoop', 'Timer', 'Rollback'].map((machine) => `states:StartExecution on ${machine}`),
  ...['AgentLoop', 'Timer'].map(
    (machine) =>
      `states:StopExecution on arn:AWS::Partition:states:AWS::Region:AWS::AccountId:execution:${machine}.Name:*`,
  ),
];

/** On files, and without knowing that one is missing, nothing can be read. */
const onFiles = (...actions: string[]) => [
  ...actions.map((action) => `s3:${action} on FilesBucket.Arn/files/*`),
  ...(actions.includes('GetObject') ? ['s3:ListBucket on FilesBucket.Arn'] : []),
];

/** To cancel a reply at its provider. */
/** They are told to end work that is no longer needed. */
const toWorkers = ['CallModel', 'RunIsolated'].map((id) => `lambda:InvokeFunction on ${id}.Arn`);
/** To have something embedded, or found by meaning. */
const toEmbed = 'lambda:InvokeFunction on Embed.Arn';

test('CallModel works on conversations and users’ rows, and reads one secret; it finds who watches, and posts to them (R207)', () => {
  expect(may.CallModel).toEqual(
    [
      'dynamodb:Query on LiveTable.Arn',
      ...onFiles('GetObject', 'PutObject'),
      `execute-api:ManageConnections on ${connections()}/POST/@connections/*`,
      'secretsmanager:GetSecretValue on OpenaiApiKey',
    ].sort(),
  );
});

test.each([
  ['InternetSearch', 'SerperApiKey'],
  ['ScrapeWebsite', 'BrowserlessToken'],
])('%s reads its own secret, %s, and has no other right (R35, R148)', (id, name) => {
  expect(may[id]).toEqual([`secretsmanager:GetSecretValue on ${name}`]);
});

test('RunCode and CurrentTime have no right, and RunIsolated alone invokes the functions of isolated tools (R148)', () => {
  expect(may.RunCode).toEqual([]);
  expect(may.CurrentTime).toEqual([]);
  const isolated = ['CurrentTime', 'InternetSearch', 'RunCode', 'ScrapeWebsite'].map(
    (id) => `lambda:InvokeFunction on ${id}.Arn`,
  );
  expect(may.RunIsolated).toEqual([...isolated, ...onFiles('GetObject', 'PutObject').sort(), onUndelivered()]);
  for (const id of Object.keys(may).filter((one) => one !== 'RunIsolated'))
    expect(may[id]!.filter((right) => isolated.includes(right))).toEqual([]);
});

test('a secret is created without a value, because a generated one would look like a key', () => {
  for (const id of ids('AWS::SecretsManager::Secret').filter((one) => one !== webhookKey() && one !== pushKey())) {
    expect(Object.keys(properties(id)).sort()).toEqual(['Description', 'Tags']);
  }
});

test('a tool that works with files reaches those, and no other tool does (R213)', () => {
  // No shipped tool does, so one is given files.
  const tools = [{ ...reminder, needs: { files: true as const } }];
  const filing = defineAgent({ name: 'filing', purpose: 'p', instructions: 'i', model: 'm', tools });
  const app = newApp();
  const stack = new VigilStack(app, 'Vigil', { agents: { agents: registry([filing]), bundles: keptBundles() } });
  const given = rights(app.synth().getStackArtifact(stack.artifactId).template).Reminder!;
  expect(given.filter(isShown)).toEqual(onFiles('GetObject', 'PutObject').sort());
  const others = ['Reminder', 'Transfer', 'RunCode', 'ScrapeWebsite', 'Ask', 'Settle'];
  for (const id of others) expect(may[id]!.filter((right) => /s3:/.test(right))).toEqual([]);
});

test('Ask stores a task token, and answers it if the answer came first', () => {
  expect(may.Ask).toEqual(['states:SendTaskSuccess on AgentLoop']);
});

test('Api also lists by owner and by decider, issues tickets, starts and stops executions and answers callbacks', () => {
  expect(may.Api).toEqual(
    [
      ...['byDecider', 'byOwner'].map((index) => `dynamodb:Query on ConversationTable.Arn/index/${index}`),
      ...['GetItem', 'PutItem'].map((action) => `dynamodb:${action} on LiveTable.Arn`),
      ...[webhookKey(), pushKey()].map((key) => `secretsmanager:GetSecretValue on ${key}`),
      ...['AgentLoop', 'Rollback', 'Timer'].map(
        (machine) =>
          `states:GetExecutionHistory on arn:AWS::Partition:states:AWS::Region:AWS::AccountId:execution:${machine}.Name:*`,
      ),
      ...onMachines,
      ...onFiles('GetObject', 'PutObject'),
      toEmbed,
    ].sort(),
  );
});

test('Embed reads the key of the embeddings (R230)', () => {
  expect(may.Embed).toEqual(['secretsmanager:GetSecretValue on OpenaiApiKey', onUndelivered()]);
});

test('Settle changes the table and no execution', () => {
  expect(may.Settle).toEqual([onUndelivered()]);
});

test('Relay reads the stream, and starts, stops and answers executions', () => {
  expect(may.Relay).toEqual([...onStream, ...onMachines, onUndelivered(), ...toWorkers].sort());
});

test('Reconcile alone scans, and only the index of what is open; it finds, starts, stops and answers executions (R169)', () => {
  const onExecutions = ['AgentLoop', 'Timer', 'Rollback'].map(
    (machine) =>
      `states:DescribeExecution on arn:AWS::Partition:states:AWS::Region:AWS::AccountId:execution:${machine}.Name:*`,
  );
  expect(may.Reconcile).toEqual(
    [
      'dynamodb:Scan on ConversationTable.Arn/index/byDecider',
      'dynamodb:DescribeTable on ConversationTable.Arn',
      ...onExecutions,
      ...onMachines,
      ...toWorkers,
      toEmbed,
      ...onFiles('DeleteObject'),
    ].sort(),
  );
  const scanning = Object.keys(may).filter((id) => may[id]!.some((right) => right.startsWith('dynamodb:Scan')));
  expect(scanning).toEqual(['Reconcile']);
  const [schedule] = ids('AWS::Events::Rule').filter((id) => properties(id).ScheduleExpression);
  expect(properties(schedule!)).toMatchObject({ ScheduleExpression: 'rate(1 hour)', State: 'ENABLED' });
  expect(text((properties(schedule!).Targets as { Arn: unknown }[])[0]!.Arn)).toBe('Reconcile.Arn');
});

test('the state machine invokes the functions of its definition and starts itself', () => {
  const { DefinitionSubstitutions } = properties('AgentLoop') as { DefinitionSubstitutions: Record<string, unknown> };
  const { Partition: _, ...arns } = DefinitionSubstitutions;
  const invoked = Object.values(arns).map((arn) => `lambda:InvokeFunction on ${text(arn)}`);
  expect(may.AgentLoop).toEqual([...invoked, 'states:StartExecution on AgentLoop'].sort());
  expect(may.AgentLoop).toContain('lambda:InvokeFunction on Settle.Arn');
});

test('the live view’s functions work on its table; of the conversation table, Subscribe reads rows, Broadcast reads the stream and how users are reached, neither writes; only Broadcast publishes, on one bus', () => {
  const onLive = (...actions: string[]) => actions.map((action) => `dynamodb:${action} on LiveTable.Arn`);
  const onConnections = ['POST', 'DELETE'].map(
    (method) => `execute-api:ManageConnections on ${connections()}/${method}/@connections/*`,
  );
  expect(may.Connect).toEqual(onLive('DeleteItem', 'GetItem', 'PutItem'));
  expect(may.Disconnect).toEqual([...onLive('DeleteItem', 'Query', 'UpdateItem'), ...onConnections].sort());
  expect(may.Subscribe).toEqual(
    [...onLive('DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'), ...onConnections].sort(),
  );
  expect(may.Broadcast).toEqual(
    [
      ...onStream,
      onUndelivered(),
      ...onLive('DeleteItem', 'GetItem', 'Query', 'UpdateItem'),
      'states:StartExecution on Notice',
      toEmbed,
      `events:PutEvents on ${ids('AWS::Events::EventBus')[0]}.Arn`,
      `execute-api:ManageConnections on ${connections()}/POST/@connections/*`,
      `execute-api:ManageConnections on ${connections()}/DELETE/@connections/*`,
    ].sort(),
  );
  const publishing = Object.keys(may).filter((id) => may[id]!.some((right) => right.startsWith('events:')));
  expect(publishing).toEqual(['Broadcast']);
});

test('Notify reads what it tells of, keeps whom it has told, and reads its key; its machine invokes it and nothing else (R154)', () => {
  expect(may.Notify).toEqual(
    ['dynamodb:Query on LiveTable.Arn', `secretsmanager:GetSecretValue on ${pushKey()}`].sort(),
  );
  expect(may.Notice).toEqual(['lambda:InvokeFunction on Notify.Arn']);
});

describe('with a backend of traces (R239)', () => {
  const withTraces = (telemetry: object): Template => {
    const app = newApp();
    const agents = { agents: shipped, bundles: keptBundles() };
    const stack = new VigilStack(app, 'Vigil', {
      agents,
      telemetry: { endpoint: 'https://o.example.com', ...telemetry },
    });
    return app.synth().getStackArtifact(stack.artifactId).template;
  };
  const others = (list: string[] = []) => list.filter((right) => !/^(logs|xray):/.test(right));
  const own = [
    ...['GetItem', 'PutItem'].map((action) => `dynamodb:${action} on LiveTable.Arn`),
    'secretsmanager:GetSecretValue on OtelExporterOtlpHeaders',
  ];
  const undelivered = (right: string) => right.startsWith('sqs:SendMessage on ');

  test('Telemetry reads its key and records what it has sent; it reads conversations only if spans have their words', () => {
    const bare = others(rights(withTraces({})).Telemetry);
    expect(bare.filter((right) => !undelivered(right))).toEqual(own);
    expect(bare.filter(undelivered)).toHaveLength(1);
    const content = others(rights(withTraces({ content: true })).Telemetry);
    expect(content.filter((right) => !bare.includes(right))).toEqual(
      ['GetItem', 'Query'].map((action) => `dynamodb:${action} on ConversationTable.Arn of C#*`),
    );
  });

  test('Broadcast alone invokes it, and no other function has more rights than without', () => {
    const on = rights(withTraces({}));
    expect(on.Broadcast!.filter((right) => !rights(template).Broadcast!.includes(right))).toEqual([
      'lambda:InvokeFunction on Telemetry.Arn',
    ]);
    for (const [id, list] of Object.entries(rights(template)))
      if (id !== 'Broadcast') expect([id, on[id]]).toEqual([id, list]);
  });

  test('without one there is nothing of it: no resource, and no variable of any function', () => {
    const found = JSON.stringify(template).match(/(?<!Put)Telemetry|VIGIL_TRACES|TELEMETRY_|\bOTEL_|Spans/g);
    expect(found).toBeNull();
    const on = withTraces({});
    const more = Object.keys(on.Resources).filter((id) => !Object.hasOwn(template.Resources, id));
    expect(more.map((id) => on.Resources[id]!.Type).sort()).toEqual([
      'AWS::CloudWatch::Alarm',
      'AWS::IAM::Policy',
      'AWS::IAM::Role',
      'AWS::Lambda::EventInvokeConfig',
      'AWS::Lambda::Function',
      'AWS::Logs::LogGroup',
      'AWS::SecretsManager::Secret',
    ]);
  });

  test.each([
    [
      { endpoint: 'traces.example.com' },
      'telemetry.endpoint is "traces.example.com": it must be an http or https address.',
    ],
    [{ endpoint: 7 }, 'telemetry.endpoint'],
    [{ scope: 'day' }, 'telemetry.scope: must be "run", "conversation" or "segment"'],
    [{ headers: { key: 'secret' } }, 'telemetry'],
  ])('%j is refused by the name of the prop', (wrong, words) => {
    expect(() => withTraces(wrong)).toThrow(words);
  });

  test('a variable is refused by its name', () => {
    const on = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://o.example.com' };
    expect(settingsFrom(on).telemetry).toMatchObject({ scope: 'run', content: false });
    expect(settingsFrom({ VIGIL_TRACES: 'segment' }).telemetry).toBeUndefined();
    expect(() => settingsFrom({ ...on, VIGIL_TRACES: 'day' })).toThrow(
      'VIGIL_TRACES is "day": it must be "run", "conversation" or "segment".',
    );
    expect(() => settingsFrom({ OTEL_EXPORTER_OTLP_ENDPOINT: 'x' })).toThrow(/^OTEL_EXPORTER_OTLP_ENDPOINT is "x"/);
  });
});

test('no role may delete a conversation’s row, and only log delivery and traces are allowed on *', () => {
  const all = Object.values(rights(template)).flat();
  expect(all.filter((right) => /DeleteItem on (?!LiveTable.Arn$)|^[^ ]*:\*/.test(right))).toEqual([]);
  const everywhere = all.filter((right) => right.endsWith(' on *'));
  expect(
    everywhere.filter((right) => !/^(xray:|logs:\w*(Delivery|Deliveries|ResourcePolic|LogGroups))/.test(right)),
  ).toEqual([]);
});

test('only Reconcile deletes files, and no function has other rights on buckets (R211)', () => {
  const onS3 = Object.entries(rights(template)).flatMap(([id, list]) =>
    list.filter((right) => right.startsWith('s3:')).map((right) => [id, right] as const),
  );
  const known = new Set([...onFiles('GetObject', 'PutObject', 'DeleteObject')]);
  expect(onS3.filter(([, right]) => !known.has(right))).toEqual([]);
  expect(
    onS3
      .filter(([, right]) => right.includes('Delete'))
      .map(([id]) => id)
      .sort(),
  ).toEqual(['Reconcile']);
});

test('each function writes its own log only', () => {
  for (const id of ids('AWS::Lambda::Function')) {
    const logs = rights(template)[id]!.filter((right) => right.startsWith('logs:Put'));
    expect(logs).toEqual([
      `logs:PutLogEvents on ${text((properties(id).LoggingConfig as { LogGroup: unknown }).LogGroup)}.Arn`,
    ]);
  }
});

test('with an address to send from, Notify may send e-mail from it, and from nothing else (R154)', () => {
  const app = newApp();
  const agents = { agents: shipped, bundles: keptBundles() };
  const stack = new VigilStack(app, 'Vigil', { agents, variables: { VIGIL_MAIL_FROM: 'vigil@example.com' } });
  const withMail: Template = app.synth().getStackArtifact(stack.artifactId).template;
  expect(rights(withMail).Notify!.filter((right) => right.startsWith('ses:'))).toEqual(
    ['example.com', 'vigil@example.com'].map(
      (identity) => `ses:SendEmail on arn:AWS::Partition:ses:AWS::Region:AWS::AccountId:identity/${identity}`,
    ),
  );
  expect(() => settingsFrom({ VIGIL_MAIL_FROM: 'Vigil <*>' })).toThrow(
    'VIGIL_MAIL_FROM is "Vigil <*>": it must be an address such as vigil@example.com.',
  );
});
