import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { shipped } from '../../agents';
import { modulesFrom } from '../../modules/app';
import { keptBundles, synthesized } from '../../test/support/clouds/synthesized';
import { type Resource, rights, type Template, text } from '../../test/support/template-rights';
import { serverOf, signInUrl } from '../../web/src/network/sign-in';
import { shippedSources } from '../bundling/entries';
import { quickly } from '../synth';
import { VigilStack } from '../vigil-app';

// The stack with the page, as `npx cdk deploy` synthesizes it.

const folder = mkdtempSync(join(tmpdir(), 'vigil-page-'));
const outdir = join(folder, 'hosted');
let template: Template;

beforeAll(async () => {
  await synthesized(folder);
  const page = join(folder, 'dist');
  mkdirSync(join(page, 'assets'), { recursive: true });
  writeFileSync(join(page, 'index.html'), '<!doctype html>');
  writeFileSync(join(page, 'assets', 'index-1.js'), '');
  const app = new App({ outdir, ...quickly });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const agents = { agents: shipped, bundles: keptBundles(shippedSources, modulesFrom(process.env)) };
  const stack = new VigilStack(app, 'Vigil', { agents, page });
  template = app.synth().getStackArtifact(stack.artifactId).template as Template;
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

const ofType = (type: string): [string, Resource][] =>
  Object.entries(template.Resources).filter(([, { Type }]) => Type === type);
const only = (type: string) => {
  const found = ofType(type);
  expect(found).toHaveLength(1);
  return { id: found[0]![0], properties: found[0]![1].Properties as Record<string, unknown> };
};
/** The page's resource of a type of which there is another for the files of conversations. */
const ofPage = (type: string) => {
  const [found, ...others] = ofType(type).filter(([id]) => id.startsWith('PageFiles'));
  expect(others).toEqual([]);
  return { id: found![0], properties: found![1].Properties };
};
const distribution = () => only('AWS::CloudFront::Distribution');
const config = () =>
  distribution().properties.DistributionConfig as {
    DefaultCacheBehavior: Record<string, unknown>;
    CacheBehaviors: Record<string, unknown>[];
    Origins: Record<string, unknown>[];
  };
const pageClient = () =>
  ofType('AWS::Cognito::UserPoolClient').filter(
    ([, { Properties }]) => Properties.AllowedOAuthFlowsUserPoolClient === true,
  );

test('the rules of AwsSolutions hold', () => {
  const { pluginReports } = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'));
  expect(pluginReports.flatMap(({ violations }: { violations: unknown[] }) => violations)).toEqual([]);
});

test('the bucket is private and encrypted, and accepts TLS only', () => {
  const { properties } = ofPage('AWS::S3::Bucket');
  expect(properties.PublicAccessBlockConfiguration).toEqual({
    BlockPublicAcls: true,
    BlockPublicPolicy: true,
    IgnorePublicAcls: true,
    RestrictPublicBuckets: true,
  });
  expect(JSON.stringify(properties.BucketEncryption)).toContain('AES256');
  expect(
    bucketStatements()
      .filter(({ Effect }) => Effect === 'Deny')
      .map(({ Condition }) => Condition),
  ).toEqual(expect.arrayContaining([{ Bool: { 'aws:SecureTransport': 'false' } }]));
});

test('only this distribution reads the bucket, and only the deployment writes it', () => {
  const allowed = bucketStatements().filter(({ Effect }) => Effect === 'Allow');
  expect(allowed.map(({ Principal, Action }) => [Principal, Action])).toEqual([
    [{ Service: 'cloudfront.amazonaws.com' }, 's3:GetObject'],
  ]);
  expect(JSON.stringify(allowed[0]!.Condition)).toContain(`"Ref":"${distribution().id}"`);
  const bucket = ofPage('AWS::S3::Bucket').id;
  const writers = Object.entries(rights(template)).filter(([, list]) => list.some((right) => right.includes(bucket)));
  expect(writers.map(([id]) => id)).toEqual([expect.stringMatching(/^CustomCDKBucketDeployment/)]);
});

const bucketStatements = () =>
  (
    ofPage('AWS::S3::BucketPolicy').properties.PolicyDocument as {
      Statement: { Effect: string; Principal: unknown; Action: unknown; Condition: unknown }[];
    }
  ).Statement;

test('the page runs its own files only, connects to itself, the WebSocket, the sign-in pages and the bucket of files, and shows that bucket’s images (R211)', () => {
  const { properties } = only('AWS::CloudFront::ResponseHeadersPolicy');
  const { SecurityHeadersConfig: headers } = properties.ResponseHeadersPolicyConfig as {
    SecurityHeadersConfig: Record<string, Record<string, unknown>>;
  };
  const policy = text(headers.ContentSecurityPolicy!.ContentSecurityPolicy);
  const [socket] = ofType('AWS::ApiGatewayV2::Api').filter(([, one]) => one.Properties.ProtocolType === 'WEBSOCKET');
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' https://FilesBucket.RegionalDomainName",
    'media-src https://FilesBucket.RegionalDomainName',
    "manifest-src 'self'",
    `connect-src 'self' https://FilesBucket.RegionalDomainName ${socket![0]}.ApiEndpoint/live https://${only('AWS::Cognito::UserPoolDomain').id}.auth.AWS::Region.amazoncognito.com`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
  expect(headers).toMatchObject({
    ContentTypeOptions: { Override: true },
    FrameOptions: { FrameOption: 'DENY' },
    ReferrerPolicy: { ReferrerPolicy: 'no-referrer' },
    StrictTransportSecurity: { AccessControlMaxAgeSec: 63_072_000, IncludeSubdomains: true },
  });
  const { DefaultCacheBehavior, CacheBehaviors } = config();
  const { id } = only('AWS::CloudFront::ResponseHeadersPolicy');
  for (const behavior of [DefaultCacheBehavior, ...CacheBehaviors])
    expect(behavior.ResponseHeadersPolicyId).toEqual({ Ref: id });
});

test('people sign in with a code, never with a token in the address, and come back to this page only', () => {
  const [[, { Properties }], ...others] = pageClient() as [[string, Resource], ...unknown[]];
  expect(others).toEqual([]);
  expect(Properties).toMatchObject({
    AllowedOAuthFlows: ['code'],
    // No sign-in but by redirect, and no refresh that keeps the old token.
    ExplicitAuthFlows: ['ALLOW_CUSTOM_AUTH'],
    GenerateSecret: false,
    SupportedIdentityProviders: ['COGNITO'],
  });
  for (const list of [Properties.CallbackURLs, Properties.LogoutURLs] as unknown[][])
    expect(list.map(text)).toEqual([`https://${distribution().id}.DomainName/`]);
});

test('the page requests the scopes that its client may have, and the API takes one of them (R124)', () => {
  const sent = { challenge: '', state: '', nonce: '', redirectUri: '' };
  const url = new URL(signInUrl(serverOf({ issuer: '', domain: 'https://sign-in.test' }), { clientId: '' }, sent));
  const { id, properties } = only('AWS::Cognito::UserPoolResourceServer');
  const allowed = (pageClient()[0]![1].Properties.AllowedOAuthScopes as unknown[])
    .map(text)
    .map((scope) => scope.replace(id, String(properties.Identifier)));
  expect(allowed).toEqual(url.searchParams.get('scope')!.split(' '));
  const [, route] = ofType('AWS::ApiGatewayV2::Route').find(([, { Properties }]) => Properties.AuthorizationScopes)!;
  expect(route.Properties.AuthorizationScopes).toContain(allowed.at(-1));
});

test('every client’s access tokens are short, and its refresh tokens are replaced when used and can be revoked (R124)', () => {
  // Lite has no such tokens, and an account's default may be Lite.
  expect(ofType('AWS::Cognito::UserPool').map(([, { Properties }]) => Properties.UserPoolTier)).toEqual(['ESSENTIALS']);
  const clients = ofType('AWS::Cognito::UserPoolClient');
  expect(clients).toHaveLength(2);
  for (const [, { Properties }] of clients) {
    expect(Properties).toMatchObject({
      AccessTokenValidity: 15,
      TokenValidityUnits: { AccessToken: 'minutes' },
      EnableTokenRevocation: true,
      RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: 60 },
    });
    // Cognito rejects this flow beside rotation, and an empty list would mean its defaults.
    expect(Properties.ExplicitAuthFlows).not.toContain('ALLOW_REFRESH_TOKEN_AUTH');
    expect(Properties.ExplicitAuthFlows).toHaveLength(1);
  }
});

test('the API takes the page’s tokens, under /api of the same origin, uncached and with what the browser sent', () => {
  const { Audience } = only('AWS::ApiGatewayV2::Authorizer').properties.JwtConfiguration as { Audience: unknown[] };
  expect(Audience).toContainEqual({ Ref: pageClient()[0]![0] });
  const { CacheBehaviors, Origins } = config();
  expect(CacheBehaviors).toMatchObject([
    {
      PathPattern: '/api/*',
      // AWS's managed policies CachingDisabled and AllViewerExceptHostHeader.
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      AllowedMethods: expect.arrayContaining(['GET', 'POST', 'DELETE']),
      ViewerProtocolPolicy: 'https-only',
    },
  ]);
  const api = Origins.find(({ Id }) => Id === CacheBehaviors[0]!.TargetOriginId);
  expect(JSON.stringify(api)).toContain('ApiEndpoint');
  expect(api!.CustomOriginConfig).toMatchObject({ OriginProtocolPolicy: 'https-only' });
});

test('no error is kept, neither the API’s nor the bucket’s, and none becomes a page (R181)', () => {
  const { CustomErrorResponses } = config() as unknown as { CustomErrorResponses: object[] };
  expect(CustomErrorResponses).toEqual(
    [400, 403, 404, 405, 414, 500, 501, 502, 503, 504].map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
  );
});

test.each([
  ['AnyPath', '/', '/index.html'],
  ['AnyPath', '/conversations/c_1', '/index.html'],
  ['AnyPath', '/assets/index-1.js', '/assets/index-1.js'],
  ['AnyPath', '/config.json', '/config.json'],
  ['WithoutApi', '/api/conversations/c_1', '/conversations/c_1'],
])('%s: %s is %s', (id, uri, expected) => {
  const [[, { Properties }]] = ofType('AWS::CloudFront::Function').filter(([name]) => name.includes(id)) as [
    [string, Resource],
  ];
  const event = { request: { uri } };
  expect(runInNewContext(`${Properties.FunctionCode}; handler(event)`, { event })).toEqual({ uri: expected });
});

test('config.json tells the page where to sign in and where the API is, and is always revalidated', () => {
  const [assets, entry] = ofType('Custom::CDKBucketDeployment') as [[string, Resource], [string, Resource]];
  expect(assets[1].Properties).toMatchObject({
    Exclude: ['*'],
    Include: ['assets/*'],
    Prune: false,
    SystemMetadata: { 'cache-control': 'public, max-age=31536000, immutable' },
  });
  expect(entry[1].Properties).toMatchObject({
    Exclude: ['assets/*'],
    Prune: false,
    SystemMetadata: { 'cache-control': 'no-cache' },
  });
  expect([entry[1].DependsOn].flat()).toContain(assets[0]);
  const markers = JSON.stringify(entry[1].Properties.SourceMarkers);
  for (const id of [pageClient()[0]![0], only('AWS::Cognito::UserPoolDomain').id, only('AWS::Cognito::UserPool').id])
    expect(markers).toContain(id);
});

test('no resource depends on itself, and the page’s address is an output', () => {
  const next = (id: string): string[] => {
    const { Properties, DependsOn = [] } = template.Resources[id]!;
    const found = JSON.stringify(Properties ?? {}).matchAll(/"(?:Ref":"|Fn::GetAtt":\[")(\w+)"/g);
    return [...[...found].map(([, name]) => name!), ...[DependsOn].flat()].filter((name) => template.Resources[name]);
  };
  const waitsFor = (id: string, seen = new Set<string>()): Set<string> => {
    for (const one of next(id)) if (!seen.has(one)) waitsFor(one, seen.add(one));
    return seen;
  };
  for (const id of Object.keys(template.Resources)) expect([...waitsFor(id)]).not.toContain(id);
  expect(text(template.Outputs.PageUrl!.Value)).toBe(`https://${distribution().id}.DomainName`);
});
