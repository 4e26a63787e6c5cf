import * as z from 'zod';
import { type Agent, defineAgent } from '../../../core/conversations/agent/agent';
import { registry } from '../../../core/conversations/agent/registry';
import { defineTool } from '../../../core/conversations/agent/tool';
import { callIdOf, readCall } from '../../../core/conversations/calls/call';
import type { Table } from '../../../core/conversations/store/table';
import { stepsIn } from '../tables/steps';

/**
 * Tools with callbacks, for unit tests: `pay` asks a person, `order` and `orderLater` wait for an outside system, `ask`
 * asks the user.
 */
const common = {
  description: 'd',
  output: z.unknown(),
  effect: 'idempotent' as const,
  execute: async () => ({ ok: 1 }),
};
const webhook = { expiresInSeconds: 7 * 86_400, fallback: 'Nothing came.' };
export const pay = defineTool({
  ...common,
  name: 'pay',
  input: z.object({ cents: z.number().describe('c') }),
  approval: { when: () => true, prompt: 'Pay?', expiresInSeconds: 3 * 86_400, fallback: 'Nobody approved.' },
});
export const payNoted = defineTool({
  ...common,
  name: 'pay_noted',
  input: z.object({ note: z.string().describe('n') }),
  approval: { when: () => true, prompt: 'Pay?' },
});
export const order = defineTool({
  ...common,
  name: 'order',
  input: z.object({}),
  webhook: { ...webhook, delivers: 'result' },
});
export const orderLater = defineTool({
  ...common,
  name: 'order_later',
  input: z.object({}),
  webhook: { ...webhook, delivers: 'message' },
});
export const ask = defineTool({
  kind: 'callback',
  name: 'ask',
  description: 'd',
  input: z.object({}),
  prompt: () => 'Well?',
  expiresInSeconds: 86_400,
  fallback: 'Nobody said.',
});

const asker = defineAgent({
  name: 'tester',
  purpose: 'p',
  instructions: 'i',
  model: 'm',
  tools: [pay, payNoted, order, orderLater, ask],
});
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
