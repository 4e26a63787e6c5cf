import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { UserPool, UserPoolClient } from 'aws-cdk-lib/aws-cognito';
import { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Vpc } from 'aws-cdk-lib/aws-ec2';
import { Key } from 'aws-cdk-lib/aws-kms';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { calculatorAgent } from '../../agents/calculator-agent';
import { registry } from '../../core/conversations/agent/registry';
import { Vigil } from '../../infra';
import { templateOnly } from '../../infra/synth';
import type { VigilProps } from '../../infra/vigil-props';
import { mcpServer } from '../../modules/mcp-server/construct';
import { notices } from '../../modules/notices/construct';
import { telemetry } from '../../modules/telemetry/construct';
import { emptyBundles } from '../support/clouds/empty-bundles';

// `tsx test/aws/templates.ts <folder>` writes templates of different deployments, for tools that know what AWS accepts,
// and `regions.json`, which says where each may exist. A stack without a region has the same text in all of them.

const account = '123456789012';
const scratch = mkdtempSync(join(tmpdir(), 'vigil-templates-'));
const page = join(scratch, 'page');
mkdirSync(join(page, 'assets'), { recursive: true });
for (const file of ['index.html', 'theme.css', 'assets/index-1.js']) writeFileSync(join(page, file), '');
const agents = emptyBundles(join(scratch, 'bundles'));
const oneAgent = { ...agents, agents: registry([{ ...calculatorAgent, tools: [] }]) };

/** An ARN in the region and the partition of the stack. */
const arn = (stack: Stack, service: string, rest: string, region = stack.region) =>
  `arn:${stack.partition}:${service}:${region}:${account}:${rest}`;
const certificate = (stack: Stack, id: string, region = stack.region) =>
  Certificate.fromCertificateArn(stack, id, arn(stack, 'acm', 'certificate/1', region));
const issuer = { issuer: 'https://login.example.com', audience: ['vigil'] };
const waf = { webAclArn: `arn:aws:wafv2:us-east-1:${account}:global/webacl/edge/1` };

const mails = notices({ mailFrom: 'vigil@example.com' });
const traces = telemetry({ endpoint: 'https://traces.example.com', content: true });

/** Everything that a deployment can have in addition, where there is no CloudFront. */
const modules = (stack: Stack): Partial<VigilProps> => ({
  machines: true,
  webOrigins: ['https://example.com'],
  modules: [mails, mcpServer({ callbackUrls: ['http://localhost:8976/callback'] }), traces],
  vpc: new Vpc(stack, 'Vpc'),
  encryptionKey: new Key(stack, 'Key'),
  alarms: { topic: new Topic(stack, 'Operators', { enforceSSL: true }) },
  domain: { api: { name: 'api.example.com', certificate: certificate(stack, 'OfApi') } },
});

const withoutPools = (stack: Stack): Partial<VigilProps> => ({
  ...modules(stack),
  machines: false,
  modules: [mails, mcpServer({ scopes: ['agents/talk'] }), traces],
  auth: { ...issuer, scopes: ['agents/use'] },
});

const everything = (stack: Stack): Partial<VigilProps> => {
  const { domain, ...others } = modules(stack);
  const ofPage = { name: 'agents.example.com', certificate: certificate(stack, 'OfPage', 'us-east-1') };
  return { ...others, page, waf, domain: { ...domain, page: ofPage } };
};

const ownPool = (stack: Stack): Partial<VigilProps> => ({
  page,
  modules: [mcpServer({ scopes: ['agents/talk'] })],
  auth: {
    userPool: UserPool.fromUserPoolId(stack, 'Pool', `${stack.region}_abc`),
    client: UserPoolClient.fromUserPoolClientId(stack, 'Client', 'programs'),
    page: { clientId: 'page', origins: ['https://login.example.com'] },
  },
});

const existing = (stack: Stack): Partial<VigilProps> => ({
  table: Table.fromTableAttributes(stack, 'Restored', {
    tableArn: arn(stack, 'dynamodb', 'table/restored'),
    tableStreamArn: arn(stack, 'dynamodb', 'table/restored/stream/2026-11-30T00:00:00.000'),
  }),
  files: { bucket: Bucket.fromBucketName(stack, 'Ours', 'our-files') },
  secrets: Object.fromEntries(
    ['OPENAI_API_KEY', 'WEBHOOK_KEY', 'PUSH_KEY'].map((name) => [
      name,
      Secret.fromSecretCompleteArn(stack, name, arn(stack, 'secretsmanager', `secret:${name}-a1b2c3`)),
    ]),
  ),
});

const settings: Partial<VigilProps> = {
  page,
  theme: { colors: { fill: '#0b6e4f' }, radius: 0.25 },
  limits: { stepsOfRun: 50, dayOfUser: { costMicrodollars: 5_000_000 }, monthOfUser: { costMicrodollars: 50_000_000 } },
  models: { baseUrl: 'https://models.example.com/v1', api: 'chat', model: 'ours', prices: { ours: [1, 2] } },
  groups: { developers: 'developers' },
  keptClaims: ['custom:tenant', 'plan'],
  pageUrl: 'https://example.com',
  modules: [notices({ pushOrigins: ['https://push.example.com'] })],
  alarms: { failedRuns: 1, functionErrors: 1, throttles: 1, apiErrors: 1, modelSeconds: 30, dollarsInHour: 1 },
  logRetention: RetentionDays.TEN_YEARS,
  deletionProtection: false,
};

// One or two of each part of the world, and one that an account has to switch on.
const commercial =
  'us-east-1 us-west-2 ca-central-1 sa-east-1 eu-west-1 eu-central-1 ap-northeast-1 ap-southeast-2 ap-south-1 af-south-1';
const withUserPools = `${commercial} us-gov-west-1 us-gov-east-1`;
const all = `${withUserPools} cn-north-1 cn-northwest-1`;
const longestName = 128;

type Deployment = [name: string, regions: string, props: (stack: Stack) => Partial<VigilProps>, ofStack?: object];

// CloudFront is in the commercial regions only, and China has no user pools.
const deployments: Deployment[] = [
  ['shipped', commercial, () => ({ page })],
  ['minimal', withUserPools, () => ({ agents: oneAgent })],
  ['everything', commercial, everything],
  ['own-pool', commercial, ownPool],
  ['other-issuer', all, () => ({ auth: issuer })],
  ['modules-other-issuer', all, withoutPools],
  ['page-other-issuer', commercial, () => ({ page, waf, auth: { ...issuer, page: { clientId: 'page' } } })],
  ['existing', withUserPools, existing],
  ['settings', commercial, () => settings],
  // Its region is known, so names are, too.
  [
    'long-name',
    'ap-southeast-2',
    everything,
    { stackName: 'V'.repeat(longestName), env: { account, region: 'ap-southeast-2' } },
  ],
];

const folder = resolve(process.argv[2] ?? 'templates');
mkdirSync(folder, { recursive: true });
for (const [name, , props, ofStack] of deployments) {
  const app = new App({
    outdir: mkdtempSync(join(scratch, 'assembly-')),
    ...templateOnly,
    context: {
      ...templateOnly.context,
      '@aws-cdk/aws-iam:minimizePolicies': true,
      'aws:cdk:enable-path-metadata': true,
    },
  });
  const stack = new Stack(app, 'Vigil', { description: 'Vigil: LLM agents that wait', ...ofStack });
  new Vigil(stack, 'Agents', { agents, ...props(stack) });
  const { templateFullPath } = app.synth().getStackArtifact(stack.artifactId);
  copyFileSync(templateFullPath, join(folder, `${name}.json`));
}
const regionsOf = Object.fromEntries(deployments.map(([name, regions]) => [name, regions.split(' ')]));
writeFileSync(join(folder, 'regions.json'), JSON.stringify(regionsOf));
rmSync(scratch, { recursive: true });
