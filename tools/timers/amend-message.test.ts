import { registry } from '../../core/conversations/agent/registry';
import { readCall } from '../../core/conversations/calls/call';
import { sendMessage } from '../../core/conversations/conversation/send-message';
import { readMeta } from '../../core/conversations/store/table';
import { runTool } from '../../core/machines/loop/run-tool';
import { viewConversation } from '../../core/people/views/view';
import { segmentOf } from '../../test/support/segment-of';
import { stepsIn, testAgent } from '../../test/support/tables/steps';
import { tableOfTests } from '../../test/support/tables/table';
import { amendMessage } from './amend-message';

const now = new Date('2026-03-01T08:00:00Z');
const corrector = testAgent('corrector', { tools: [amendMessage] });
const { agents } = registry([corrector]);
const table = tableOfTests();

test('an agent amends its last message once, and a change of the conversation meanwhile is not lost (R73)', async () => {
  const steps = stepsIn(table, now, corrector);
  const { id, at } = await steps.given();
  await steps.commit(at, await steps.begin(at), { text: 'It is Tuesday.', toolCalls: [] });
  const say = (text: string) => sendMessage(table, agents, id, { user: 'ada', text }, now);
  await say('Sure?');
  const second = { ...segmentOf((await readMeta(table, id))!)!.input, step: 1 };
  const amend = { id: 'a', name: 'amend_message', arguments: '{"text":"It is Wednesday."}' };
  await steps.commit(second, await steps.begin(second), { text: '', toolCalls: [amend] });
  const { id: callId } = (await viewConversation(table, id, 'ada')).calls[0]!;

  let isFirst = true;
  const send = async (command: { constructor: { name: string } }) => {
    // Between the tool's read and its write.
    if (command.constructor.name === 'TransactWriteCommand' && isFirst) {
      isFirst = false;
      await say('Hurry.');
    }
    return table.client.send(command as never);
  };
  const bench = { table: { ...table, client: { send } as never }, now: () => now };
  const request = { conversationId: id, runId: second.runId, callId };
  expect(await runTool(bench, amendMessage, request)).toBe('completed');
  expect(await runTool(bench, amendMessage, request)).toBe('completed');
  expect(await readCall(table, id, callId)).toMatchObject({ attempts: 1, result: { amended: 2 } });
  const { messages } = await viewConversation(table, id, 'ada');
  expect(messages.map(({ text, amended }) => [text, amended])).toEqual([
    ['Hello', undefined],
    ['It is Wednesday.', true],
    ['Sure?', undefined],
    ['', undefined],
    ['Hurry.', undefined],
  ]);
  expect(await readMeta(table, id)).toMatchObject({ amendments: 1, lastSeq: 5 });
});
