import { isWrite, overtaken } from '../../../test/support/tables/mortal-table';
import { callLook, stepsIn } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { viewConversation } from '../../people/views/view';
import { defaultRetry } from '../agent/tool';
import { cancelSegment } from '../conversation/cancel';
import { readLog } from '../runs/log';
import { readMeta } from '../store/table';
import { callIdOf, noteFailedAttempt, readCall, startAttempt } from './call';
import { settleCall } from './settle';

const now = new Date('2026-03-01T08:00:00Z');

describe('the calls of a step', () => {
  const table = tableOfTests();
  const steps = stepsIn(table, now);

  async function givenCall() {
    const { id, at } = await steps.given();
    await steps.commit(at, await steps.begin(at), callLook);
    return { id, callId: callIdOf(at.runId, 1, 0) };
  }

  test('are settled once: a second attempt finds the outcome (R27)', async () => {
    const { id, callId } = await givenCall();
    const { call } = await startAttempt(table, id, callId, { effect: 'idempotent' }, now);
    expect(
      await settleCall(
        table,
        id,
        call,
        { status: 'completed', result: 1 },
        { effect: { messages: [{ role: 'assistant', text: 'Ding' }] } },
      ),
    ).toBe(true);
    expect(
      await settleCall(
        table,
        id,
        call,
        { status: 'completed', result: 2 },
        { effect: { messages: [{ role: 'assistant', text: 'Dong' }] } },
      ),
    ).toBe(false);
    expect(await startAttempt(table, id, callId, { effect: 'idempotent' }, now)).toMatchObject({
      claimed: false,
      call: { result: 1 },
    });
    const texts = (await viewConversation(table, id, 'ada')).messages.map(({ text }) => text);
    expect(texts).toEqual(['Hello', '', 'Ding']);
  });

  test('a late word of the attempt before does not cost the next one (R22)', async () => {
    const { id, callId } = await givenCall();
    const { call } = await startAttempt(table, id, callId, { effect: 'read' }, now);
    // It arrives between the next attempt's read and its claim.
    const of = { event: 'retry', tool: { effect: 'read' } } as const;
    const late = overtaken(table, isWrite, () => noteFailedAttempt(table, id, call, { error: 'Too slow.', now }, of));
    const next = await startAttempt(late, id, callId, { effect: 'read' }, now);
    expect(next).toMatchObject({ claimed: true, call: { attempts: 2, failedAttempts: [{ error: 'Too slow.' }] } });
  });

  test('are tried again under one id, and only the latest attempt may settle (R22)', async () => {
    const { id, callId } = await givenCall();
    const first = await startAttempt(table, id, callId, { effect: 'read' }, now);
    const second = await startAttempt(table, id, callId, { effect: 'read', retry: defaultRetry }, now);
    expect(second.call).toMatchObject({ attempts: 2, attemptsAtMost: 5 });
    expect(await settleCall(table, id, first.call, { status: 'completed', result: 'old' })).toBe(false);
    expect(await settleCall(table, id, second.call, { status: 'completed', result: 'new' })).toBe(true);
  });

  test('of a `once` tool whose attempt died are never repeated: the outcome is unknown (R111)', async () => {
    const { id, callId } = await givenCall();
    await startAttempt(table, id, callId, { effect: 'once' }, now);
    expect(await startAttempt(table, id, callId, { effect: 'once' }, now)).toMatchObject({ claimed: false });
    expect(await readCall(table, id, callId)).toMatchObject({ status: 'unknown', attempts: 1 });
  });

  test('that a process gave up on after it surely had no effect are failed, not unknown (R111)', async () => {
    const { id, callId } = await givenCall();
    const { call } = await startAttempt(table, id, callId, { effect: 'once' }, now);
    await noteFailedAttempt(
      table,
      id,
      call,
      { error: 'Busy.', now: new Date() },
      { event: 'retry', tool: { effect: 'once' } },
    );
    expect(await readCall(table, id, callId)).toMatchObject({ status: 'queued', error: 'Busy.', attempts: 1 });
  });

  test.each([
    ['a large number', { id: 12345678901234567000, tiny: 1e-200 }],
    ['deep nesting', JSON.parse('['.repeat(60) + ']'.repeat(60))],
    ['nothing', null],
  ])('keep %s as it came', async (_what, result) => {
    const { id, callId } = await givenCall();
    const { call } = await startAttempt(table, id, callId, { effect: 'read' }, now);
    expect(await settleCall(table, id, call, { status: 'completed', result })).toBe(true);
    expect((await readLog(table, id)).calls[0]?.result).toEqual(result);
  });

  test('of a run that was cancelled are closed with it: a late tool finds nothing to do (R88)', async () => {
    const { id, callId } = await givenCall();
    const { run } = (await readMeta(table, id))!;
    const at = { conversationId: id, runId: run!.id, segment: 1, step: 1 };
    expect(await cancelSegment(table, new Map(), at, 'Stopped.', now)).toBe(true);
    expect(await startAttempt(table, id, callId, { effect: 'read' }, now)).toMatchObject({
      claimed: false,
      call: { status: 'cancelled', error: 'Stopped.' },
    });
  });

  test("with a result over the tool's limit keep the beginning, and say so", async () => {
    const { id, callId } = await givenCall();
    const { call } = await startAttempt(table, id, callId, { effect: 'read' }, now);
    await settleCall(table, id, call, { status: 'completed', result: 'ä'.repeat(50_000) }, { maxResultBytes: 20_000 });
    const kept = (await readLog(table, id)).calls[0]?.wholeResult as string;
    expect(kept).toMatch(
      /^ä{9000,}\n\[Cut here: the result has 100002 bytes, and at most 20000 of this tool's result are kept\.\]$/,
    );
  });
});
