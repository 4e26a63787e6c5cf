import { listen } from '../../local/model-server/listen';
import { type Planned, preflight } from './checks';
import { type Clients, clientsOf } from './clients';
import { ok } from './finding';

// The SDK's clients ask a server that answers as AWS does.

/** An answer by what is asked: an object, XML, or the name of an error. */
let account: Record<string, object | string>;

/** An answer of the services whose answers are XML. */
function xmlOf(action: string, result: string): string {
  return `<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`;
}
const stack = (status: string, isProtected = false) => ({
  DescribeStacks: xmlOf(
    'DescribeStacks',
    `<Stacks><member><StackName>Vigil</StackName><StackStatus>${status}</StackStatus><EnableTerminationProtection>${isProtected}</EnableTerminationProtection></member></Stacks>`,
  ),
});
const cloudFront = (policies: number) =>
  Object.fromEntries(
    [
      ['response-headers-policy?MaxItems=20&Type=custom', 'ResponseHeadersPolicyList', policies],
      ['function?MaxItems=100', 'FunctionList', 3],
      ['origin-access-control?MaxItems=100', 'OriginAccessControlList', 0],
    ].map(([path, list, count]) => [
      `GET /2020-05-31/${path}`,
      `<${list}><MaxItems>100</MaxItems><Quantity>${count}</Quantity></${list}>`,
    ]),
  );
const ready = {
  GetCallerIdentity: xmlOf('GetCallerIdentity', '<Account>123456789012</Account>'),
  DescribeStacks: 'ValidationError',
  'Logs_20140328.DescribeLogGroups': { logGroups: [] },
  'Logs_20140328.DescribeResourcePolicies': { resourcePolicies: [{ policyName: 'Own' }] },
  'AWSEvents.ListEventBuses': { EventBuses: [] },
  'AWSCognitoIdentityProviderService.ListUserPools': { UserPools: [{ Id: 'one' }, { Id: 'two' }] },
  'AmazonSSM.GetParameter /cdk-bootstrap/hnb659fds/version': { Parameter: { Value: '30' } },
  'GET /2016-08-19/account-settings': {
    AccountLimit: { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: 1000 },
  },
  'secretsmanager.ListSecrets': { SecretList: [] },
};

const planned: Planned = {
  stackName: 'Vigil',
  region: 'eu-central-1',
  qualifier: 'hnb659fds',
  page: false,
  ofModules: [],
};

let server: Awaited<ReturnType<typeof listen>>;
let clients: Clients;
let asked: string[];

beforeAll(async () => {
  server = await listen(async (request, response) => {
    const body = (await request.toArray()).join('');
    const action = new URLSearchParams(body).get('Action');
    const target = request.headers['x-amz-target'] ?? action;
    const named = target === 'AmazonSSM.GetParameter' ? ` ${JSON.parse(body).Name}` : '';
    const what = String(target ?? `${request.method} ${request.url}`) + named;
    asked.push(what);
    const answer = account[what] ?? 'AccessDeniedException';
    if (String(answer).startsWith('<')) response.setHeader('content-type', 'text/xml').end(answer);
    else if (typeof answer === 'string' && action) {
      response.writeHead(400, { 'content-type': 'text/xml' });
      response.end(
        `<ErrorResponse><Error><Code>${answer}</Code><Message>secret words</Message></Error></ErrorResponse>`,
      );
    } else if (typeof answer === 'string') {
      response.writeHead(400, { 'x-amzn-errortype': answer, 'content-type': 'application/json' });
      response.end(JSON.stringify({ __type: answer, message: 'secret words' }));
    } else response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  const of = {
    endpoint: server.url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  };
  clients = clientsOf(of);
});
afterAll(() => {
  for (const client of Object.values(clients)) client.destroy();
  return server.stop();
});
beforeEach(() => {
  asked = [];
  account = { ...ready };
});

const found = async (more: Partial<Planned> = {}) =>
  (await preflight(clients, { ...planned, ...more })).map(({ verdict, words }) => `${verdict} ${words}`);

test('an account that has everything is told so, by questions that change nothing (R186)', async () => {
  const findings = await found({ ofModules: [{ service: 'SES', ask: async () => [ok('SES: all is well')] }] });
  expect(findings).toEqual([
    'ok account 123456789012, region eu-central-1',
    'ok CDK bootstrap: version 30',
    'ok Lambda: 1000 concurrent executions',
    'ok CloudFormation: Vigil is a new stack, and its names are free',
    'ok CloudWatch Logs: 1 of 10 resource policies',
    'ok Cognito: 2 of 1000 user pools',
    'ok Secrets: the deployment creates them; then give each its value',
    'ok SES: all is well',
  ]);
  expect(asked.filter((what) => !/^GET |(^|\.)(Get|List|Describe)/.test(what))).toEqual([]);
});

test.each<[string, Record<string, object | string>, Partial<Planned>, string]>([
  ['no credentials', { GetCallerIdentity: 'ExpiredToken' }, {}, 'fails AWS does not know who you are (ExpiredToken)'],
  [
    'no bootstrap',
    { 'AmazonSSM.GetParameter /cdk-bootstrap/hnb659fds/version': 'ParameterNotFound' },
    {},
    'fails CDK bootstrap: this region has none: run npx cdk bootstrap aws://123456789012/eu-central-1.',
  ],
  [
    'no bootstrap of the company’s own',
    { 'AmazonSSM.GetParameter /cdk-bootstrap/acme/version': 'ParameterNotFound' },
    { qualifier: 'acme' },
    'run npx cdk bootstrap aws://123456789012/eu-central-1 --qualifier acme --toolkit-stack-name CDKToolkit-acme.',
  ],
  [
    'a bootstrap of the company’s own',
    { 'AmazonSSM.GetParameter /cdk-bootstrap/acme/version': { Parameter: { Value: '21' } } },
    { qualifier: 'acme' },
    'ok CDK bootstrap: version 21',
  ],
  [
    'an old bootstrap',
    { 'AmazonSSM.GetParameter /cdk-bootstrap/hnb659fds/version': { Parameter: { Value: '5' } } },
    {},
    'fails CDK bootstrap: version 5 is older than 6',
  ],
  [
    'a new account',
    {
      'GET /2016-08-19/account-settings': {
        AccountLimit: { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 },
      },
    },
    {},
    'limits Lambda: 10 concurrent executions: runs wait',
  ],
  ['the page', {}, { page: true }, 'unknown CloudFront: no API says whether AWS has verified the account.'],
  [
    'a missing right',
    { 'GET /2016-08-19/account-settings': 'AccessDeniedException' },
    {},
    'unknown Lambda: AWS does not answer (AccessDeniedException). You may lack the right.',
  ],
  [
    'a stack that is there',
    stack('UPDATE_COMPLETE', true),
    {},
    'ok CloudFormation: the stack Vigil is in UPDATE_COMPLETE',
  ],
  [
    'a first deployment that was rolled back',
    stack('ROLLBACK_COMPLETE'),
    {},
    'ok CloudFormation: the stack Vigil is in ROLLBACK_COMPLETE, and the CDK creates it again',
  ],
  [
    'one that the CDK cannot delete',
    stack('ROLLBACK_COMPLETE', true),
    {},
    'fails CloudFormation: the stack Vigil is in ROLLBACK_COMPLETE and is protected: run aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name Vigil.',
  ],
  [
    'one that could not be rolled back',
    stack('ROLLBACK_FAILED'),
    {},
    'fails CloudFormation: the stack Vigil is in ROLLBACK_FAILED: see its events, and run aws cloudformation delete-stack --stack-name Vigil.',
  ],
  ['an update in progress', stack('UPDATE_IN_PROGRESS'), {}, 'is in UPDATE_IN_PROGRESS: wait until it is done.'],
  [
    'an update that could not be rolled back',
    stack('UPDATE_ROLLBACK_FAILED'),
    {},
    'run aws cloudformation continue-update-rollback --stack-name Vigil.',
  ],
  [
    'a log group that an earlier stack has left',
    { 'Logs_20140328.DescribeLogGroups': { logGroups: [{ logGroupName: '/aws/vendedlogs/states/Vigil-Timer' }] } },
    {},
    'fails CloudFormation: the log group /aws/vendedlogs/states/Vigil-Timer exists, and is not of a stack Vigil: delete it',
  ],
  [
    'an event bus of that name',
    { 'AWSEvents.ListEventBuses': { EventBuses: [{ Name: 'Vigil-events-1' }] } },
    {},
    'fails CloudFormation: the event bus Vigil-events-1 exists',
  ],
  [
    'a region whose resource policies are used up',
    { 'Logs_20140328.DescribeResourcePolicies': { resourcePolicies: Array(10).fill({ policyName: 'Other' }) } },
    {},
    'fails CloudWatch Logs: all 10 resource policies of the region are used',
  ],
  [
    'a region whose policies include the one that is needed',
    {
      'Logs_20140328.DescribeResourcePolicies': {
        resourcePolicies: [...Array(9).fill({}), { policyName: 'AWSLogDeliveryWrite20150319' }],
      },
    },
    {},
    'ok CloudWatch Logs: 10 of 10 resource policies',
  ],
  [
    'an account with as many user pools as it may have',
    { 'AWSCognitoIdentityProviderService.ListUserPools': { UserPools: Array(1_000).fill({}) } },
    {},
    'limits Cognito: 1000 of 1000 user pools: ask for more',
  ],
  [
    'an account with many pages',
    cloudFront(20),
    { page: true },
    'limits CloudFront: 20 of 20 response headers policies: the page',
  ],
  ['an account with few pages', cloudFront(2), { page: true }, 'ok CloudFront: 2 of 20 response headers policies'],
  [
    'a page in a partition without CloudFront',
    {},
    { page: true, region: 'us-gov-west-1' },
    'fails CloudFront: it is not in us-gov-west-1',
  ],
  ['user pools in China', {}, { region: 'cn-north-1' }, 'fails Cognito: cn-north-1 has no user pools'],
])('%s is a finding that says what to do (R186, R293)', async (_what, answers, more, expected) => {
  Object.assign(account, answers);
  const findings = await found(more);
  expect(findings).toContainEqual(expect.stringContaining(expected));
  expect(findings.join()).not.toContain('secret words');
});

test('each secret of this stack without a value is named, with the command that sets it (R186)', async () => {
  const secret = (variable: string, stack: string, more: object = {}) => ({
    ARN: `arn:aws:secretsmanager:eu-central-1:123456789012:secret:${variable}`,
    Tags: [
      { Key: 'aws:cloudformation:stack-name', Value: stack },
      { Key: 'vigil:variable', Value: variable },
    ],
    ...more,
  });
  account['secretsmanager.ListSecrets'] = {
    SecretList: [
      secret('OPENAI_API_KEY', 'Vigil', { SecretVersionsToStages: { one: ['AWSCURRENT'] } }),
      secret('SERPER_API_KEY', 'Vigil'),
      secret('BROWSERLESS_TOKEN', 'Other'),
    ],
  };
  expect((await found()).filter((line) => line.includes('Secrets'))).toEqual([
    'ok Secrets: OPENAI_API_KEY has a value',
    'limits Secrets: SERPER_API_KEY is empty: aws secretsmanager put-secret-value --secret-id ' +
      'arn:aws:secretsmanager:eu-central-1:123456789012:secret:SERPER_API_KEY --secret-string <value>',
  ]);
});
