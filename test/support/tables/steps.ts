import * as z from 'zod';
import { noUsage } from '../../../core/base/state/schemas';
import { type Agent, type AgentSpec, defineAgent } from '../../../core/conversations/agent/agent';
import type { Reply } from '../../../core/conversations/agent/model';
import { defineTool, type FunctionTool, type FunctionToolSpec } from '../../../core/conversations/agent/tool';
import { decide } from '../../../core/conversations/decisions/decide';
import type { Draft } from '../../../core/conversations/rows/meta';
import { beginStep } from '../../../core/conversations/runs/begin-step';
import { commitStep } from '../../../core/conversations/runs/commit-step';
import { createConversation } from '../../../core/conversations/runs/conversation';
import { addPiece } from '../../../core/conversations/store/pieces';
import type { Table } from '../../../core/conversations/store/table';
import { segmentOf } from '../segment-of';

type Spec<Input extends z.ZodObject, Output extends z.ZodType> = Omit<
  FunctionToolSpec<Input, Output, undefined, never, never, never>,
  'name' | 'foreign' | 'isolated' | 'kind'
>;

/** A tool that has what a test does not say of it: it takes nothing, reads and answers with 1. */
export const testTool = <Input extends z.ZodObject, Output extends z.ZodType = z.ZodUnknown>(
  name: string,
  spec: Partial<Spec<Input, Output>> = {},
) =>
  defineTool({
    name,
    description: 'd',
    input: z.object({}),
    output: z.unknown(),
    effect: 'read',
    execute: async () => 1,
    ...(spec as object),
  }) as unknown as FunctionTool<Input, Output> & { isolated?: undefined };
/** An agent that has what a test does not say of it. */
export const testAgent = (name: string, spec: Partial<Omit<AgentSpec, 'name' | 'instructions'>> = {}) =>
  defineAgent({ name, purpose: 'p', instructions: 'i', model: 'm', tools: [], ...spec });

export const look = testTool('look', { execute: async () => 'seen' });
/** Waits until the time that it is given. */
export const nap = defineTool({
  kind: 'wait',
  name: 'nap',
  description: 'Naps.',
  input: z.object({ at: z.string().describe('When') }),
  until: ({ at }) => new Date(at),
});
export const lookingAgent = testAgent('tester', { tools: [look] });
export const callLook: Reply = { text: '', toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }] };

let serial = 0;

/** Makes steps like CallModel but without a model, for tests of what is stored. */
export function stepsIn(table: Table, now: Date, agent: Agent = lookingAgent, user = 'ada') {
  /** Creates a conversation with one message. Returns where its first step goes. */
  async function given(id = `s${++serial}`, text = 'Hello') {
    const { meta } = await createConversation(table, { id, user, agent: agent.name, text }, now);
    return { id, at: { ...segmentOf(meta)!.input, step: 1 } };
  }
  type At = Awaited<ReturnType<typeof given>>['at'];

  async function begin(at: At, writer = 'w1'): Promise<Draft> {
    const begun = await beginStep(table, at, { agent, writer, now });
    if (begun.kind !== 'begun') throw new Error(begun.kind);
    return begun.draft;
  }

  const commit = (at: At, draft: Draft, reply: Reply) =>
    commitStep(table, at, draft, {
      agent,
      decision: decide(agent, reply, { ...at, user, now, knownIds: new Set() }),
      usage: { ...noUsage, modelCalls: 1 },
      now,
    });

  /** Adds a piece to the reply that is being written. */
  const says = (id: string, { seq, attempt = 1 }: Draft, text: string, from = 0) =>
    addPiece(table, id, { seq, attempt, from, text }, now);

  return { given, begin, commit, says };
}
