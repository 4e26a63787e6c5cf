import type { LoopInput } from '../../../core/base/state/loop-state';
import { noUsage } from '../../../core/base/state/schemas';
import type { DeploymentLimits } from '../../../core/conversations/agent/limits';
import type { Model, Reply } from '../../../core/conversations/agent/model';
import { registry } from '../../../core/conversations/agent/registry';
import { createConversation } from '../../../core/conversations/runs/conversation';
import { LogReader } from '../../../core/conversations/runs/log';
import type { Table } from '../../../core/conversations/store/table';
import { advance } from '../../../core/machines/loop/advance';
import { runTool } from '../../../core/machines/loop/run-tool';
import { segmentOf } from '../segment-of';
import { countedTable } from './counted-table';
import { look, lookingAgent } from './steps';

/** As long as the ids that the page chooses: META has it, and costs more beyond 1 KB. */
export const idOfPage = `u${'0'.repeat(16)}_c_${'0'.repeat(32)}`;

const pieceCharacters = 20;
const sentence = 'The quick brown fox jumps over the lazy dog, and it does. ';

/** Replies with a text of sentences. */
export const textReply = (characters: number): Reply => ({
  text: sentence.repeat(Math.ceil(characters / sentence.length)).slice(0, characters),
  toolCalls: [],
});

/**
 * Makes a run of one step for each reply, as the functions do, with a model that is slower than the table.
 *
 * @returns the write units of each kind of request, of each step.
 */
export async function countedSteps(
  real: Table,
  id: string,
  replies: Reply[],
  { limits = {} }: { limits?: DeploymentLimits } = {},
): Promise<Map<string, number>[]> {
  let time = Date.parse('2026-03-01T08:00:00Z');
  // What changes with the time, such as a place in an index, changes with each step.
  const now = () => {
    time += 1_000;
    return new Date(time);
  };
  const { table, units, idle } = countedTable(real);
  const said = { id, user: 'ada', agent: lookingAgent.name, text: 'Hello' };
  const { meta } = await createConversation(table, said, now());
  let input: LoopInput = segmentOf(meta)!.input;
  let before = units();
  const steps: Map<string, number>[] = [];
  const logs = new LogReader(table);
  for (const reply of replies) {
    const model: Model = {
      reply: async ({ onText }) => {
        for (let from = 0; from < reply.text.length; from += pieceCharacters) {
          onText?.(reply.text.slice(from, from + pieceCharacters));
          await idle();
        }
        return { ...reply, usage: { ...noUsage, modelCalls: 1, inputTokens: 1_000, outputTokens: 100 } };
      },
      about: () => ({ model: 'scripted', maker: 'scripted', price: { input: 2, output: 10 } }),
    };
    const deadline = new AbortController().signal;
    const loop = { table, logs, model, registry: registry([lookingAgent]), now, limits, deadline };
    input = await advance(loop, input);
    const { conversationId, runId, call } = input;
    if (call) await runTool({ table, now }, look, { conversationId, runId, callId: call.callId });
    const after = units();
    steps.push(new Map([...after].map(([write, sum]) => [write, sum - (before.get(write) ?? 0)])));
    before = after;
  }
  return steps.map((step) => new Map([...step].filter(([, sum]) => sum > 0)));
}

export const sumOf = (units: Map<string, number>): number => [...units.values()].reduce((sum, one) => sum + one, 0);
