import { request } from 'node:http';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type Handwritten, handwritten, lambdaResources, tableResource } from '../../test/support/handwritten/assembly';
import { type LocalCloud, startLocalCloud } from '../cloud';

/** Calls DynamoDB with its own key and without an SDK, because a test's bundle is one file. */
const put = `exports.handler = async ({ fail, ...item }) => {
  if (fail) throw Object.assign(new Error('asked to'), { name: 'Asked' });
  const authorization = 'AWS4-HMAC-SHA256 Credential=' + process.env.AWS_ACCESS_KEY_ID + '/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=x';
  const headers = { authorization, 'x-amz-target': 'DynamoDB_20120810.PutItem', 'content-type': 'application/x-amz-json-1.0' };
  const body = JSON.stringify({ TableName: process.env.TABLE_NAME, Item: item });
  const response = await fetch(process.env.AWS_ENDPOINT_URL, { method: 'POST', headers, body });
  return { status: response.status, ...(await response.json()) };
};`;

const table = { 'Fn::GetAtt': ['Table', 'Arn'] };
const environment = { TABLE_NAME: { Ref: 'Table' } };
const resources = {
  ...lambdaResources('Allowed', {
    environment,
    statements: [{ Effect: 'Allow', Action: 'dynamodb:PutItem', Resource: table }],
  }),
  ...lambdaResources('Refused', { environment }),
  Table: tableResource(),
  Secret: { Type: 'AWS::SecretsManager::Secret', Properties: { Name: 'vigil/OPENAI_API_KEY' } },
  Unset: { Type: 'AWS::SecretsManager::Secret', Properties: { Name: 'vigil/OTHER_KEY' } },
};

let made: Handwritten;
let cloud: LocalCloud;
let client: { region: string; endpoint: string; credentials: { accessKeyId: string; secretAccessKey: string } };

beforeAll(async () => {
  made = handwritten(resources, { Allowed: put, Refused: put });
  cloud = await startLocalCloud({
    assembly: made.assembly,
    stateDirectory: made.stateDirectory,
    variables: { OPENAI_API_KEY: 'key' },
  });
  client = {
    region: 'us-east-1',
    endpoint: cloud.awsUrl,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
});
afterAll(async () => {
  await cloud.stop();
  made.remove();
});

const item = (sk: string) => ({ pk: { S: 'p' }, sk: { S: sk } });
const invoke = async (name: string, event: object) => {
  const answer = await new LambdaClient(client).send(
    new InvokeCommand({ FunctionName: name, Payload: JSON.stringify(event) }),
  );
  return { ...answer, body: JSON.parse(Buffer.from(answer.Payload ?? []).toString()) };
};

test.each([
  ['a program in a container', { host: 'host.docker.internal:4566' }, 200],
  ['a page of this machine', { origin: 'http://localhost:3000' }, 403],
  ['a page without an origin', { origin: 'null' }, 403],
  ['a request of a page', { 'sec-fetch-site': 'same-origin' }, 403],
  ['a rebound name', { host: 'rebound.test:4566' }, 403],
])('the AWS port and %s, %j: %d (R151)', async (_who, from, status) => {
  const authorization =
    'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=x';
  const headers = { host: '127.0.0.1', authorization, 'x-amz-target': 'DynamoDB_20120810.ListTables', ...from };
  const answered = await new Promise((resolve, reject) => {
    const asked = request(cloud.awsUrl, { method: 'POST', headers }, (answer) => resolve(answer.resume().statusCode));
    asked.once('error', reject).end('{}');
  });
  expect(answered).toBe(status);
});

test('callers that die during a read do not use up the engine’s connections', async () => {
  const TableName = cloud.resources.tableName();
  const large = { ...item('large'), text: { S: 'x'.repeat(390_000) } };
  await new DynamoDBClient(client).send(new PutItemCommand({ TableName, Item: large }));
  const authorization =
    'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=x';
  const headers = {
    authorization,
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': 'DynamoDB_20120810.GetItem',
  };
  const options = { method: 'POST', headers };
  const body = JSON.stringify({ TableName, Key: item('large') });
  for (let caller = 0; caller < 80; caller++) {
    await new Promise<void>((resolve) => {
      const dying = request(cloud.awsUrl, { ...options, agent: false }, () => dying.destroy());
      dying.on('error', () => undefined).on('close', resolve);
      dying.end(body);
    });
  }
  expect((await fetch(cloud.awsUrl, { ...options, body, signal: AbortSignal.timeout(2_000) })).status).toBe(200);
});

test('a function whose role lacks the right gets AWS’s error', async () => {
  const { body } = await invoke('Small-Refused', item('refused'));
  expect(body).toMatchObject({
    status: 400,
    __type: 'AccessDeniedException',
    message: expect.stringMatching(
      /^User: \S+:assumed-role\/Small-RefusedRole\/Small-Refused is not authorized to perform: dynamodb:PutItem on resource: \S+:table\/Small-Table/,
    ),
  });
});

test('Invoke distinguishes errors of the function from those of the service', async () => {
  const failed = await invoke('Small-Allowed', { fail: true });
  expect([failed.StatusCode, failed.FunctionError, failed.body.errorType]).toEqual([200, 'Unhandled', 'Asked']);
  await expect(invoke('Nobody', {})).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});

test('a secret’s value is the variable of its name; without one, the error names the variable', async () => {
  const secrets = new SecretsManagerClient(client);
  const read = (SecretId: string) => secrets.send(new GetSecretValueCommand({ SecretId }));
  expect((await read('vigil/OPENAI_API_KEY')).SecretString).toBe('key');
  expect((await read(cloud.resources.ref('Secret'))).SecretString).toBe('key');
  await expect(read('vigil/OTHER_KEY')).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
    message: expect.stringContaining('set the variable OTHER_KEY'),
  });
  await expect(read('nobody')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});

test('the error names a service that is not supported', async () => {
  const headers = {
    authorization:
      'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/kinesis/aws4_request, SignedHeaders=host, Signature=x',
  };
  const response = await fetch(cloud.awsUrl, { headers });
  expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
    404,
    expect.stringContaining('does not serve kinesis'),
  ]);
});

test('an unsigned request is rejected, because a web page could have sent it', async () => {
  expect(
    (await fetch(`${cloud.awsUrl}/2015-03-31/functions/Small-Allowed/invocations`, { method: 'POST', body: '{}' }))
      .status,
  ).toBe(403);
});

test('a write of a function is made and its answer lost, or it is throttled, as often as ordered (R180)', async () => {
  const dynamodb = new DynamoDBClient(client);
  const TableName = cloud.resources.tableName();
  const isThere = async (sk: string) =>
    (await dynamodb.send(new GetItemCommand({ TableName, Key: item(sk) }))).Item !== undefined;

  cloud.faults.add({ write: 'lost', function: 'Allowed', nth: 2 });
  // Neither another function's write nor the administrator's is counted.
  await invoke('Small-Refused', item('counted-not'));
  await dynamodb.send(new PutItemCommand({ TableName, Item: item('counted-not') }));
  expect((await invoke('Small-Allowed', item('first'))).body).toEqual({ status: 200 });
  expect((await invoke('Small-Allowed', item('lost'))).FunctionError).toBe('Unhandled');
  expect(await isThere('lost')).toBe(true);

  cloud.faults.add({ write: 'throttle', times: 2 });
  for (const sk of ['throttled-1', 'throttled-2']) {
    const { status, __type } = (await invoke('Small-Allowed', item(sk))).body;
    expect([status, __type]).toEqual([400, expect.stringMatching(/ProvisionedThroughputExceededException$/)]);
    expect(await isThere(sk)).toBe(false);
  }
  expect((await invoke('Small-Allowed', item('last'))).body).toEqual({ status: 200 });
  expect(cloud.faults.list()).toEqual([]);
  expect(() => cloud.faults.add({ write: 'slow' })).toThrow('write must be "lost" or "throttle".');
});
