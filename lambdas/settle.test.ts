import { createConversation } from '../core/conversations/runs/conversation';
import { readMeta, type Table } from '../core/conversations/store/table';
import { loggedLines } from '../test/support/logged';
import { startTable } from '../test/support/tables/table';

let mockTable: Table & { stop(): Promise<void> };
jest.mock('../runtime/environment', () => ({
  ...jest.requireActual('../runtime/environment'),
  tableOfDeployment: () => mockTable,
}));

let handler: typeof import('./settle').handler;
const lines = loggedLines();

beforeAll(async () => {
  mockTable = await startTable();
  ({ handler } = await import('./settle'));
});
afterAll(() => mockTable.stop());

const rejected = { Error: 'ModelRejected', Cause: '{"errorMessage":"The key is not valid."}' };

/** Creates a conversation with an active run, and returns its execution's input. */
async function running(id: string) {
  const { meta } = await createConversation(mockTable, { id, user: 'ada', agent: 'reminder', text: 'Hi' }, new Date());
  return { conversationId: id, runId: meta.run!.id, segment: 1, step: 0 };
}

const runOf = async (id: string) => (await readMeta(mockTable, id))!.run!;

test('the state machine reports what it caught: the run fails with the reason, which is returned too', async () => {
  const at = await running('machine');
  const answer = await handler({ ...at, error: rejected });
  expect(answer).toEqual({ Error: 'ModelRejected', Cause: 'The key is not valid.' });
  expect(await runOf('machine')).toMatchObject({ status: 'failed', reason: 'The key is not valid.' });
});

test.each([
  { Error: 'Lambda.Unknown' },
  { Error: 'Lambda.Unknown', Cause: null },
  { Error: 'Lambda.Unknown', Cause: '' },
])('an error without a cause is its own reason: %j', async (error) => {
  const at = await running(`bare ${'Cause' in error ? error.Cause : 'absent'}`);
  expect(await handler({ ...at, error })).toEqual({ Error: 'Lambda.Unknown', Cause: 'Lambda.Unknown' });
  expect(await runOf(at.conversationId)).toMatchObject({ status: 'failed', reason: 'Lambda.Unknown' });
});

test.each([
  ['FAILED', { error: rejected.Error, cause: rejected.Cause }, 'failed', 'The key is not valid.'],
  ['FAILED', {}, 'failed', 'The execution failed.'],
  ['TIMED_OUT', { error: null, cause: null }, 'failed', 'The execution timed out.'],
  ['ABORTED', {}, 'cancelled', 'The execution was stopped from outside.'],
])('the rule reports an execution that is %s with %j', async (status, told, expected, reason) => {
  const at = await running(`rule ${status} ${Object.keys(told).length}`);
  await handler({ 'detail-type': 'any', detail: { status, input: JSON.stringify(at), ...told } });
  expect(await runOf(at.conversationId)).toMatchObject({ status: expected, reason });
});

test('of two reports the first one holds', async () => {
  const at = await running('both');
  await handler({ ...at, error: rejected });
  await handler({ detail: { status: 'ABORTED', input: JSON.stringify(at) } });
  expect(await runOf('both')).toMatchObject({ status: 'failed', reason: 'The key is not valid.' });
  expect(lines.at(-1)).toMatchObject({ message: 'settle', conversationId: 'both', settled: false });
});

test('a report about an earlier segment changes nothing', async () => {
  const at = await running('fenced');
  await handler({ ...at, segment: 0, error: rejected });
  expect(await runOf('fenced')).toMatchObject({ status: 'running' });
});
