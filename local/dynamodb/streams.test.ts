import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Handwritten, handwritten, lambdaResources, tableResource } from '../../test/support/handwritten/assembly';
import type { InvokeResult } from '../lambda/answer';
import type { Lambda } from '../lambda/lambda';
import { readTemplate } from '../template/template';
import { openUndelivered } from '../undelivered';
import { type Dynamodb, startDynamodb } from './dynamodb';
import { type Streams, startStreams } from './streams';

interface Record {
  eventName: string;
  eventSourceARN: string;
  dynamodb: { SequenceNumber: string; Keys: { sk: { S: string } } };
}

const clock = { now: Date.now, at: () => ({ cancel: () => undefined }) };
let made: Handwritten;
let dynamodb: Dynamodb;
let streams: Streams | undefined;
/** The sort keys of every batch that the function received. */
let batches: string[][];
/** The same for the function of another mapping. */
let answerOfOther: (batch: Record[]) => Promise<InvokeResult>;
/** What the function returns for a batch. */
let answer: (batch: Record[]) => Partial<InvokeResult>;

beforeEach(async () => {
  made = handwritten({});
  batches = [];
  answer = () => ({ payload: 'null' });
  dynamodb = await startDynamodb({ stateDirectory: made.stateDirectory, log: () => undefined });
});
afterEach(async () => {
  await streams?.stop();
  await dynamodb.stop();
  made.remove();
});

/** `others`: further mappings of the same stream, each to the named function. */
async function start(
  mapping: object = {},
  authorize: (lambda: unknown, action: string) => void = () => undefined,
  others: { [id: string]: object } = {},
): Promise<void> {
  const source = { 'Fn::GetAtt': ['Table', 'StreamArn'] };
  const properties = {
    BatchSize: 10,
    EventSourceArn: source,
    FunctionName: { Ref: 'Fn' },
    StartingPosition: 'TRIM_HORIZON',
    ...mapping,
  };
  made.rewrite({
    ...lambdaResources('Fn'),
    Table: tableResource(),
    Queue: { Type: 'AWS::SQS::Queue' },
    Mapping: { Type: 'AWS::Lambda::EventSourceMapping', Properties: properties },
    ...Object.fromEntries(
      Object.entries(others).flatMap(([id, more]) => [
        ...Object.entries(lambdaResources(id)),
        [
          `${id}Mapping`,
          {
            Type: 'AWS::Lambda::EventSourceMapping',
            Properties: { ...properties, FunctionName: { Ref: id }, ...more },
          },
        ],
      ]),
    ),
  });
  const template = await readTemplate(made.assembly, { accountId: '000000000000', region: 'us-east-1', apiUrl: '' });
  const newTables = await dynamodb.deploy(template.ofType('AWS::DynamoDB::Table'));
  const lambda = {
    find: (name: string) => template.ofType('AWS::Lambda::Function').find(({ ref }) => ref === name),
    invoke: async (arn: string, payload: string) => {
      const { Records } = JSON.parse(payload) as { Records: Record[] };
      if (!arn.endsWith('-Fn')) return answerOfOther(Records);
      batches.push(Records.map(({ dynamodb: { Keys } }) => Keys.sk.S));
      return { payload: 'null', executedVersion: '$LATEST', ...answer(Records) };
    },
  } as unknown as Lambda;
  const { client } = dynamodb;
  const { stateDirectory } = made;
  const log = () => undefined;
  const undelivered = openUndelivered({ template, stateDirectory, clock, authorize, log });
  streams = await startStreams({ template, client, lambda, stateDirectory, newTables, authorize, undelivered, log });
}

async function write(...keys: string[]): Promise<void> {
  for (const sk of keys) {
    await dynamodb.client.call('PutItem', {
      TableName: 'Small-Table',
      Item: { pk: { S: 'p' }, sk: { S: sk }, kind: { S: sk.slice(0, 1) } },
    });
  }
  streams?.wake();
}

async function until(condition: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 6_000 && !condition(); attempt++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(condition()).toBe(true);
}

const seen = () => batches.flat();

test('a change reaches the function at once, with the stream’s ARN of the template', async () => {
  let arn = '';
  answer = ([record]) => {
    arn = record?.eventSourceARN ?? '';
    return {};
  };
  // The periodic read never comes, so the delivery is due to the signal.
  const { setTimeout: timeout } = global;
  const never = (then: () => void, ms?: number) => timeout(then, ms === 1_000 ? 2 ** 31 - 1 : ms);
  const mocked = jest.spyOn(global, 'setTimeout').mockImplementation(never as typeof setTimeout);
  try {
    await start();
    // It has read the stream, and waits.
    await until(() => streams!.idle());
    await write('a');
    await until(() => seen().includes('a'));
    expect(mocked.mock.calls.some(([, ms]) => ms === 1_000)).toBe(true);
  } finally {
    mocked.mockRestore();
  }
  expect(arn).toBe('arn:aws:dynamodb:us-east-1:000000000000:table/Small-Table/stream/local');
});

test('the next start delivers what was written meanwhile, and not what was already delivered', async () => {
  await start();
  await write('a', 'b');
  await until(() => seen().length === 2);
  await streams?.stop();
  await write('c');
  await start();
  await until(() => seen().length === 3);
  expect(seen()).toEqual(['a', 'b', 'c']);
});

test('LATEST begins where the table was when its mapping was created, and keeps that position', async () => {
  await start({ Enabled: false });
  await write('old');
  await streams?.stop();
  await start({ StartingPosition: 'LATEST' });
  await streams?.stop();
  await write('new');
  await start({ StartingPosition: 'LATEST' });
  await until(() => seen().length > 0);
  expect(seen()).toEqual(['new']);
});

test('two mappings of one stream have separate positions, paces and failures', async () => {
  const others: string[] = [];
  let broken = true;
  answerOfOther = async (records) => {
    if (broken) return { payload: '{}', functionError: 'Unhandled', executedVersion: '$LATEST' };
    others.push(...records.map(({ dynamodb: { Keys } }) => Keys.sk.S));
    return { payload: 'null', executedVersion: '$LATEST' };
  };
  const both = () => start({}, undefined, { Other: { MaximumRetryAttempts: -1 } });
  await both();
  await write('a', 'b');
  await until(() => seen().length === 2);
  await streams?.stop();
  broken = false;
  await write('c');
  await both();
  await until(() => others.length === 3 && seen().length === 3);
  expect([others, seen()]).toEqual([
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ]);
});

test('a filter lets through what matches', async () => {
  const Pattern = JSON.stringify({ eventName: ['INSERT'], dynamodb: { NewImage: { kind: { S: [{ prefix: 'x' }] } } } });
  await start({ FilterCriteria: { Filters: [{ Pattern }] } });
  await write('a', 'x1', 'b', 'x2');
  await until(() => seen().length === 2);
  expect(seen()).toEqual(['x1', 'x2']);
});

test('a failed batch is retried', async () => {
  answer = () => (batches.length < 3 ? { functionError: 'Unhandled' } : {});
  await start();
  await write('a');
  await until(() => batches.length === 3);
  expect(seen()).toEqual(['a', 'a', 'a']);
});

test('partial failures are retried from the first one on', async () => {
  let failed = false;
  answer = (records) => {
    const bad = records.find(({ dynamodb: { Keys } }) => Keys.sk.S === 'b');
    if (failed || !bad) return {};
    failed = true;
    return { payload: JSON.stringify({ batchItemFailures: [{ itemIdentifier: bad.dynamodb.SequenceNumber }] }) };
  };
  await start({ Enabled: false, FunctionResponseTypes: ['ReportBatchItemFailures'] });
  await write('a', 'b', 'c');
  await start({ FunctionResponseTypes: ['ReportBatchItemFailures'] });
  await until(() => batches.length === 2);
  expect(batches).toEqual([
    ['a', 'b', 'c'],
    ['b', 'c'],
  ]);
});

test('halving finds the bad record, which is given up after its retries', async () => {
  answer = (records) =>
    records.some(({ dynamodb: { Keys } }) => Keys.sk.S === 'bad') ? { functionError: 'Unhandled' } : {};
  const mapping = { BisectBatchOnFunctionError: true, MaximumRetryAttempts: 1 };
  await start({ ...mapping, Enabled: false });
  await write('a', 'bad', 'c', 'd');
  await start(mapping);
  await until(() => seen().filter((key) => key === 'd').length > 1);
  expect(batches).toEqual([['a', 'bad', 'c', 'd'], ['a', 'bad'], ['a'], ['bad'], ['bad'], ['c', 'd']]);
});

test('undelivered records leave their stream position in the mapping’s queue', async () => {
  answer = ([record]) => (record!.dynamodb.Keys.sk.S === 'bad' ? { functionError: 'Unhandled' } : {});
  const OnFailure = { Destination: { 'Fn::GetAtt': ['Queue', 'Arn'] } };
  await start({ BatchSize: 1, MaximumRetryAttempts: 1, DestinationConfig: { OnFailure } });
  await write('bad', 'good');
  await until(() => seen().includes('good'));
  const lines = readFileSync(join(made.stateDirectory, 'undelivered.jsonl'), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      queue: 'Small-Queue',
      at: expect.any(String),
      message: expect.objectContaining({
        requestContext: expect.objectContaining({
          functionArn: expect.stringMatching(/:function:Small-Fn$/),
          condition: 'RetryAttemptsExhausted',
          approximateInvokeCount: 2,
        }),
        DDBStreamBatchInfo: expect.objectContaining({
          shardId: expect.stringContaining('shard'),
          startSequenceNumber: expect.any(String),
          batchSize: 1,
          streamArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/Small-Table/stream/local',
        }),
      }),
    },
  ]);
});

test.each([
  [
    'another queue',
    { OnFailure: { Destination: 'arn:aws:sqs:us-east-1:1:other' } },
    'must name a queue of the template',
  ],
  ['a message on success', { OnSuccess: { Destination: 'x' } }, 'does not support OnSuccess'],
])('%s stops the start', async (_what, DestinationConfig, message) => {
  await expect(start({ DestinationConfig })).rejects.toThrow(message);
});

test('a role that may not write to the queue stops the start', async () => {
  const refuse = (_lambda: unknown, action: string) => {
    if (action === 'sqs:SendMessage') throw new Error('not authorized');
  };
  const OnFailure = { Destination: { 'Fn::GetAtt': ['Queue', 'Arn'] } };
  await expect(start({ DestinationConfig: { OnFailure } }, refuse)).rejects.toThrow('not authorized');
});

test('a role that may not read the stream stops the start', async () => {
  const refuse = () => {
    throw new Error('not authorized');
  };
  await expect(start({}, refuse)).rejects.toThrow('not authorized');
});
