import * as z from 'zod';
import { askingIn, deployment, order, orderLater } from '../../../test/support/stories/asking';
import { tableOfTests } from '../../../test/support/tables/table';
import { fireForCallback } from '../../machines/timers/expire';
import { fireTimer } from '../../machines/timers/fire-timer';
import { defineTool } from '../agent/tool';
import { readCall, startAttempt } from '../calls/call';
import { readCallback, webhookId } from '../calls/callback';
import { settleCall } from '../calls/settle';
import { readTimer } from '../calls/timer';
import { standing } from '../runs/standing';
import { changeConversation } from '../store/change-conversation';
import { readMeta } from '../store/table';
import { cancelRun } from './cancel';
import { deliver } from './deliver';
import { failRun } from './fail';

const now = new Date('2026-03-01T08:00:00Z');
const later = (days: number) => new Date(now.getTime() + days * 86_400_000);

describe('a delivery', () => {
  const table = tableOfTests();
  const given = askingIn(table, now);

  async function begun(tool: typeof order) {
    const made = await given([tool.name]);
    const { call } = await startAttempt(table, made.id, made.callId, tool, now);
    const to = { conversationId: made.id, callbackId: webhookId(made.callId) };
    return { ...made, to, call };
  }
  const status = async ({ conversationId, callbackId }: { conversationId: string; callbackId: string }) =>
    (await readCallback(table, conversationId, callbackId))!.status;

  test('many deliveries at once, while the tool ends: one is the result (R53)', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, callId, to, call } = await begun(order);
      const settled = settleCall(table, id, call, { status: 'waiting', result: { ok: 1 } }).catch(() => false);
      const payloads = [1, 2, 3];
      const delivered = payloads.map((payload) => deliver(table, deployment, to, { payload }, now));
      const won = (await Promise.allSettled(delivered)).filter(({ status }) => status === 'fulfilled').length;
      await settled;
      expect(won).toBe(1);
      expect(await readCall(table, id, callId)).toMatchObject({ status: 'completed' });
      expect((await readCall(table, id, callId))!.result).toEqual(
        (await readCallback(table, id, to.callbackId))!.outcome,
      );
    }
  });

  test.each([
    ['a run that sleeps is woken', 'sleeping', 'running'],
    ['a run at work reads it at its next step', 'running', 'running'],
    ['a run that is over is followed by another one', 'done', 'running'],
  ] as const)('%s by what comes as a message (R47)', async (_, was, is) => {
    const { id, to, call } = await begun(orderLater);
    await settleCall(table, id, call, { status: 'completed', result: 1 });
    const until = was === 'sleeping' ? later(1).toISOString() : undefined;
    await changeConversation(table, id, (meta) => ({
      meta: standing(meta, { status: was, until }),
      answer: undefined,
    }));
    const before = (await readMeta(table, id))!;
    const after = await deliver(table, deployment, to, { ok: 1 }, now);
    expect(after).toMatchObject({ lastSeq: before.lastSeq + 1, pending: [before.lastSeq + 1] });
    expect([after.run!.status, after.run!.id === before.run!.id]).toEqual([is, was !== 'done']);
    await expect(deliver(table, deployment, to, { ok: 2 }, now)).rejects.toThrow();
  });

  test('delivered in the moment of its deadline: a message either way, and one (R47)', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, to, call } = await begun(orderLater);
      await settleCall(table, id, call, { status: 'completed', result: 1 });
      const before = (await readMeta(table, id))!.lastSeq;
      const input = { conversationId: id, timerId: to.callbackId, segment: 1, at: later(7).toISOString() };
      await Promise.allSettled([
        fireTimer(table, deployment.agents, input, later(7)),
        deliver(table, deployment, to, 1, later(6.9)),
      ]);
      expect((await readMeta(table, id))!.lastSeq).toBe(before + 1);
      const ended = (await readTimer(table, id, to.callbackId))!.status;
      expect([await status(to), ended]).toEqual(
        (await status(to)) === 'answered' ? ['answered', 'cancelled'] : ['expired', 'done'],
      );
    }
  });

  test('its deadline adds no message about a call that has failed, and accepts no further delivery (R47)', async () => {
    const { id, to, call } = await begun(orderLater);
    await settleCall(table, id, call, { status: 'ended', by: 'fail', error: 'No.' });
    const timer = (await readTimer(table, id, to.callbackId))!;
    expect(await fireForCallback(table, timer, now)).toEqual({
      rows: [expect.objectContaining({ set: { status: 'expired', closedAt: now.toISOString() } })],
    });
  });

  test('a cancel closes it: nothing is delivered any more, and the outcome of the work elsewhere is unknown', async () => {
    const { id, callId, to, call } = await begun(order);
    await settleCall(table, id, call, { status: 'waiting', result: { ok: 1 } });
    await cancelRun(table, deployment.tools, { conversationId: id, user: 'ada' }, now);
    expect(await status(to)).toBe('cancelled');
    await expect(deliver(table, deployment, to, 1, now)).rejects.toMatchObject({ name: 'AlreadyAnswered' });
    expect(await readCall(table, id, callId)).toMatchObject({
      status: 'unknown',
      error: expect.stringContaining('had already started'),
    });
  });

  test('a run that has failed stays so, and its call has the result for when it is retried', async () => {
    const { id, at, callId, to, call } = await begun(order);
    await settleCall(table, id, call, { status: 'waiting', result: { ok: 1 } });
    await failRun(table, deployment, { ...at, step: 1 }, 'Out of order.', now);
    await deliver(table, deployment, to, { parcel: 1 }, now);
    expect((await readMeta(table, id))!.status).toBe('failed');
    expect(await readCall(table, id, callId)).toMatchObject({ status: 'completed', result: { parcel: 1 } });
  });

  describe('to a tool that says what it accepts (R189, R190)', () => {
    const parcel = z.object({ parcel: z.int(), note: z.string().default('none') });
    const accepting = (accepts: z.ZodType, delivers: 'result' | 'message' = 'result') => {
      return defineTool({ ...order, webhook: { ...order.webhook!, delivers, accepts } } as never) as typeof order;
    };
    async function deliverTo(tool: typeof order, payload: unknown) {
      const made = await begun(order);
      const delivered = deliver(table, { ...deployment, tools: new Map([[tool.name, tool]]) }, made.to, payload, now);
      return {
        made,
        refused: await delivered.then(
          () => undefined,
          ({ name, path, message }) => ({ name, path, message }),
        ),
      };
    }

    test('what fits is stored as its schema parses it, without what that does not know', async () => {
      const { made, refused } = await deliverTo(accepting(parcel), { parcel: 7, more: 1 });
      expect(refused).toBeUndefined();
      expect((await readCall(table, made.id, made.callId))!.result).toEqual({ parcel: 7, note: 'none' });
    });

    test.each<[string, z.ZodType, unknown, string]>([
      ['another type', parcel, { parcel: '7' }, 'parcel'],
      ['digits that a number does not keep', parcel, { parcel: '9007199254740993' }, 'parcel'],
      ['a field inside', z.object({ a: z.array(parcel) }), { a: [{ parcel: 1 }, {}] }, 'a.1.parcel'],
      ['no object', parcel, 'seven', 'body'],
      ['what its schema fails at', z.unknown().refine(() => JSON.parse('{')), {}, 'body'],
    ])('%s is refused with the field, and the address is not spent', async (_, accepts, payload, path) => {
      const { made, refused } = await deliverTo(accepting(accepts), payload);
      expect(refused).toMatchObject({ name: 'InvalidInput', path });
      expect(await status(made.to)).toBe('pending');
    });

    test('a schema whose values JSON does not have stops the build', () => {
      expect(() => accepting(z.map(z.string(), z.string()))).toThrow(/^tool order: webhook.accepts: /);
      expect(() => accepting(z.object({ at: z.coerce.date() }))).toThrow(/^tool order: webhook.accepts.at: /);
    });
  });
});
