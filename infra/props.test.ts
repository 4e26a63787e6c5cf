import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
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
import { rights, type Template, text } from '../test/support/template-rights';
import type { Built } from './bundling/build';
import { mcpFrom } from './page/mcp-server';
import { quickly, templateOnly } from './synth';
import { Vigil } from './vigil';
import type { VigilProps } from './vigil-props';

// What an app passes to the construct, in the template.

const folder = mkdtempSync(join(tmpdir(), 'vigil-props-'));
const page = join(folder, 'page');
let agents: Built;
beforeAll(() => {
  agents = emptyBundles(join(folder, 'bundles'));
  mkdirSync(page);
  writeFileSync(join(page, 'index.html'), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

const account = '123456789012';
const arn = (service: string, rest: string) => `arn:aws:${service}:eu-central-1:${account}:${rest}`;

function declared(props: (stack: Stack) => Partial<VigilProps>, settings = templateOnly) {
  const outdir = mkdtempSync(join(folder, 'assembly-'));
  const app = new App({ outdir, ...settings });
  const stack = new Stack(app, 'Shop', { env: { account, region: 'eu-central-1' } });
  const vigil = new Vigil(stack, 'Agents', { agents, ...props(stack) });
  const template = app.synth().getStackByName('Shop').template as Template;
  const ofType = (type: string) => Object.values(template.Resources).filter(({ Type }) => Type === type);
  return { vigil, template, ofType, outdir };
}

let kept: ReturnType<typeof declared>;
/** The construct without settings. */
const plain = () => (kept ??= declared(() => ({})));

test('an existing table, secret and user pool are used, and none is created', () => {
  const { template, ofType } = declared((stack) => ({
    table: Table.fromTableAttributes(stack, 'Restored', {
      tableArn: arn('dynamodb', 'table/restored'),
      tableStreamArn: arn('dynamodb', 'table/restored/stream/1'),
    }),
    secrets: {
      OPENAI_API_KEY: Secret.fromSecretCompleteArn(stack, 'Key', arn('secretsmanager', 'secret:ours-a1b2c3')),
    },
    auth: {
      userPool: UserPool.fromUserPoolId(stack, 'Pool', 'eu-central-1_abc'),
      client: UserPoolClient.fromUserPoolClientId(stack, 'Client', 'client'),
    },
  }));
  expect(ofType('AWS::Cognito::UserPool')).toEqual([]);
  expect(Object.keys(template.Resources)).not.toEqual(expect.arrayContaining(['ConversationTable']));
  expect(Object.keys(template.Resources)).not.toEqual(expect.arrayContaining(['OpenaiApiKey']));
  expect(rights(template).CallModel).toContain(
    `secretsmanager:GetSecretValue on ${arn('secretsmanager', 'secret:ours-a1b2c3')}`,
  );
  expect(JSON.stringify(template.Resources.Api!.Properties.Environment)).toContain('restored');
  const [authorizer] = ofType('AWS::ApiGatewayV2::Authorizer');
  const { Issuer, Audience } = authorizer!.Properties.JwtConfiguration as { Issuer: unknown; Audience: unknown };
  expect(text(Issuer)).toBe('https://cognito-idp.eu-central-1.AWS::URLSuffix/eu-central-1_abc');
  expect(Audience).toEqual(['client']);
});

test('files are in a private bucket, which keeps no unfinished upload and is kept itself (R211)', () => {
  const { FilesBucket: bucket } = plain().template.Resources as Record<string, unknown>;
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
  expect(bucket).not.toMatchObject({ Properties: { CorsConfiguration: expect.anything() } });
});

test.each<[string, (stack: Stack) => Partial<VigilProps>, string[]]>([
  ['other pages', () => ({ webOrigins: ['https://shop.example'] }), ['https://shop.example']],
  ['the hosted page', () => ({ page }), ['https://*.cloudfront.net']],
  [
    'a page with a name',
    (stack) => ({ page, domain: { page: { name: 'a.example.com', certificate: certificate(stack, 'C') } } }),
    ['https://a.example.com'],
  ],
])('%s may send what is signed, and read what is stored (R211)', (_, props, AllowedOrigins) => {
  const { CorsConfiguration } = declared(props).template.Resources.FilesBucket!.Properties;
  expect(CorsConfiguration).toEqual({
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
  const { template, ofType } = declared((stack) => ({
    files: {
      bucket: Bucket.fromBucketAttributes(stack, 'Ours', {
        bucketArn: 'arn:aws:s3:::ours',
        encryptionKey: Key.fromKeyArn(stack, 'OurKey', arn('kms', 'key/1')),
      }),
    },
  }));
  expect(ofType('AWS::S3::Bucket')).toEqual([]);
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

test('an existing bucket is also taken by its name', () => {
  const { template } = declared((stack) => ({ files: { bucket: Bucket.fromBucketName(stack, 'Ours', 'ours') } }));
  expect(rights(template).CallModel).toContain('s3:ListBucket on arn:AWS::Partition:s3:::ours');
});

test('any issuer of OpenID Connect signs users in, whose tokens have no token_use', () => {
  const auth = { issuer: 'https://login.example.com/', audience: ['vigil'] };
  const { template, ofType } = declared(() => ({ auth }));
  const [authorizer] = ofType('AWS::ApiGatewayV2::Authorizer');
  expect(authorizer!.Properties.JwtConfiguration).toEqual({ Issuer: auth.issuer, Audience: auth.audience });
  expect(template.Resources.Api!.Properties.Environment).toMatchObject({ Variables: { VIGIL_TOKEN_USE: 'any' } });
});

let keptSet: ReturnType<typeof declared>;
/** The construct with settings that have nothing to do with each other. */
const set = () =>
  (keptSet ??= declared((stack) => ({
    vpc: new Vpc(stack, 'Vpc', { maxAzs: 1 }),
    encryptionKey: new Key(stack, 'Key'),
    keptClaims: ['custom:tenant', 'plan'],
  })));

test('all functions are in the VPC, and may have network interfaces', () => {
  const { template, ofType } = set();
  const functions = ofType('AWS::Lambda::Function').filter(({ Properties }) => Properties.Runtime === 'nodejs24.x');
  for (const { Properties } of functions)
    expect(Properties.VpcConfig).toMatchObject({ SubnetIds: [expect.anything()] });
  expect(rights(template).Ask).toContain('ec2:CreateNetworkInterface on *');
});

test('one key encrypts tables, files, secrets, queue, logs and variables, and functions and services may use it', () => {
  const { template, ofType } = set();
  const [id, key] = Object.entries(template.Resources).find(([, { Type }]) => Type === 'AWS::KMS::Key')!;
  const own = { 'Fn::GetAtt': [id, 'Arn'] };
  for (const { Properties } of ofType('AWS::DynamoDB::Table'))
    expect(Properties.SSESpecification).toMatchObject({ SSEType: 'KMS', KMSMasterKeyId: own });
  expect(template.Resources.FilesBucket!.Properties.BucketEncryption).toEqual({
    ServerSideEncryptionConfiguration: [
      {
        BucketKeyEnabled: true,
        ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: own },
      },
    ],
  });
  for (const { Properties } of ofType('AWS::SecretsManager::Secret')) expect(Properties.KmsKeyId).toEqual(own);
  for (const { Properties } of ofType('AWS::Logs::LogGroup')) expect(Properties.KmsKeyId).toEqual(own);
  for (const { Properties } of ofType('AWS::SQS::Queue')) expect(Properties.KmsMasterKeyId).toEqual(own);
  expect(template.Resources.CallModel!.Properties.KmsKeyArn).toEqual(own);
  const policy = JSON.stringify(key.Properties.KeyPolicy);
  for (const service of ['"logs.eu-central-1.', '"events.amazonaws.com"']) expect(policy).toContain(service);
  for (const fn of ['Ask', 'RunCode']) expect(rights(template)[fn]).toContain(`kms:Decrypt on ${id}.Arn`);
});

test('claims are kept by name (R173)', () => {
  const { Variables } = set().template.Resources.Api!.Properties.Environment as { Variables: object };
  expect(Variables).toMatchObject({ VIGIL_CLAIMS: 'custom:tenant,plan' });
});

test('alarms notify a topic, logs are kept as long as asked, and the API has a name of the app', () => {
  const { vigil, ofType } = declared((stack) => ({
    alarms: { topic: Topic.fromTopicArn(stack, 'Topic', arn('sns', 'operators')) },
    logRetention: RetentionDays.ONE_YEAR,
    domain: {
      api: {
        name: 'api.example.com',
        certificate: Certificate.fromCertificateArn(stack, 'Certificate', arn('acm', 'certificate/1')),
      },
    },
  }));
  for (const { Properties } of ofType('AWS::CloudWatch::Alarm'))
    expect(Properties).toMatchObject({ AlarmActions: [arn('sns', 'operators')], OKActions: [arn('sns', 'operators')] });
  for (const { Properties } of ofType('AWS::Logs::LogGroup')) expect(Properties.RetentionInDays).toBe(365);
  expect(ofType('AWS::ApiGateway::Account')).toEqual([]);
  expect(vigil.apiUrl).toBe('https://api.example.com');
  expect(ofType('AWS::ApiGatewayV2::ApiMapping')).toHaveLength(1);
});

const certificate = (stack: Stack, id: string) =>
  Certificate.fromCertificateArn(stack, id, `arn:aws:acm:us-east-1:${account}:certificate/1`);
const webAclArn = `arn:aws:wafv2:us-east-1:${account}:global/webacl/edge/1`;

test('the page has a name of the app and a firewall, and its users come back to that name (R181)', () => {
  const { vigil, template, ofType } = declared((stack) => ({
    page,
    domain: { page: { name: 'agents.example.com', certificate: certificate(stack, 'Certificate') } },
    waf: { webAclArn },
  }));
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
  const own = join(folder, 'own-page');
  mkdirSync(own);
  for (const name of ['index.html', 'theme.css']) writeFileSync(join(own, name), '/* the page’s own */');
  const theme = { colors: { fill: '#0b6e4f' }, radius: 0.25 };
  const { template, outdir } = declared(() => ({ page: own, theme }), quickly);
  const css = ':root {\n  --fill: #0b6e4f;\n  --radius: 0.25rem;\n}\n';
  const { Metadata } = template as Template & { Metadata: { Theme: string } };
  expect(Metadata.Theme).toBe(css);
  const themes = readdirSync(outdir)
    .map((name) => join(outdir, name, 'theme.css'))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'));
  expect(themes).toEqual([css]);
});

/** What the page is told, and where it may connect to. */
function hosted(auth: (stack: Stack) => VigilProps['auth']) {
  const { template, ofType, outdir } = declared((stack) => ({ page, auth: auth(stack) }), quickly);
  const [headers] = ofType('AWS::CloudFront::ResponseHeadersPolicy');
  const policy = text(
    (
      headers!.Properties.ResponseHeadersPolicyConfig as {
        SecurityHeadersConfig: { ContentSecurityPolicy: { ContentSecurityPolicy: unknown } };
      }
    ).SecurityHeadersConfig.ContentSecurityPolicy.ContentSecurityPolicy,
  );
  const [authorizer] = ofType('AWS::ApiGatewayV2::Authorizer');
  const config = readdirSync(outdir)
    .map((name) => join(outdir, name, 'config.json'))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>);
  return {
    config,
    connects: policy.split('; ').find((one) => one.startsWith('connect-src'))!,
    audience: (authorizer!.Properties.JwtConfiguration as { Audience: unknown }).Audience,
    clients: Object.values(template.Resources).filter(({ Type }) => Type === 'AWS::Cognito::UserPoolClient'),
  };
}

test('the page signs in at any issuer, with a client of that issuer, and connects to it (R181)', () => {
  const client = { clientId: 'page', parameters: { audience: 'vigil' }, origins: ['https://tokens.example.com'] };
  const { config, connects } = hosted(() => ({
    issuer: 'https://login.example.com/tenant',
    audience: ['vigil'],
    scopes: ['vigil/use'],
    page: client,
  }));
  expect(config).toEqual([
    {
      mode: 'oidc',
      issuer: 'https://login.example.com/tenant',
      clientId: 'page',
      apiUrl: '/api',
      scope: 'openid email vigil/use',
      parameters: { audience: 'vigil' },
    },
  ]);
  expect(connects).toMatch(/ https:\/\/login\.example\.com https:\/\/tokens\.example\.com$/);
});

test('the page signs in at an existing user pool, whose page’s tokens the API takes, too (R181)', () => {
  const { config, connects, audience, clients } = hosted((stack) => ({
    userPool: UserPool.fromUserPoolId(stack, 'Pool', 'eu-central-1_abc'),
    client: UserPoolClient.fromUserPoolClientId(stack, 'Client', 'programs'),
    page: { clientId: 'page', origins: ['https://login.example.com'] },
  }));
  expect(config).toMatchObject([{ mode: 'oidc', scope: 'openid email aws.cognito.signin.user.admin' }]);
  expect(connects).toContain(' https://cognito-idp.eu-central-1.AWS::URLSuffix https://login.example.com');
  expect(audience).toEqual(['programs', 'page']);
  expect(clients).toEqual([]);
});

const dotted = (stack: Stack) => ({ bucket: Bucket.fromBucketName(stack, 'Dotted', 'files.example.com') });

const refused: [string, (stack: Stack) => Partial<VigilProps>, string][] = [
  ['a limit', () => ({ limits: { dayOfUser: { steps: 0 } } }), 'limits.dayOfUser.steps is 0'],
  ['an address', () => ({ models: { baseUrl: 'models.example' } }), 'models.baseUrl is "models.example"'],
  [
    'a provider',
    () => ({ models: { baseUrlOf: { nobody: 'https://a.example' } } }),
    'models.baseUrlOf.nobody: no agent',
  ],
  ['an origin', () => ({ webOrigins: ['https://a.example/'] }), 'webOrigins: https://a.example/ is not an origin'],
  ['a claim', () => ({ keptClaims: ['a claim'] }), `keptClaims: "a claim" is not a claim's name`],
  ['a sender', () => ({ notices: { mailFrom: 'nobody' } }), 'notices.mailFrom is "nobody"'],
  ['an issuer', () => ({ auth: { issuer: 'x', audience: ['a'] } }), 'auth.issuer is "x": it must be an https address'],
  ['a folder', () => ({ agents: './nowhere' }), 'agents: the folder '],
  [
    'a table without a stream',
    (stack) => ({ table: Table.fromTableName(stack, 'T', 'bare') }),
    'table: it has no stream',
  ],
  [
    'the page with a foreign issuer',
    () => ({ page, auth: { issuer: 'https://a.example', audience: ['a'] } }),
    'page: the page needs a client to sign in with: set "auth.page"',
  ],
  [
    'the page with a user pool without an address',
    (stack) => ({
      page,
      auth: {
        userPool: UserPool.fromUserPoolId(stack, 'Pool', 'eu-central-1_abc'),
        client: UserPoolClient.fromUserPoolClientId(stack, 'Client', 'programs'),
        page: { clientId: 'page' },
      },
    }),
    'auth.page.origins is empty',
  ],
  [
    'an origin of sign-in pages',
    () => ({
      page,
      auth: { issuer: 'https://a.example', audience: ['a'], page: { clientId: 'p', origins: ['https://b.example/x'] } },
    }),
    'auth.page.origins: https://b.example/x is not an origin',
  ],
  ['a bucket', (stack) => ({ files: dotted(stack) }), 'files.bucket: the bucket files.example.com has a dot'],
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
];

test.each(refused)('a mistake in %s stops the synthesis and names the prop', (_, props, problem) => {
  expect(() => declared(props)).toThrow(problem);
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

describe('the agents as an MCP server', () => {
  const callbackUrls = ['https://claude.ai/api/mcp/auth_callback', 'http://localhost:8976/callback'];
  const routesOf = ({ ofType }: Pick<ReturnType<typeof declared>, 'ofType'>) =>
    ofType('AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties);

  let keptOn: ReturnType<typeof declared>;
  const on = () => (keptOn ??= declared(() => ({ mcp: { callbackUrls } })));

  test('are off by default, and have a function with the rights of a user’s conversations (R176)', () => {
    const off = plain();
    expect(off.template.Resources).not.toHaveProperty('Mcp');
    expect(JSON.stringify(routesOf(off))).not.toContain('mcp');
    const { template, ofType } = on();
    const { Mcp: mcp, Settle: settle, Relay: relay } = rights(template);
    const ofRows = settle!.filter((right) => right.startsWith('dynamodb:'));
    const ofMachines = relay!.filter((right) => right.startsWith('states:'));
    const read = 'dynamodb:GetItem on ConversationTable.Arn of U#*';
    const ofFiles = [
      ...['GetItem', 'PutItem', 'Query', 'UpdateItem'].map(
        (action) => `dynamodb:${action} on ConversationTable.Arn of F#*`,
      ),
      ...['s3:GetObject', 's3:PutObject'].map((action) => `${action} on FilesBucket.Arn/files/*`),
      's3:ListBucket on FilesBucket.Arn',
    ];
    expect(mcp!.filter((right) => !/^(logs|xray):/.test(right)).sort()).toEqual(
      [...ofRows, ...ofMachines, ...ofFiles, read].sort(),
    );
    expect(ofType('AWS::Cognito::UserPoolClient').map(({ Properties }) => Properties)).toContainEqual(
      expect.objectContaining({
        GenerateSecret: false,
        AllowedOAuthFlows: ['code'],
        AllowedOAuthScopes: [{ 'Fn::Join': ['', [expect.anything(), '/mcp']] }],
        CallbackURLs: callbackUrls,
      }),
    );
    expect(text(template.Outputs.McpUrl!.Value)).toMatch(/\/mcp$/);
  });

  test('its client’s scope opens /mcp and nothing else (R176)', () => {
    const routes = routesOf(on());
    const opened = routes.filter(({ AuthorizationScopes: scopes }) =>
      ((scopes ?? []) as string[]).includes('vigil/mcp'),
    );
    expect(opened.map(({ RouteKey }) => RouteKey).sort()).toEqual(['DELETE /mcp', 'GET /mcp', 'POST /mcp']);
    const unsigned = routes.filter(({ AuthorizationType: type }) => type === 'NONE').map(({ RouteKey }) => RouteKey);
    expect(unsigned.filter((key) => /mcp|well-known/.test(String(key))).sort()).toEqual([
      'GET /.well-known/oauth-authorization-server',
      'GET /.well-known/oauth-protected-resource',
      'GET /.well-known/oauth-protected-resource/mcp',
      'GET /mcp/authorize',
      'POST /mcp/register',
      'POST /mcp/revoke',
      'POST /mcp/token',
    ]);
  });

  test('another issuer’s tokens need the scopes that are named for it (R176)', () => {
    const auth = { issuer: 'https://login.example.com/', audience: ['vigil'], scopes: ['use'] };
    const on = declared(() => ({ auth, mcp: { scopes: ['talk'] } }));
    const [route] = routesOf(on).filter(({ RouteKey }) => RouteKey === 'POST /mcp');
    expect(route!.AuthorizationScopes).toEqual(['talk']);
    const audiences = on.ofType('AWS::ApiGatewayV2::Authorizer').map(({ Properties }) => Properties.JwtConfiguration);
    const address = { 'Fn::Join': ['', [expect.anything(), '/mcp']] };
    expect(audiences).toEqual([
      { Issuer: auth.issuer, Audience: ['vigil'] },
      { Issuer: auth.issuer, Audience: ['vigil', address] },
    ]);
    expect(on.template.Resources.Mcp!.Properties.Environment).toMatchObject({
      Variables: { MCP_ISSUER: auth.issuer, MCP_SCOPES: 'talk', MCP_CLIENT_ID: '', VIGIL_TOKEN_USE: 'any' },
    });
  });

  test.each<[string, VigilProps['mcp'], boolean, string]>([
    [
      'an address that is not encrypted',
      { callbackUrls: ['http://a.example/'] },
      true,
      'mcp.callbackUrls: "http://a.example/" must be an https address',
    ],
    ['no address', { callbackUrls: ['a'] }, true, 'mcp.callbackUrls: "a" must be'],
    ['a client of another issuer', { callbackUrls }, false, 'mcp.callbackUrls is for the stack’s own user pool'],
    ['scopes of the own user pool', { scopes: ['a'] }, true, 'mcp.scopes is for users of your own'],
    [
      'an issuer whose tokens have no scopes of the API',
      { scopes: ['a'] },
      false,
      'mcp.scopes: name scopes for MCP clients',
    ],
    ['an issuer without a scope for clients', true, false, 'mcp.scopes: name scopes for MCP clients'],
  ])('%s stops the synthesis (R176)', (_, mcp, own, message) => {
    const auth = own ? undefined : { issuer: 'https://login.example.com/', audience: ['vigil'] };
    expect(() => declared(() => ({ mcp, auth }))).toThrow(message);
  });

  test('VIGIL_MCP switches it on where the app is this repository’s (R176)', () => {
    expect(mcpFrom({})).toBe(false);
    expect(mcpFrom({ VIGIL_MCP: 'on' })).toBe(true);
    expect(mcpFrom({ VIGIL_MCP: callbackUrls.join(', ') })).toEqual({ callbackUrls });
    expect(() => mcpFrom({ VIGIL_MCP: 'yes' })).toThrow(
      'VIGIL_MCP is "yes": it must be "on", "off" or the addresses of clients.',
    );
  });
});
