import { canonical, digestOf } from '../../../core/conversations/calls/approved';
import { readCall } from '../../../core/conversations/calls/call';
import { key } from '../../../core/conversations/rows/keys';
import { callRow, type StoredCall, StoredCallback } from '../../../core/conversations/rows/rows';
import { readRow, write } from '../../../core/conversations/store/table';
import { runTool } from '../../../core/machines/loop/run-tool';
import { storedCall } from '../../../test/support/page/rows';
import { booksOf } from '../../../test/support/stories/bank';
import { tableOfTests } from '../../../test/support/tables/table';
import { transfer } from '../transfer';
import { accountOf } from './store';

// What agents may transfer without an approval, whatever they do beside one another.

const now = new Date('2030-03-10T12:00:00Z');
const power = 'City Power and Water';
const conversation = 'allowance';

describe('transfers that nobody has approved (R145)', () => {
  const table = tableOfTests();

  const callOf = (user: string, cents: number, run: string, index = 0, to = power): StoredCall =>
    storedCall(`${run}.00001.${String(index).padStart(2, '0')}`, now.toISOString(), {
      user,
      agent: 'a',
      runId: run,
      index,
      kind: 'function',
      arguments: { to, amount_cents: cents, purpose: '' },
    });
  async function made(call: StoredCall, at = now): Promise<string> {
    await write(table, conversation, [{ sk: key.call(call.id), put: callRow(call) }]);
    return made.again(call, at);
  }
  made.again = ({ id: callId, runId }: StoredCall, at = now): Promise<string> =>
    runTool({ table, now: () => at, failed: (error) => void failures.push(error) }, transfer, {
      conversationId: conversation,
      runId,
      callId,
    });
  const asked = async ({ id }: StoredCall) =>
    StoredCallback.parse(await readRow(table, conversation, key.callback(id)));

  const failures: Error[] = [];
  test('30 runs beside one another: what would pass the sum of a day waits for a person, to the cent', async () => {
    await accountOf(table, 'racer', now);
    const calls = Array.from({ length: 30 }, (_, index) => callOf('racer', 10_000, `race${index}`));
    const statuses = await Promise.all(calls.map((call) => made(call)));
    expect(statuses.filter((status) => status === 'completed')).toHaveLength(10);
    expect(statuses.filter((status) => status === 'waiting')).toHaveLength(20);
    const books = await booksOf(table, 'racer');
    expect([books.moved, books.addsUp]).toEqual([Array(10).fill(-10_000), true]);
    const waiting = calls[statuses.indexOf('waiting')]!;
    expect(await asked(waiting)).toMatchObject({
      kind: 'approval',
      status: 'pending',
      tool: 'transfer',
      decider: 'user:racer',
      prompt:
        'Send $100.00 to "City Power and Water" (outside the bank)? The tool says: "With it, $1,100.00 would be transferred in 24 hours without an approval."',
    });
    // It has not failed, so nothing is logged as a failure.
    expect(failures).toEqual([]);
    // An attempt that comes late finds the question and moves nothing.
    expect(await made.again(waiting)).toBe('waiting');
    const tomorrow = new Date(now.getTime() + 86_400_001);
    expect(await made(callOf('racer', 10_000, 'later'), tomorrow)).toBe('completed');
  });

  test('a run that splits a sum is asked, too', async () => {
    await accountOf(table, 'splitter', now);
    const split = (index: number) => made(callOf('splitter', 20_000, 'split', index));
    expect([await split(0), await split(1), await split(2)]).toEqual(['completed', 'completed', 'waiting']);
    expect(await made(callOf('splitter', 20_000, 'other'))).toBe('completed');
  });

  test('the first payment to a receiver is asked about, the next one is not', async () => {
    await accountOf(table, 'newcomer', now);
    const first = callOf('newcomer', 100, 'first', 0, 'Mallory');
    expect(await made(first)).toBe('waiting');
    expect(await asked(first)).toMatchObject({
      prompt:
        'Send $1.00 to "Mallory" (outside the bank)? The tool says: "This is the first payment to this receiver."',
    });
    const approved = { ...callOf('newcomer', 100, 'approved', 0, 'Mallory'), callbackId: 'approved.00001.00' };
    expect(await made(approved)).toBe('completed');
    expect(await made(callOf('newcomer', 100, 'next', 0, ' MALLORY '))).toBe('completed');
  });

  test('what was approved does not count, nor what was taken back', async () => {
    await accountOf(table, 'approver', now);
    const approved = { ...callOf('approver', 40_000, 'big'), callbackId: 'big.00001.00' };
    expect(await made(approved)).toBe('completed');
    expect(await made(callOf('approver', 50_000, 'one'))).toBe('completed');
    expect(await made(callOf('approver', 50_000, 'two'))).toBe('completed');
    expect(await made(callOf('approver', 1, 'three'))).toBe('waiting');
  });

  test('only what was approved runs: not other arguments, nor the same through another schema (R146)', async () => {
    await accountOf(table, 'digest', now);
    const digest = digestOf(canonical(transfer.input, { to: power, amount_cents: 100, purpose: '' })!);
    const reordered = { ...callOf('digest', 100, 'same'), approved: digest };
    expect(await made({ ...reordered, arguments: { purpose: '', amount_cents: 100, to: ` ${power} ` } })).toBe(
      'completed',
    );
    const other = { ...callOf('digest', 200, 'other'), approved: digest };
    expect(await made(other)).toBe('failed');
    expect((await readCall(table, conversation, other.id))!.error).toMatch(/^The tool has changed since/);
    expect((await booksOf(table, 'digest')).moved).toEqual([-100]);
  });

  test('a receiver with characters that cannot be seen is refused (R146)', () => {
    for (const to of ['Ada\u202e4321', 'Ada\u200b', 'Ada\u0007', 'Ada\u{e0041}'])
      expect(transfer.input.safeParse({ to, amount_cents: 1, purpose: '' }).success).toBe(false);
  });
});
