import type { LoopInput } from '../../../core/base/state/loop-state';
import type { Locale } from '../../../core/base/time/time-zone';
import type { Agent } from '../../../core/conversations/agent/agent';
import type { Model } from '../../../core/conversations/agent/model';
import { registry } from '../../../core/conversations/agent/registry';
import { sendMessage } from '../../../core/conversations/conversation/send-message';
import type { FileStore } from '../../../core/conversations/files/file-store';
import type { SentPart } from '../../../core/conversations/files/references';
import { createConversation } from '../../../core/conversations/runs/conversation';
import { LogReader } from '../../../core/conversations/runs/log';
import { readMeta, type Table } from '../../../core/conversations/store/table';
import { advance, type Loop } from '../../../core/machines/loop/advance';
import { runTool } from '../../../core/machines/loop/run-tool';
import { segmentOf } from '../segment-of';

interface Played {
  table: Table;
  agents: Agent[];
  model: Model;
  recall?: Loop['recall'];
  files?: FileStore;
  /** The clock. */
  now: () => Date;
}

/** A conversation whose loop runs in this process, with the real rows: CallModel, and what its answer asks for, until the run rests. */
export function loopInTable({ table, agents, model, recall, files, now }: Played, id: string) {
  const known = registry(agents);
  const loop: Loop = {
    table,
    model,
    recall,
    files,
    now,
    registry: known,
    logs: new LogReader(table),
    limits: {},
    deadline: new AbortController().signal,
  };
  let input: LoopInput | undefined;

  /** Makes one step, and runs the tools that it asks for. @returns what follows. */
  async function step(): Promise<string> {
    const output = await advance(loop, input!);
    input = output;
    if (output.next === 'continue') input = segmentOf((await readMeta(table, id))!)!.input;
    for (const { next, callId } of output.calls ?? (output.call ? [output.call] : [])) {
      const tool = next.startsWith('tool:') ? known.tools.get(next.slice('tool:'.length)) : undefined;
      if (tool?.kind === 'function') await runTool({ table, now }, tool, { ...output, callId });
    }
    return output.next;
  }

  /** Steps until the run sleeps, waits for somebody or ends. @returns why it rests. */
  async function rest(): Promise<string> {
    for (let steps = 0; steps < 500; steps++) {
      const next = await step();
      if (['done', 'wait', 'callback', 'approval'].includes(next)) return next;
    }
    throw new Error('The run does not rest.');
  }

  const say = (text: string, locale?: Locale, parts?: SentPart[]) =>
    sendMessage(table, known.agents, id, { user: 'ada', text, locale, parts }, now());

  return {
    rest,
    /** The user's first message. */
    async start(text: string, locale?: Locale): Promise<string> {
      const { meta } = await createConversation(
        table,
        { id, user: 'ada', agent: agents[0]!.name, text, locale },
        now(),
      );
      input = segmentOf(meta)!.input;
      return rest();
    },
    /** Another one, which wakes a sleeping run or starts the next. */
    async tell(text: string, locale?: Locale, parts?: SentPart[]): Promise<string> {
      const { meta } = await say(text, locale, parts);
      input = segmentOf(meta)!.input;
      return rest();
    },
  };
}
