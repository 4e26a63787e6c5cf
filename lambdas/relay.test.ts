import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { key } from '../core/conversations/rows/keys';
import { createConversation } from '../core/conversations/runs/conversation';
import { changeConversation } from '../core/conversations/store/change-conversation';
import { readMeta, type Table } from '../core/conversations/store/table';
import { loggedLines } from '../test/support/logged';
import { startTable } from '../test/support/tables/table';

let mockTable: Table & { stop(): Promise<void> };
jest.mock('../runtime/environment', () => ({
  ...jest.requireActual('../runtime/environment'),
  tableOfDeployment: () => mockTable,
}));
let mockDrive: () => Promise<void>;
jest.mock('./executions', () => ({ driveRun: () => mockDrive(), cancelByFunctions: () => async () => undefined }));

let handler: typeof import('./relay').handler;
const lines = loggedLines();

beforeAll(async () => {
  mockTable = await startTable();
  ({ handler } = await import('./relay'));
});
afterAll(() => mockTable.stop());

let writtenAt: number | undefined;
/** The part of a stream record that Relay reads, which is all that a person needs to redrive it. */
const record = (conversationId: string): DynamoDBRecord => ({
  dynamodb: {
    Keys: { pk: { S: key.conversation(conversationId) }, sk: { S: key.meta } },
    ApproximateCreationDateTime: writtenAt,
    SequenceNumber: `number of ${conversationId}`,
  },
});
const shown = (...ids: string[]): DynamoDBStreamEvent => ({ Records: ids.map(record) });
const stored = (id: string) =>
  createConversation(mockTable, { id, user: 'ada', agent: 'reminder', text: 'Hi' }, new Date());

test('what fails is reported, to be tried again, and says how long the oldest has waited, and what succeeds says nothing (R171)', async () => {
  await stored('waiting');
  mockDrive = () => Promise.reject(Object.assign(new Error(), { name: 'ThrottlingException' }));
  lines.length = 0;
  writtenAt = Date.now() / 1_000 - 700;
  expect(await handler(shown('waiting'))).toEqual({ batchItemFailures: [{ itemIdentifier: 'number of waiting' }] });
  writtenAt = undefined;
  const [failed, counted] = lines;
  expect(failed).toMatchObject({ level: 'ERROR', conversationId: 'waiting', error: 'ThrottlingException' });
  expect(counted).toMatchObject({ message: 'outbox entries wait', entries: 1, OutboxAge: expect.any(Number) });
  expect(counted!.OutboxAge).toBeGreaterThanOrEqual(700_000);
  mockDrive = () => Promise.resolve();
  lines.length = 0;
  await handler(shown('waiting'));
  expect(lines).toEqual([]);
});

test('a conversation that has expired is skipped, before it is read or after', async () => {
  await stored('expiring');
  mockDrive = async () => {
    await mockTable.client.send(
      new DeleteCommand({ TableName: mockTable.name, Key: { pk: key.conversation('expiring'), sk: key.meta } }),
    );
    await changeConversation(mockTable, 'expiring', () => ({ answer: undefined }));
  };
  expect(await handler(shown('expired', 'expiring'))).toEqual({ batchItemFailures: [] });
  expect(await readMeta(mockTable, 'expiring')).toBeUndefined();
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 'WARN', error: 'NotFound', conversationId: 'expiring' }),
  );
});

const failure = (more: object) => Object.assign(new Error('It failed.'), more);

test.each([
  ['a table that is busy', { name: 'ConversationBusy' }],
  ['throttling', { name: 'TooManyRequestsException', $metadata: { httpStatusCode: 429 } }],
  ['a timeout', { name: 'TimeoutError' }],
  ['a connection that breaks', { code: 'ECONNRESET' }],
  ['a conflict', { name: 'TransactionCanceledException' }],
  ['a failure of the service', { name: 'InternalServerException', $fault: 'server' }],
  ['a quota', { name: 'ExecutionLimitExceeded' }],
])('%s passes, so the record comes again (R266)', async (_, error) => {
  await stored('passing');
  mockDrive = () => Promise.reject(failure(error));
  expect((await handler(shown('passing'))).batchItemFailures).toHaveLength(1);
});

test.each([
  ['a row that cannot be read', { name: 'UnreadableRow' }],
  ['a mistake of the code', { name: 'TypeError' }],
  ['an unexpected error', { name: 'Error' }],
  ['an input that a service refuses', { name: 'ValidationException', $metadata: { httpStatusCode: 400 } }],
])(
  '%s is hopeless: it is given up at once, an operator learns of it, and others do not wait (R266)',
  async (_, error) => {
    await stored('hopeless');
    await stored('next');
    lines.length = 0;
    const driven = jest.fn().mockRejectedValueOnce(failure(error)).mockResolvedValue(undefined);
    mockDrive = driven;
    expect(await handler(shown('hopeless', 'next'))).toEqual({ batchItemFailures: [] });
    expect(driven).toHaveBeenCalledTimes(2);
    expect(lines).toContainEqual(expect.objectContaining({ level: 'ERROR', message: 'relay' }));
    const [given] = lines.filter(({ message }) => message === 'an outbox entry is given up');
    // It rings the alarm OutboxWaits.
    expect(given!.OutboxAge).toBeGreaterThanOrEqual(600_000);
  },
);
