import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { type Handwritten, handwritten, lambdaResources } from '../../test/support/handwritten/assembly';
import { sendJson } from '../app/http-server';
import { type LocalCloud, startLocalCloud } from '../cloud';
import { listen as openProgram } from '../model-server/listen';

/** Puts the given entries, with its own key. */
const put = `exports.handler = async (entry) => {
  const authorization = 'AWS4-HMAC-SHA256 Credential=' + process.env.AWS_ACCESS_KEY_ID + '/20260101/us-east-1/events/aws4_request, SignedHeaders=host, Signature=x';
  const headers = { authorization, 'x-amz-target': 'AWSEvents.PutEvents', 'content-type': 'application/x-amz-json-1.1' };
  const response = await fetch(process.env.AWS_ENDPOINT_URL, { method: 'POST', headers, body: JSON.stringify({ Entries: [entry] }) });
  return response.json();
};`;
const listen = 'exports.handler = async (event) => console.log("heard " + JSON.stringify(event));';

const bus = { Type: 'AWS::Events::EventBus', Properties: { Name: 'news' } };
const rule = (EventBusName: object | undefined) => ({
  Type: 'AWS::Events::Rule',
  Properties: {
    EventBusName,
    EventPattern: { source: ['vigil'] },
    Targets: [{ Id: 'T', Arn: { 'Fn::GetAtt': ['Listener', 'Arn'] } }],
  },
});
const resources = {
  ...lambdaResources('Allowed', {
    statements: [{ Effect: 'Allow', Action: 'events:PutEvents', Resource: { 'Fn::GetAtt': ['Bus', 'Arn'] } }],
  }),
  ...lambdaResources('Listener'),
  Bus: bus,
  Rule: rule({ Ref: 'Bus' }),
  Permission: {
    Type: 'AWS::Lambda::Permission',
    Properties: {
      Action: 'lambda:InvokeFunction',
      Principal: 'events.amazonaws.com',
      FunctionName: { 'Fn::GetAtt': ['Listener', 'Arn'] },
      SourceArn: { 'Fn::GetAtt': ['Rule', 'Arn'] },
    },
  },
};

let made: Handwritten;
let cloud: LocalCloud;
let client: { region: string; endpoint: string; credentials: { accessKeyId: string; secretAccessKey: string } };
beforeAll(async () => {
  made = handwritten(resources, { Allowed: put, Listener: listen });
  cloud = await startLocalCloud({ assembly: made.assembly, stateDirectory: made.stateDirectory });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  client = { region: 'us-east-1', endpoint: cloud.awsUrl, credentials };
});
afterAll(async () => {
  await cloud?.stop();
  made.remove();
});

const entry = (name: string, more: PutEventsRequestEntry = {}): PutEventsRequestEntry => ({
  EventBusName: 'news',
  Source: 'vigil',
  DetailType: 'Told',
  Detail: JSON.stringify({ name }),
  ...more,
});
const putEvents = (...Entries: PutEventsRequestEntry[]) =>
  new EventBridgeClient(client).send(new PutEventsCommand({ Entries }));
const written = () =>
  readFileSync(join(made.stateDirectory, 'events.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { bus: string; detail: { name: string } });
const names = () => written().map(({ detail }) => detail.name);

async function heard(name: string): Promise<Record<string, unknown>> {
  for (;;) {
    const logs = readLogs();
    const line = logs.split('\n').find((one) => one.includes('heard') && one.includes(name));
    if (line) return JSON.parse(line.slice(line.indexOf('{'))) as Record<string, unknown>;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
const readLogs = () => {
  try {
    return readFileSync(join(made.stateDirectory, 'logs', 'Listener.log'), 'utf8');
  } catch {
    return '';
  }
};

test('an event is a line of events.jsonl, and reaches the rules of its bus in EventBridge’s envelope', async () => {
  const Time = new Date('2026-03-01T08:00:00Z');
  const { FailedEntryCount, Entries } = await putEvents(entry('one', { Time }));
  expect(FailedEntryCount).toBe(0);
  const envelope = {
    version: '0',
    id: Entries![0]!.EventId,
    'detail-type': 'Told',
    source: 'vigil',
    account: '000000000000',
    time: Time.toISOString(),
    region: 'us-east-1',
    resources: [],
    detail: { name: 'one' },
  };
  expect(written().at(-1)).toEqual({ bus: 'news', ...envelope });
  expect(await heard('one')).toEqual(envelope);
});

test('an event on another bus, or from another source, reaches no rule of this bus', async () => {
  await putEvents(entry('elsewhere', { EventBusName: 'default' }), entry('other', { Source: 'somebody' }));
  await putEvents(entry('last'));
  await heard('last');
  expect(readLogs()).not.toMatch(/elsewhere|other/);
  expect(names()).toEqual(expect.arrayContaining(['elsewhere', 'other', 'last']));
});

test('an invalid entry is rejected alone, the others are accepted', async () => {
  const { FailedEntryCount, Entries } = await putEvents(
    entry('good'),
    entry('', { Detail: '["no object"]' }),
    entry('', { DetailType: undefined }),
    entry('', { Source: 'aws.states' }),
  );
  expect(FailedEntryCount).toBe(3);
  expect(Entries!.map(({ ErrorCode }) => ErrorCode)).toEqual([
    undefined,
    'MalformedDetail',
    'InvalidArgument',
    'NotAuthorizedForSourceException',
  ]);
  expect(names().at(-1)).toBe('good');
});

test.each([
  ['eleven entries', Array.from({ length: 11 }, () => entry('many')), 'ValidationException'],
  ['more than 256 KB', [entry('large'.repeat(60_000))], 'ValidationException'],
  ['a bus that is not there', [entry('lost', { EventBusName: 'nowhere' })], 'ResourceNotFoundException'],
])('%s: refused, and nothing is written', async (_what, entries, name) => {
  await expect(putEvents(...entries)).rejects.toMatchObject({ name });
  expect(names().some((one) => /many|large|lost/.test(one))).toBe(false);
});

test('a function puts events where its role allows it, and nowhere else', async () => {
  const ask = async (EventBusName: string) => {
    const Payload = JSON.stringify(entry('from a function', { EventBusName }));
    const { Payload: answer } = await new LambdaClient(client).send(
      new InvokeCommand({ FunctionName: cloud.resources.functionName('Allowed'), Payload }),
    );
    return JSON.parse(Buffer.from(answer!).toString()) as { FailedEntryCount?: number; __type?: string };
  };
  expect(await ask('news')).toMatchObject({ FailedEntryCount: 0 });
  expect(await ask('default')).toMatchObject({ __type: 'AccessDeniedException' });
});

test('while a program answers tool calls, events reach no rules, and attempts at calls no function (R234)', async () => {
  const tools = (method: string, body?: object) =>
    fetch(`${cloud.url}/_local/tools`, { method, body: body && JSON.stringify(body) });
  const elsewhere = await tools('POST', { answeredBy: 'http://example.com' });
  expect([elsewhere.status, await elsewhere.json()]).toMatchObject([400, { errors: [{ path: 'answeredBy' }] }]);
  const program = await openProgram((_, response) => sendJson(response, 200, { answer: 'not invoked' }));
  expect((await tools('POST', { answeredBy: program.url })).status).toBe(200);
  await putEvents(entry('unheard'));
  const call = { conversationId: 'c', runId: 'r', callId: 'unheard call' };
  const FunctionName = cloud.resources.functionName('Listener');
  const invoke = async () => {
    const command = new InvokeCommand({ FunctionName, Payload: JSON.stringify(call) });
    return JSON.parse(Buffer.from((await new LambdaClient(client).send(command)).Payload!).toString());
  };
  expect(await invoke()).toBe('not invoked');
  expect((await tools('DELETE')).status).toBe(200);
  await program.stop();
  await putEvents(entry('heard again'));
  await heard('heard again');
  expect(readLogs()).not.toContain('unheard');
  expect(names().slice(-2)).toEqual(['unheard', 'heard again']);
  await invoke();
  expect(await heard('unheard call')).toEqual(call);
});

test('a rule on a bus that the template does not have stops the start', async () => {
  const wrong = handwritten({ ...lambdaResources('Listener'), Rule: rule('elsewhere' as never) }, { Listener: listen });
  const options = { assembly: wrong.assembly, stateDirectory: wrong.stateDirectory };
  await expect(startLocalCloud(options)).rejects.toThrow('event bus elsewhere, which is not in the template');
  wrong.remove();
});
