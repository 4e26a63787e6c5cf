import { tableOfTests } from '../../../test/support/tables/table';
import { key } from '../rows/keys';
import { readRow, write } from '../store/table';
import { type ClosedStatus, dropTokens } from './callback';

const table = tableOfTests();

/** A callback that has been closed, of which somebody is still to be told. */
async function closed(id: string, status: ClosedStatus): Promise<void> {
  const row = {
    id,
    status,
    kind: 'approval',
    runId: 'r',
    callId: id,
    prompt: 'Pay?',
    version: 1,
    createdAt: '2026-03-01T08:00:00Z',
    expiresAt: '2026-03-08T08:00:00Z',
    taskTokens: ['t'],
    outbox: 'answer',
  };
  await write(table, 'c', [{ sk: key.callback(id), put: row }]);
}
const leftOf = async (id: string) => Object.keys((await readRow(table, 'c', key.callback(id)))!);

test.each<[ClosedStatus, boolean]>([
  ['answered', true],
  ['expired', true],
  // An execution that has been stopped may ask late: the sub-agent or the provider is still told.
  ['cancelled', false],
])('the task tokens of a callback that is %s go when an execution is resumed: %s (R258)', async (status, isDropped) => {
  await closed(status, status);
  expect(await dropTokens(table, 'c', status)).toBe(isDropped);
  expect((await leftOf(status)).includes('outbox')).toBe(!isDropped);
});
