import { askingIn, deployment, order } from '../../../test/support/stories/asking';
import { tableOfTests } from '../../../test/support/tables/table';
import { Call } from '../../base/state/schemas';
import { startAttempt } from '../../conversations/calls/call';
import { webhookId } from '../../conversations/calls/callback';
import { settleCall } from '../../conversations/calls/settle';
import { approve } from '../../conversations/conversation/approve';
import { deliver } from '../../conversations/conversation/deliver';
import { viewConversation } from './view';
import { readWholeCall } from './whole-calls';

// The view uses the current time, so these callbacks are created now.
const now = new Date();
const large = 'x'.repeat(40_000);

describe('what a conversation shows of its callbacks', () => {
  const table = tableOfTests();
  const given = askingIn(table, now);

  test('full arguments until the decision, their beginning afterwards, and the outcome in its shape (R114, R54)', async () => {
    const { id, who } = await given(['pay_noted', { note: large }]);
    const [asked] = (await viewConversation(table, id, 'ada')).callbacks;
    expect(asked).toMatchObject({ status: 'pending', arguments: { note: large } });
    await approve(table, deployment, who, { approved: false, reason: 'No.' }, now);
    const [decided] = (await viewConversation(table, id, 'ada')).callbacks;
    expect(decided).toMatchObject({ status: 'answered', outcome: { approved: false, reason: 'No.' } });
    expect(JSON.stringify(decided).length).toBeLessThan(4_500);
    for (const hidden of ['decider', 'openFor', 'fallback', 'taskTokens', 'outbox', 'pk'])
      expect(decided).not.toHaveProperty(hidden);
  });

  test('of a call all is read when it is asked for, by the owner only (R163, R124)', async () => {
    const { id, callId, call } = await given(['order']);
    const { call: claimed } = await startAttempt(table, id, callId, order, now);
    const result = { pages: [large, '"'.repeat(9)] };
    await settleCall(table, id, claimed, { status: 'completed', result });
    expect(JSON.stringify((await viewConversation(table, id, 'ada')).calls[0]!.result).length).toBeLessThan(3_000);
    expect(await readWholeCall(table, id, 'ada', callId)).toEqual({
      ...Call.parse(await call()),
      result,
    });
    const noted = await given(['pay_noted', { note: large }]);
    expect(await readWholeCall(table, noted.id, 'ada', noted.callId)).toMatchObject({ arguments: { note: large } });
    await expect(readWholeCall(table, id, 'eve', callId)).rejects.toThrow(`You have no conversation ${id}.`);
    await expect(readWholeCall(table, id, 'ada', 'nothing')).rejects.toThrow('There is no call nothing');
  });

  test('many large deliveries do not make it too large for a response, and open callbacks are kept', async () => {
    const { id, callId } = await given(
      ['order'],
      ['pay', { cents: 1, note: large }],
      ['pay', { cents: 2, note: large }],
    );
    await startAttempt(table, id, callId, order, now);
    const to = { conversationId: id, callbackId: webhookId(callId) };
    await deliver(table, deployment, to, { parcel: large }, now);
    const { callbacks } = await viewConversation(table, id, 'ada');
    expect(callbacks.map(({ kind, status }) => [kind, status])).toEqual([
      ['webhook', 'answered'],
      ['approval', 'pending'],
      ['approval', 'pending'],
    ]);
    expect(JSON.stringify(callbacks[0]).length).toBeLessThan(3_000);
  });
});
