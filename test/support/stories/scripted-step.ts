import type { LoopInput, LoopOutput } from '../../../core/base/state/loop-state';
import { noUsage } from '../../../core/base/state/schemas';
import type { Model, ModelRequest, Reply } from '../../../core/conversations/agent/model';
import type { Registry } from '../../../core/conversations/agent/registry';
import { LogReader } from '../../../core/conversations/runs/log';
import type { Table } from '../../../core/conversations/store/table';
import { advance } from '../../../core/machines/loop/advance';

/** Makes a step in a fresh process, with a model that gives this reply. @param asked gets what it is asked. */
export function scriptedStep(
  { table, registry, now, asked }: { table: Table; registry: Registry; now: () => Date; asked: ModelRequest[] },
  input: LoopInput,
  reply: Reply,
): Promise<LoopOutput> {
  const model: Model = {
    reply: async (request) => {
      asked.push(request);
      return { ...reply, usage: { ...noUsage, modelCalls: 1 } };
    },
    about: () => ({ model: 'scripted', maker: 'scripted' }),
  };
  const deadline = new AbortController().signal;
  return advance({ table, registry, now, model, logs: new LogReader(table), limits: {}, deadline }, input);
}
