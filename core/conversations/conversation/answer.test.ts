import * as z from 'zod';
import { askingIn, deployment, pay } from '../../../test/support/stories/asking';
import { testAgent } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { todosIn } from '../../../test/support/tables/todos';
import type { LoopInput } from '../../base/state/loop-state';
import { isSettled } from '../../base/state/schemas';
import { finishOpenCalls } from '../../machines/loop/open-calls';
import { registry } from '../agent/registry';
import { defineTool } from '../agent/tool';
import { callIdOf, readCall } from '../calls/call';
import { readCallback, storeToken } from '../calls/callback';
import { readMeta } from '../store/table';
import { approve } from './approve';
import { cancelRun } from './cancel';
import { sendMessage } from './send-message';

// Answer, expiry, cancel: whichever commits first holds, and the others change nothing.

const now = new Date('2026-03-01T08:00:00Z');
const later = (days: number) => new Date(now.getTime() + days * 86_400_000);

describe('a callback', () => {
  const table = tableOfTests();
  const given = askingIn(table, now);

  /** Lets CallModel continue after the waiting state has given up. */
  async function expire({ id, at, callId }: Awaited<ReturnType<typeof given>>) {
    const input: LoopInput = { ...at, step: 1, call: { next: 'approval', callId }, error: { Error: 'States.Timeout' } };
    const { run } = (await readMeta(table, id))!;
    return finishOpenCalls(table, input, run!, { tools: deployment.tools, now: later(3) });
  }

  test('many decisions at once: one holds, and the others read which (R53)', async () => {
    const { id, who, call } = await given(['pay', { cents: 1 }]);
    const verdicts = [true, false, true, false, true, false].map((approved) => ({ approved }) as { approved: true });
    const results = await Promise.allSettled(verdicts.map((verdict) => approve(table, deployment, who, verdict, now)));
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused).toHaveLength(5);
    const { outcome } = (await readCallback(table, id, who.callbackId))!;
    for (const error of refused) expect(error).toMatchObject({ name: 'AlreadyAnswered', outcome });
    expect((await call()).status).toBe((outcome as { approved: boolean }).approved ? 'queued' : 'failed');
  });

  const express = { cents: z.number().describe('c'), express: z.boolean().default(true).describe('e') };
  const changed = testAgent('tester', {
    tools: [defineTool({ ...pay, input: z.object(express) } as unknown as Parameters<typeof defineTool>[0])],
  });

  test('arguments that the tool reads otherwise since a deployment cannot be approved as they were asked (R194)', async () => {
    const { who, call } = await given(['pay', { cents: 1 }]);
    const decide = (verdict: object) => approve(table, registry([changed]), who, { approved: true, ...verdict }, now);
    await expect(decide({})).rejects.toThrow('the tool pay reads these arguments otherwise since a deployment');
    expect((await call()).status).toBe('waiting');
    await decide({ arguments: { cents: 1, express: false } });
    expect(await call()).toMatchObject({ status: 'queued', edited: true });
  });

  test('an edit is stored and shown as the tool gets it, with what it leaves out (R194)', async () => {
    const { id, who } = await askingIn(table, now, changed)(['pay', { cents: 1, express: false }]);
    await approve(table, registry([changed]), who, { approved: true, arguments: { cents: 2 } }, now);
    const { outcome } = (await readCallback(table, id, who.callbackId))!;
    expect(outcome).toMatchObject({ arguments: { cents: 2, express: true } });
  });

  test.each([1, 2, 3, 4, 5])(
    'decided in the moment in which its time runs out: one of the two (%i) (R53)',
    async () => {
      const made = await given(['pay', { cents: 1 }]);
      const { id, who, call } = made;
      const decided = approve(table, deployment, who, { approved: true }, later(2.9));
      const [, out] = await Promise.allSettled([decided, expire(made)]);
      expect(out.status).toBe('fulfilled');
      const { status } = (await readCallback(table, id, who.callbackId))!;
      expect([status, (await call()).status]).toEqual(
        status === 'answered' ? ['answered', 'queued'] : ['expired', 'failed'],
      );
      // An approved call is routed; the model reads that a call has expired.
      const next = out.status === 'fulfilled' ? out.value?.next : undefined;
      expect(next).toBe(status === 'answered' ? 'tool:pay' : undefined);
    },
  );

  test.each([1, 2, 3, 4, 5])('decided in the moment of a cancel: nothing is left open (%i) (R53)', async () => {
    const { id, who, call } = await given(['pay', { cents: 1 }]);
    const cancel = cancelRun(table, deployment.tools, { conversationId: id, user: 'ada' }, now);
    const [decision, cancelled] = await Promise.allSettled([
      approve(table, deployment, who, { approved: true }, now),
      cancel,
    ]);
    expect(cancelled.status).toBe('fulfilled');
    expect(isSettled((await call()).status)).toBe(true);
    const { status } = (await readCallback(table, id, who.callbackId))!;
    expect(status).toBe(decision.status === 'fulfilled' ? 'answered' : 'cancelled');
    await expect(approve(table, deployment, who, { approved: true }, now)).rejects.toMatchObject({
      name: 'AlreadyAnswered',
    });
  });

  test.each(['constructor', '__proto__', 'toString', 'note'])(
    'edited with the field %s, which the tool does not have, it is still to be decided (R192)',
    async (field) => {
      const { id, who } = await given(['pay', { cents: 1 }]);
      const edited = JSON.parse(`{"cents":2,"${field}":{"a":1}}`) as object;
      const verdict = { approved: true as const, arguments: edited };
      await expect(approve(table, deployment, who, verdict, now)).rejects.toMatchObject({
        name: 'InvalidInput',
        path: `arguments.${field}`,
        message: 'the tool has no such field',
      });
      expect((await readCallback(table, id, who.callbackId))!.status).toBe('pending');
    },
  );

  test('edited to JSON that is nested without end, it is still to be decided', async () => {
    const { id, who } = await given(['pay', { cents: 1 }]);
    const cents = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as unknown;
    const verdict = { approved: true as const, arguments: { cents } };
    await expect(approve(table, deployment, who, verdict, now)).rejects.toMatchObject({
      name: 'InvalidInput',
      path: 'arguments',
    });
    expect((await readCallback(table, id, who.callbackId))!.status).toBe('pending');
  });

  test('a token that arrives during the decision is used by one of the two (R51)', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, who } = await given(['pay', { cents: 1 }]);
      const [waits] = await Promise.all([
        storeToken(table, id, who.callbackId, 'token', now),
        approve(table, deployment, who, { approved: true }, now),
      ]);
      // If the token was stored, the decision uses it. If not, Ask resumes the execution itself.
      const resumes = (await todosIn(table, id)).filter(({ does }) => does === 'resume');
      expect(resumes).toMatchObject(waits ? [{ taskTokens: ['token'], route: 'tool:pay' }] : []);
    }
  });

  test('a token that arrives after the callback has expired is not stored, because nobody can answer any more (R168)', async () => {
    const { id, callId } = await given(['pay', { cents: 1 }]);
    const { expiresAt } = (await readCallback(table, id, callId))!;
    expect(await storeToken(table, id, callId, 'late', new Date(expiresAt))).toBe(false);
    expect(await readCallback(table, id, callId)).not.toHaveProperty('taskTokens');
  });

  test('tokens of repeated attempts are stored once each, up to a limit, and removed when they are used', async () => {
    const { id, callId, who } = await given(['pay', { cents: 1 }]);
    for (const token of ['a', 'b', 'a']) await storeToken(table, id, callId, token, now);
    expect((await readCallback(table, id, callId))!.taskTokens).toEqual(['b', 'a']);
    for (let serial = 0; serial < 20; serial++) await storeToken(table, id, callId, `t${serial}`, now);
    expect((await readCallback(table, id, callId))!.taskTokens!.length).toBeLessThanOrEqual(9);
    await approve(table, deployment, who, { approved: false }, now);
    expect(await readCallback(table, id, callId)).not.toHaveProperty('taskTokens');
  });

  test('two messages for two questions at once: each answers one (R8)', async () => {
    const { id } = await given(['ask'], ['ask']);
    await Promise.all(
      ['One', 'Two', 'Three'].map((text) => sendMessage(table, deployment.agents, id, { user: 'ada', text }, now)),
    );
    const meta = (await readMeta(table, id))!;
    const calls = await Promise.all([0, 1].map((index) => readCall(table, id, callIdOf(meta.run!.id, 1, index))));
    expect(calls.map((call) => call!.status)).toEqual(['completed', 'completed']);
    expect(new Set(calls.map((call) => call!.result)).size).toBe(2);
    expect(meta.pending).toHaveLength(1);
    expect(meta.status).toBe('running');
  });
});
