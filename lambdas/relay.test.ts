import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { NotFound } from '../core/base/text/errors';
import { key } from '../core/conversations/rows/keys';
import { createConversation } from '../core/conversations/runs/conversation';
import type { Table } from '../core/conversations/store/table';
import { loggedLines } from '../test/support/logged';
import { startTable } from '../test/support/tables/table';
import { todosIn } from '../test/support/tables/todos';

let mockTable: Table & { stop(): Promise<void> };
jest.mock('../runtime/environment', () => ({
  ...jest.requireActual('../runtime/environment'),
  tableOfDeployment: () => mockTable,
}));
let mockDrive: () => Promise<void>;
jest.mock('./executions', () => ({ startSegment: () => mockDrive(), cancelByFunctions: () => async () => undefined }));

let handler: typeof import('./relay').handler;
const lines = loggedLines();

beforeAll(async () => {
  mockTable = await startTable();
  ({ handler } = await import('./relay'));
});
afterAll(() => mockTable.stop());

let writtenAt: number | undefined;
/** What is to be done in a conversation, by its key. */
const rows = new Map<string, string>();
/** The part of a stream record that Relay reads, which is all that a person needs to redrive it. */
const record = (conversationId: string): DynamoDBRecord => ({
  dynamodb: {
    Keys: { pk: { S: key.conversation(conversationId) }, sk: { S: rows.get(conversationId) ?? key.todos('done') } },
    ApproximateCreationDateTime: writtenAt,
    SequenceNumber: `number of ${conversationId}`,
  },
});
const shown = (...ids: string[]): DynamoDBStreamEvent => ({ Records: ids.map(record) });
async function stored(id: string): Promise<void> {
  const committed = ({ sk }: { sk: string }) => void rows.set(id, sk);
  await createConversation({ ...mockTable, committed }, { id, user: 'ada', agent: 'reminder', text: 'Hi' }, new Date());
}

test('what fails is reported, to be tried again, and says how long the oldest has waited, and what succeeds says nothing (R171)', async () => {
  await stored('waiting');
  mockDrive = () => Promise.reject(Object.assign(new Error(), { name: 'ThrottlingException' }));
  lines.length = 0;
  writtenAt = Date.now() / 1_000 - 700;
  expect(await handler(shown('waiting'))).toEqual({ batchItemFailures: [{ itemIdentifier: 'number of waiting' }] });
  writtenAt = undefined;
  const [failed, counted] = lines;
  expect(failed).toMatchObject({ level: 'ERROR', conversationId: 'waiting', error: 'ThrottlingException' });
  expect(counted).toMatchObject({ message: 'to-dos wait', rows: 1, OutboxAge: expect.any(Number) });
  expect(counted!.OutboxAge).toBeGreaterThanOrEqual(700_000);
  mockDrive = () => Promise.resolve();
  lines.length = 0;
  await handler(shown('waiting'));
  expect(lines).toEqual([]);
});

test('what is done is deleted, and is not done again; a conversation that has expired has nothing to do', async () => {
  await stored('done');
  const driven = jest.fn().mockResolvedValue(undefined);
  mockDrive = driven;
  await handler(shown('done'));
  expect(await handler(shown('done', 'never there'))).toEqual({ batchItemFailures: [] });
  expect(driven).toHaveBeenCalledTimes(1);
  await stored('expiring');
  mockDrive = () => Promise.reject(new NotFound('It has expired.'));
  expect(await handler(shown('expiring'))).toEqual({ batchItemFailures: [] });
  expect(await todosIn(mockTable, 'expiring')).toEqual([]);
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
    const [hopeless, next] = [`hopeless ${error.name}`, `next ${error.name}`];
    await stored(hopeless);
    await stored(next);
    lines.length = 0;
    const driven = jest.fn().mockRejectedValueOnce(failure(error)).mockResolvedValue(undefined);
    mockDrive = driven;
    expect(await handler(shown(hopeless, next))).toEqual({ batchItemFailures: [] });
    expect(driven).toHaveBeenCalledTimes(2);
    expect(lines).toContainEqual(expect.objectContaining({ level: 'ERROR', message: 'relay' }));
    const [given] = lines.filter(({ message }) => message === 'a to-do is given up');
    // Reconcile and an operator find it.
    expect(await todosIn(mockTable, hopeless)).toMatchObject([{ does: 'start' }]);
    // It rings the alarm OutboxWaits.
    expect(given!.OutboxAge).toBeGreaterThanOrEqual(600_000);
  },
);
