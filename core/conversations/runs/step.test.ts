import { longTest } from '../../../test/support/long';
import { callLook, lookingAgent, stepsIn } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { viewConversation } from '../../people/views/view';
import { failRun } from '../conversation/fail';
import { sendMessage } from '../conversation/send-message';
import { readMeta } from '../store/table';
import { beginStep } from './begin-step';
import { limitRun, nextSegment } from './run';

const now = new Date('2026-03-01T08:00:00Z');

describe('a step in the table', () => {
  const table = tableOfTests();
  const steps = stepsIn(table, now);

  test('a stored step answers from the store, and is not begun again (R17)', async () => {
    const { at } = await steps.given();
    const committed = await steps.commit(at, await steps.begin(at), callLook);
    expect(committed).toMatchObject({ kind: 'committed', next: { next: 'tool:look', step: 1 } });
    expect(await beginStep(table, at, { agent: lookingAgent, writer: 'w2', now })).toEqual({
      kind: 'stored',
      next: (committed as { next: object }).next,
    });
  });

  test('a second attempt takes the place of a half-written message; the first can write no more (R29)', async () => {
    const { id, at } = await steps.given();
    const first = await steps.begin(at, 'w1');
    await steps.says(id, first, 'Half a sen');
    expect((await viewConversation(table, id, 'ada')).messages.at(-1)).toMatchObject({ text: 'Half a sen' });
    const second = await steps.begin(at, 'w2');
    expect(second.seq).toBe(first.seq);
    await steps.says(id, first, 'tence more', 10);
    expect((await viewConversation(table, id, 'ada')).messages.at(-1)).toMatchObject({ text: '', attempt: 2 });
    // It must fail with a retried error, because it may be the invocation that the state machine waits for.
    await expect(steps.commit(at, first, { text: 'From the dead', toolCalls: [] })).rejects.toMatchObject({
      name: 'Superseded',
    });
    await steps.commit(at, second, { text: 'Whole.', toolCalls: [] });
    const { messages, run } = await viewConversation(table, id, 'ada');
    expect(messages.map(({ text, status }) => [text, status])).toEqual([
      ['Hello', 'complete'],
      ['Whole.', 'complete'],
    ]);
    expect(run).toMatchObject({ status: 'done', usage: { modelCalls: 1 } });
  });

  test('a run does not end while a message is unread: it reads one that arrives during the last model call (R61)', async () => {
    const { id, at } = await steps.given();
    const draft = await steps.begin(at);
    await sendMessage(table, new Map(), id, { user: 'ada', text: 'And one more thing' }, now);
    expect(await steps.commit(at, draft, { text: 'Bye.', toolCalls: [] })).toMatchObject({ next: { next: 'again' } });
    const next = { ...at, step: 2 };
    const answer = await steps.commit(next, await steps.begin(next), { text: 'That, too.', toolCalls: [] });
    expect(answer).toMatchObject({ next: { next: 'done' } });
    const { messages } = await viewConversation(table, id, 'ada');
    expect(messages.map(({ text }) => text)).toEqual(['Hello', 'Bye.', 'And one more thing', 'That, too.']);
  });

  longTest('sixty messages of 300 KB are read in turns, each in a transaction that DynamoDB takes (R61)', async () => {
    const { id, at } = await steps.given();
    await steps.commit(at, await steps.begin(at), callLook);
    const text = '€'.repeat(100_000);
    for (let n = 0; n < 60; n++) await sendMessage(table, new Map(), id, { user: 'ada', text }, now);
    for (let n = 0; n < 60; n++) await sendMessage(table, new Map(), id, { user: 'ada', text: 'And?' }, now);
    const turns: number[] = [];
    let { pending } = (await readMeta(table, id))!;
    for (let step = 2; pending.length > 0; step++) {
      const before = pending.length;
      await steps.commit({ ...at, step }, await steps.begin({ ...at, step }), callLook);
      ({ pending } = (await readMeta(table, id))!);
      turns.push(before - pending.length);
    }
    // 4 MB hold 13 of the long ones. A transaction is as large as the rows that it changes.
    expect(Math.max(...turns.slice(0, 7))).toBeLessThan(12);
    expect(Math.min(...turns)).toBeGreaterThan(0);
    expect(turns.at(-1)).toBeGreaterThan(12);
    expect(turns.reduce((sum, one) => sum + one)).toBe(120);
  });

  test('a message is pending until a model call reads it (R64)', async () => {
    const { id, at } = await steps.given();
    expect((await viewConversation(table, id, 'ada')).messages[0]).toMatchObject({ status: 'pending', version: 1 });
    await steps.begin(at);
    expect((await viewConversation(table, id, 'ada')).messages).toMatchObject([
      { status: 'complete', version: 2 },
      { status: 'streaming', role: 'assistant', author: 'tester' },
    ]);
  });

  test('a segment that handed over is fenced; a repeated request returns the same answer', async () => {
    const { at } = await steps.given();
    const last = { ...at, step: 0 };
    const handed = await nextSegment(table, last, now);
    expect(handed).toMatchObject({ next: 'continue', segment: 2, step: 0, execution: `${at.runId}-2` });
    expect(await nextSegment(table, last, now)).toEqual(handed);
    expect(await beginStep(table, at, { agent: lookingAgent, writer: 'w', now })).toEqual({ kind: 'fenced' });
    const next = { ...at, segment: 2 };
    await steps.begin(next);
    // Its execution exists by then, so it is not started again.
    expect(await nextSegment(table, last, now)).toEqual(handed);
  });

  test('a run does not end at its limit while a message that has just arrived is unread (R9, R61)', async () => {
    const { id, at } = await steps.given();
    await steps.commit(at, await steps.begin(at), { text: '', toolCalls: [] });
    await sendMessage(table, new Map(), id, { user: 'ada', text: 'One more' }, now);
    expect(await limitRun(table, at, { reason: 'Enough.' }, now)).toMatchObject({ next: 'again' });
    const next = { ...at, step: 2 };
    await steps.commit(next, await steps.begin(next), { text: '', toolCalls: [] });
    expect(await limitRun(table, next, { reason: 'Enough.' }, now)).toMatchObject({ next: 'done' });
    expect((await viewConversation(table, id, 'ada')).run).toMatchObject({ status: 'limited', reason: 'Enough.' });
  });

  test('a run whose execution failed ends with the reason and its half-written message says so; too late changes nothing', async () => {
    const { id, at } = await steps.given();
    await steps.says(id, await steps.begin(at), 'Half.');
    const fail = () => failRun(table, { agents: new Map(), tools: new Map() }, at, 'The model is down.', now);
    expect(await fail()).toBe(true);
    expect(await fail()).toBe(false);
    const view = await viewConversation(table, id, 'ada');
    expect(view).toMatchObject({ status: 'failed', run: { status: 'failed', reason: 'The model is down.' } });
    expect(view.messages.at(-1)).toMatchObject({ status: 'error', text: 'Half.' });
    await sendMessage(table, new Map(), id, { user: 'ada', text: 'Again' }, now);
    expect(await fail()).toBe(false);
    expect((await readMeta(table, id))?.run?.status).toBe('running');
  });
});
