import { randomBytes } from 'node:crypto';
import { askingIn, deployment, order } from '../../../test/support/stories/asking';
import { tableOfTests } from '../../../test/support/tables/table';
import { deliver } from '../conversation/deliver';
import { readLog } from '../runs/log';
import { readCall, startAttempt } from './call';
import { webhookId } from './callback';
import { readResult } from './result';
import { settleCall } from './settle';

// A delivery replaces the tool's own answer. If the answer took more rows than the delivery, the rows left over are read with it.
const now = new Date('2026-03-01T08:00:00Z');
const hex = (bytes: number) => randomBytes(bytes / 2).toString('hex');

describe('a webhook whose tool gave a large answer of its own', () => {
  const table = tableOfTests();
  const given = askingIn(table, now);

  test.each([
    [1_000_000, 40_000],
    [1_000_000, 400_000],
  ])(
    'an answer of %i bytes, then a delivery of %i: the conversation can still be read (R259)',
    async (own, delivered) => {
      const { id, callId } = await given([order.name]);
      const { call } = await startAttempt(table, id, callId, order, now);
      expect(await settleCall(table, id, call, { status: 'waiting', result: hex(own) })).toBe(true);
      const payload = hex(delivered);
      await deliver(table, deployment, { conversationId: id, callbackId: webhookId(callId) }, payload, now);
      expect(await readResult(table, id, (await readCall(table, id, callId))!)).toBe(payload);
      const log = await readLog(table, id);
      expect(log.calls[0]!.wholeResult).toBe(payload);
    },
  );
});
