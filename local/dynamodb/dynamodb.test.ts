import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Handwritten, handwritten, tableResource } from '../../test/support/handwritten/assembly';
import { readTemplate } from '../template/template';
import { type Dynamodb, startDynamodb } from './dynamodb';

const place = { accountId: '000000000000', region: 'us-east-1', apiUrl: '' };
const index = {
  IndexName: 'byOwner',
  KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }],
  Projection: { ProjectionType: 'ALL' },
};
const owned = {
  AttributeDefinitions: ['pk', 'sk', 'owner'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  GlobalSecondaryIndexes: [index],
};

let made: Handwritten;
let running: Dynamodb | undefined;
const start = async () => {
  running = await startDynamodb({ stateDirectory: made.stateDirectory, log: () => undefined });
  return running;
};
const deploy = async (table: object) => {
  made.rewrite({ Table: table });
  return running?.deploy((await readTemplate(made.assembly, place)).ofType('AWS::DynamoDB::Table'));
};
const item = { pk: { S: 'a' }, sk: { S: 'b' } };

beforeEach(() => {
  made = handwritten({});
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  made.remove();
});

test('tables and rows survive a restart', async () => {
  const first = await start();
  expect(
    await deploy(tableResource({ TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true } })),
  ).toEqual(new Set(['Small-Table']));
  await first.client.call('PutItem', { TableName: 'Small-Table', Item: item });
  await first.stop();
  const second = await start();
  expect(await deploy(tableResource())).toEqual(new Set());
  expect((await second.client.call('GetItem', { TableName: 'Small-Table', Key: item })).Item).toEqual(item);
});

test('a changed template adds its index', async () => {
  const { client } = await start();
  await deploy(tableResource());
  await deploy(tableResource(owned));
  const { Table } = await client.call('DescribeTable', { TableName: 'Small-Table' });
  expect(Table).toMatchObject({ GlobalSecondaryIndexes: [{ IndexName: 'byOwner' }] });
});

test('an index with other attributes is recreated with the existing rows', async () => {
  const { client } = await start();
  const Item = { ...item, owner: { S: 'ada' }, title: { S: 'T' }, version: { N: '7' } };
  const showing = (...NonKeyAttributes: string[]) => ({
    ...owned,
    GlobalSecondaryIndexes: [{ ...index, Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes } }],
  });
  const listed = async () => {
    const values = { ExpressionAttributeValues: { ':o': { S: 'ada' } }, ExpressionAttributeNames: { '#o': 'owner' } };
    const query = { TableName: 'Small-Table', IndexName: 'byOwner', KeyConditionExpression: '#o = :o', ...values };
    return ((await client.call('Query', query)).Items as object[])[0];
  };
  await deploy(tableResource(showing('title')));
  await client.call('PutItem', { TableName: 'Small-Table', Item });
  expect(Object.keys((await listed()) ?? {}).sort()).toEqual(['owner', 'pk', 'sk', 'title']);
  await deploy(tableResource(showing('version', 'title')));
  expect(await listed()).toEqual(Item);
});

test('another key is rejected, because it would lose the rows', async () => {
  await start();
  await deploy(tableResource());
  const other = {
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  };
  await expect(deploy(tableResource(other))).rejects.toThrow('differs from the template: start with --reset');
});

test('an engine that a killed process left behind is stopped and replaced', async () => {
  const first = await start();
  await deploy(tableResource());
  const pid = Number(readFileSync(join(made.stateDirectory, 'dynamodb.pid'), 'utf8'));
  const second = await start();
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  expect(await deploy(tableResource())).toEqual(new Set());
  await first.stop();
  await second.client.call('PutItem', { TableName: 'Small-Table', Item: item });
});

test('an engine that dies is restarted on the same port with everything written', async () => {
  const { client } = await start();
  await deploy(tableResource());
  await client.call('PutItem', { TableName: 'Small-Table', Item: item });
  process.kill(Number(readFileSync(join(made.stateDirectory, 'dynamodb.pid'), 'utf8')), 'SIGKILL');
  let found: unknown;
  for (let attempt = 0; attempt < 3_000 && !found; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const answer = await client.call('GetItem', { TableName: 'Small-Table', Key: item }).catch(() => undefined);
    found = answer?.Item;
  }
  expect(found).toEqual(item);
});

test('a reused process id is left alone', async () => {
  const bystander = spawn('sleep', ['30']);
  writeFileSync(join(made.stateDirectory, 'dynamodb.pid'), String(bystander.pid));
  await start();
  expect(bystander.exitCode).toBeNull();
  bystander.kill();
});

test('DYNAMODB_ENDPOINT without a server is an error in one line', async () => {
  running = await startDynamodb({
    stateDirectory: made.stateDirectory,
    endpoint: 'http://127.0.0.1:9',
    log: () => undefined,
  });
  await expect(deploy(tableResource())).rejects.toThrow(
    'DynamoDB does not respond at http://127.0.0.1:9: check DYNAMODB_ENDPOINT.',
  );
});

test('clouds that share an engine have access keys of their own, which last for a restart (R186)', async () => {
  const keys: (string | undefined)[] = [];
  const engine = createServer((request, response) => {
    keys.push(/Credential=(\w+)/.exec(request.headers.authorization ?? '')?.[1]);
    response.end('{}');
  });
  await once(engine.listen(0, '127.0.0.1'), 'listening');
  const endpoint = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
  for (const folder of ['one', 'other', 'one']) {
    const stateDirectory = join(made.stateDirectory, folder);
    const shared = await startDynamodb({ stateDirectory, endpoint, log: () => undefined });
    await shared.client.call('ListTables', {});
    expect(shared.accessKey).toBe(keys.at(-1));
    await shared.stop();
  }
  engine.close();
  // DynamoDB Local refuses other characters.
  for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9]{1,20}$/);
  expect(keys[2]).toBe(keys[0]);
  expect(keys[1]).not.toBe(keys[0]);
});
