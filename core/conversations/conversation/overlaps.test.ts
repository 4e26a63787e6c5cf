import { actOnTodos } from '../../../test/support/tables/act-on-todos';
import { breakingOff } from '../../../test/support/tables/mortal-table';
import { callLook, look, stepsIn, testTool } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { todosIn } from '../../../test/support/tables/todos';
import { nextUndo } from '../../machines/rollback/rollback';
import { type Agent, defineAgent } from '../agent/agent';
import { registry } from '../agent/registry';
import { callIdOf, readCall, startAttempt } from '../calls/call';
import { readCallback } from '../calls/callback';
import { settleCall } from '../calls/settle';
import { transcript } from '../decisions/transcript';
import { key } from '../rows/keys';
import { createConversation } from '../runs/conversation';
import { readLog } from '../runs/log';
import { ended, reporting } from '../runs/run';
import { overwrite, readMeta, readRows } from '../store/table';
import { cancelRun } from './cancel';
import { report } from './children';
import { deleteConversation } from './delete';
import { failRun } from './fail';
import { forkConversation } from './fork';
import { sendMessage } from './send-message';

// Features that affect each other: cancels, deletions, repeated messages, forks.

const now = new Date('2026-03-01T08:00:00Z');
const pay = testTool('pay', { effect: 'idempotent', compensate: async () => undefined });
const base = { purpose: 'p', instructions: 'i', model: 'm', tools: [look, pay] };
const deployment = registry([
  defineAgent({ ...base, name: 'tester', delegates: ['helper'], end: { phrase: 'DONE' } }),
  defineAgent({ ...base, name: 'helper' }),
  defineAgent({ ...base, name: 'rejecting', onMessage: 'reject' }),
  defineAgent({ ...base, name: 'interrupted', onMessage: 'interrupt', handOffs: ['helper'] }),
]);
const { agents, tools } = deployment;

describe('a conversation', () => {
  const table = tableOfTests();
  const stepsOf = (name: string) => stepsIn(table, now, agents.get(name) as Agent);
  const meta = async (id: string) => (await readMeta(table, id))!;
  const tell = (id: string, text: string, clientMessageId?: string) =>
    sendMessage(table, agents, id, { user: 'ada', text, clientMessageId }, now);

  test('that is deleted while a cancel is rolled back begins no other run', async () => {
    const { given, begin, commit } = stepsOf('tester');
    const { id, at } = await given('deleted');
    await commit(at, await begin(at), { text: '', toolCalls: [{ id: 'a', name: 'pay', arguments: '{}' }] });
    const callId = callIdOf(at.runId, 1, 0);
    const { call } = await startAttempt(table, id, callId, pay, now);
    await settleCall(table, id, call, { status: 'completed', result: 1 });
    await cancelRun(table, tools, { conversationId: id, user: 'ada' }, now);
    await tell(id, 'And another thing');
    await deleteConversation(table, tools, id, 'ada', now);
    await settleCall(table, id, (await readCall(table, id, callId))!, { status: 'undone' });
    await nextUndo(table, deployment, { conversationId: id, runId: at.runId, segment: 1 }, now);
    expect((await meta(id)).run).toMatchObject({ id: at.runId, status: 'cancelled' });
  });

  test('whose agent takes no messages while it works knows the one that it works on when it is sent again (R110)', async () => {
    const { id } = await stepsOf('rejecting').given('rejecting');
    await meta(id).then(async (one) =>
      failRun(table, deployment, { ...one.run!, conversationId: id, runId: one.run!.id }, 'x', now),
    );
    const first = await tell(id, 'Now', 'm1');
    const again = await tell(id, 'Now', 'm1');
    expect(again.message.seq).toBe(first.message.seq);
    await expect(tell(id, 'More', 'm2')).rejects.toMatchObject({ name: 'WrongState' });
  });

  test('that waits for an answer goes on waiting when an earlier run hears from its sub-agent (R122)', async () => {
    const { given, begin, commit } = stepsOf('tester');
    const { id, at } = await given('asking');
    const args = JSON.stringify({ agent: 'helper', task: 'Help.' });
    await commit(at, await begin(at), { text: '', toolCalls: [{ id: 'a', name: 'delegate', arguments: args }] });
    await failRun(table, deployment, { ...at, step: 1 }, 'Broken.', now);
    await tell(id, 'Go on');
    const next = { ...at, runId: (await meta(id)).run!.id };
    await commit(next, await begin(next), { text: 'Which?', toolCalls: [] });
    expect((await meta(id)).status).toBe('waiting');
    const child = await meta((await readCallback(table, id, callIdOf(at.runId, 1, 0)))!.conversationId!);
    await report(table, reporting(ended(child, child.run!, { status: 'limited', reason: 'Enough.' }, now)), now);
    expect((await readCallback(table, id, callIdOf(at.runId, 1, 0)))!.status).toBe('answered');
    expect((await meta(id)).status).toBe('waiting');
  });

  test('that is cancelled and goes on at once: the sub-agent is cancelled by its callback all the same (R122)', async () => {
    const { given, begin, commit } = stepsOf('tester');
    const { id, at } = await given('hurried');
    const args = JSON.stringify({ agent: 'helper', task: 'Help.' });
    await commit(at, await begin(at), { text: '', toolCalls: [{ id: 'a', name: 'delegate', arguments: args }] });
    await cancelRun(table, tools, { conversationId: id, user: 'ada' }, now);
    await tell(id, 'Go on');
    const callback = (await readCallback(table, id, callIdOf(at.runId, 1, 0)))!;
    expect(await todosIn(table, id)).toContainEqual({ does: 'withdraw', callbackId: callback.id });
    await actOnTodos(table, id, deployment);
    expect((await meta(callback.conversationId!)).status).toBe('cancelled');
  });

  test('is forked at a step that was cut off and made again: with what cut it off, by the agent that made it (R116)', async () => {
    const { given, begin, commit } = stepsOf('interrupted');
    const { id, at } = await given('cut');
    await begin(at);
    await tell(id, 'No, this');
    const again = { ...at, segment: 2 };
    await commit(again, await begin(again), callLook);
    const handOff = { text: '', toolCalls: [{ id: 'h', name: 'hand_off_to_helper', arguments: '{"reason":"r"}' }] };
    await commit({ ...again, step: 2 }, await begin({ ...again, step: 2 }), handOff);
    const forked = await forkConversation(table, { from: id, id: 'cut-again', user: 'ada', step: 1 }, now);
    expect([forked.agent, forked.entry, forked.run!.agent]).toEqual(['interrupted', 'interrupted', 'interrupted']);
    const { messages, calls } = await readLog(table, forked.conversationId);
    expect(calls).toEqual([]);
    expect(transcript(messages, calls, { before: 99 }).at(-1)).toMatchObject({ by: 'user', text: 'No, this' });
  });

  test('that an interrupted fork has begun has no owner until it is complete, and a second request completes it (R116, R124)', async () => {
    const { given, begin, commit } = stepsOf('helper');
    const { id, at } = await given('source');
    await commit(at, await begin(at), { text: 'Secret', toolCalls: [] });
    const request = { from: id, id: 'broken', user: 'ada', step: 1 };
    await expect(forkConversation(table, { ...request, step: 7 }, now)).rejects.toMatchObject({ name: 'InvalidInput' });
    await expect(forkConversation(breakingOff(table, 2), request, now)).rejects.toThrow('gone');
    expect((await readLog(table, 'broken')).messages).toHaveLength(1);
    await expect(forkConversation(table, { ...request, text: 'Otherwise' }, now)).rejects.toMatchObject({
      name: 'InvalidInput',
      message: expect.stringContaining('use another id'),
    });
    const taking = { id: 'broken', user: 'eve', agent: 'helper', text: 'Mine?' };
    await expect(createConversation(table, taking, now)).rejects.toMatchObject({ name: 'NotFound' });
    await expect(forkConversation(table, { ...request, user: 'eve' }, now)).rejects.toMatchObject({ name: 'NotFound' });
    expect(await forkConversation(table, request, now)).toMatchObject({ owner: 'ada', status: 'running' });
    expect(await forkConversation(table, request, now)).toMatchObject({ owner: 'ada' });
    expect(await meta('broken')).not.toHaveProperty('forking');
  });

  test('is forked with what its step reads, before the rows say so, and again by who repeats the request then (R116)', async () => {
    const { given, begin } = stepsOf('interrupted');
    const { id, at } = await given('begun');
    await tell(id, 'And this');
    await begin({ ...at, segment: (await meta(id)).run!.segment });
    const read = await readRows(table, id, key.message(1), key.message(2));
    for (const { readBySeq: _, ...row } of read as { sk: string; readBySeq?: number }[])
      await overwrite(table, id, { sk: row.sk, put: { ...row, status: 'pending' } });
    const request = { from: id, id: 'begun again', user: 'ada', step: 1, text: 'Or that' };
    await expect(forkConversation(breakingOff(table, 2), request, now)).rejects.toThrow('gone');
    for (const row of read as { sk: string }[]) await overwrite(table, id, { sk: row.sk, put: row });
    await forkConversation(table, request, now);
    const { messages } = await readLog(table, 'begun again');
    expect(messages.map(({ text, status }) => [text, status])).toEqual([
      ['Hello', 'complete'],
      ['Or that', 'pending'],
    ]);
  });

  test('is forked by two requests at once into the same rows, and a late copy replaces nothing (R116)', async () => {
    const { given, begin, commit } = stepsOf('interrupted');
    const { id, at } = await given('forked-twice');
    await begin(at);
    const request = { from: id, id: 'twice', user: 'ada', step: 1 };
    const copies: (() => void)[] = [];
    const send = async (command: { input: { TransactItems?: { Put?: { Item?: { copiedFrom?: string } } }[] } }) => {
      if (command.input.TransactItems?.some(({ Put }) => Put?.Item?.copiedFrom))
        await new Promise<void>((resolve) => copies.push(resolve));
      return table.client.send(command as never);
    };
    const late = forkConversation({ ...table, client: { send } as unknown as typeof table.client }, request, now);
    while (copies.length === 0) await new Promise(setImmediate);
    // The step is made again at another place.
    await tell(id, 'No, this');
    await commit({ ...at, segment: 2 }, await begin({ ...at, segment: 2 }), callLook);
    const forked = await forkConversation(table, request, now);
    const { messages } = await readLog(table, 'twice');
    expect(messages).toHaveLength(1);
    const changed = { sk: key.message(messages[0]!.seq), set: { text: 'Changed since' }, onlyIf: { role: 'user' } };
    await overwrite(table, 'twice', changed);
    for (const copy of copies) copy();
    expect((await late).run!.id).toBe(forked.run!.id);
    expect((await readLog(table, 'twice')).messages.map(({ text }) => text)).toEqual(['Changed since']);
  });
});
