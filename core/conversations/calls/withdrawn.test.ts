import * as z from 'zod';
import { stepsIn } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { AsksUser } from '../../base/text/errors';
import { finishOpenCalls } from '../../machines/loop/open-calls';
import { runTool } from '../../machines/loop/run-tool';
import { defineAgent } from '../agent/agent';
import { registry } from '../agent/registry';
import { defineTool, type FunctionTool } from '../agent/tool';
import { failRun } from '../conversation/fail';
import { sendMessage } from '../conversation/send-message';
import { readMeta } from '../store/table';
import { callIdOf, readCall } from './call';
import { closeAsked } from './close';

// docs/calls.md: once an attempt may have taken effect, a call ends `completed` or `unknown`, never `failed` or `cancelled`.
const now = new Date('2026-03-01T08:00:00Z');
let attempts = 0;
/** Of the field that the server asks for. */
let title = 'Seat';
const booked = new Set<string>();
const book = {
  ...defineTool({
    ...{ name: 'book', description: 'Books.', input: z.object({}), output: z.unknown(), effect: 'idempotent' },
    async execute(_input, { callId }) {
      attempts += 1;
      if (attempts === 1) {
        booked.add(callId);
        throw new Error('socket hang up');
      }
      throw new AsksUser({
        message: 'Which seat?',
        form: { type: 'object', properties: { seat: { type: 'string', title } } },
      } as never);
    },
  }),
  ...{ elicitation: 'ask', server: 'seats' },
} as unknown as FunctionTool;
const base = { purpose: 'p', instructions: 'i', model: 'm', tools: [book] };
const deployment = registry([defineAgent({ ...base, name: 'tester', onMessage: 'interrupt' })]);

describe('a call whose first attempt booked and lost its answer, and whose second one asks the user', () => {
  const table = tableOfTests();
  const steps = stepsIn(table, now, deployment.agents.get('tester'));

  async function asked(status = 'waiting') {
    attempts = 0;
    const { id, at } = await steps.given();
    await steps.commit(at, await steps.begin(at), {
      text: '',
      toolCalls: [{ id: 'c0', name: 'book', arguments: '{}' }],
    });
    const callId = callIdOf(at.runId, 1, 0);
    const make = () => runTool({ table, now: () => now }, book, { conversationId: id, runId: at.runId, callId });
    await expect(make()).rejects.toMatchObject({ name: 'ToolFailed' });
    await make();
    expect(await readCall(table, id, callId)).toMatchObject({ status, uncertain: true });
    const { run } = (await readMeta(table, id))!;
    // CallModel routes the question, so the run waits for the user.
    await finishOpenCalls(table, { ...at, step: 1 }, run!, { tools: deployment.tools, now });
    return { id, at, callId };
  }

  test('the user says something else instead of answering: the outcome is unknown (R258)', async () => {
    const { id, callId } = await asked();
    expect((await readMeta(table, id))!.status).toBe('waiting');
    await sendMessage(table, deployment.agents, id, { user: 'ada', text: 'Never mind.' }, now);
    const call = await readCall(table, id, callId);
    expect(booked.has(callId)).toBe(true);
    expect(call).toMatchObject({ status: 'unknown' });
  });

  test('the run fails and a message replaces it: the outcome is unknown (R258)', async () => {
    const { id, at, callId } = await asked();
    await failRun(table, deployment, { ...at, step: 1 }, 'Out of order.', now);
    await sendMessage(table, deployment.agents, id, { user: 'ada', text: 'Never mind.' }, now);
    const { run } = (await readMeta(table, id))!;
    await closeAsked(table, id, run!, now);
    const call = await readCall(table, id, callId);
    expect(booked.has(callId)).toBe(true);
    expect(call).toMatchObject({ status: 'unknown' });
  });

  test('nobody answers in time: the model does not read that it was not done (R258)', async () => {
    const { id, at, callId } = await asked();
    const { run } = (await readMeta(table, id))!;
    const later = new Date(now.getTime() + 400 * 86_400_000);
    await finishOpenCalls(table, { ...at, step: 1 }, run!, { tools: deployment.tools, now: later });
    const call = await readCall(table, id, callId);
    expect(call).toMatchObject({ status: 'unknown' });
    expect(call!.error).toBe(
      'The server seats asks the user in the middle of the call, and nobody answered. Whether it took effect is unknown: check before you try again.',
    );
  });

  test('the question cannot be asked: the model does not read that it was not done (R258)', async () => {
    title = 'PIN';
    const { id, callId } = await asked('unknown').finally(() => {
      title = 'Seat';
    });
    const call = await readCall(table, id, callId);
    expect(call).toMatchObject({ status: 'unknown' });
    expect(call!.error).toBe(
      'The server seats asks the user in the middle of the call, for a secret, which a form must not ask for. Whether it took effect is unknown: check before you try again.',
    );
  });
});
