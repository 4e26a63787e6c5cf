import * as z from 'zod';
import { startTable } from '../../test/support/table';
import { defineAgent } from '../agent';
import { decide, type Reply } from '../decide';
import { noUsage } from '../schemas';
import { defineTool } from '../tool';
import { callIdOf, noteFailedAttempt, readCall, settleCall, startAttempt } from './call';
import { appendMessage, createConversation } from './conversation';
import { readLog } from './log';
import { limitRun, nextSegment, segmentOf, settleRun } from './run';
import { beginStep, commitStep, flushText } from './step';
import { readMeta, type Table } from './table';
import { viewConversation } from './view';

const now = new Date('2026-03-01T08:00:00Z');
const look = defineTool({
  name: 'look',
  description: 'Looks.',
  input: z.object({}),
  output: z.unknown(),
  effect: 'read',
  execute: async () => 'seen',
});
const agent = defineAgent({ name: 'tester', purpose: 'Tests', instructions: 'Test.', model: 'm', tools: [look] });
const callTool: Reply = { text: '', toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }] };

describe('a step in the table', () => {
  let table: Table & { stop(): Promise<void> };
  let serial = 0;
  beforeAll(async () => {
    table = await startTable();
  });
  afterAll(() => table.stop());

  /** A conversation with one message, and where its first step goes. */
  async function given() {
    const id = `s${++serial}`;
    const { meta } = await createConversation(table, { id, user: 'ada', agent: 'tester', text: 'Hello' }, now);
    return { id, at: { ...segmentOf(meta)!.input, step: 1 } };
  }
  type At = Awaited<ReturnType<typeof given>>['at'];
  const begin = async (at: At, writer = 'w1') => {
    const begun = await beginStep(table, at, { agent, writer, now });
    if (begun.kind !== 'begun') throw new Error(begun.kind);
    return begun.draft;
  };
  const decided = (at: At, reply: Reply) => decide(agent, reply, { ...at, user: 'ada', now, knownIds: new Set() });
  const commit = (at: At, draft: Awaited<ReturnType<typeof begin>>, reply: Reply) =>
    commitStep(table, at, draft, {
      agent,
      decision: decided(at, reply),
      usage: { ...noUsage, modelCalls: 1 },
      now,
    });

  test('R17 a stored step answers from the store, and is not begun again', async () => {
    const { at } = await given();
    const committed = await commit(at, await begin(at), callTool);
    expect(committed).toMatchObject({ kind: 'committed', next: { next: 'tool:look', step: 1 } });
    expect(await beginStep(table, at, { agent, writer: 'w2', now })).toEqual({
      kind: 'stored',
      next: (committed as { next: object }).next,
    });
  });

  test('R29 a second attempt takes the place of a half-written message; the first can write no more', async () => {
    const { id, at } = await given();
    const first = await begin(at, 'w1');
    expect(await flushText(table, at, first, 'Half a sen')).toBe(true);
    const second = await begin(at, 'w2');
    expect(second.seq).toBe(first.seq);
    expect(await flushText(table, at, first, 'Half a sentence more')).toBe(false);
    // It must not look like an end: it may be the one that the state machine listens to.
    await expect(commit(at, first, { text: 'From the dead', toolCalls: [] })).rejects.toMatchObject({
      name: 'Superseded',
    });
    await commit(at, second, { text: 'Whole.', toolCalls: [] });
    const { messages, run } = await viewConversation(table, id, 'ada');
    expect(messages.map(({ text, status }) => [text, status])).toEqual([
      ['Hello', 'complete'],
      ['Whole.', 'complete'],
    ]);
    expect(run).toMatchObject({ status: 'done', usage: { modelCalls: 1 } });
  });

  test('R61 a run does not end while a message waits: one that comes during the last model call is taken up', async () => {
    const { id, at } = await given();
    const draft = await begin(at);
    await appendMessage(table, id, { user: 'ada', text: 'And one more thing' }, now);
    expect(await commit(at, draft, { text: 'Bye.', toolCalls: [] })).toMatchObject({ next: { next: 'again' } });
    const next = { ...at, step: 2 };
    const answer = await commit(next, await begin(next), { text: 'That, too.', toolCalls: [] });
    expect(answer).toMatchObject({ next: { next: 'done' } });
    const { messages } = await viewConversation(table, id, 'ada');
    expect(messages.map(({ text }) => text)).toEqual(['Hello', 'Bye.', 'And one more thing', 'That, too.']);
  });

  test('R64 a message is pending until a model call takes it up', async () => {
    const { id, at } = await given();
    expect((await viewConversation(table, id, 'ada')).messages[0]).toMatchObject({ status: 'pending', version: 1 });
    await begin(at);
    expect((await viewConversation(table, id, 'ada')).messages).toMatchObject([
      { status: 'complete', version: 2 },
      { status: 'streaming', role: 'assistant', author: 'tester' },
    ]);
  });

  test('a segment that handed over is fenced off; asked again it says the same', async () => {
    const { at } = await given();
    const last = { ...at, step: 0 };
    const handed = await nextSegment(table, last, now);
    expect(handed).toMatchObject({ next: 'continue', segment: 2, step: 0, execution: `${at.runId}-2` });
    expect(await nextSegment(table, last, now)).toEqual(handed);
    expect(await beginStep(table, at, { agent, writer: 'w', now })).toEqual({ kind: 'fenced' });
    const next = { ...at, segment: 2 };
    await begin(next);
    expect(await nextSegment(table, last, now)).toMatchObject({ next: 'done' });
  });

  test('R9 R61 a run does not end at its limit while a message waits that came in this very moment', async () => {
    const { id, at } = await given();
    await commit(at, await begin(at), { text: '', toolCalls: [] });
    await appendMessage(table, id, { user: 'ada', text: 'One more' }, now);
    expect(await limitRun(table, at, 'Enough.', now)).toMatchObject({ next: 'again' });
    const next = { ...at, step: 2 };
    await commit(next, await begin(next), { text: '', toolCalls: [] });
    expect(await limitRun(table, next, 'Enough.', now)).toMatchObject({ next: 'done' });
    expect((await viewConversation(table, id, 'ada')).run).toMatchObject({ status: 'limited', reason: 'Enough.' });
  });

  test('a run whose execution failed ends with the reason and its half-written message says so; too late changes nothing', async () => {
    const { id, at } = await given();
    await flushText(table, at, await begin(at), 'Half.');
    const failed = { status: 'failed' as const, reason: 'The model is down.' };
    expect(await settleRun(table, at, failed, now)).toBe(true);
    expect(await settleRun(table, at, failed, now)).toBe(false);
    const view = await viewConversation(table, id, 'ada');
    expect(view).toMatchObject({ status: 'failed', run: { status: 'failed', reason: 'The model is down.' } });
    expect(view.messages.at(-1)).toMatchObject({ status: 'error', text: 'Half.' });
    await appendMessage(table, id, { user: 'ada', text: 'Again' }, now);
    expect(await settleRun(table, at, failed, now)).toBe(false);
    expect((await readMeta(table, id))?.run?.status).toBe('running');
  });

  describe('its calls', () => {
    async function givenCall() {
      const { id, at } = await given();
      await commit(at, await begin(at), callTool);
      return { id, callId: callIdOf(at.runId, 1, 0) };
    }

    test('R27 are settled once: a second attempt finds the outcome', async () => {
      const { id, callId } = await givenCall();
      const { call } = await startAttempt(table, id, callId, { effect: 'idempotent', now });
      expect(
        await settleCall(
          table,
          id,
          call,
          { status: 'completed', result: 1 },
          { messages: [{ role: 'assistant', text: 'Ding' }] },
        ),
      ).toBe(true);
      expect(
        await settleCall(
          table,
          id,
          call,
          { status: 'completed', result: 2 },
          { messages: [{ role: 'assistant', text: 'Dong' }] },
        ),
      ).toBe(false);
      expect(await startAttempt(table, id, callId, { effect: 'idempotent', now })).toMatchObject({
        claimed: false,
        call: { result: 1 },
      });
      const texts = (await viewConversation(table, id, 'ada')).messages.map(({ text }) => text);
      expect(texts).toEqual(['Hello', '', 'Ding']);
    });

    test('R22 are tried again under one id, and only the latest attempt may settle', async () => {
      const { id, callId } = await givenCall();
      const first = await startAttempt(table, id, callId, { effect: 'read', now });
      const second = await startAttempt(table, id, callId, { effect: 'read', now });
      expect(second.call.attempts).toBe(2);
      expect(await settleCall(table, id, first.call, { status: 'completed', result: 'old' })).toBe(false);
      expect(await settleCall(table, id, second.call, { status: 'completed', result: 'new' })).toBe(true);
    });

    test('R111 of a `once` tool whose attempt died are never repeated: the outcome is unknown', async () => {
      const { id, callId } = await givenCall();
      await startAttempt(table, id, callId, { effect: 'once', now });
      expect(await startAttempt(table, id, callId, { effect: 'once', now })).toMatchObject({ claimed: false });
      expect(await readCall(table, id, callId)).toMatchObject({ status: 'unknown', attempts: 1 });
    });

    test('R111 that a process gave up on after it surely had no effect are failed, not unknown', async () => {
      const { id, callId } = await givenCall();
      const { call } = await startAttempt(table, id, callId, { effect: 'once', now });
      await noteFailedAttempt(table, id, call, 'Busy.', true);
      expect(await readCall(table, id, callId)).toMatchObject({ status: 'queued', error: 'Busy.', attempts: 1 });
    });

    test.each([
      ['a large number', { id: 12345678901234567000, tiny: 1e-200 }],
      ['deep nesting', JSON.parse('['.repeat(60) + ']'.repeat(60))],
      ['nothing', null],
    ])('keep %s as it came', async (_what, result) => {
      const { id, callId } = await givenCall();
      const { call } = await startAttempt(table, id, callId, { effect: 'read', now });
      expect(await settleCall(table, id, call, { status: 'completed', result })).toBe(true);
      expect((await readLog(table, id)).calls[0]?.result).toEqual(result);
    });

    test('R88 of a run that was cancelled are closed with it: a late tool finds nothing to do', async () => {
      const { id, callId } = await givenCall();
      const { run } = (await readMeta(table, id))!;
      const at = { conversationId: id, runId: run!.id, segment: 1, step: 1 };
      await settleRun(table, at, { status: 'cancelled', reason: 'Stopped.' }, now);
      expect(await startAttempt(table, id, callId, { effect: 'read', now })).toMatchObject({
        claimed: false,
        call: { status: 'cancelled', error: 'Stopped.' },
      });
    });

    test('with a large result keep it whole, compressed and apart; the page gets its head', async () => {
      const { id, callId } = await givenCall();
      const { call } = await startAttempt(table, id, callId, { effect: 'read', now });
      const result = Array.from({ length: 120_000 }, () => Math.random().toString(36).slice(2, 14)).join('');
      await settleCall(table, id, call, { status: 'completed', result }, { maxResultBytes: 4_000_000 });
      expect((await readLog(table, id)).calls[0]?.wholeResult).toBe(result);
      const [shown] = (await viewConversation(table, id, 'ada')).calls;
      expect(String(shown?.result).length).toBeLessThan(3_000);
    });

    test("with a result over the tool's limit keep the beginning, and say so", async () => {
      const { id, callId } = await givenCall();
      const { call } = await startAttempt(table, id, callId, { effect: 'read', now });
      await settleCall(
        table,
        id,
        call,
        { status: 'completed', result: 'ä'.repeat(50_000) },
        { maxResultBytes: 20_000 },
      );
      const kept = (await readLog(table, id)).calls[0]?.wholeResult as string;
      expect(kept).toMatch(
        /^ä{9000,}\n\[Cut here: the result has 100002 bytes, and at most 20000 of this tool's result are kept\.\]$/,
      );
    });
  });
});
