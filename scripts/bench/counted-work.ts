import type { LoopInput } from '../../core/base/state/loop-state';
import { noUsage } from '../../core/base/state/schemas';
import { defaultDay } from '../../core/base/state/user-limits';
import type { Reply } from '../../core/conversations/agent/model';
import { registry } from '../../core/conversations/agent/registry';
import { createConversation } from '../../core/conversations/runs/conversation';
import { LogReader } from '../../core/conversations/runs/log';
import type { Table } from '../../core/conversations/store/table';
import { advance } from '../../core/machines/loop/advance';
import { runTool } from '../../core/machines/loop/run-tool';
import { segmentOf } from '../../test/support/segment-of';
import { idOfPage } from '../../test/support/tables/counted-steps';
import { callLook, look, lookingAgent } from '../../test/support/tables/steps';
import type { Counted } from './budgets';

const reading = new Set(['GetCommand', 'QueryCommand', 'BatchGetCommand', 'TransactGetCommand']);
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

interface Sent {
  constructor: { name: string };
  input: object;
}
type Answer = { ConsumedCapacity?: Capacity | Capacity[] };
type Capacity = { CapacityUnits?: number };

/**
 * A table that counts its requests and what they consume. Answers are held until all requests under way have theirs: so those that do not wait
 * for one another are one round, however fast the engine is.
 */
function meteredTable(real: Table) {
  const sum = { requests: 0, rounds: 0, writeUnits: 0, readUnits: 0 };
  let under = 0;
  let held: (() => void)[] = [];
  async function release(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await nextTurn();
    if (under > 0 || held.length === 0) return;
    const answers = held;
    held = [];
    sum.rounds += 1;
    for (const answer of answers) answer();
  }
  const client = {
    async send(command: Sent) {
      Object.assign(command.input, { ReturnConsumedCapacity: 'TOTAL' });
      under += 1;
      sum.requests += 1;
      try {
        const { ConsumedCapacity = [], ...rest } = (await real.client.send(command as never)) as Answer;
        const units = [ConsumedCapacity].flat().reduce((all, { CapacityUnits = 0 }) => all + CapacityUnits, 0);
        sum[reading.has(command.constructor.name) ? 'readUnits' : 'writeUnits'] += units;
        return rest;
      } finally {
        under -= 1;
        const isAnswered = new Promise<void>((resolve) => held.push(resolve));
        void release();
        await isAnswered;
      }
    },
  };
  return { table: { name: real.name, client: client as unknown as Table['client'] }, sum };
}

/** Counts what a message and a step with a tool ask of the table, as Api, CallModel and the tool ask it with the default limits of a user. */
export async function countedWork(real: Table): Promise<Counted> {
  let time = Date.parse('2026-03-01T08:00:00Z');
  const now = () => {
    time += 1_000;
    return new Date(time);
  };
  const agents = registry([lookingAgent]);

  async function counted(id: string, replies: Reply[]) {
    const { table, sum } = meteredTable(real);
    const said = { id, user: id, agent: lookingAgent.name, text: 'Hello' };
    const { meta } = await createConversation(table, said, now());
    let input: LoopInput = segmentOf(meta)!.input;
    const after = [];
    const logs = new LogReader(table);
    for (const reply of replies) {
      const model = {
        reply: async () => ({ ...reply, usage: { ...noUsage, modelCalls: 1, inputTokens: 1_000, outputTokens: 100 } }),
        about: () => ({ model: 'scripted', maker: 'scripted', price: { input: 2, output: 10 } }),
      };
      const deadline = new AbortController().signal;
      const loop = { table, logs, model, registry: agents, now, limits: { day: defaultDay }, deadline };
      input = await advance(loop, input);
      const { conversationId, runId, call } = input;
      if (call) await runTool({ table, now }, look, { conversationId, runId, callId: call.callId });
      after.push({ ...sum });
    }
    return after;
  }

  const [message] = await counted(idOfPage, [{ text: 'Hi.', toolCalls: [] }]);
  // The second one: the first reads the message.
  const [first, second] = await counted(`${idOfPage}s`, [callLook, callLook]);
  return {
    'message.requests': message!.requests,
    'message.rounds': message!.rounds,
    'message.writeUnits': message!.writeUnits,
    'message.readUnits': message!.readUnits,
    'step.requests': second!.requests - first!.requests,
    'step.rounds': second!.rounds - first!.rounds,
    'step.writeUnits': second!.writeUnits - first!.writeUnits,
    'step.readUnits': second!.readUnits - first!.readUnits,
  };
}
