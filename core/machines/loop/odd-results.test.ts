import * as z from 'zod';
import { askingIn } from '../../../test/support/stories/asking';
import { testTool } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { ToolFailed } from '../../base/text/errors';
import { defineAgent } from '../../conversations/agent/agent';
import { tableEffect } from '../../conversations/agent/table-effect';
import { readCall } from '../../conversations/calls/call';
import { readTimers } from '../../conversations/calls/timer';
import { readRows } from '../../conversations/store/table';
import { undoTool } from '../rollback/undo-tool';
import { runTool } from './run-tool';

// What a tool returns or throws may be anything. A result means that it has run; nothing of it is repeated or lost.

const now = new Date('2026-03-01T08:00:00Z');
let behaviour: () => unknown = () => 1;
let runs = 0;
let undo: (output: unknown) => unknown = () => undefined;

const toolOf = (effect: 'once' | 'idempotent' | 'read' | 'table', output: z.ZodType = z.unknown()) =>
  testTool('work', {
    output,
    effect,
    execute: async () => {
      runs += 1;
      return behaviour();
    },
    ...((effect === 'once' || effect === 'idempotent') && {
      compensate: async (_: object, made: unknown) => void (await undo(made)),
    }),
  });

const circle: Record<string, unknown> = {};
circle.self = circle;
const throwing = (thrown: unknown) => () => {
  throw thrown;
};
const silent = Object.defineProperty(new Error('x'), 'message', { get: throwing('no words') });

describe('a tool', () => {
  const table = tableOfTests();
  beforeEach(() => {
    runs = 0;
  });

  async function given(tool: ReturnType<typeof toolOf>) {
    const agent = defineAgent({ name: 'tester', purpose: 'p', instructions: 'i', model: 'm', tools: [tool] });
    const { id, at, callId, call } = await askingIn(table, now, agent)(['work']);
    const request = { conversationId: id, runId: at.runId, callId, tool: 'work' };
    const failed: Error[] = [];
    const toolRuntime = { table, now: () => now, failed: (error: Error) => void failed.push(error) };
    return { id, call, failed, toolRuntime, request, run: () => runTool(toolRuntime, tool, request) };
  }

  test.each<[string, () => unknown, unknown]>([
    ['a BigInt', () => ({ id: 9007199254740993n }), { id: '9007199254740993' }],
    ['a circle', () => circle, { self: '[an object that contains itself]' }],
    ['a toJSON that throws', () => ({ toJSON: throwing(null) }), '[a value that cannot be read: Error]'],
  ])('that returns %s has run: its call is completed, once, and says what it was (R192)', async (_, made, result) => {
    for (const effect of ['once', 'idempotent', 'read'] as const) {
      runs = 0;
      behaviour = made;
      const { call, run } = await given(toolOf(effect));
      expect(await run()).toBe('completed');
      expect(await run()).toBe('completed');
      expect(runs).toBe(1);
      expect(await call()).toMatchObject({ status: 'completed', result, attempts: 1 });
    }
  });

  test.each([
    [{ cron: 'every morning' }, 'cron: "every morning" is not a valid cron expression'],
    [{ cron: '0 9 * * *', timeZone: 'Bern' }, 'timeZone: "Bern" is not an IANA time zone'],
    [{ everySeconds: 1e15 }, 'everySeconds: must be from 60 to'],
  ])('that arranges a timer by %j fails by the field’s name, and none is stored (R193)', async (rule, problem) => {
    behaviour = () => tableEffect({ output: 1, timer: { kind: 'repeat', at: now, text: 'Rise', rule } });
    const { id, run } = await given(toolOf('table'));
    await expect(run()).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringContaining(`tableEffect: timer.rule.${problem}`),
    });
    expect(await readTimers(table, id)).toEqual([]);
  });

  test('whose author’s log hears of a result that is not JSON, by its place (R192)', async () => {
    behaviour = () => ({ total: 1n });
    const { run, failed } = await given(toolOf('once'));
    await run();
    expect(failed.map(({ message }) => message)).toEqual(['The result is not JSON: total: a BigInt']);
  });

  const secret = 'connect postgres://u:pw@db';
  test.each<[string, unknown, string]>([
    ['a text', secret, 'The attempt failed: Error.'],
    ['nothing', undefined, 'The attempt failed: Error.'],
    ['an error without words', silent, 'The attempt failed: Error.'],
    ['an error', new TypeError(secret), 'The attempt failed: TypeError.'],
    ['an object of a driver', { code: 'ECONNREFUSED', message: secret }, 'The attempt failed: ECONNREFUSED.'],
    ['words for the model', new ToolFailed('Out of paper.'), 'Out of paper.'],
  ])(
    'that throws %s is told by its name or by words for people, in a call as in its undoing (R192, R269)',
    async (_, thrown, words) => {
      behaviour = throwing(thrown);
      const once = await given(toolOf('once'));
      if (words === 'Out of paper.') await expect(once.run()).rejects.toThrow(words);
      else expect(await once.run()).toBe('unknown');
      if (words !== 'Out of paper.')
        expect((await once.call()).error).toBe(
          `${words} Whether it took effect is unknown: check before you try again.`,
        );

      const twice = await given(toolOf('idempotent'));
      await expect(twice.run()).rejects.toMatchObject({ name: 'ToolFailed', message: words });
      expect(await twice.call()).toMatchObject({ status: 'queued', error: words, failedAttempts: [{ error: words }] });

      behaviour = () => 1;
      undo = throwing(thrown);
      const undone = await given(toolOf('idempotent'));
      await undone.run();
      const { toolRuntime, request } = undone;
      await expect(undoTool(toolRuntime, toolOf('idempotent'), { ...request, undo: true })).rejects.toMatchObject({
        message: words,
      });
      expect(await readCall(table, undone.id, request.callId)).toMatchObject({ failedUndos: [{ error: words }] });
      for (const { id } of [once, twice, undone])
        expect(JSON.stringify(await readRows(table, id, '', '~'))).not.toContain('postgres');
    },
  );
});
