import * as z from 'zod';
import { isWrite, overtaken } from '../../../test/support/tables/mortal-table';
import { stepsIn, testTool } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { todosIn } from '../../../test/support/tables/todos';
import type { LoopInput } from '../../base/state/loop-state';
import { AsksUser, ResultLost, ServerWorking, ToolFailed } from '../../base/text/errors';
import { finishOpenCalls } from '../../machines/loop/open-calls';
import { runTool } from '../../machines/loop/run-tool';
import { defineAgent } from '../agent/agent';
import { registry } from '../agent/registry';
import type { FunctionTool } from '../agent/tool';
import { approve } from '../conversation/approve';
import { cancelRun } from '../conversation/cancel';
import { routeCalls } from '../decisions/route';
import { readMeta } from '../store/table';
import { callIdOf, readCall, startAttempt } from './call';
import { readCallback } from './callback';
import { closeRest } from './close';

// A server of MCP answers a call with a task, on which it works. docs/mcp.md#tasks.
const now = new Date('2026-03-01T08:00:00Z');
const after = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const task = { id: 't-1', answered: [] };
const working = ({ notBefore, ...more }: { notBefore?: string; pollMs?: number; ttlMs?: number } = {}) =>
  new ServerWorking({ round: { earlier: 0, asks: [], task: { ...task, ...more } }, notBefore });
const question = {
  message: 'Which seat?',
  form: { type: 'object', properties: { seat: { type: 'string' } } },
} as never;

const noSuchTool = { Error: 'NoSuchTool', Cause: '' };
const begun: string[] = [];
const looks: number[] = [];
let look: () => unknown;
let first: () => unknown;
const plan = {
  ...testTool('plan', {
    effect: 'once',
    async execute(_input, { round, callId, attempt }) {
      if (!round?.task) {
        begun.push(callId);
        return first();
      }
      looks.push(attempt);
      return look();
    },
  }),
  elicitation: 'ask',
  server: 'trips',
} as unknown as FunctionTool;
const base = { purpose: 'p', instructions: 'i', model: 'm', tools: [plan] };
const deployment = registry([defineAgent({ ...base, name: 'tester' })]);

describe('a call on which its server works (R222)', () => {
  const table = tableOfTests();
  const steps = stepsIn(table, now, deployment.agents.get('tester'));
  beforeEach(() => {
    begun.length = 0;
    looks.length = 0;
    first = () => {
      throw working();
    };
    look = first;
  });

  const cancel = (conversationId: string) => cancelRun(table, deployment.tools, { conversationId, user: 'ada' }, now);

  async function called(made = true) {
    const { id, at } = await steps.given();
    const toolCalls = [{ id: 'c0', name: 'plan', arguments: '{}' }];
    await steps.commit(at, await steps.begin(at), { text: '', toolCalls });
    const callId = callIdOf(at.runId, 1, 0);
    const request = { conversationId: id, runId: at.runId, callId };
    const make = (when = now, tool = plan) => runTool({ table, now: () => when }, tool, request);
    if (made) await make();
    return {
      id,
      make,
      runId: at.runId,
      callId,
      call: async () => (await readCall(table, id, callId))!,
      callback: () => readCallback(table, id, `${callId}.task`),
      finish: async (when: Date, input: Partial<LoopInput> = {}, tools = deployment.tools) => {
        const { run } = (await readMeta(table, id))!;
        return finishOpenCalls(table, { ...at, ...input, step: 1 }, run!, { tools, now: when });
      },
    };
  }

  test.each([
    ['a server that names no time', {}, 0, 5],
    ['after four hours', {}, 4 * 3_600, 3_600],
    ['after a minute', {}, 60, 30],
    ['a server that wants to be asked soon', { pollMs: 10 }, 0, 1],
    ['a server that wants to be asked late', { pollMs: 7_200_000 }, 60, 7_200],
    ['a server that keeps its result for ten minutes', { ttlMs: 600_000 }, 480, 90],
    ['the last seconds of such a server', { ttlMs: 600_000 }, 590, 5],
    ['a server that asks for a pause', { notBefore: '2026-03-01T10:00:00Z' }, 0, 7_200],
  ])('asks again in good time: %s', async (_, more, taken, seconds) => {
    const { make, callback } = await called();
    look = () => {
      throw working(more);
    };
    await make(after(taken));
    expect((await callback())!.lookAt).toBe(after(taken + seconds).toISOString());
  });

  test('goes on when a process died while it asked, although the tool may be tried once only', async () => {
    const { id, callId, make, call } = await called();
    await startAttempt(table, id, callId, plan, after(5));
    look = () => 'Planned.';
    expect(await make(after(60))).toBe('completed');
    expect(await call()).not.toHaveProperty('uncertain');
    expect(begun).toHaveLength(1);
  });

  test('a slow attempt begins to wait when the state of its call gives up: the run waits, too', async () => {
    const { id, make, callId, runId, call } = await called(false);
    const { run } = (await readMeta(table, id))!;
    const gaveUp = { call: { next: 'tool:plan', callId }, error: { Error: 'States.Timeout', Cause: '' } };
    const input = { conversationId: id, runId, segment: 1, step: 1, ...gaveUp } as LoopInput;
    const late = overtaken(table, isWrite, () => make());
    const next = await finishOpenCalls(late, input, run!, { tools: deployment.tools, now });
    expect(await call()).toMatchObject({ status: 'waiting', callbackId: `${callId}.task` });
    expect(next).toMatchObject({ next: 'callback', call: { callId: `${callId}.task` } });
  });

  test('is asked again when the function failed', async () => {
    const { make, call } = await called();
    look = () => {
      throw new Error('Killed.');
    };
    await expect(make(after(5))).rejects.toThrow(ToolFailed);
    expect(await call()).toMatchObject({ status: 'queued', round: { task } });
    look = () => 'Planned.';
    expect(await make(after(10))).toBe('completed');
  });

  test('has an unknown outcome if the server will give none', async () => {
    const { make, call, callback } = await called();
    look = () => {
      throw new ResultLost('The MCP server trips failed.');
    };
    expect(await make(after(5))).toBe('unknown');
    expect(await call()).toMatchObject({ error: expect.stringContaining('failed. Whether it took effect is unknown') });
    expect(await callback()).toMatchObject({ status: 'cancelled' });
  });

  test.each<[string, (of: Awaited<ReturnType<typeof called>>) => Promise<unknown>]>([
    ['the run is cancelled', ({ id }) => cancel(id)],
    ['it takes longer than a month', ({ finish }) => finish(after(31 * 86_400))],
    [
      'the tool is no longer deployed',
      ({ finish, callId }) => {
        return finish(after(5), { call: { next: 'tool:plan', callId }, error: noSuchTool }, new Map());
      },
    ],
  ])('%s: the outcome is unknown, and the server is told', async (_, end) => {
    const of = await called();
    await end(of);
    expect(await of.call()).toMatchObject({
      status: 'unknown',
      error: expect.stringContaining('Whether it took effect is unknown'),
    });
    expect(await of.callback()).toMatchObject({ status: 'cancelled', taskId: 't-1' });
  });

  test('is given up, and its server told, if it cannot be asked although all was tried', async () => {
    const { make, call, callback, finish, callId } = await called();
    look = () => {
      throw new Error('Killed.');
    };
    await expect(make(after(5))).rejects.toThrow(ToolFailed);
    await finish(after(9), { call: { next: 'tool:plan', callId }, error: { Error: 'ToolFailed', Cause: '' } });
    expect(await call()).toMatchObject({ status: 'unknown' });
    expect(await callback()).toMatchObject({ status: 'cancelled' });
  });

  test('whose look could not be made is looked at a minute later, and not at once', async () => {
    const { callback, finish, callId } = await called();
    const again = await finish(after(6), { call: { next: 'tool:plan', callId }, error: noSuchTool });
    expect(again).toMatchObject({ next: 'callback', call: { timeoutSeconds: 60 } });
    expect(await callback()).toMatchObject({ lookAt: after(66).toISOString() });
  });

  test('is looked at by a tool that takes other arguments by now: the call has been made', async () => {
    const { make } = await called();
    look = () => 'Planned.';
    const changed = { ...plan, input: z.object({ by: z.string() }) } as unknown as FunctionTool;
    expect(await make(after(5), changed)).toBe('completed');
  });

  test('is not looked at by a tool that is no longer its server’s: that would make a call', async () => {
    const { make, callback } = await called();
    expect(await make(after(5), { ...plan, server: undefined } as FunctionTool)).toBe('unknown');
    expect([begun.length, looks.length]).toEqual([1, 0]);
    expect(await callback()).toMatchObject({ status: 'cancelled' });
  });

  test('of a server that keeps its result for seconds is looked at before they are over', async () => {
    first = () => {
      throw working({ ttlMs: 4_000 });
    };
    const { callback } = await called();
    expect(await callback()).toMatchObject({ lookAt: after(2).toISOString(), expiresAt: after(60).toISOString() });
  });

  test('of a server that asks a sixth question is given up, and the server is told', async () => {
    const { id, callId, make, call, callback, finish } = await called();
    for (let place = 1; place <= 6; place++) {
      look = () => {
        throw new AsksUser(question, { earlier: place - 1, asks: [{ key: `k${place}`, question }], task });
      };
      await make(after(10 * place));
      if (place === 6) break;
      await finish(after(10 * place));
      const who = { conversationId: id, callbackId: `${callId}.q${place}`, user: 'ada', groups: [], claims: {} };
      await approve(table, deployment, who, { approved: true, arguments: { seat: 'a' } }, after(10 * place));
    }
    expect(await call()).toMatchObject({ status: 'unknown' });
    expect(await callback()).toMatchObject({ status: 'cancelled' });
  });

  test('began when the run was cancelled already: the server is told', async () => {
    const of = await called(false);
    first = async () => {
      await cancel(of.id);
      throw working();
    };
    expect(await of.make()).toBe('unknown');
    expect(await of.callback()).toMatchObject({ status: 'cancelled', taskId: 't-1' });
    expect(await todosIn(table, of.id)).toContainEqual({ does: 'withdraw', callbackId: `${of.callId}.task` });
  });

  test('whose callback the cancel of the run has closed already is ended all the same', async () => {
    const of = await called();
    await closeRest(table, of.id, { id: of.runId }, now);
    await cancel(of.id);
    expect(await of.call()).toMatchObject({ status: 'unknown' });
    expect(await of.callback()).toMatchObject({ status: 'cancelled' });
  });

  test('an isolated tool that is no server’s cannot be asked later', async () => {
    const of = await called(false);
    const own = { ...plan, server: undefined } as FunctionTool;
    const request = { conversationId: of.id, runId: of.runId, callId: of.callId };
    expect(await runTool({ table, now: () => now }, own, request)).toBe('unknown');
  });

  test('is looked after while another call of the step waits for a person for weeks', async () => {
    const { call, callback } = await called();
    const [task, asked] = [await call(), { ...(await call()), id: 'other', callbackId: 'other' }];
    const approval = { ...(await callback())!, id: 'other', kind: 'approval', lookAt: undefined } as never;
    const callbacks = [(await callback())!, approval];
    const at = (when: Date) => routeCalls([task, asked], { callbacks, segmentStartedAt: now.toISOString(), now: when });
    expect(at(now)).toMatchObject({
      next: 'many',
      calls: [
        { next: 'callback', timeoutSeconds: 5 },
        { next: 'approval', timeoutSeconds: 5 },
      ],
    });
    expect(at(after(5))).toMatchObject({ next: 'tool:plan' });
  });
});
