import * as z from 'zod';
import { countedTable } from '../../test/support/tables/counted-table';
import { mortal } from '../../test/support/tables/mortal-table';
import { callLook, look, stepsIn } from '../../test/support/tables/steps';
import { tableOfTests } from '../../test/support/tables/table';
import { defaultRetry, type FunctionTool } from '../agent/tool';
import { callIdOf, readCall, startAttempt } from '../calls/call';
import { cancelSegment } from '../conversation/cancel';
import { deleteConversation } from '../conversation/delete';
import type { Table } from '../store/table';
import { ToolFailed } from '../text/errors';
import { runTool } from './run-tool';

// The first attempt of a `read` tool that succeeds at once is claimed by the write of its outcome.

const start = new Date('2026-03-01T08:00:00Z');

describe('the first attempt of a tool that only reads (R184)', () => {
  const table = tableOfTests();
  const steps = stepsIn(table, start);

  async function givenCall() {
    const { id, at } = await steps.given();
    await steps.commit(at, await steps.begin(at), callLook);
    const callId = callIdOf(at.runId, 1, 0);
    return { id, at, callId, row: () => readCall(table, id, callId) };
  }
  type Given = Awaited<ReturnType<typeof givenCall>>;

  /** Runs an attempt. Each look at the time is a second later. */
  function run(
    { id, at, callId }: Given,
    changes: Partial<FunctionTool> = {},
    retries: number | null = 0,
    of: Table = table,
  ) {
    let time = start.getTime();
    const now = () => {
      time += 1_000;
      return new Date(time);
    };
    const request = { conversationId: id, runId: at.runId, callId, retries: retries ?? undefined };
    return runTool({ table: of, now }, { ...look, ...changes } as FunctionTool, request);
  }

  test('costs one write if it succeeds at once, and the row says all the same what it was', async () => {
    const given = await givenCall();
    const counted = countedTable(table);
    expect(await run(given, { retry: defaultRetry }, 0, counted.table)).toBe('completed');
    expect([...counted.units()]).toEqual([['Update CALL', 1]]);
    expect(await given.row()).toMatchObject({
      ...{ status: 'completed', result: 'seen', attempts: 1, attemptsAtMost: 5 },
      ...{ startedAt: '2026-03-01T08:00:01.000Z', attemptAt: '2026-03-01T08:00:01.000Z' },
      completedAt: '2026-03-01T08:00:03.000Z',
    });
    // A repeated invocation finds the outcome.
    expect(await run(given, { execute: async () => 'seen again' })).toBe('completed');
    expect(await given.row()).toMatchObject({ result: 'seen', attempts: 1 });
  });

  test('is shown as running when it takes longer than a second', async () => {
    const given = await givenCall();
    const execute = async () => {
      for (let look = 0; look < 600; look++) {
        const row = await given.row();
        if (row?.status === 'running') return { attempts: row.attempts };
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return 'never running';
    };
    expect(await run(given, { execute })).toBe('completed');
    expect(await given.row()).toMatchObject({ status: 'completed', attempts: 1, result: { attempts: 1 } });
  });

  test('that fails is claimed before its failure is noted', async () => {
    const given = await givenCall();
    const fails = async () => {
      throw new ToolFailed('Closed.');
    };
    await expect(run(given, { execute: fails })).rejects.toThrow('Closed.');
    expect(await given.row()).toMatchObject({
      status: 'queued',
      attempts: 1,
      failedAttempts: [{ attempt: 1, error: 'Closed.' }],
    });
    expect(await run(given, {}, 1)).toBe('completed');
    expect(await given.row()).toMatchObject({ attempts: 2, failedAttempts: [{ attempt: 1 }] });
  });

  test('whose result does not fit its schema has failed, as the first attempt', async () => {
    const given = await givenCall();
    expect(await run(given, { output: z.number() })).toBe('failed');
    expect(await given.row()).toMatchObject({ status: 'failed', attempts: 1 });
  });

  test.each(['succeeds', 'fails'])('of a run that is cancelled meanwhile stores nothing when it %s', async (how) => {
    const given = await givenCall();
    const execute = async () => {
      await cancelSegment(table, new Map(), given.at, 'Stopped.', start);
      if (how === 'fails') throw new ToolFailed('Closed.');
      return 'late';
    };
    expect(await run(given, { execute })).toBe('cancelled');
    const row = await given.row();
    expect(row).toMatchObject({ status: 'cancelled', error: 'Stopped.', attempts: 0 });
    expect([row?.result, row?.failedAttempts]).toEqual([undefined, undefined]);
  });

  test('in a conversation that is deleted meanwhile leaves no row that stays', async () => {
    const given = await givenCall();
    const execute = async () => {
      await deleteConversation(table, new Map(), given.id, 'ada', start);
      return 'late';
    };
    expect(await run(given, { execute })).toBe('cancelled');
    expect((await given.row())?.ttl).toBeGreaterThan(0);
  });

  test('beside another one settles the call once', async () => {
    const given = await givenCall();
    const execute = async () => {
      await startAttempt(table, given.id, given.callId, { effect: 'read' }, start);
      return 'mine';
    };
    expect(await run(given, { execute })).toBe('completed');
    expect(await given.row()).toMatchObject({ status: 'completed', result: 'mine', attempts: 2 });
    const other = await givenCall();
    const overtaken = async () => {
      await run(other, { execute: async () => 'the other one' });
      return 'mine';
    };
    expect(await run(other, { execute: overtaken })).toBe('completed');
    expect(await other.row()).toMatchObject({ result: 'the other one', attempts: 1 });
  });

  test.each([
    ['before', 'queued', 1],
    ['after', 'completed', 1],
  ])('whose process dies %s its one write is repeated by a retry, which claims first', async (when, left, attempts) => {
    const given = await givenCall();
    // The first request reads the call.
    const dying = mortal(table, { nth: 2, when });
    await expect(run(given, {}, 0, dying)).rejects.toThrow('This process is dead.');
    expect(await given.row()).toMatchObject({ status: left });
    const counted = countedTable(table);
    expect(await run(given, {}, 1, counted.table)).toBe('completed');
    expect([...counted.units()]).toEqual(left === 'queued' ? [['Update CALL', 2]] : []);
    expect(await given.row()).toMatchObject({ status: 'completed', attempts, result: 'seen' });
  });

  test('whose answer was lost is known, and does not run again', async () => {
    const given = await givenCall();
    let [lost, runs] = [false, 0];
    const send = async (command: { constructor: { name: string } }) => {
      const answer = await table.client.send(command as never);
      if (lost || command.constructor.name !== 'UpdateCommand') return answer;
      lost = true;
      throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
    };
    const losing = { ...table, client: { send } as unknown as Table['client'] };
    expect(await run(given, { execute: async () => ++runs }, 0, losing)).toBe('completed');
    expect([lost, runs, (await given.row())?.attempts]).toEqual([true, 1, 1]);
  });

  test.each([
    ['has an effect', { effect: 'idempotent' }, 0],
    ['brings what strangers have written', { source: 'web' }, 0],
    ['is retried', {}, 1],
    ['is called by an execution of an earlier version', {}, null],
  ])('is claimed before the tool runs if it %s', async (_which, changes, retries) => {
    const given = await givenCall();
    const execute = async () => (await given.row())?.status;
    await run(given, { ...(changes as Partial<FunctionTool>), execute }, retries);
    expect(await given.row()).toMatchObject({ result: 'running', attempts: 1 });
  });
});
