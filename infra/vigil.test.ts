import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { AwsSolutionsChecks } from 'cdk-nag';
import { defineGuard } from '../core/conversations/guards/guard';
import { emptyBundles } from '../test/support/clouds/empty-bundles';
import { newApp } from '../test/support/clouds/new-app';
import { synthesized } from '../test/support/clouds/synthesized';
import { type Resource, rights, type Template } from '../test/support/template-rights';
import type { Built } from './bundling/build';
import { pageFrom, settingsFrom } from './settings';
import { quickly } from './synth';
import { VigilStack } from './vigil-app';

const folder = mkdtempSync(join(tmpdir(), 'vigil-template-'));
let template: Template;
let agents: Built;
/** Of a deployment with no setting. */
let bare: Template;
/** Of one with settings that have nothing to do with each other. */
let set: Template;

beforeAll(async () => {
  const env = { ...process.env, VIGIL_PAGE: 'cloudfront' };
  template = JSON.parse(readFileSync((await synthesized(folder, undefined, env)).template, 'utf8'));
  agents = emptyBundles(join(folder, 'bundles'));
  bare = declare({}, { change: reserveForRelay }).template;
  set = declare(
    {
      VIGIL_DEVELOPERS_GROUP: 'developers',
      EMBEDDING_BASE_URL: 'http://127.0.0.1:11434/v1',
      VIGIL_WEB_ORIGINS: 'https://vigil.example.com, https://example.org:8443',
      VIGIL_MACHINES: 'on',
    },
    { built: guarded() },
  ).template;
});
afterAll(() => rmSync(folder, { recursive: true }));

const ofType = (type: string): [string, Resource][] =>
  Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
const properties = (id: string) => template.Resources[id]!.Properties;
const mappingTo = (fn: string) =>
  Object.values(template.Resources).find(
    ({ Type, Properties }) =>
      Type === 'AWS::Lambda::EventSourceMapping' && (Properties.FunctionName as { Ref: string }).Ref === fn,
  )!;

describe('what is deployed', () => {
  test('resources of these types and no others (R33, R99)', () => {
    expect([...new Set(Object.values(template.Resources).map(({ Type }) => Type))].sort()).toEqual([
      'AWS::ApiGatewayV2::Api',
      'AWS::ApiGatewayV2::Authorizer',
      'AWS::ApiGatewayV2::Integration',
      'AWS::ApiGatewayV2::Route',
      'AWS::ApiGatewayV2::RouteResponse',
      'AWS::ApiGatewayV2::Stage',
      'AWS::CloudWatch::Alarm',
      'AWS::CloudWatch::Dashboard',
      'AWS::Cognito::UserPool',
      'AWS::Cognito::UserPoolClient',
      'AWS::Cognito::UserPoolResourceServer',
      'AWS::DynamoDB::Table',
      'AWS::Events::EventBus',
      'AWS::Events::Rule',
      'AWS::IAM::Policy',
      'AWS::IAM::Role',
      'AWS::Lambda::EventInvokeConfig',
      'AWS::Lambda::EventSourceMapping',
      'AWS::Lambda::Function',
      'AWS::Lambda::Permission',
      'AWS::Logs::LogGroup',
      'AWS::S3::Bucket',
      'AWS::S3::BucketPolicy',
      'AWS::SQS::Queue',
      'AWS::SQS::QueuePolicy',
      'AWS::SecretsManager::Secret',
      'AWS::StepFunctions::StateMachine',
    ]);
  });

  test('each function runs Node 24 on arm64, is traced and has its bundle', () => {
    for (const [id, { Metadata }] of ofType('AWS::Lambda::Function')) {
      expect(properties(id)).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        TracingConfig: { Mode: 'Active' },
      });
      expect(readFileSync(join(folder, String(Metadata!['aws:asset:path']), 'index.js'), 'utf8')).not.toBe('');
    }
  });

  test('each log group has a retention period', () => {
    for (const [, group] of ofType('AWS::Logs::LogGroup')) expect(group.Properties.RetentionInDays).toBe(30);
  });

  test('no partition is written out: the stack runs in GovCloud and China as well (R275)', () => {
    const literals = JSON.stringify(template).match(/arn:aws[\w-]*:[\w-]*:/g) ?? [];
    expect(literals).toEqual([]);
  });

  test('each placeholder of the definition has its ARN, and no more', () => {
    const { DefinitionString, DefinitionSubstitutions } = properties('AgentLoop');
    const placeholders = String(DefinitionString).match(/(?<=\$\{)\w+(?=\})/g);
    expect(Object.keys(DefinitionSubstitutions as object).sort()).toEqual([...new Set(placeholders)].sort());
  });

  test('no user’s words get into the state machine’s log', () => {
    expect(properties('AgentLoop').LoggingConfiguration).toMatchObject({ IncludeExecutionData: false });
  });

  test('the table is recoverable, encrypted, streamed and kept', () => {
    expect(template.Resources.ConversationTable).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        SSESpecification: { SSEEnabled: true },
        StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
        TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      },
    });
  });

  test('without a hosted page, no client signs in by redirect, so no flow sends tokens to another site', () => {
    const [[, client]] = ofType('AWS::Cognito::UserPoolClient') as [[string, Resource]];
    expect(client.Properties).toMatchObject({ AllowedOAuthFlowsUserPoolClient: false });
    expect(Object.keys(client.Properties)).not.toContain('AllowedOAuthFlows');
    expect(Object.keys(client.Properties)).not.toContain('CallbackURLs');
  });

  test('each route needs a signed-in user, except the OpenAPI document and the webhooks', () => {
    const open = ofType('AWS::ApiGatewayV2::Route').filter(
      ([, { Properties }]) => Properties.AuthorizationType !== 'JWT',
    );
    expect(open.map(([, { Properties }]) => Properties.RouteKey)).toEqual([
      'GET /openapi.json',
      'POST /webhooks/{token}',
      'POST /webhooks/models/{provider}',
      // On the WebSocket, Connections checks a ticket, and the other routes know the connection's user.
      '$connect',
      '$disconnect',
      '$default',
    ]);
  });

  test('each of these routes needs a scope of the API, which an ID token does not have (R124)', () => {
    const signedIn = ofType('AWS::ApiGatewayV2::Route').filter(
      ([, { Properties }]) => Properties.AuthorizationType === 'JWT',
    );
    expect(signedIn).toHaveLength(10);
    for (const [, { Properties }] of signedIn)
      expect(Properties.AuthorizationScopes).toEqual(['vigil/api', 'aws.cognito.signin.user.admin']);
  });

  test('routes that start work, and those that need no token, are throttled below the others, and exist first (R149)', () => {
    const [[, stage]] = ofType('AWS::ApiGatewayV2::Stage').filter(
      ([, one]) => one.Properties.StageName === '$default',
    ) as [[string, Resource]];
    const settings = stage.Properties.RouteSettings as Record<string, object>;
    expect(stage.Properties.DefaultRouteSettings).toEqual({ ThrottlingBurstLimit: 200, ThrottlingRateLimit: 100 });
    expect(settings['POST /conversations/{id}/fork']).toEqual({ ThrottlingBurstLimit: 10, ThrottlingRateLimit: 5 });
    const routes = ofType('AWS::ApiGatewayV2::Route');
    const isSet = (key: unknown) => Object.keys(settings).includes(String(key));
    const set = routes.filter(([, { Properties }]) => isSet(Properties.RouteKey));
    expect(set).toHaveLength(Object.keys(settings).length);
    expect([stage.DependsOn].flat()).toEqual(expect.arrayContaining(set.map(([id]) => id)));
    const open = routes
      .filter(([, one]) => one.Properties.AuthorizationType !== 'JWT')
      .map(([, one]) => one.Properties);
    expect(open.filter(({ RouteKey }) => !/^\$/.test(String(RouteKey)) && !isSet(RouteKey))).toEqual([]);
  });

  test('Relay is invoked for rows of to-dos only', () => {
    const mapping = mappingTo('Relay');
    const pattern = '{"eventName":["INSERT"],"dynamodb":{"Keys":{"sk":{"S":[{"prefix":"TODO#"}]}}}}';
    expect(mapping.Properties).toMatchObject({
      FilterCriteria: { Filters: [{ Pattern: pattern }] },
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
    });
  });

  test('Broadcast is invoked for the rows that a page may show, from the first on, and again for what it could not publish', () => {
    const { FilterCriteria, ...mapping } = mappingTo('Broadcast').Properties;
    const [{ Pattern }] = (FilterCriteria as { Filters: [{ Pattern: string }] }).Filters;
    const prefixes = (...all: string[]) => all.map((prefix) => ({ prefix }));
    const shown = ['META', ...prefixes('M#', 'PIECE#', 'CALL#', 'CALLBACK#', 'TIMER#', 'READ#')];
    const ofNotices = ['REACH', 'ABSENCE', ...prefixes('LINK#', 'STANDING#')];
    expect(JSON.parse(Pattern)).toEqual({
      eventName: ['INSERT', 'MODIFY'],
      dynamodb: { Keys: { sk: { S: [...shown, ...ofNotices] } } },
    });
    expect(mapping).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRecordAgeInSeconds: 21_600,
    });
    expect(Object.keys(mapping)).not.toContain('MaximumRetryAttempts');
  });

  test('the live view’s table is encrypted, expires, has no stream and goes with the stack', () => {
    const { DeletionPolicy, Properties } = template.Resources.LiveTable as Resource & { DeletionPolicy: string };
    expect([DeletionPolicy, Object.keys(Properties)]).toEqual([
      'Delete',
      expect.not.arrayContaining(['StreamSpecification']),
    ]);
    expect(Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      SSESpecification: { SSEEnabled: true },
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    });
  });

  test('the WebSocket is throttled, and sets nothing that other stacks of the account share (R293)', () => {
    const [[, stage]] = ofType('AWS::ApiGatewayV2::Stage').filter(([, one]) => one.Properties.StageName === 'live') as [
      [string, Resource],
    ];
    expect(stage.Properties.DefaultRouteSettings).toEqual({ ThrottlingBurstLimit: 200, ThrottlingRateLimit: 100 });
    // Such a log needs the account's role.
    expect(stage.Properties.AccessLogSettings).toBeUndefined();
    expect(ofType('AWS::ApiGateway::Account')).toEqual([]);
    expect(stage.Properties.RouteSettings).toEqual({
      $connect: { ThrottlingBurstLimit: 100, ThrottlingRateLimit: 50 },
    });
    const connect = ofType('AWS::ApiGatewayV2::Route').filter(([, one]) => one.Properties.RouteKey === '$connect');
    expect([stage.DependsOn].flat()).toEqual(expect.arrayContaining(connect.map(([id]) => id)));
  });

  test('the routes of an API are created one after the other, not together (R293)', () => {
    const routes = ofType('AWS::ApiGatewayV2::Route');
    const apis = new Map<string, [string, Resource][]>();
    for (const one of routes) {
      const api = JSON.stringify(one[1].Properties.ApiId);
      apis.set(api, [...(apis.get(api) ?? []), one]);
    }
    expect(apis.size).toBe(2);
    for (const all of apis.values()) {
      const ids = all.map(([id]) => id);
      const before = all.map(([, { DependsOn = [] }]) => [DependsOn].flat().filter((id) => ids.includes(String(id))));
      // A line: one has none before it, and each other one has another route.
      expect(before.map(({ length }) => length).sort()).toEqual([0, ...Array(all.length - 1).fill(1)]);
      expect(new Set(before.flat()).size).toBe(all.length - 1);
    }
  });

  test('what Lambda refuses to a function without rights comes after the routes, when IAM knows the rights (R293)', () => {
    const stages = ofType('AWS::ApiGatewayV2::Stage').filter(([, one]) => one.Properties.StageName === '$default');
    const late = [...ofType('AWS::Lambda::EventSourceMapping'), ...ofType('AWS::Lambda::EventInvokeConfig')];
    expect(late.length).toBeGreaterThan(4);
    for (const [id, { DependsOn = [] }] of late)
      expect({ id, after: [DependsOn].flat() }).toEqual({
        id,
        after: expect.arrayContaining(stages.map(([id]) => id)),
      });
  });

  test('the API’s access log has the user and the route, but no path, because a webhook’s path is its key', () => {
    const [[, stage]] = ofType('AWS::ApiGatewayV2::Stage').filter(
      ([, one]) => one.Properties.StageName === '$default',
    ) as [[string, Resource]];
    const { Format } = stage.Properties.AccessLogSettings as { Format: string };
    expect(JSON.parse(Format)).toMatchObject({
      requestId: '$context.requestId',
      route: '$context.routeKey',
      user: '$context.authorizer.claims.sub',
      status: '$context.status',
      error: '$context.error.message',
      latencyMs: '$context.responseLatency',
    });
    // A name that is not a variable of an HTTP API is logged as a dash.
    expect(Format).not.toMatch(/path|query|caller|identity\.user/i);
  });

  test('Settle is invoked for executions that failed, timed out or were aborted', () => {
    const [, rule] = ofType('AWS::Events::Rule').find(([, { Properties }]) => Properties.EventPattern)!;
    expect(rule.Properties.EventPattern).toEqual({
      source: ['aws.states'],
      'detail-type': ['Step Functions Execution Status Change'],
      detail: {
        status: ['FAILED', 'TIMED_OUT', 'ABORTED'],
        stateMachineArn: ['AgentLoop', 'Timer', 'Rollback'].map((Ref) => ({ Ref })),
      },
    });
  });
});

test('variables that are unset where it is synthesized are declared and empty', () => {
  expect(bare.Resources.CallModel?.Properties.Environment).toMatchObject({
    Variables: { OPENAI_BASE_URL: '', VIGIL_MODEL: '', VIGIL_MAX_STEPS: '' },
  });
});

test('Api knows who the developers are, and the state machine that they open (R163)', () => {
  expect(set.Resources.Api!.Properties.Environment).toMatchObject({
    Variables: { VIGIL_DEVELOPERS_GROUP: 'developers', STATE_MACHINE_ARN: { Ref: 'AgentLoop' } },
  });
});

test('the template says what tools need, and the secret’s description and output say whose it is (R247)', () => {
  const { Metadata, Outputs, Resources } = bare as Template & Record<'Metadata' | 'Outputs', Record<string, object>>;
  expect(Metadata.Needs).toEqual([
    { name: 'SERPER_API_KEY', kind: 'secret', tools: ['internet_search'], optionalFor: [] },
    { name: 'SERPER_BASE_URL', kind: 'variable', tools: [], optionalFor: ['internet_search'] },
    { name: 'BROWSERLESS_TOKEN', kind: 'secret', tools: [], optionalFor: ['scrape_website'] },
    { name: 'BROWSERLESS_BASE_URL', kind: 'variable', tools: [], optionalFor: ['scrape_website'] },
  ]);
  expect(Resources.SerperApiKey!.Properties.Description).toBe('SERPER_API_KEY, for the tool internet_search');
  expect(Outputs).toHaveProperty('SerperApiKeySecretArn');
});

test('CallModel reads the secrets that guards need, which the template lists (R206)', () => {
  const { Resources, Metadata } = set as Template & { Metadata: { Needs: object[] } };
  const { Variables } = Resources.CallModel!.Properties.Environment as { Variables: object };
  expect(Variables).toMatchObject({ GUARD_API_KEY_SECRET_ARN: { Ref: 'GuardApiKey' } });
  expect(Resources.GuardApiKey!.Properties.Description).toBe('GUARD_API_KEY, for guard keyed');
  const key = { name: 'GUARD_API_KEY', kind: 'secret', tools: ['guard keyed'], optionalFor: [] };
  expect(Metadata.Needs).toContainEqual(key);
  const reading = Object.entries(rights(set)).filter(([, all]) =>
    all.some((right) => right.endsWith(' on GuardApiKey')),
  );
  expect(reading.map(([id]) => id)).toEqual(['CallModel']);
});

test('a server for embeddings alone gets no key (R134)', () => {
  const ofMemory = ({ Resources }: Template) => {
    const secrets = Object.keys(Resources).filter((id) => Resources[id]!.Type === 'AWS::SecretsManager::Secret');
    const { Variables } = Resources.Remember!.Properties.Environment as { Variables: Record<string, { Ref?: string }> };
    const key = Variables.EMBEDDING_KEY_SECRET_ARN?.Ref;
    return { key, secrets: secrets.filter((id) => id !== 'GuardApiKey'), server: Variables.EMBEDDING_BASE_URL };
  };
  const shared = ofMemory(bare);
  expect(shared).toMatchObject({ key: 'OpenaiApiKey', server: '' });
  const server = 'http://127.0.0.1:11434/v1';
  expect(ofMemory(set)).toEqual({ key: undefined, secrets: shared.secrets, server });
});

test('pages of other origins may call only from those that are set where it is synthesized, and no page of a laptop may (R181)', () => {
  const origins = ({ Resources }: Template) =>
    Object.values(Resources)
      .filter(({ Type }) => Type === 'AWS::ApiGatewayV2::Api')
      .flatMap(({ Properties }) => (Properties.CorsConfiguration as { AllowOrigins: string[] } | undefined) ?? [])
      .map(({ AllowOrigins }) => AllowOrigins);
  expect(origins(bare)).toEqual([]);
  expect(origins(set)).toEqual([['https://vigil.example.com', 'https://example.org:8443']]);
  expect(() => settingsFrom({ VIGIL_WEB_ORIGINS: 'https://vigil.example.com/' })).toThrow(/is not an origin/);
});

test('a template for the local cloud never includes the hosted page, whatever is set', () => {
  expect(JSON.stringify(template)).not.toMatch(/PageFiles|AWS::CloudFront|UserPoolDomain/);
  expect(() => pageFrom('nowhere')).toThrow('it must be "cloudfront", "none" or the address of a page');
});

test('no concurrency is reserved, because a new account refuses that (R168)', () => {
  const functions = Object.values(template.Resources).filter(({ Type }) => Type === 'AWS::Lambda::Function');
  expect(functions.length).toBeGreaterThan(20);
  for (const { Properties } of functions) expect(Properties).not.toHaveProperty('ReservedConcurrentExecutions');
  // The way of docs/scale.md to reserve some.
  expect(bare.Resources.Relay!.Properties).toMatchObject({ ReservedConcurrentExecutions: 10 });
});

test('the rules of AwsSolutions hold', () => {
  const outdir = join(folder, 'checked');
  const app = new App({ outdir, ...quickly });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  declare({}, { app });
  const { pluginReports } = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'));
  expect(pluginReports.flatMap(({ violations }: { violations: unknown[] }) => violations)).toEqual([]);
});

interface Declaring {
  app?: App;
  built?: Built;
  change?: (stack: VigilStack) => void;
}

function declare(variables: NodeJS.ProcessEnv, { app = newApp(), built = agents, change }: Declaring = {}) {
  const stack = new VigilStack(app, 'Vigil', { agents: built, variables });
  change?.(stack);
  return { template: app.synth().getStackArtifact(stack.artifactId).template as Template };
}

/** The agents, of which one has a guard that needs a secret. */
function guarded(): Built {
  const { agents: named } = agents.agents;
  const keyed = defineGuard({
    name: 'keyed',
    at: ['input'],
    needs: { secrets: ['GUARD_API_KEY'] },
    check: () => 'pass',
  });
  const reminder = { ...named.get('reminder')!, guards: [keyed] };
  return { ...agents, agents: { ...agents.agents, agents: new Map(named).set('reminder', reminder) } };
}

/** The way of docs/scale.md to reserve concurrency. */
function reserveForRelay(stack: VigilStack): void {
  const relay = stack.node.findChild('Default').node.findChild('Relay').node.defaultChild as CfnFunction;
  relay.reservedConcurrentExecutions = 10;
}

test('only where it is switched on, a client for machines has the one scope to act for users, and the API takes its tokens (R174)', () => {
  const clientsOf = ({ Resources }: Template) =>
    Object.values(Resources).filter(({ Type }) => Type === 'AWS::Cognito::UserPoolClient');
  expect(clientsOf(bare)).toHaveLength(1);
  const machine = clientsOf(set).find(({ Properties }) => Properties.GenerateSecret)!;
  expect(machine.Properties).toMatchObject({
    AllowedOAuthFlows: ['client_credentials'],
    AllowedOAuthScopes: [{ 'Fn::Join': ['', [expect.anything(), '/act-for-users']] }],
  });
  expect(set.Resources.Api?.Properties.Environment).toMatchObject({ Variables: { VIGIL_MACHINES: 'on' } });
  const routes = Object.values(set.Resources).filter(({ Type }) => Type === 'AWS::ApiGatewayV2::Route');
  const scopes = routes.flatMap(({ Properties }) => (Properties.AuthorizationScopes as string[] | undefined) ?? []);
  expect(new Set(scopes)).toEqual(new Set(['vigil/api', 'aws.cognito.signin.user.admin', 'vigil/act-for-users']));
  expect(() => declare({ VIGIL_MACHINES: 'yes' })).toThrow('VIGIL_MACHINES is "yes": it must be "on" or "off".');
  expect(() => declare({ VIGIL_CLAIMS: 'tenant, a b' })).toThrow('VIGIL_CLAIMS: "a b" is not a claim\'s name');
});
