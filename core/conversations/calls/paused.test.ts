import * as z from 'zod';
import { stepsIn } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import type { ServerAnswer, ServerRound } from '../../base/state/isolated-call';
import { AsksUser, TellModel } from '../../base/text/errors';
import { finishOpenCalls } from '../../machines/loop/open-calls';
import { runTool } from '../../machines/loop/run-tool';
import { defineAgent } from '../agent/agent';
import { registry } from '../agent/registry';
import { defineTool, type FunctionTool } from '../agent/tool';
import { approve } from '../conversation/approve';
import { sendMessage } from '../conversation/send-message';
import { readMeta } from '../store/table';
import { callIdOf, readCall } from './call';

// A server of MCP 2026-07-28 asks by its answer, after it may have acted. docs/mcp.md#questions-in-the-middle-of-a-call.
const now = new Date('2026-03-01T08:00:00Z');
const question = {
  message: 'Which seat?',
  form: { type: 'object', properties: { seat: { type: 'string' } } },
} as never;
const round: ServerRound = { state: 'InMi', earlier: 0, asks: [{ key: 'seat', question }] };

interface Attempt {
  answers?: ServerAnswer[];
  round?: ServerRound;
}
const attempts: Attempt[] = [];
let server: (attempt: Attempt) => unknown;
const book = {
  ...defineTool({
    ...{ name: 'book', description: 'Books.', input: z.object({}), output: z.unknown(), effect: 'once' },
    async execute(_input, context) {
      const { answers, round } = context as Attempt;
      attempts.push({ answers, round });
      return server({ answers, round });
    },
  }),
  ...{ elicitation: 'ask', server: 'seats' },
} as unknown as FunctionTool;
const base = { purpose: 'p', instructions: 'i', model: 'm', tools: [book] };
const deployment = registry([defineAgent({ ...base, name: 'tester', onMessage: 'interrupt' })]);

describe('a call that has stopped at a question of its server (R222)', () => {
  const table = tableOfTests();
  const steps = stepsIn(table, now, deployment.agents.get('tester'));
  beforeEach(() => {
    attempts.length = 0;
    server = ({ round: continued }) => {
      if (continued) return 'Booked.';
      throw new AsksUser(question, round);
    };
  });

  async function asked() {
    const { id, at } = await steps.given();
    await steps.commit(at, await steps.begin(at), {
      text: '',
      toolCalls: [{ id: 'c0', name: 'book', arguments: '{}' }],
    });
    const callId = callIdOf(at.runId, 1, 0);
    const make = () => runTool({ table, now: () => now }, book, { conversationId: id, runId: at.runId, callId });
    await make();
    const call = async () => (await readCall(table, id, callId))!;
    expect(await call()).toMatchObject({ status: 'waiting', round });
    const finish = async (at_: Date) => {
      const { run } = (await readMeta(table, id))!;
      return finishOpenCalls(table, { ...at, step: 1 }, run!, { tools: deployment.tools, now: at_ });
    };
    await finish(now);
    const who = { conversationId: id, callbackId: `${callId}.q1`, user: 'ada', groups: [], claims: {} };
    return {
      id,
      make,
      call,
      finish,
      decide: (verdict: Parameters<typeof approve>[3]) => approve(table, deployment, who, verdict, now),
    };
  }

  test('continues with the answer and the server’s state, and forgets it with the result', async () => {
    const { make, call, decide } = await asked();
    await decide({ approved: true, arguments: { seat: 'aisle' } });
    expect(await call()).toMatchObject({ status: 'queued', round });
    expect(await make()).toBe('completed');
    expect(attempts).toEqual([
      { answers: undefined, round: undefined },
      { answers: [{ ...(question as object), content: { seat: 'aisle' } }], round },
    ]);
    expect(await call()).toMatchObject({ status: 'completed', result: 'Booked.' });
    expect(await call()).not.toHaveProperty('round');
  });

  test('continues with a refusal, too: the server says how it ends', async () => {
    const { make, call, decide } = await asked();
    server = () => {
      throw new TellModel('Cancelled, and nothing is booked.');
    };
    await decide({ approved: false, reason: 'No.' });
    expect(await make()).toBe('failed');
    expect(attempts[1]).toEqual({ answers: [question], round });
    expect(await call()).toMatchObject({ status: 'failed', error: 'Cancelled, and nothing is booked.' });
  });

  test('may be asked again, with another state; a question after five ends it, and its outcome is unknown', async () => {
    const { id, make, call, finish, decide } = await asked();
    server = ({ answers = [] }) => {
      throw new AsksUser(question, { ...round, state: `s${answers.length}`, earlier: answers.length });
    };
    await decide({ approved: true, arguments: {} });
    for (let place = 2; place <= 5; place++) {
      expect(await make()).toBe('waiting');
      expect(await call()).toMatchObject({
        callbackId: `${(await call()).id}.q${place}`,
        round: { state: `s${place - 1}` },
      });
      await finish(now);
      const who = {
        conversationId: id,
        callbackId: `${(await call()).id}.q${place}`,
        user: 'ada',
        groups: [],
        claims: {},
      };
      await approve(table, deployment, who, { approved: true, arguments: {} }, now);
    }
    expect(await make()).toBe('unknown');
    expect(await call()).toMatchObject({
      error: expect.stringContaining('more than 5 times. Whether it took effect is unknown'),
    });
  });

  test.each<[string, (of: Awaited<ReturnType<typeof asked>>) => Promise<unknown>]>([
    ['nobody answers in time', ({ finish }) => finish(new Date(now.getTime() + 8 * 86_400_000))],
    [
      'the user says something else',
      ({ id }) => sendMessage(table, deployment.agents, id, { user: 'ada', text: 'Never mind.' }, now),
    ],
  ])('%s: the outcome is unknown', async (_, end) => {
    const of = await asked();
    await end(of);
    expect(await of.call()).toMatchObject({
      status: 'unknown',
      error: expect.stringContaining('Whether it took effect is unknown'),
    });
  });
});
