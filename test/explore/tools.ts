import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { AsksUser, NeedsApproval, TellModel, ToolFailed } from '../../core/base/text/errors';
import type { NewTimer } from '../../core/base/time/rule';
import type { ApprovalStep } from '../../core/conversations/agent/approvers';
import { tableEffect } from '../../core/conversations/agent/table-effect';
import { defaultRetry, defineTool, type Effect, type FunctionTool } from '../../core/conversations/agent/tool';
import { readMeta, type Table } from '../../core/conversations/store/table';
import { forgotten, readMemories, remembered } from '../../core/people/memory/memories';
import type { Random } from './random';
import { type Ledger, World } from './world';

/** What a generated tool uses of `defineTool`. */
export interface Features {
  effect: Effect;
  /** `inside`: the tool itself asks for the approval. */
  approval?: 'before' | 'inside';
  /** Who decides about the approval; absent: the owner. `several`: two of a group, then the owner. */
  approvers?: { group: string } | 'several';
  /** The owner may allow later calls. */
  standing?: true;
  /** Those who can decide are told again. */
  reminds?: true;
  /** Its server asks the user in the middle of the call: before it does anything, or after it, with a state by which it continues. */
  elicits?: 'first' | 'continues';
  /** Its server works on the call for some time, and may ask the user meanwhile. */
  isTask?: true;
  webhook?: 'result' | 'message';
  timer?: 'once' | 'repeat';
  /** It keeps a memory of its user, in the user's partition. */
  remembers?: true;
  /** With a `compensate`. */
  undo?: true;
  /** Of the result: in the call's row, compressed in a row of its own, or in several. */
  size: 'small' | 'row' | 'rows';
}

/** Whether an attempt changes something at a third party. */
export const isExternal = ({ effect }: Features): boolean => isExternalEffect(effect);
const isExternalEffect = (effect: Effect): boolean => effect === 'idempotent' || effect === 'once';

/** Returns a combination of features that `defineTool` takes. */
export function someFeatures(random: Random): Features {
  const effect = random.pick<Effect>(['read', 'table', 'idempotent', 'idempotent', 'once']);
  const isTable = effect === 'table';
  const may = (probability: number) => (random.chance(probability) ? true : undefined);
  const mayAskInside = effect === 'read' || isTable;
  const isTask = isExternalEffect(effect) ? may(0.2) : undefined;
  const approval = may(0.3) && (mayAskInside && may(0.6) ? 'inside' : 'before');
  return {
    effect,
    approval: approval || undefined,
    approvers: approval && may(0.5) ? random.pick([desk, 'several']) : undefined,
    reminds: approval && may(0.3),
    elicits: !isTable && !isTask && may(0.25) ? random.pick(['first', 'continues'] as const) : undefined,
    isTask,
    webhook: isTable || isTask || !may(0.3) ? undefined : random.pick(['result', 'message']),
    timer: isTable && may(0.5) ? random.pick(['once', 'repeat']) : undefined,
    remembers: isTable ? may(0.4) : undefined,
    undo: effect === 'read' ? undefined : may(0.6),
    size: random.pick(['small', 'small', 'small', 'small', 'row', 'rows']),
  };
}

const desk = { group: 'desk' };
const several: ApprovalStep[] = [
  { by: desk, count: 2, escalation: { afterSeconds: 1_200, to: { group: 'board' } } },
  { by: 'owner' },
];

const results = {
  small: 'done',
  row: 'done '.repeat(5_000),
  // Digits of random bytes are compressed to a little more than half, which takes two rows.
  rows: randomBytes(360_000).toString('hex'),
};

const made = new Map<string, Features>();
/** Returns the features of a generated tool. */
export const featuresOf = (tool: string): Features | undefined => made.get(tool);

/** Defines the tool. Its name says which one of the deployment it is. */
export function toolWith(name: string, features: Features, maxAttempts: number): FunctionTool {
  made.set(name, features);
  const { effect, approval, approvers, standing, reminds, elicits, webhook, timer, remembers, undo, size } = features;
  const { isTask } = features;
  const tool = {
    name,
    description: 'Does something.',
    input: z.object({}),
    output: z.unknown(),
    effect,
    retry: { ...defaultRetry, maxAttempts },
    ...(approval && {
      approval: {
        ...asking,
        approvers: approvers === 'several' ? several : approvers,
        standing: standing && {},
        reminders: reminds && { everySeconds: 900, atMost: 2 },
        when: () => approval === 'before',
      },
    }),
    ...(webhook && { webhook: { delivers: webhook, expiresInSeconds: 3_600, fallback: 'Nothing came.' } }),
    ...(undo && {
      async compensate(_input: object, _output: unknown, { callId, table, user, now }: Context) {
        if (isExternal(features)) return outside('unbook', callId, table);
        const isThere = remembers && (await readMemories(table, user)).some(({ id }) => id === callId);
        return tableEffect({ output: undefined, rows: isThere ? [forgotten(user, callId, now)] : [] });
      },
    }),
    async execute(_input: object, context: Context) {
      const { callId, table, conversationId, approved, answers = [], round, now, user } = context;
      if (approval === 'inside' && !approved) throw new NeedsApproval('It costs something.');
      if (round?.task) await World.current.taskServer.resultOf(context, question);
      if (round) return results[size];
      const asks = elicits && answers.length === 0 && World.current.random.chance(0.7);
      if (asks && elicits === 'first') throw new AsksUser(question);
      if (effect === 'read') await readMeta(table, conversationId);
      if (isExternal(features)) await outside(effect === 'once' ? 'charge' : 'book', callId, table);
      if (isTask) World.current.taskServer.begin(context);
      if (asks) throw new AsksUser(question, { state: 'ImJvb2tlZCI=', earlier: 0, asks: [{ key: 'q', question }] });
      if (effect !== 'table') return results[size];
      const messages = [{ role: 'assistant' as const, text: `Noted ${callId}` }];
      const memory = { id: callId, text: callId, conversationId, sources: [], createdAt: now.toISOString() };
      const rows = remembers && [remembered(user, { ...memory, vector: new Float32Array([1]), embeddingModel: 'm' })];
      return tableEffect({ output: results[size], messages, rows, timer: timer && newTimer(timer, callId, now) });
    },
  };
  const defined = defineTool(tool as never) as FunctionTool;
  // What the tools of an MCP server have besides.
  return elicits || isTask ? { ...defined, elicitation: 'ask', server: 'server' } : defined;
}

type Context = Parameters<FunctionTool['execute']>[1];

const asking = { prompt: 'Do it?', expiresInSeconds: 3_600, fallback: 'It was not approved.' };

const question = {
  message: 'Which one?',
  form: { type: 'object', properties: { which: { type: 'string' } }, required: ['which'] },
} as never;

function newTimer(kind: 'once' | 'repeat', callId: string, now: Date): NewTimer {
  const at = new Date(now.getTime() + 60_000);
  const text = `Alarm ${callId}`;
  if (kind === 'once') return { kind, at, text };
  const { random } = World.current;
  const policies = {
    overlap: random.pick([undefined, 'queue', 'skip'] as const),
    catchUp: random.pick([undefined, 'all', 'skip'] as const),
    jitterSeconds: random.pick([undefined, 600]),
  };
  return { kind, at, text, rule: { everySeconds: 3_600 }, ...policies };
}

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
