import * as z from 'zod';
import type { Agent } from '../../../core/conversations/agent/agent';
import { registry } from '../../../core/conversations/agent/registry';
import { defineTool } from '../../../core/conversations/agent/tool';
import { callIdOf, readCall } from '../../../core/conversations/calls/call';
import type { Table } from '../../../core/conversations/store/table';
import { stepsIn, testAgent, testTool } from '../tables/steps';

/**
 * Tools with callbacks, for unit tests: `pay` asks a person, `order` and `orderLater` wait for an outside system, `ask`
 * asks the user.
 */
const common = { effect: 'idempotent' as const, execute: async () => ({ ok: 1 }) };
const webhook = { expiresInSeconds: 7 * 86_400, fallback: 'Nothing came.' };
export const pay = testTool('pay', {
  ...common,
  input: z.object({ cents: z.number().describe('c') }),
  approval: { when: () => true, prompt: 'Pay?', expiresInSeconds: 3 * 86_400, fallback: 'Nobody approved.' },
});
export const payNoted = testTool('pay_noted', {
  ...common,
  input: z.object({ note: z.string().describe('n') }),
  approval: { when: () => true, prompt: 'Pay?' },
});
export const order = testTool('order', { ...common, webhook: { ...webhook, delivers: 'result' } });
export const orderLater = testTool('order_later', { ...common, webhook: { ...webhook, delivers: 'message' } });
/** Asks the user. */
export const askTool = (prompt: string) =>
  defineTool({
    kind: 'callback',
    name: 'ask',
    description: 'd',
    input: z.object({}),
    prompt: () => prompt,
    expiresInSeconds: 86_400,
    fallback: 'Nobody said.',
  });
export const ask = askTool('Well?');

const asker = testAgent('tester', { tools: [pay, payNoted, order, orderLater, ask] });
export const deployment = registry([asker]);

/** Creates a run whose first step has made these calls. The returned ids are those of the first call. */
export function askingIn(table: Table, now: Date, agent: Agent = asker) {
  const steps = stepsIn(table, now, agent);
  return async (...calls: [name: string, args?: object][]) => {
    const { id, at } = await steps.given();
    const toolCalls = calls.map(([name, args = {}], index) => ({
      id: `c${index}`,
      name,
      arguments: JSON.stringify(args),
    }));
    await steps.commit(at, await steps.begin(at), { text: '', toolCalls });
    const callId = callIdOf(at.runId, 1, 0);
    const who = { conversationId: id, callbackId: callId, user: 'ada', groups: [], claims: {} };
    return { id, at, callId, who, call: async () => (await readCall(table, id, callId))! };
  };
}
