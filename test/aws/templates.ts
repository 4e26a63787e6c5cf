import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { UserPool, UserPoolClient } from 'aws-cdk-lib/aws-cognito';
import { Vpc } from 'aws-cdk-lib/aws-ec2';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Vigil } from '../../infra';
import type { VigilProps } from '../../infra/vigil-props';
import { emptyBundles } from '../support/clouds/empty-bundles';

// `tsx test/aws/templates.ts <folder>` writes templates of different deployments, `<name>.<region>.json`, for tools that
// know what AWS accepts.

const account = '123456789012';
const scratch = mkdtempSync(join(tmpdir(), 'vigil-templates-'));
const page = join(scratch, 'page');
mkdirSync(join(page, 'assets'), { recursive: true });
for (const file of ['index.html', 'assets/index-1.js']) writeFileSync(join(page, file), '');
const agents = emptyBundles(join(scratch, 'bundles'));

const certificate = (stack: Stack, id: string, region = stack.region) =>
  Certificate.fromCertificateArn(stack, id, `arn:aws:acm:${region}:${account}:certificate/1`);

const everything = (stack: Stack): Partial<VigilProps> => ({
  page,
  machines: true,
  mcp: { callbackUrls: ['http://localhost:8976/callback'] },
  notices: { mailFrom: 'vigil@example.com' },
  webOrigins: ['https://example.com'],
  vpc: new Vpc(stack, 'Vpc'),
  encryptionKey: new Key(stack, 'Key'),
  alarms: { topic: new Topic(stack, 'Operators', { enforceSSL: true }) },
  waf: { webAclArn: `arn:aws:wafv2:us-east-1:${account}:global/webacl/edge/1` },
  domain: {
    page: { name: 'agents.example.com', certificate: certificate(stack, 'OfPage', 'us-east-1') },
    api: { name: 'api.example.com', certificate: certificate(stack, 'OfApi') },
  },
});

const ownPool = (stack: Stack): Partial<VigilProps> => ({
  page,
  mcp: { scopes: ['agents/talk'] },
  auth: {
    userPool: UserPool.fromUserPoolId(stack, 'Pool', `${stack.region}_abc`),
    client: UserPoolClient.fromUserPoolClientId(stack, 'Client', 'programs'),
    page: { clientId: 'page', origins: ['https://login.example.com'] },
  },
});

const deployments: [name: string, region: string, props: (stack: Stack) => Partial<VigilProps>][] = [
  ['hosted', 'eu-central-1', () => ({ page })],
  ['hosted', 'ap-southeast-2', () => ({ page })],
  ['without-page', 'us-east-1', () => ({})],
  ['everything', 'eu-west-1', everything],
  ['own-pool', 'us-west-2', ownPool],
  // CloudFront is not in these partitions, and China has no user pools.
  ['without-page', 'us-gov-west-1', () => ({})],
  ['other-issuer', 'cn-north-1', () => ({ auth: { issuer: 'https://login.example.com', audience: ['vigil'] } })],
];

const folder = resolve(process.argv[2] ?? 'templates');
mkdirSync(folder, { recursive: true });
for (const [name, region, props] of deployments) {
  const outdir = mkdtempSync(join(scratch, 'assembly-'));
  const app = new App({
    outdir,
    analyticsReporting: false,
    builtinCloudFormationValidation: false,
    context: { '@aws-cdk/aws-iam:minimizePolicies': true, 'aws:cdk:enable-path-metadata': true },
  });
  const stack = new Stack(app, 'Vigil', { env: { account, region } });
  new Vigil(stack, 'Agents', { agents, ...props(stack) });
  copyFileSync(app.synth().getStackArtifact(stack.artifactId).templateFullPath, join(folder, `${name}.${region}.json`));
}
