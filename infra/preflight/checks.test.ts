import { listen } from '../../local/model-server/listen';
import { type Clients, clientsOf, type Planned, preflight } from './checks';

// The SDK's clients ask a server that answers as AWS does.

/** An answer by what is asked: an object, or the name of an error. */
let account: Record<string, object | string>;
const ready = {
  GetCallerIdentity: { Account: '123456789012' },
  'AmazonSSM.GetParameter /cdk-bootstrap/hnb659fds/version': { Parameter: { Value: '30' } },
  'GET /2016-08-19/account-settings': {
    AccountLimit: { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: 1000 },
  },
  'GET /account': {},
  'secretsmanager.ListSecrets': { SecretList: [] },
  'GET /v2/email/account': { ProductionAccessEnabled: true, SendingEnabled: true },
  'GET /v2/email/identities/vigil%40example.com': 'NotFoundException',
  'GET /v2/email/identities/example.com': { VerifiedForSendingStatus: true },
};

const planned: Planned = {
  stackName: 'Vigil',
  region: 'eu-central-1',
  qualifier: 'hnb659fds',
  page: false,
  mailFrom: '',
  apiGatewayLogRole: true,
};

let server: Awaited<ReturnType<typeof listen>>;
let clients: Clients;
let asked: string[];

beforeAll(async () => {
  server = await listen(async (request, response) => {
    const body = (await request.toArray()).join('');
    const target = request.headers['x-amz-target'] ?? new URLSearchParams(body).get('Action');
    const named = target === 'AmazonSSM.GetParameter' ? ` ${JSON.parse(body).Name}` : '';
    const what = String(target ?? `${request.method} ${request.url}`) + named;
    asked.push(what);
    const answer = account[what] ?? 'AccessDeniedException';
    if (typeof answer === 'string' && what === 'GetCallerIdentity') {
      response.writeHead(403, { 'content-type': 'text/xml' });
      response.end(
        `<ErrorResponse><Error><Code>${answer}</Code><Message>secret words</Message></Error></ErrorResponse>`,
      );
    } else if (typeof answer === 'string') {
      response.writeHead(400, { 'x-amzn-errortype': answer, 'content-type': 'application/json' });
      response.end(JSON.stringify({ __type: answer, message: 'secret words' }));
    } else if (what === 'GetCallerIdentity') {
      const { Account } = answer as { Account: string };
      const result = `<GetCallerIdentityResult><Account>${Account}</Account></GetCallerIdentityResult>`;
      response
        .setHeader('content-type', 'text/xml')
        .end(`<GetCallerIdentityResponse>${result}</GetCallerIdentityResponse>`);
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
  const findings = await found({ mailFrom: 'vigil@example.com' });
  expect(findings).toEqual([
    'ok account 123456789012, region eu-central-1',
    'ok CDK bootstrap: version 30',
    'ok Lambda: 1000 concurrent executions',
    'ok API Gateway: the account’s role for logs is set by the stack',
    'ok Secrets: the deployment creates them; then give each its value',
    'ok SES: vigil@example.com is verified',
  ]);
  expect(asked.filter((what) => !/^GET |(^|\.)(Get|List)/.test(what))).toEqual([]);
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
  [
    'a log role of others',
    { 'GET /account': { cloudwatchRoleArn: 'arn:aws:iam::123456789012:role/platform-logs' } },
    {},
    'limits API Gateway: the account’s role for logs is arn:aws:iam::123456789012:role/platform-logs, and the stack would replace it',
  ],
  ['no log role', {}, { apiGatewayLogRole: false }, 'fails API Gateway: the account’s role for logs is missing'],
  [
    'the sandbox of SES',
    { 'GET /v2/email/account': {} },
    { mailFrom: 'vigil@example.com' },
    'limits SES: the account is in',
  ],
  [
    'a sender that nobody verified',
    { 'GET /v2/email/identities/example.com': 'NotFoundException' },
    { mailFrom: 'vigil@example.com' },
    'limits SES: neither vigil@example.com nor its domain is verified',
  ],
  ['the page', {}, { page: true }, 'unknown CloudFront: no API says whether AWS has verified the account.'],
  [
    'a missing right',
    { 'GET /account': 'AccessDeniedException' },
    {},
    'unknown API Gateway: AWS does not answer (AccessDeniedException). You may lack the right.',
  ],
])('%s is a finding that says what to do (R186)', async (_what, answers, more, expected) => {
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
