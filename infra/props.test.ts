import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type Environment, Stack, Stage } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { UserPool, UserPoolClient } from 'aws-cdk-lib/aws-cognito';
import { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Vpc } from 'aws-cdk-lib/aws-ec2';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { emptyBundles } from '../test/support/clouds/empty-bundles';
import { newApp } from '../test/support/clouds/new-app';
import { type Resource, rights, type Template, text } from '../test/support/template-rights';
import type { Built } from './bundling/build';
import { stateful } from './stateful';
import { quickly } from './synth';
import { Vigil } from './vigil';
import type { VigilProps } from './vigil-props';

// What an app passes to the construct, in the template. Settings that have nothing to do with each other are in one stack.

const folder = mkdtempSync(join(tmpdir(), 'vigil-props-'));
const page = join(folder, 'page');
let agents: Built;
beforeAll(() => {
  agents = emptyBundles(join(folder, 'bundles'));
  mkdirSync(page);
  for (const name of ['index.html', 'theme.css']) writeFileSync(join(page, name), '/* the page’s own */');
});
afterAll(() => rmSync(folder, { recursive: true }));

const account = '123456789012';
const env = { account, region: 'eu-central-1' };
const arn = (service: string, rest: string) => `arn:aws:${service}:eu-central-1:${account}:${rest}`;

function declared(props: (stack: Stack) => Partial<VigilProps>, id = 'Agents') {
  const outdir = mkdtempSync(join(folder, 'assembly-'));
  const app = new App({ outdir, ...quickly });
  const stack = new Stack(app, 'Shop', { env });
  const vigil = new Vigil(stack, id, { agents, ...props(stack) });
  const template = app.synth().getStackByName('Shop').template as Template;
  const ofType = (type: string) => Object.values(template.Resources).filter(({ Type }) => Type === type);
  /** The files of the page with this name, as they are deployed. */
  const ofPage = (name: string) =>
    readdirSync(outdir)
      .map((asset) => join(outdir, asset, name))
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, 'utf8'));
  return { vigil, template, ofType, ofPage };
}
type Declared = ReturnType<typeof declared>;

/** Makes a stack for the first test that reads it. */
function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

const certificate = (stack: Stack, id: string) =>
  Certificate.fromCertificateArn(stack, id, `arn:aws:acm:us-east-1:${account}:certificate/1`);
const webAclArn = `arn:aws:wafv2:us-east-1:${account}:global/webacl/edge/1`;
const issuer = 'https://login.example.com/tenant';
const pool = (stack: Stack) => ({
  userPool: UserPool.fromUserPoolId(stack, 'Pool', 'eu-central-1_abc'),
  client: UserPoolClient.fromUserPoolClientId(stack, 'Client', 'programs'),
});

const plain = once(() => declared(() => ({})));

/** With what the account has already. */
const existing = once(() =>
  declared((stack) => ({
    table: Table.fromTableAttributes(stack, 'Restored', {
      tableArn: arn('dynamodb', 'table/restored'),
      tableStreamArn: arn('dynamodb', 'table/restored/stream/1'),
    }),
    secrets: {
      OPENAI_API_KEY: Secret.fromSecretCompleteArn(stack, 'Key', arn('secretsmanager', 'secret:ours-a1b2c3')),
    },
    auth: { ...pool(stack), page: { clientId: 'page', origins: ['https://login.example.com'] } },
    page,
  })),
);

/** With users of another issuer. */
const foreign = once(() =>
  declared((stack) => ({
    auth: {
      issuer,
      audience: ['vigil'],
      scopes: ['vigil/use'],
      page: { clientId: 'page', parameters: { audience: 'vigil' }, origins: ['https://tokens.example.com'] },
    },
    page,
    theme: { colors: { fill: '#0b6e4f' }, radius: 0.25 },
    files: {
      bucket: Bucket.fromBucketAttributes(stack, 'Ours', {
        bucketArn: 'arn:aws:s3:::ours',
        encryptionKey: Key.fromKeyArn(stack, 'OurKey', arn('kms', 'key/1')),
      }),
    },
    alarms: { topic: Topic.fromTopicArn(stack, 'Topic', arn('sns', 'operators')) },
    logRetention: RetentionDays.ONE_YEAR,
    domain: { api: { name: 'api.example.com', certificate: certificate(stack, 'Certificate') } },
  })),
);

/** With users, keys and names of its own, and another id. */
const own = once(() =>
  declared(
    (stack) => ({
      vpc: new Vpc(stack, 'Vpc', { maxAzs: 1 }),
      encryptionKey: new Key(stack, 'Key'),
      keptClaims: ['custom:tenant', 'plan'],
      page,
      webOrigins: ['https://shop.example'],
      domain: { page: { name: 'agents.example.com', certificate: certificate(stack, 'Certificate') } },
      waf: { webAclArn },
    }),
    'Elsewhere',
  ),
);

const authorizers = ({ ofType }: Declared) =>
  ofType('AWS::ApiGatewayV2::Authorizer').map(
    ({ Properties }) => Properties.JwtConfiguration as { Issuer: unknown; Audience: unknown },
  );

test('an existing table, secret and user pool are used, and none is created', () => {
  const { template, ofType } = existing();
  for (const type of ['AWS::Cognito::UserPool', 'AWS::Cognito::UserPoolClient']) expect(ofType(type)).toEqual([]);
  expect(Object.keys(template.Resources)).not.toContain('ConversationTable');
  expect(Object.keys(template.Resources)).not.toContain('OpenaiApiKey');
  expect(rights(template).CallModel).toContain(
    `secretsmanager:GetSecretValue on ${arn('secretsmanager', 'secret:ours-a1b2c3')}`,
  );
  expect(JSON.stringify(template.Resources.Api!.Properties.Environment)).toContain('restored');
  const [{ Issuer, Audience }] = authorizers(existing()) as [{ Issuer: unknown; Audience: unknown }];
  expect(text(Issuer)).toBe('https://cognito-idp.eu-central-1.AWS::URLSuffix/eu-central-1_abc');
  // The page's tokens, too.
  expect(Audience).toEqual(['programs', 'page']);
});

test('files are in a private bucket, which keeps no unfinished upload and is kept itself (R211)', () => {
  const { FilesBucket: bucket } = plain().template.Resources;
  expect(bucket).toMatchObject({
    DeletionPolicy: 'RetainExceptOnCreate',
    UpdateReplacePolicy: 'Retain',
    Properties: {
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      LifecycleConfiguration: {
        Rules: [{ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 }, Status: 'Enabled' }],
      },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    },
  });
  const [policy, ...others] = plain().ofType('AWS::S3::BucketPolicy');
  expect(others).toEqual([]);
  const { Statement } = policy!.Properties.PolicyDocument as { Statement: { Effect: string; Condition: unknown }[] };
  expect(Statement.map(({ Effect }) => Effect)).toEqual(['Deny', 'Deny']);
  expect(Statement[0]!.Condition).toEqual({ Bool: { 'aws:SecureTransport': 'false' } });
  // Without other pages, no browser needs the bucket's permission.
  expect(bucket!.Properties).not.toHaveProperty('CorsConfiguration');
});

test.each<[string, () => Declared, string[]]>([
  ['the hosted page', existing, ['https://*.cloudfront.net']],
  ['a page with a name, and others', own, ['https://shop.example', 'https://agents.example.com']],
])('%s may send what is signed, and read what is stored (R211)', (_, stack, AllowedOrigins) => {
  expect(stack().template.Resources.FilesBucket!.Properties.CorsConfiguration).toEqual({
    CorsRules: [
      {
        AllowedOrigins,
        AllowedMethods: ['GET', 'PUT'],
        MaxAge: 3_600,
        AllowedHeaders: ['content-type', 'x-amz-checksum-sha256', 'range'],
        ExposedHeaders: ['accept-ranges', 'content-range', 'etag'],
      },
    ],
  });
});

test('an existing bucket is used as it is, and functions may use its files and its key', () => {
  const { template, ofType } = foreign();
  const ofFiles = ofType('AWS::S3::Bucket').filter(({ Properties }) => Properties.LifecycleConfiguration);
  expect(ofFiles).toEqual([]);
  expect(Object.keys(template.Resources)).not.toContain('FilesBucket');
  expect(template.Resources.Api!.Properties.Environment).toMatchObject({ Variables: { FILES_BUCKET: 'ours' } });
  expect(rights(template).CallModel).toEqual(
    expect.arrayContaining([
      's3:GetObject on arn:aws:s3:::ours/files/*',
      's3:ListBucket on arn:aws:s3:::ours',
      `kms:Decrypt on ${arn('kms', 'key/1')}`,
    ]),
  );
  expect(rights(template).Api).toContain(`kms:GenerateDataKey* on ${arn('kms', 'key/1')}`);
});

test('all functions are in the VPC, and may have network interfaces', () => {
  const { template, ofType } = own();
  const functions = ofType('AWS::Lambda::Function').filter(({ Properties }) => Properties.Runtime === 'nodejs24.x');
  for (const { Properties } of functions)
    expect(Properties.VpcConfig).toMatchObject({ SubnetIds: [expect.anything()] });
  expect(rights(template).Ask).toContain('ec2:CreateNetworkInterface on *');
});

test('one key encrypts tables, files, secrets, queue, logs and variables, and functions and services may use it', () => {
  const { template, ofType } = own();
  const [id, key] = Object.entries(template.Resources).find(([, { Type }]) => Type === 'AWS::KMS::Key')!;
  const its = { 'Fn::GetAtt': [id, 'Arn'] };
  for (const { Properties } of ofType('AWS::DynamoDB::Table'))
    expect(Properties.SSESpecification).toMatchObject({ SSEType: 'KMS', KMSMasterKeyId: its });
  expect(template.Resources.FilesBucket!.Properties.BucketEncryption).toEqual({
    ServerSideEncryptionConfiguration: [
      {
        BucketKeyEnabled: true,
        ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: its },
      },
    ],
  });
  for (const { Properties } of ofType('AWS::SecretsManager::Secret')) expect(Properties.KmsKeyId).toEqual(its);
  for (const { Properties } of ofType('AWS::Logs::LogGroup')) expect(Properties.KmsKeyId).toEqual(its);
  for (const { Properties } of ofType('AWS::SQS::Queue')) expect(Properties.KmsMasterKeyId).toEqual(its);
  expect(template.Resources.CallModel!.Properties.KmsKeyArn).toEqual(its);
  const policy = JSON.stringify(key.Properties.KeyPolicy);
  for (const service of ['"logs.eu-central-1.', '"events.amazonaws.com"']) expect(policy).toContain(service);
  for (const fn of ['Ask', 'RunCode']) expect(rights(template)[fn]).toContain(`kms:Decrypt on ${id}.Arn`);
});

test('claims are kept by name (R173)', () => {
  expect(own().template.Resources.Api!.Properties.Environment).toMatchObject({
    Variables: { VIGIL_CLAIMS: 'custom:tenant,plan' },
  });
});

test('alarms notify a topic, logs are kept as long as asked, and the API has a name of the app', () => {
  const { vigil, ofType } = foreign();
  for (const { Properties } of ofType('AWS::CloudWatch::Alarm'))
    expect(Properties).toMatchObject({ AlarmActions: [arn('sns', 'operators')], OKActions: [arn('sns', 'operators')] });
  for (const { Properties } of ofType('AWS::Logs::LogGroup')) expect(Properties.RetentionInDays).toBe(365);
  expect(vigil.apiUrl).toBe('https://api.example.com');
  expect(ofType('AWS::ApiGatewayV2::ApiMapping')).toHaveLength(1);
});

test('the page has a name of the app and a firewall, and its users come back to that name (R181)', () => {
  const { vigil, template, ofType } = own();
  const [distribution] = ofType('AWS::CloudFront::Distribution');
  expect(distribution!.Properties.DistributionConfig).toMatchObject({
    Aliases: ['agents.example.com'],
    ViewerCertificate: {
      AcmCertificateArn: expect.stringContaining('us-east-1'),
      MinimumProtocolVersion: 'TLSv1.2_2021',
    },
    WebACLId: webAclArn,
  });
  expect(vigil.pageUrl).toBe('https://agents.example.com');
  const clients = ofType('AWS::Cognito::UserPoolClient').map(({ Properties }) => Properties.CallbackURLs);
  expect(clients).toContainEqual(['https://agents.example.com/']);
  expect(text(template.Outputs.PageDomainTarget!.Value)).toMatch(/\.DomainName$/);
});

test('the page gets the theme of the app in place of its own, and the local cloud reads it in the template (R257)', () => {
  const css = ':root {\n  --fill: #0b6e4f;\n  --radius: 0.25rem;\n}\n';
  expect(foreign().template).toMatchObject({ Metadata: { Theme: css } });
  expect(foreign().ofPage('theme.css')).toEqual([css]);
});

/** Where the page may connect to. */
function connects({ ofType }: Declared): string {
  const [headers] = ofType('AWS::CloudFront::ResponseHeadersPolicy');
  const { ContentSecurityPolicy: policy } = (
    headers!.Properties.ResponseHeadersPolicyConfig as {
      SecurityHeadersConfig: { ContentSecurityPolicy: { ContentSecurityPolicy: unknown } };
    }
  ).SecurityHeadersConfig.ContentSecurityPolicy;
  return text(policy)
    .split('; ')
    .find((one) => one.startsWith('connect-src'))!;
}

test('the page signs in at any issuer, with a client of that issuer, and connects to it; its tokens have no token_use (R181)', () => {
  expect(
    foreign()
      .ofPage('config.json')
      .map((config) => JSON.parse(config)),
  ).toEqual([
    {
      mode: 'oidc',
      issuer,
      clientId: 'page',
      apiUrl: '/api',
      scope: 'openid email vigil/use',
      parameters: { audience: 'vigil' },
    },
  ]);
  expect(connects(foreign())).toMatch(/ https:\/\/login\.example\.com https:\/\/tokens\.example\.com$/);
  expect(foreign().template.Resources.Api!.Properties.Environment).toMatchObject({
    Variables: { VIGIL_TOKEN_USE: 'any' },
  });
});

test('the page signs in at an existing user pool (R181)', () => {
  expect(
    existing()
      .ofPage('config.json')
      .map((config) => JSON.parse(config)),
  ).toMatchObject([{ mode: 'oidc', scope: 'openid email aws.cognito.signin.user.admin' }]);
  expect(connects(existing())).toContain(' https://cognito-idp.eu-central-1.AWS::URLSuffix https://login.example.com');
});

const others = { issuer: 'https://login.example.com/', audience: ['vigil'] };

test.each<[string, (stack: Stack) => Partial<VigilProps>, string]>([
  ['a limit', () => ({ limits: { dayOfUser: { steps: 0 } } }), 'limits.dayOfUser.steps is 0'],
  ['an address', () => ({ models: { baseUrl: 'models.example' } }), 'models.baseUrl is "models.example"'],
  [
    'a provider',
    () => ({ models: { baseUrlOf: { nobody: 'https://a.example' } } }),
    'models.baseUrlOf.nobody: no agent',
  ],
  ['an origin', () => ({ webOrigins: ['https://a.example/'] }), 'webOrigins: https://a.example/ is not an origin'],
  ['a claim', () => ({ keptClaims: ['a claim'] }), `keptClaims: "a claim" is not a claim's name`],
  ['an issuer', () => ({ auth: { issuer: 'x', audience: ['a'] } }), 'auth.issuer is "x": it must be an https address'],
  ['a folder', () => ({ agents: './nowhere' }), 'agents: the folder '],
  ['a table without a stream', (stack) => ({ table: Table.fromTableName(stack, 'T', 't') }), 'table: it has no stream'],
  [
    'the page with a foreign issuer',
    () => ({ page, auth: others }),
    'page: the page needs a client to sign in with: set "auth.page"',
  ],
  [
    'the page with a user pool without an address',
    (stack) => ({ page, auth: { ...pool(stack), page: { clientId: 'page' } } }),
    'auth.page.origins is empty',
  ],
  [
    'an origin of sign-in pages',
    () => ({ page, auth: { ...others, page: { clientId: 'p', origins: ['https://b.example/x'] } } }),
    'auth.page.origins: https://b.example/x is not an origin',
  ],
  [
    'a bucket',
    (stack) => ({ files: { bucket: Bucket.fromBucketName(stack, 'Dotted', 'files.example.com') } }),
    'files.bucket: the bucket files.example.com has a dot',
  ],
  ['a theme without a page', () => ({ theme: { radius: 0 } }), 'theme is for the hosted page'],
  ['a colour', () => ({ page, theme: { colors: { ink: 'red' } } }), 'theme.colors.ink: it must be a colour'],
  ['a firewall without a page', () => ({ waf: { webAclArn } }), 'waf is for the hosted page'],
  [
    'a name without a page',
    (stack) => ({ domain: { page: { name: 'a.example.com', certificate: certificate(stack, 'C') } } }),
    'domain.page is for the hosted page',
  ],
  [
    'a regional firewall',
    () => ({ page, waf: { webAclArn: webAclArn.replace('global', 'regional') } }),
    'it must be a web ACL of scope CLOUDFRONT',
  ],
  [
    'a function of no tool',
    (stack) => ({ functions: { refund: LambdaFunction.fromFunctionArn(stack, 'F', arn('lambda', 'function:f')) } }),
    'functions.refund: no agent has a foreign tool with this name',
  ],
])('a mistake in %s stops the synthesis and names the prop', (_, props, problem) => {
  const stack = new Stack(newApp(), 'Shop', { env });
  expect(() => new Vigil(stack, 'Agents', { agents, ...props(stack) })).toThrow(problem);
});

// What the compiler refuses (test/mistakes.test.ts), from an app in plain JavaScript.
test.each<[props: object, problem: string]>([
  [{ agents: undefined, tools: ['./tools'] }, 'agents: must be the folder of the agents'],
  [{ tools: './tools' }, 'tools: must be a list'],
  [{ limits: { stepOfRun: 7 } }, 'limits.stepOfRun: there is no such field: did you mean "stepsOfRun"?'],
  [{ models: { titles: 'off' } }, 'models.titles: must be true or false'],
  [{ pag: true }, 'pag: there is no such field'],
  [{ limits: { dayOfUser: { costDollars: 1 } } }, 'limits.dayOfUser.costDollars: there is no such'],
  [{ models: { api: 'responces' } }, 'models.api: must be "responses" or "chat"'],
  [{ variables: { SHOP_SIZE: 3 } }, 'variables.SHOP_SIZE: must be a text'],
  [{ auth: { issuer: 'https://login.example' } }, 'auth.audience: must be a list'],
  [{ auth: { pool: {} } }, 'auth.pool: there is no such field'],
  [{ domain: { page: 'chat.example' } }, 'domain.page: must be an object'],
  [{ alarms: { failedRun: 1 } }, 'alarms.failedRun: there is no such field'],
  [{ groups: { editor: 'staff' } }, 'groups.editor: there is no such field'],
])('%j stops the build in one line, with the field (R193)', (props, problem) => {
  const build = () => new Vigil(new Stack(newApp(), 'Shop'), 'Agents', { agents, ...props });
  expect(build).toThrow(expect.objectContaining({ name: 'ConfigurationError' }));
  expect(build).toThrow(/^[^\n]*$/);
  expect(build).toThrow(`Vigil: ${problem}`);
});

test('a variable of a module is refused with its option, and a module that is listed twice by its name (R277)', () => {
  const build = (props: object) => new Vigil(new Stack(newApp(), 'Shop'), 'Agents', { agents, ...props });
  const variables = { VIGIL_MAIL_FROM: 'vigil@example.com' };
  expect(() => build({ variables })).toThrow(
    'variables.VIGIL_MAIL_FROM: it is an option of a module: notices.mailFrom.',
  );
  const module = { name: 'one', deploy: () => ({ functions: [] }) };
  expect(() => build({ modules: [module, module] })).toThrow('modules: one is listed twice.');
});

test('a stack takes one Vigil, and says so', () => {
  const stack = new Stack(newApp(), 'Shop');
  new Vigil(stack, 'One', { agents });
  expect(() => new Vigil(stack, 'Two', { agents })).toThrow('the stack Shop already has a Vigil, Shop/One');
});

test('a tool that the construct has no function for cannot be granted anything', () => {
  const { vigil } = plain();
  expect(vigil.tool('current_time').grantPrincipal).toBeDefined();
  expect(() => vigil.tool('ask_user')).toThrow('tool ask_user: no agent has such a tool');
});

// Several environments of one app: nothing that they share has a name, and what holds data keeps its id.

interface StageTemplate extends Template {
  Resources: Record<string, Resource & { DeletionPolicy?: string; UpdateReplacePolicy?: string }>;
  Parameters: Record<string, object>;
  Conditions: Record<string, object>;
  Outputs: Record<string, { Value: string; Condition: string }>;
}

function stage(name: string, of: Environment, deletionProtection?: boolean): StageTemplate {
  const place = new Stage(newApp(), name, { env: of, stageName: name });
  const stack = new Stack(place, 'Shop');
  new Vigil(stack, 'Agents', { agents, page, deletionProtection });
  return place.synth().getStackByName(stack.stackName).template;
}
const dev = once(() => stage('Dev', env));
const prod = once(() => stage('Prod', env, true));
const elsewhere = once(() => stage('Dev', { ...env, region: 'us-east-1' }, false));

/** Names that have to be unique within another resource only, and those of metrics. */
const within = [
  'AWS::IAM::Policy PolicyName',
  'AWS::ApiGatewayV2::Authorizer Name',
  'AWS::ApiGatewayV2::Stage StageName',
  'AWS::Cognito::UserPoolResourceServer Name',
  'AWS::CloudWatch::Alarm MetricName',
];

/** Returns the physical names that a template gives: what CloudFormation names has none there. */
function names({ Resources }: Template): string[] {
  /** Whether a value is the name of another resource. */
  const refers = (value: string) =>
    Object.keys(Resources).some((id) => value.includes(`"Ref":"${id}"`) || value.includes(`"Fn::GetAtt":["${id}"`));
  return Object.values(Resources).flatMap(({ Type, Properties = {} }) => {
    const configured = Object.values(Properties).flatMap((value) => Object.entries(value ?? {}));
    const all = [...Object.entries(Properties), ...configured.filter(([key]) => key === 'Name')];
    const named = all.filter(([key]) => /(^|[a-z])Name$|^Domain$/.test(key) && !within.includes(`${Type} ${key}`));
    return named.map(([, value]) => `${Type} ${JSON.stringify(value)}`).filter((name) => !refers(name));
  });
}

test('two stages in one region share no physical name, and neither does one in two regions, with the page (R166)', () => {
  const [inDev, inProd, inOther] = [dev(), prod(), elsewhere()].map(names) as [string[], string[], string[]];
  expect(inDev.map((name) => name.split(' ')[0])).toEqual(
    expect.arrayContaining([
      'AWS::Events::EventBus',
      'AWS::Logs::LogGroup',
      'AWS::CloudFront::Function',
      'AWS::CloudFront::OriginAccessControl',
      'AWS::CloudFront::ResponseHeadersPolicy',
      'AWS::Cognito::UserPoolDomain',
    ]),
  );
  const ofStack = (name: string) => name.includes('AWS::StackId');
  expect(inProd.filter((name) => inDev.includes(name) && !ofStack(name))).toEqual([]);
  const global = inOther.filter((name) => name.startsWith('AWS::CloudFront') || name.startsWith('AWS::S3'));
  expect(global.length).toBeGreaterThan(3);
  expect(global.filter((name) => inDev.includes(name))).toEqual([]);
});

describe('what holds data, or is used by running executions (R166)', () => {
  const kept =
    /^AWS::(DynamoDB::Table|Cognito::UserPool|SecretsManager::Secret|SQS::Queue|S3::Bucket|Events::EventBus)$/;
  /** And the roles of the state machines, by the machines. */
  const pinned = ({ Resources }: Template) => [
    ...Object.keys(Resources).filter((id) => kept.test(Resources[id]!.Type)),
    ...Object.values(Resources)
      .filter(({ Type }) => Type === 'AWS::StepFunctions::StateMachine')
      .map(({ Properties }) => (Properties.RoleArn as { 'Fn::GetAtt': [string] })['Fn::GetAtt'][0]),
  ];

  test('keeps its logical id wherever its construct is', () => {
    const ids: string[] = Object.values(stateful);
    // Anyone can make these again, and the keys pin their ids by their names.
    const others = ['BrowserlessToken', 'LiveTable', 'OpenaiApiKey', 'SerperApiKey'];
    expect(
      pinned(dev())
        .filter((id) => !ids.includes(id))
        .sort(),
    ).toEqual(others);
    expect(ids.filter((id) => !Object.hasOwn(dev().Resources, id))).toEqual([]);
    expect(pinned(own().template)).toEqual(pinned(dev()));
  });

  test('is kept when the stack is deleted, but not when its creation is rolled back', () => {
    const { Resources } = dev();
    const data = [
      'ConversationTable',
      'FilesBucket',
      'UsersPoolBFC35D3B',
      ...Object.keys(Resources).filter((id) => Resources[id]!.Type === 'AWS::SecretsManager::Secret'),
    ];
    for (const id of data)
      expect({ id, ...Resources[id] }).toMatchObject({
        DeletionPolicy: 'RetainExceptOnCreate',
        UpdateReplacePolicy: 'Retain',
      });
    const retained = Object.keys(Resources).filter((id) => /^Retain/.test(Resources[id]!.DeletionPolicy ?? ''));
    expect(retained.sort()).toEqual(data.sort());
  });

  const protectedIn = ({ Resources: { ConversationTable, UsersPoolBFC35D3B } }: Template) => [
    ConversationTable!.Properties.DeletionProtectionEnabled,
    UsersPoolBFC35D3B!.Properties.DeletionProtection,
  ];

  test('refuses to be deleted from the second deployment on, so that a first one that fails is rolled back (R293)', () => {
    const { Parameters, Conditions, Outputs } = dev();
    expect(Parameters).toMatchObject({ DeletionProtection: { Default: 'off', AllowedValues: ['off', 'on'] } });
    const [isOn] = Object.entries(Conditions).find(([, one]) => 'Fn::Equals' in one)!;
    expect(Conditions[isOn]).toEqual({ 'Fn::Equals': [{ Ref: 'DeletionProtection' }, 'on'] });
    expect(protectedIn(dev())).toEqual([{ 'Fn::If': [isOn, true, false] }, { 'Fn::If': [isOn, 'ACTIVE', 'INACTIVE'] }]);
    // Each deployment says so, until it is on.
    expect(Conditions[Outputs.NotYetProtected!.Condition]).toEqual({ 'Fn::Not': [{ Condition: isOn }] });
    expect(Outputs.NotYetProtected!.Value).toContain('--parameters DeletionProtection=on');
  });

  test('is protected or not, without a parameter, where the app says so', () => {
    expect([prod(), elsewhere()].map(protectedIn)).toEqual([
      [true, 'ACTIVE'],
      [false, 'INACTIVE'],
    ]);
    for (const { Parameters } of [prod(), elsewhere()]) expect(Parameters).not.toHaveProperty('DeletionProtection');
  });
});
