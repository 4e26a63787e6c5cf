import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { listen } from '../../local/model-server/listen';
import { pending } from '../../local/pending';
import { type LoggedLine, loggedLines } from '../../test/support/logged';

// Pushing, publishing and beginning notices in parallel, over the real protocols: one server stands for both tables, the open
// connections, the event bus and Step Functions.

type Answer = (
  response: ServerResponse,
  body: { Entries?: object[]; name?: string; Key?: { sk: { S: string } } },
) => void;
const json = (response: ServerResponse, body: object, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));

let server: Awaited<ReturnType<typeof listen>>;
let handler: typeof import('./broadcast').handler;
let lines: LoggedLine[];
/** The received requests, in order, and the responses. */
let asked: string[];
let answers: Record<'Query' | 'post' | 'PutEvents' | 'GetItem' | 'StartExecution', Answer>;
/** The names of the executions that were asked for. */
let begun: string[];

beforeAll(async () => {
  server = await listen((request, response) => void serve(request, response));
  const { url } = server;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    TABLE_NAME: 'table',
    NOTICE_MACHINE_ARN: 'arn:aws:states:us-east-1:000000000000:stateMachine:Notice',
    LIVE_TABLE_NAME: 'live',
    LIVE_CONNECTIONS_URL: url,
    EVENT_BUS_NAME: 'bus',
  });
  ({ handler } = await import('./broadcast'));
});
afterAll(() => server.stop());
beforeEach(() => {
  [asked, begun] = [[], []];
  lines = loggedLines();
  answers = {
    Query: (response) => json(response, { Items: [marshall({ sk: 'page', user: 'ada', until: Date.now() })] }),
    post: (response) => json(response, {}),
    PutEvents: (response, { Entries }) =>
      json(response, { FailedEntryCount: 0, Entries: Entries!.map((_, index) => ({ EventId: `${index}` })) }),
    // No grants have been ended.
    GetItem: (response, { Key }) =>
      json(response, Key?.sk.S === 'GRANTS' ? {} : { Item: marshall({ devices: [device], version: 1, owner: 'ada' }) }),
    StartExecution: (response, { name }) => {
      begun.push(name!);
      json(response, { executionArn: 'arn', startDate: 0 });
    },
  };
});

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const target = String(request.headers['x-amz-target'] ?? '').split('.')[1];
  const operation = target ?? (request.method === 'POST' ? 'post' : 'close');
  asked.push(operation);
  const answer = answers[operation as keyof typeof answers] ?? ((to) => json(to, {}));
  const hasBody = ['PutEvents', 'StartExecution', 'GetItem'].includes(operation);
  answer(response, hasBody ? JSON.parse(body) : {});
}

const device = {
  id: 'd',
  endpoint: 'https://push.example/1',
  p256dh: '',
  auth: '',
  addedAt: '2026-03-01T08:00:00Z',
  grant: { token: 't', until: 9_999_999_999, confirmed: true },
};
const createdAt = '2026-03-01T08:00:00.000Z';
const written = (SequenceNumber: string, sk: string, row: object, pk = 'C#c'): DynamoDBRecord => {
  const image = (fields: object) => marshall(fields) as never;
  return { dynamodb: { Keys: image({ pk, sk }), NewImage: image({ pk, sk, createdAt, ...row }), SequenceNumber } };
};
const message = (seq: number, pk?: string) => {
  const row = { seq, version: 1, role: 'assistant', author: 'reminder', text: 'x', status: 'complete' };
  return written(String(100 + seq), `M#${String(seq).padStart(10, '0')}`, row, pk);
};
/** A question that begins to wait for ada. */
const question = (id: string) => {
  const row = { id, version: 1, runId: 'r', kind: 'question', prompt: 'x', status: 'pending', openFor: 'user:ada' };
  return written(`of ${id}`, `CALLBACK#${id}`, { ...row, expiresAt: '2026-03-02T08:00:00.000Z' });
};
/** A call that has its outcome. */
const settledCall = (id: string) => {
  const row = {
    id,
    version: 2,
    runId: 'r',
    step: 1,
    index: 0,
    tool: 'look',
    user: 'ada',
    agent: 'a',
    status: 'failed',
  };
  return written(`of ${id}`, `CALL#${id}`, { ...row, attempts: 2, modelCallId: 'x', arguments: '"secret"' });
};
const tell = (...records: DynamoDBRecord[]) => handler({ Records: records });
const nothingFailed = { batchItemFailures: [] };
const refusingTheLast: Answer = (response, { Entries = [] }) =>
  json(response, {
    FailedEntryCount: 1,
    Entries: Entries.map((_, at) => (at === Entries.length - 1 ? { ErrorCode: 'InternalFailure' } : { EventId: 'e' })),
  });

test('a page that takes nothing does not hold up what is published', async () => {
  const published = pending<void>();
  const { PutEvents } = answers;
  answers.post = () => undefined;
  answers.PutEvents = (response, body) => {
    PutEvents(response, body);
    published.resolve();
  };
  const told = tell(message(1));
  await published.promise;
  expect(asked).not.toContain('close');
  expect(await told).toEqual(nothingFailed);
  expect(asked).toContain('close');
});

test('with the live view down, finished things are published, and no change is delivered again', async () => {
  answers.Query = (response) => json(response, { __type: 'AccessDeniedException' }, 400);
  expect(await tell(message(1), message(2))).toEqual(nothingFailed);
  expect(asked).toContain('PutEvents');
});

test('the stream delivers again what the bus refuses, which has already been pushed', async () => {
  answers.PutEvents = refusingTheLast;
  expect(await tell(message(1), message(2))).toEqual({ batchItemFailures: [{ itemIdentifier: '102' }] });
  expect(asked).toContain('post');
});

test('a row that cannot be read is not pushed, and makes no event; one in no conversation is left out; both block nothing (R266)', async () => {
  const broken = message(1);
  broken.dynamodb!.NewImage!.seq = { S: 'one' };
  expect(await tell(broken, message(2, 'U#ada'))).toEqual(nothingFailed);
  expect(asked).toEqual([]);
  expect(await tell(broken, message(2, 'C#other'))).toEqual(nothingFailed);
  expect(asked).toContain('post');
});

const ofLaterVersion = (seq: number): DynamoDBRecord => {
  const later = message(seq);
  later.dynamodb!.NewImage!.format = { N: '99' };
  return later;
};

test('a row of a later version, and what came after it in its conversation, come again for that version; others do not wait (R231, R266)', async () => {
  const told = await tell(message(1), ofLaterVersion(2), message(3), message(4, 'C#other'));
  expect(told).toEqual({ batchItemFailures: [{ itemIdentifier: '102' }, { itemIdentifier: '103' }] });
  expect(asked.filter((one) => one === 'post')).toHaveLength(2);
});

test('a row for which no later version has come in ten minutes is given up (R266)', async () => {
  const later = ofLaterVersion(2);
  const minutesAgo = (minutes: number) => Date.now() / 1_000 - minutes * 60;
  later.dynamodb!.ApproximateCreationDateTime = minutesAgo(9);
  expect(await tell(later)).toEqual({ batchItemFailures: [{ itemIdentifier: '102' }] });
  later.dynamodb!.ApproximateCreationDateTime = minutesAgo(11);
  expect(await tell(later, message(3, 'C#other'))).toEqual(nothingFailed);
  expect(asked).toContain('post');
});

test('a notice begins once, by its name, and the user’s pages are told (R154, R155)', async () => {
  for (const _ of [1, 2]) expect(await tell(question('q'))).toEqual(nothingFailed);
  expect(begun).toHaveLength(2);
  expect(begun[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(begun[1]).toBe(begun[0]);
  answers.StartExecution = (response) => json(response, { __type: 'ExecutionAlreadyExists' }, 400);
  expect(await tell(question('q'))).toEqual(nothingFailed);
  // One frame for the conversation, one for the notice, one for what waits.
  expect(asked.filter((one) => one === 'post')).toHaveLength(9);
});

test('nothing begins for a user without a device (R154)', async () => {
  answers.GetItem = (response) => json(response, {});
  expect(await tell(question('q'))).toEqual(nothingFailed);
  expect(asked).not.toContain('StartExecution');
});

test('a device that is added to the user’s row begins a notice, and no page is pushed anything (R195)', async () => {
  const row = (devices: object[]) => marshall({ pk: 'U#ada', sk: 'REACH', version: 2, devices });
  const changed = (NewImage: ReturnType<typeof row>, OldImage: ReturnType<typeof row>) =>
    tell({
      dynamodb: { Keys: { pk: NewImage.pk!, sk: NewImage.sk! }, NewImage, OldImage, SequenceNumber: '1' },
    } as DynamoDBRecord);
  const both = row([device, { ...device, id: 'new' }]);
  expect(await changed(both, row([device]))).toEqual(nothingFailed);
  expect(begun).toHaveLength(1);
  expect(asked).not.toContain('post');
  await changed(both, both);
  expect(begun).toHaveLength(1);
});

test('a notice that did not begin comes again with the stream, unless nothing can help (R154)', async () => {
  answers.StartExecution = (response, { name }) =>
    json(response, { __type: begun.push(name!) === 1 ? 'ExecutionLimitExceeded' : 'AccessDeniedException' }, 400);
  expect(await tell(question('one'))).toEqual({ batchItemFailures: [{ itemIdentifier: 'of one' }] });
  expect(await tell(question('two'))).toEqual(nothingFailed);
});

test('what the stream delivers again is counted then, and not twice (R171)', async () => {
  const counted = () => lines.filter(({ message }) => message === 'call settled').map(({ callId }) => callId);
  const { PutEvents } = answers;
  answers.PutEvents = refusingTheLast;
  const [one, two, three] = [settledCall('r.1.1'), settledCall('r.1.2'), settledCall('r.1.3')];
  expect(await tell(one, two)).toEqual({ batchItemFailures: [{ itemIdentifier: 'of r.1.2' }] });
  expect(counted()).toEqual(['r.1.1']);
  answers.PutEvents = PutEvents;
  expect(await tell(two, three)).toEqual(nothingFailed);
  expect(counted()).toEqual(['r.1.1', 'r.1.2', 'r.1.3']);
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test('a module that cannot count a change loses its own count only', async () => {
  const { modules } = await import('../../modules');
  const counts = jest.spyOn(modules.find((one) => one.counts)!, 'counts').mockImplementation(() => {
    throw new Error('secret');
  });
  expect(await tell(settledCall('r.2.1'))).toEqual(nothingFailed);
  expect(counts).toHaveBeenCalled();
  expect(lines.filter(({ message }) => message === 'call settled')).toMatchObject([{ callId: 'r.2.1' }]);
  expect(JSON.stringify(lines)).not.toContain('secret');
});
