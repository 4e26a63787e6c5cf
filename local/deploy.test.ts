import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import WebSocket from 'ws';
import { apiResources } from '../test/support/handwritten/api';
import { type Handwritten, handwritten, lambdaResources, tableResource } from '../test/support/handwritten/assembly';
import { machineResources } from '../test/support/handwritten/machine';
import { websocketApiResources } from '../test/support/handwritten/websocket-api';
import { type LocalCloud, startLocalCloud } from './cloud';
import { openPrincipals } from './iam/principals';

let made: Handwritten;
let cloud: LocalCloud;
const clients: { destroy(): void }[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await cloud.stop();
  made.remove();
});

async function start(resources: Record<string, object>, functions: Record<string, string>): Promise<void> {
  made = handwritten(resources, functions);
  cloud = await startLocalCloud({ assembly: made.assembly, stateDirectory: made.stateDirectory });
}

function deploy(resources: Record<string, object>, functions: Record<string, string> = {}): Promise<void> {
  made.rewrite(resources, functions);
  return cloud.deploy(made.assembly);
}

const at = (accessKeyId = 'test') => ({
  endpoint: cloud.awsUrl,
  region: 'us-east-1',
  maxAttempts: 1,
  credentials: { accessKeyId, secretAccessKey: 'x' },
});
function client<T extends { destroy(): void }>(made: T): T {
  clients.push(made);
  return made;
}

async function invoke(name: string, event: object = {}): Promise<unknown> {
  const lambda = client(new LambdaClient(at()));
  const Payload = JSON.stringify(event);
  return JSON.parse(
    Buffer.from((await lambda.send(new InvokeCommand({ FunctionName: name, Payload }))).Payload!).toString(),
  );
}

async function until<T>(look: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (let attempt = 0; attempt < 2_000; attempt++) {
    const found = await look();
    if (found) return found;
    await sleep(10);
  }
  throw new Error('It did not come to that.');
}

/** Returns its word, after a file exists if the event asks for that. */
const saying = (word: string) => `
const { existsSync, appendFileSync } = require('node:fs');
exports.handler = async (event) => {
  if (event.begun) appendFileSync(event.begun, 'x');
  while (event.until && !existsSync(event.until)) await new Promise((resolve) => setTimeout(resolve, 5));
  if (process.env.SEEN) appendFileSync(process.env.SEEN, '${word} ' + JSON.stringify(event) + '\\n');
  return event.requestContext ? { statusCode: 200, body: '${word}' } : '${word}';
};`;

const long = { timeout: 60 };

test('a new function can be called, a removed one finishes its event first, an unchanged one keeps its sandbox', async () => {
  const counting = 'let calls = 0; exports.handler = async () => ++calls;';
  await start(
    { ...lambdaResources('Goes', long), ...lambdaResources('Stays') },
    { Goes: saying('old'), Stays: counting },
  );
  const [begun, go] = ['begun', 'go'].map((name) => join(made.stateDirectory, name)) as [string, string];
  const underWay = invoke('Small-Goes', { begun, until: go });
  await until(() => existsSync(begun));
  expect(await invoke('Small-Stays')).toBe(1);
  await deploy({ ...lambdaResources('Stays'), ...lambdaResources('Comes') }, { Comes: saying('here') });
  expect(await invoke('Small-Comes')).toBe('here');
  expect(await invoke('Small-Stays')).toBe(2);
  await expect(invoke('Small-Goes')).rejects.toThrow('Function not found');
  writeFileSync(go, '');
  expect(await underWay).toBe('old');
  expect(cloud.resources.functionName('Comes')).toBe('Small-Comes');
});

const sleeper = (word: string) => {
  const say = { Type: 'Task', Resource: '${Function}', Parameters: { word }, End: true };
  const States = { Sleep: { Type: 'Wait', Seconds: 3_600, Next: 'Say' }, Say: say };
  return {
    ...lambdaResources('Say', { environment: { WORD: word } }),
    ...machineResources('Machine', { StartAt: 'Sleep', States }, 'Say'),
  };
};
const sayBoth = 'exports.handler = async ({ word }) => [word, process.env.WORD];';
const machine = 'arn:aws:states:us-east-1:000000000000:stateMachine:Small-Machine';

async function startSleeper(): Promise<string> {
  const sfn = client(new SFNClient(at()));
  const { executionArn } = await sfn.send(new StartExecutionCommand({ stateMachineArn: machine }));
  await until(async () => (await eventsOf(executionArn!)).includes('WaitStateEntered'));
  return executionArn!;
}
async function eventsOf(executionArn: string): Promise<(string | undefined)[]> {
  const sfn = client(new SFNClient(at()));
  const { events } = await sfn.send(new GetExecutionHistoryCommand({ executionArn }));
  return events!.map(({ type }) => type);
}
async function outputOf(executionArn: string): Promise<unknown> {
  const sfn = client(new SFNClient(at()));
  const output = await until(async () => (await sfn.send(new DescribeExecutionCommand({ executionArn }))).output);
  return JSON.parse(output);
}

test('a sleeping execution is not woken and keeps its definition, but uses the new functions (R127)', async () => {
  await start(sleeper('old'), { Say: sayBoth });
  const old = await startSleeper();
  const before = await eventsOf(old);
  await deploy(sleeper('new'));
  const fresh = await startSleeper();
  expect(await eventsOf(old)).toEqual(before);
  cloud.clock.advance(3_700_000);
  expect(await outputOf(old)).toEqual(['old', 'new']);
  expect(await outputOf(fresh)).toEqual(['new', 'new']);
});

test('an open WebSocket stays open and uses the new routes and the new code', async () => {
  const socket = (...more: string[]) => ({
    ...lambdaResources('Fn'),
    ...websocketApiResources('Fn', ['$connect', 'tell', ...more], ['tell', ...more]),
  });
  await start(socket(), { Fn: saying('old') });
  const open = new WebSocket(`${cloud.url.replace('http', 'ws')}/live`);
  await once(open, 'open');
  const ask = async (action: string) => {
    const answer = once(open, 'message');
    open.send(JSON.stringify({ action }));
    return String((await answer)[0]);
  };
  expect(await ask('tell')).toBe('old');
  expect(await ask('more')).toContain('Forbidden');
  await deploy(socket('more'), { Fn: saying('new') });
  expect(await ask('tell')).toBe('new');
  expect(await ask('more')).toBe('new');
  open.close();
});

test('routes, rights and the readers of streams are those of the new template', async () => {
  const seen = (name: string) => ({ SEEN: join(made?.stateDirectory ?? '', name) });
  const table = tableResource();
  const mapping = (to: string) => ({
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: {
      EventSourceArn: { 'Fn::GetAtt': ['Table', 'StreamArn'] },
      FunctionName: { Ref: to },
      StartingPosition: 'LATEST',
    },
  });
  const statements = (...Action: string[]) => [{ Effect: 'Allow', Action, Resource: '*' }];
  const read = ['dynamodb:DescribeStream', 'dynamodb:GetShardIterator', 'dynamodb:GetRecords'];
  const app = (to: string, routeKey: string, ...rights: string[]) => ({
    ...lambdaResources('One', { environment: seen('one'), statements: statements(...read, ...rights) }),
    ...lambdaResources('Two', { environment: seen('two'), statements: statements(...read) }),
    ...apiResources('One', { [routeKey]: {} }),
    Table: table,
    Mapping: mapping(to),
  });
  made = handwritten({}, {});
  const functions = { One: saying('one'), Two: saying('two') };
  made.rewrite(app('One', 'GET /old'), functions);
  cloud = await startLocalCloud({ assembly: made.assembly, stateDirectory: made.stateDirectory });
  const { accessKeyId } = openPrincipals([], 'secret').credentialsOf({ ref: 'Small-One' } as never);
  const put = async (pk: string, key?: string) => {
    const dynamodb = client(new DynamoDBClient(at(key)));
    await dynamodb.send(new PutItemCommand({ TableName: 'Small-Table', Item: { pk: { S: pk }, sk: { S: '1' } } }));
  };
  const said = (name: string) => until(() => existsSync(seen(name).SEEN) && readFileSync(seen(name).SEEN, 'utf8'));
  await put('first');
  expect(await said('one')).toContain('first');
  await expect(put('refused', accessKeyId)).rejects.toThrow('not authorized');
  expect((await fetch(`${cloud.url}/old`)).status).toBe(200);

  await deploy(app('Two', 'GET /new', 'dynamodb:PutItem'));
  expect((await fetch(`${cloud.url}/old`)).status).toBe(404);
  expect(await (await fetch(`${cloud.url}/new`)).text()).toBe('one');
  await put('second', accessKeyId);
  const two = await said('two');
  expect(two).toContain('second');
  // It continued where the previous reader had stopped.
  expect(two).not.toContain('first');
});

test('what cannot be deployed is an error in one line, and the previous deployment keeps running', async () => {
  const Table = tableResource();
  await start({ ...sleeper('old'), Table }, { Say: sayBoth });
  const key = { KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }] };
  const other = tableResource({ ...key, AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }] });
  const changed = { ...sleeper('new'), Table };
  const broken = machineResources('Machine', { StartAt: 'Nowhere', States: {} });
  for (const [resources, line] of [
    [{ ...changed, Bucket: { Type: 'AWS::Kinesis::Stream' } }, 'does not support AWS::Kinesis::Stream'],
    [{ ...changed, Table: other }, 'start with --reset'],
    [{ ...changed, ...broken }, 'Invalid State Machine Definition'],
    [{ ...changed, ...lambdaResources('None') }, 'The bundle of None is missing'],
    [{ ...changed, ...websocketApiResources('Say', ['tell']) }, 'restart the local cloud'],
  ] as const)
    await expect(deploy(resources)).rejects.toThrow(line);
  expect(await invoke('Small-Say', { word: 'x' })).toEqual(['x', 'old']);
  const execution = await startSleeper();
  cloud.clock.advance(3_700_000);
  expect(await outputOf(execution)).toEqual(['old', 'old']);
});
