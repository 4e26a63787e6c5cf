import * as fc from 'fast-check';
import type { CallStatus } from '../../../core/base/state/schemas';
import { readCallsOfRun } from '../../../core/conversations/calls/call';
import { key } from '../../../core/conversations/rows/keys';
import { callRow, type StoredCall } from '../../../core/conversations/rows/rows';
import { write } from '../../../core/conversations/store/table';
import { runTool, type ToolRuntime } from '../../../core/machines/loop/run-tool';
import { undoTool } from '../../../core/machines/rollback/undo-tool';
import { isLong } from '../../../test/support/long';
import { storedCall } from '../../../test/support/page/rows';
import { booksOf, payeesBooks } from '../../../test/support/stories/bank';
import { mortal } from '../../../test/support/tables/mortal-table';
import { tableOfTests } from '../../../test/support/tables/table';
import { transfer } from '../transfer';
import { accountOf } from './store';

const now = new Date('2030-03-10T12:00:00Z');
const accounts = 20;
const payees = ['Ada', 'Bob', 'Cleo'];
/** `npm run test:all` makes a thousand transfers. */
const runs = isLong ? 4 : 1;
const transfersPerRun = isLong ? 250 : 100;
const atOnce = 16;
const conversation = 'transfers';

/** Where an attempt dies: at its nth request to the table, which may have taken effect or not. */
const Death = fc.record({ nth: fc.integer({ min: 1, max: 7 }), when: fc.constantFrom('before', 'after') });
const Transfer = fc.record({
  from: fc.nat(accounts - 1),
  to: fc.oneof({ weight: 4, arbitrary: fc.nat(accounts - 1) }, { weight: 1, arbitrary: fc.constantFrom(...payees) }),
  // Some amounts exceed the balance.
  cents: fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 100_000, max: 5_000_000 })),
  deaths: fc.array(Death, { maxLength: 3 }),
  /** The number of concurrent attempts: a late one next to its successor. */
  twins: fc.constantFrom(1, 1, 1, 2),
  undone: fc.constantFrom(false, false, false, true),
  undoDeaths: fc.array(Death, { maxLength: 2 }),
});
type Transfer = typeof Transfer extends fc.Arbitrary<infer T> ? T : never;

/** Prints only the seed, which reproduces the plan. */
function reporter({ failed, seed, counterexamplePath, errorInstance }: fc.RunDetails<[Transfer[]]>): void {
  if (failed) throw new Error(`With the seed ${seed}, path ${counterexamplePath}`, { cause: errorInstance });
}

describe('M11 transfers on the real table engine (R27, R67)', () => {
  const table = tableOfTests();
  let serial = 0;

  test('many at once, with deaths, retries, twins and reversals: no cent is lost or made, each happens once', async () => {
    const plans = fc.array(Transfer, { minLength: transfersPerRun, maxLength: transfersPerRun });
    await fc.assert(fc.asyncProperty(plans, holds), { numRuns: runs, endOnFailure: true, reporter });
  }, 600_000);

  test('16 at once out of one account come one after the other: none fails, none is tried again', async () => {
    const customer = 'one customer';
    const { balanceCents } = await accountOf(table, customer, now);
    const calls = Array.from({ length: 16 }, (_, index) => callOf(customer, 'Ada', 1_000 + index, `many.${index}`));
    await queue(calls);
    const run = ({ id }: StoredCall) =>
      runTool({ table, now: () => now }, transfer, { conversationId: conversation, runId: 'run', callId: id });
    expect(await Promise.all(calls.map(run))).toEqual(Array(16).fill('completed'));
    const books = await booksOf(table, customer);
    expect([books.addsUp, books.moved.length]).toEqual([true, 16]);
    expect(books.balanceCents).toBe(balanceCents - 16 * 1_000 - 120);
  });

  test('what was received and spent stays where it is: the receiver is not overdrawn (R88, R145)', async () => {
    const [a, b] = await Promise.all(['sender', 'spender'].map((customer) => accountOf(table, customer, now)));
    const calls = [
      callOf('sender', b!.number, 40_000, 'spent.0'),
      callOf('spender', 'Ada', b!.balanceCents + 1, 'spent.1'),
    ];
    await queue(calls);
    const bench: ToolRuntime = { table, now: () => now };
    const request = (callId: string) => ({ conversationId: conversation, runId: 'run', callId });
    for (const { id } of calls) expect(await runTool(bench, transfer, request(id))).toBe('completed');
    const undo = undoTool(bench, transfer, request('spent.0'));
    await expect(undo).rejects.toMatchObject({
      name: 'ToolTerminal',
      message: expect.stringContaining('no longer has'),
    });
    const [sender, spender] = await Promise.all(['sender', 'spender'].map((customer) => booksOf(table, customer)));
    expect([sender!.balanceCents, spender!.balanceCents]).toEqual([a!.balanceCents - 40_000, 39_999]);
    expect([sender!.addsUp, spender!.addsUp]).toEqual([true, true]);
  });

  const queue = (calls: StoredCall[]) =>
    write(
      table,
      conversation,
      calls.map((call) => ({ sk: key.call(call.id), put: callRow(call) })),
    );

  async function holds(plan: Transfer[]): Promise<void> {
    const customers = Array.from({ length: accounts }, (_, index) => `customer ${++serial} ${index}`);
    const opened = await Promise.all(customers.map((customer) => accountOf(table, customer, now)));
    const run = ++serial;
    const queued = plan.map((one, index) => {
      const to = typeof one.to === 'number' ? opened[one.to]!.number : one.to;
      return callOf(customers[one.from]!, to, one.cents, `run${run}.${String(index).padStart(5, '0')}`);
    });
    for (let at = 0; at < queued.length; at += 50) await queue(queued.slice(at, at + 50));
    await inPool(plan, (one, index) => make(one, queued[index]!.id));
    const calls = await readCallsOfRun(table, conversation, `run${run}`);
    expect(calls).toHaveLength(plan.length);

    const ofCustomers = await Promise.all(customers.map((customer) => booksOf(table, customer)));
    const ofPayees = await Promise.all(
      customers.flatMap((customer) => payees.map((payee) => payeesBooks(table, customer, payee))),
    );
    const all = [...ofCustomers, ...ofPayees];
    expect(all.filter(({ addsUp }) => !addsUp)).toEqual([]);
    const sum = (list: { balanceCents: number }[]) => list.reduce((total, one) => total + one.balanceCents, 0);
    expect(sum(all)).toBe(sum(opened));

    const entries = new Map<string, number[]>();
    for (const { callId = '', amountCents } of all.flatMap((one) => one.entries))
      entries.set(callId, [...(entries.get(callId) ?? []), amountCents]);
    for (const { id, status, arguments: args } of calls) {
      const cents = (args as { amount_cents: number }).amount_cents;
      const amounts = (callId: string) => (entries.get(callId) ?? []).sort((a, b) => a - b);
      const once = [-cents, cents];
      expect([status, amounts(id), amounts(`${id}.undone`)]).toEqual([
        expect.stringMatching(/^(completed|undone|failed)$/),
        status === 'failed' ? [] : once,
        status === 'undone' ? once : [],
      ]);
    }
    const count = (status: string) => calls.filter((call) => call.status === status).length;
    expect(count('completed')).toBeGreaterThan(plan.length / 4);
    expect(count('undone')).toBeGreaterThan(0);
    expect(count('failed')).toBeGreaterThan(0);
  }

  /** Attempts a call until it is settled, and perhaps undoes it. Another attempt follows each one that dies. */
  async function make({ deaths, twins, undone, undoDeaths }: Transfer, callId: string): Promise<void> {
    const request = { conversationId: conversation, runId: 'run', callId };
    async function until(tool: typeof runTool | typeof undoTool, over: CallStatus[], dying: typeof deaths) {
      for (let tries = 0; tries < 30; tries++) {
        const attempts = Array.from({ length: twins }, (_, twin) => {
          const death = dying[tries + twin];
          const bench: ToolRuntime = { table: death ? mortal(table, death) : table, now: () => now };
          return tool(bench, transfer, request).catch(({ name }: Error) =>
            name === 'ToolTerminal' ? 'completed' : undefined,
          );
        });
        const status = (await Promise.all(attempts)).find((one) => one && over.includes(one));
        if (status) return status;
      }
      throw new Error(`${callId} does not come to an end.`);
    }
    const status = await until(runTool, ['completed', 'failed'], deaths);
    // A receiver who has spent the money keeps it.
    if (undone && status === 'completed') await until(undoTool, ['undone', 'completed'], undoDeaths);
  }
});

/** A transfer that a person has approved. */
const callOf = (user: string, to: string, cents: number, id: string): StoredCall =>
  storedCall(id, now.toISOString(), {
    modelCallId: id,
    user,
    agent: 'account-manager',
    runId: 'run',
    arguments: { to, amount_cents: cents, purpose: '' },
    callbackId: id,
  });

async function inPool<In>(list: In[], work: (one: In, index: number) => Promise<void>): Promise<void> {
  const next = list.entries();
  const worker = async () => {
    for (const [index, one] of next) await work(one, index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
