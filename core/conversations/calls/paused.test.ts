import { stepsIn, testTool } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { todosIn } from '../../../test/support/tables/todos';
import type { ServerAnswer, ServerRound } from '../../base/state/isolated-call';
import { AsksUser, TellModel } from '../../base/text/errors';
import { finishOpenCalls } from '../../machines/loop/open-calls';
import { runTool } from '../../machines/loop/run-tool';
import { defineAgent } from '../agent/agent';
import { registry } from '../agent/registry';
import type { FunctionTool } from '../agent/tool';
import { approve } from '../conversation/approve';
import { failRun } from '../conversation/fail';
import { sendMessage } from '../conversation/send-message';
import { readMeta } from '../store/table';
import { callIdOf, readCall } from './call';
import { storeToken } from './callback';
import { closeAsked } from './close';

// A server of MCP 2026-07-28 asks by its answer, after it may have acted. docs/mcp.md#questions-in-the-middle-of-a-call.
// docs/calls.md: once an attempt may have taken effect, a call ends `completed` or `unknown`, never `failed` or `cancelled`.
const now = new Date('2026-03-01T08:00:00Z');
const questionAbout = (title = 'Seat') =>
  ({ message: 'Which seat?', form: { type: 'object', properties: { seat: { type: 'string', title } } } }) as never;
const question = questionAbout();
const round: ServerRound = { state: 'InMi', earlier: 0, asks: [{ key: 'seat', question }] };

interface Attempt {
  answers?: ServerAnswer[];
  round?: ServerRound;
}
const attempts: Attempt[] = [];
let server: (attempt: Attempt) => unknown;
const toolWith = (name: string, effect: 'once' | 'idempotent') =>
  ({
    ...testTool(name, {
      effect,
      async execute(_input, context) {
        const { answers, round } = context as Attempt;
        attempts.push({ answers, round });
        return server({ answers, round });
      },
    }),
    elicitation: 'ask',
    server: 'seats',
  }) as unknown as FunctionTool;
const [book, reserve] = [toolWith('book', 'once'), toolWith('reserve', 'idempotent')];
const base = { purpose: 'p', instructions: 'i', model: 'm', tools: [book, reserve] };
const deployment = registry([defineAgent({ ...base, name: 'tester', onMessage: 'interrupt' })]);

const table = tableOfTests();
const steps = stepsIn(table, now, deployment.agents.get('tester'));
beforeEach(() => {
  attempts.length = 0;
  server = ({ round: continued }) => {
    if (continued) return 'Booked.';
    throw new AsksUser(question, round);
  };
});

/** A call that CallModel has routed to its user. The first attempt of `reserve` is lost. */
async function asked(tool = book) {
  const { id, at } = await steps.given();
  const toolCalls = [{ id: 'c0', name: tool.name, arguments: '{}' }];
  await steps.commit(at, await steps.begin(at), { text: '', toolCalls });
  const callId = callIdOf(at.runId, 1, 0);
  const make = () => runTool({ table, now: () => now }, tool, { conversationId: id, runId: at.runId, callId });
  if (tool === reserve) await expect(make()).rejects.toMatchObject({ name: 'ToolFailed' });
  await make();
  const finish = async (when: Date) => {
    const { run } = (await readMeta(table, id))!;
    return finishOpenCalls(table, { ...at, step: 1 }, run!, { tools: deployment.tools, now: when });
  };
  await finish(now);
  const decide = (verdict: Parameters<typeof approve>[3], place = 1) => {
    const who = { conversationId: id, callbackId: `${callId}.q${place}`, user: 'ada', groups: [], claims: {} };
    return approve(table, deployment, who, verdict, now);
  };
  return { id, at, make, finish, decide, call: async () => (await readCall(table, id, callId))! };
}

describe('a call that has stopped at a question of its server (R222)', () => {
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

  test('of an older revision is not made again when its user declines (R175)', async () => {
    server = () => {
      throw new AsksUser(question);
    };
    const { call, decide } = await asked();
    await decide({ approved: false });
    expect(await call()).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('The user gave the server seats no answer'),
    });
    expect(attempts).toHaveLength(1);
  });

  test('is routed by CallModel after the answer: the execution knows the question’s id, and not the call’s', async () => {
    const { id, call, decide } = await asked();
    const callbackId = `${(await call()).id}.q1`;
    await storeToken(table, id, callbackId, 'token', now);
    await decide({ approved: true, arguments: { seat: 'a' } });
    const resumed = { does: 'resume', callbackId, taskTokens: ['token'], route: 'served' };
    expect(await todosIn(table, id)).toContainEqual(resumed);
  });

  test('may be asked again, with another state; a question after five ends it, and its outcome is unknown', async () => {
    const { make, call, finish, decide } = await asked();
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
      await decide({ approved: true, arguments: {} }, place);
    }
    expect(await make()).toBe('unknown');
    expect(await call()).toMatchObject({
      error: expect.stringContaining('more than 5 times. Whether it took effect is unknown'),
    });
  });
});

describe('a call whose first attempt booked and lost its answer, and whose second one asks the user (R258)', () => {
  const asksAfterLoss = (title?: string) => {
    server = () => {
      if (attempts.length === 1) throw new Error('socket hang up');
      throw new AsksUser(questionAbout(title));
    };
    return asked(reserve);
  };
  const unknown = 'Whether it took effect is unknown: check before you try again.';

  test('the user says something else instead of answering: the outcome is unknown', async () => {
    const { id, call } = await asksAfterLoss();
    expect(await call()).toMatchObject({ status: 'waiting', uncertain: true });
    await sendMessage(table, deployment.agents, id, { user: 'ada', text: 'Never mind.' }, now);
    expect(await call()).toMatchObject({ status: 'unknown' });
  });

  test('the run fails and a message replaces it: the outcome is unknown', async () => {
    const { id, at, call } = await asksAfterLoss();
    await failRun(table, deployment, { ...at, step: 1 }, 'Out of order.', now);
    await sendMessage(table, deployment.agents, id, { user: 'ada', text: 'Never mind.' }, now);
    await closeAsked(table, id, (await readMeta(table, id))!.run!, now);
    expect(await call()).toMatchObject({ status: 'unknown' });
  });

  test('nobody answers in time: the model does not read that it was not done', async () => {
    const { finish, call } = await asksAfterLoss();
    await finish(new Date(now.getTime() + 400 * 86_400_000));
    const error = `The server seats asks the user in the middle of the call, and nobody answered. ${unknown}`;
    expect(await call()).toMatchObject({ status: 'unknown', error });
  });

  test('the question cannot be asked: the model does not read that it was not done', async () => {
    const { call } = await asksAfterLoss('PIN');
    const error = `The server seats asks the user in the middle of the call, for a secret, which a form must not ask for. ${unknown}`;
    expect(await call()).toMatchObject({ status: 'unknown', error });
  });
});
