import * as z from 'zod';
import { defineAgent } from '../../core/agent/agent';
import { type Registry, registry } from '../../core/agent/registry';
import { defaultRetry, defineTool, tableEffect } from '../../core/agent/tool';
import { readMeta, type Table } from '../../core/store/table';
import { TellModel, ToolFailed } from '../../core/text/errors';
import { schedule } from '../../tools/timers/schedule';
import { type Ledger, World } from './world';

/** What happens at the third party is a request of the tool's process, and may go wrong like any other. */
async function outside(kind: Ledger['events'][number]['kind'], callId: string, table: Table): Promise<void> {
  const world = World.current;
  const { ledger } = world;
  const fate = world.random.next();
  // That it is busy is nothing special, and costs no fault.
  const isBusy = kind !== 'unbook' && world.random.chance(0.12);
  const fails = fate < 0.2 && world.mayFail(0.6);
  await world.request(`${kind} outside`, world.invocationOf(table), ['dies-before', 'dies-after', 'zombie'], () => {
    if (isBusy) throw new ToolFailed('The third party says 503.');
    if (fails && fate < 0.1) throw new TellModel('The third party says no.');
    ledger.events.push({ kind, callId });
    if (kind === 'unbook') ledger.booked.delete(callId);
    else ledger.booked.add(callId);
    if (fails) throw new Error('socket hang up');
  });
}

/** The agents of an exploration, whose tools are retried so many times. Schedules share them, as the runs of a deployment do. */
export function deploymentWith(maxAttempts: number): Registry {
  const made = deployments.get(maxAttempts) ?? deployment(maxAttempts);
  deployments.set(maxAttempts, made);
  return made;
}
const deployments = new Map<number, Registry>();

function deployment(maxAttempts: number): Registry {
  const retry = { ...defaultRetry, maxAttempts };
  const nothing = z.object({});
  const look = defineTool({
    ...{ name: 'look', description: 'Looks.', input: nothing, output: z.unknown(), effect: 'read', retry },
    async execute(_input, { table, conversationId }) {
      await readMeta(table, conversationId);
      return 'seen';
    },
  });
  const pay = defineTool({
    ...{ name: 'pay', description: 'Pays.', input: nothing, output: z.unknown(), effect: 'idempotent', retry },
    async execute(_input, { callId, table }) {
      await outside('book', callId, table);
      return 'paid';
    },
    compensate: (_input, _output, { callId, table }) => outside('unbook', callId, table),
  });
  const charge = defineTool({
    ...{ name: 'charge', description: 'Charges.', input: nothing, output: z.unknown(), effect: 'once' },
    approval: { when: () => true, prompt: 'Charge?', expiresInSeconds: 3_600, fallback: 'Nobody approved.' },
    async execute(_input, { callId, table }) {
      await outside('charge', callId, table);
      return 'charged';
    },
    compensate: (_input, _output, { callId, table }) => outside('unbook', callId, table),
  });
  const note = defineTool({
    ...{ name: 'note', description: 'Notes.', input: nothing, output: z.unknown(), effect: 'table', retry },
    execute: async (_input, { callId }) =>
      tableEffect({ output: 'noted', messages: [{ role: 'assistant', text: `Noted ${callId}` }] }),
  });
  const alarm = defineTool({
    ...{ name: 'alarm', description: 'Wakes.', input: nothing, output: z.unknown(), effect: 'table', retry },
    execute: async (_input, { callId, now }) => {
      const at = new Date(now.getTime() + 60_000);
      return tableEffect({ output: 'set', timer: { kind: 'once', at, text: `Alarm ${callId}` } });
    },
    compensate: async () => undefined,
  });
  const order = defineTool({
    ...{ name: 'order', description: 'Orders.', input: nothing, output: z.unknown(), effect: 'idempotent', retry },
    webhook: { delivers: 'result', expiresInSeconds: 3_600, fallback: 'Nothing came.' },
    async execute(_input, { callId, table }) {
      await outside('book', callId, table);
      return 'ordered '.repeat(2_500);
    },
    compensate: (_input, _output, { callId, table }) => outside('unbook', callId, table),
  });
  const base = { purpose: 'p', instructions: 'i', model: 'm', limits: { steps: 12 }, holdFailedDays: 1 };
  const tools = [look, pay, charge, note, alarm, order, schedule];
  return registry([
    defineAgent({ ...base, name: 'merging', tools, delegates: ['helper'], handOffs: ['queueing'] }),
    defineAgent({ ...base, name: 'interrupting', tools, delegates: ['helper'], onMessage: 'interrupt' }),
    defineAgent({ ...base, name: 'queueing', tools, delegates: ['helper'], onMessage: 'queue' }),
    defineAgent({ ...base, name: 'asking', tools, end: { phrase: 'THE END' } }),
    defineAgent({ ...base, name: 'helper', tools: [look, pay, note, schedule] }),
  ]);
}
