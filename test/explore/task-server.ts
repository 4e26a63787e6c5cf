import { AsksUser, ResultLost, ServerWorking } from '../../core/base/text/errors';
import type { FunctionTool } from '../../core/conversations/agent/tool';
import type { Table } from '../../core/conversations/store/table';
import { World } from './world';

interface Task {
  callId: string;
  /** When it has its result. */
  doneAt: number;
  /** Whether it asks the user first, or has asked. */
  asks: boolean;
  status: 'working' | 'cancelled';
}
type Context = Parameters<FunctionTool['execute']>[1];

/** A server that works on calls for some time: it answers with a task, and says how far it is when it is asked. */
export class TaskServer {
  private readonly tasks = new Map<string, Task>();
  /** The tasks whose results were given out. */
  private readonly fetched = new Set<string>();

  /** Begins a task. The call has been made. */
  begin({ callId }: Context): never {
    const { random, time } = World.current;
    const id = `${callId}/${this.tasks.size}`;
    const minutes = random.pick([0, 1, 30, 120]);
    this.tasks.set(id, { callId, doneAt: time + minutes * 60_000, asks: random.chance(0.3), status: 'working' });
    World.current.count('tasks');
    throw new ServerWorking({
      round: { earlier: 0, asks: [], task: { id, answered: [], pollMs: random.pick([undefined, 2_000, 60_000]) } },
    });
  }

  /** Asks how far a task is, after it has given the user's answer. */
  async resultOf({ round, answers = [], table }: Context, question: never): Promise<void> {
    const { id, answered, ...times } = round!.task!;
    const state = await this.asked(table, `tasks/get ${id}`, () => {
      const task = this.tasks.get(id)!;
      if (answers.length > 0) task.asks = false;
      if (task.status === 'working' && !task.asks && World.current.time >= task.doneAt) this.fetched.add(id);
      return { ...task };
    });
    const task = { ...times, id, answered: answers.length > 0 ? ['q'] : answered };
    if (state.status === 'cancelled') throw new ResultLost('The server has ended the task without a result.');
    if (state.asks) throw new AsksUser(question, { earlier: answers.length, asks: [{ key: 'q', question }], task });
    if (!this.fetched.has(id)) throw new ServerWorking({ round: { earlier: answers.length, asks: [], task } });
  }

  /** Is told that a task is no longer needed. */
  async cancel(table: Table, id: string): Promise<void> {
    await this.asked(table, `tasks/cancel ${id}`, () => {
      this.tasks.get(id)!.status = 'cancelled';
    });
  }

  /** A task that its call's row knows is fetched, or its server is told. */
  broken(
    rows: { sk: string; kind?: unknown; status?: unknown; taskId?: unknown }[],
    hasLostNothing: boolean,
  ): string[] {
    const left = rows.filter(({ sk, kind, status, taskId }) => {
      if (!sk.startsWith('CALLBACK#') || kind !== 'task' || status !== 'cancelled' || !hasLostNothing) return false;
      return this.tasks.get(String(taskId))?.status === 'working';
    });
    return left.map(({ sk }) => `${sk} is cancelled, and its server still works.`);
  }

  private asked<Answer>(table: Table, label: string, perform: () => Answer): Promise<Answer> {
    const world = World.current;
    const may = ['dies-before', 'dies-after', 'zombie'] as const;
    return world.request(label, world.invocationOf(table), may, perform) as Promise<Answer>;
  }
}
