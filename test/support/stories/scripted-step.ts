import { free } from '../../../core/base/models/price-list';
import type { LoopInput, LoopOutput } from '../../../core/base/state/loop-state';
import { noUsage, type Usage } from '../../../core/base/state/schemas';
import type { Model, ModelRequest, Reply } from '../../../core/conversations/agent/model';
import type { Registry } from '../../../core/conversations/agent/registry';
import { LogReader } from '../../../core/conversations/runs/log';
import type { Table } from '../../../core/conversations/store/table';
import { advance, type Loop } from '../../../core/machines/loop/advance';

type Said = Reply & { usage?: Usage };

/** What CallModel has in a fresh process, with a model that gives these replies. Each is one call, unless it says what it has used. */
export const scriptedLoop = (
  of: Pick<Loop, 'table' | 'registry' | 'now'> & Partial<Loop>,
  reply: (request: ModelRequest) => Said | Promise<Said>,
  about: Model['about'] = () => ({ model: 'scripted', maker: 'scripted', price: free }),
): Loop => ({
  logs: new LogReader(of.table),
  limits: {},
  deadline: new AbortController().signal,
  model: {
    reply: async (request) => ({ usage: { ...noUsage, modelCalls: 1 }, ...(await reply(request)) }),
    about,
  },
  ...of,
});

/** Makes a step in a fresh process, with a model that gives this reply. @param asked gets what it is asked. */
export function scriptedStep(
  { asked, ...of }: { table: Table; registry: Registry; now: () => Date; asked: ModelRequest[] } & Partial<Loop>,
  input: LoopInput,
  reply: Reply,
): Promise<LoopOutput> {
  const loop = scriptedLoop(of, (request) => {
    asked.push(request);
    return reply;
  });
  return advance(loop, input);
}
