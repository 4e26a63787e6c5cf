import type { SFNClient } from '@aws-sdk/client-sfn';
import { isActive } from '../core/base/state/schemas';
import type { Registry } from '../core/conversations/agent/registry';
import { readCallback } from '../core/conversations/calls/callback';
import { closeAsked, closeRest } from '../core/conversations/calls/close';
import { readTimer } from '../core/conversations/calls/timer';
import { cancelChild, report } from '../core/conversations/conversation/children';
import { endDeleted, sweepDeleted } from '../core/conversations/conversation/delete';
import { parsedAs } from '../core/conversations/rows/readable';
import { StoredTodos, type Todo, type TodoRow } from '../core/conversations/rows/todo';
import { closeDropped } from '../core/conversations/runs/dropped';
import { closeTodos, readItem, readShownMeta, type Table, timeOf } from '../core/conversations/store/table';
import { stopCauses } from '../core/machines/reconcile/needed';
import { log } from '../runtime/log';
import { type CancelElsewhere, resume, startRollback, startSegment, startTimer, stopExecution } from './executions';
import { isPassing } from './passing';

/** What those who act on to-dos need. Without `cancelElsewhere` and what else only Relay may do, they leave that to Relay. */
export interface Acting {
  client: SFNClient;
  table: Table;
  registry: Registry;
  cancelElsewhere?: CancelElsewhere;
}

type Does = Todo['does'];
type Of<Kind extends Does> = Extract<Todo, { does: Kind }>;

interface TodoKind<Kind extends Does> {
  /**
   * Who does it. `at once`: whoever has committed it, before the answer; Relay does it again if that process dies. `relay`: Relay alone,
   * because it takes long or needs rights that others lack.
   */
  by: 'at once' | 'relay';
  act(acting: Acting, conversationId: string, todo: Of<Kind>, isNew: boolean): Promise<unknown>;
}

/**
 * All kinds of to-dos. Each is done at least once, in any order, and beside others: acting twice changes nothing.
 *
 * What fails for a reason that passes (`isPassing`) is tried again by Relay; all else is left to Reconcile, which tries it each hour and
 * names it.
 */
const todoKinds: { [Kind in Does]: TodoKind<Kind> } = {
  start: {
    by: 'at once',
    async act({ client, table }, conversationId, { runId, segment, step }, isNew) {
      const run = isNew ? undefined : (await readShownMeta(table, conversationId))?.run;
      const isUnderWay = run?.id === runId && run.segment === segment && isActive(run.status);
      if (isNew || isUnderWay) await startSegment(client, { conversationId, runId, segment, step });
    },
  },
  wait: {
    by: 'at once',
    async act({ client, table }, conversationId, { timerId, segment }) {
      const timer = await readTimer(table, conversationId, timerId);
      if (timer?.status === 'active' && timer.segment === segment) await startTimer(client, timer);
    },
  },
  stop: {
    by: 'at once',
    act: ({ client }, _, { machine, execution, because }) =>
      stopExecution(client, machine, execution, stopCauses[because]),
  },
  rollback: {
    by: 'at once',
    act: ({ client }, conversationId, { runId, segment, at, isHeld }) =>
      startRollback(client, { conversationId, runId, segment, at }, isHeld),
  },
  close: {
    by: 'at once',
    async act({ table, registry }, conversationId, { run, messages }) {
      const now = timeOf(table);
      if (run) {
        await closeAsked(table, conversationId, run, now, registry.tools);
        await closeRest(table, conversationId, run, now);
      }
      await closeDropped(table, conversationId, messages);
    },
  },
  report: {
    by: 'at once',
    async act({ table }, conversationId) {
      const child = await readShownMeta(table, conversationId);
      if (child) await report(table, child, timeOf(table));
    },
  },
  resume: { by: 'at once', act: ({ client }, _, { taskTokens, route }) => resume(client, taskTokens, route) },
  withdraw: {
    by: 'relay',
    async act({ table, registry, cancelElsewhere }, conversationId, { callbackId, stoppedBy: by }) {
      const callback = await readCallback(table, conversationId, callbackId);
      if (!callback) return;
      await cancelElsewhere?.(conversationId, callback);
      if (callback.conversationId)
        await cancelChild(table, registry.tools, callback.conversationId, timeOf(table), { by });
    },
  },
  end: {
    by: 'at once',
    act: ({ table, registry }, conversationId) => endDeleted(table, registry.tools, conversationId, timeOf(table)),
  },
  sweep: {
    by: 'relay',
    async act({ table, registry }, conversationId) {
      await endDeleted(table, registry.tools, conversationId, timeOf(table));
      await sweepDeleted(table, conversationId, timeOf(table));
    },
  },
};

/**
 * Does what follows from a transaction, and empties its row. One that fails keeps no other from being done.
 *
 * @param isNew the caller has just committed it, and leaves to Relay what is not done at once.
 * @throws the first failure that passes, or else the first. The row stays.
 */
export async function actOn(acting: Acting, row: TodoRow, isNew = false): Promise<void> {
  const { todos } = row;
  const own = todos.filter(({ todo }) => !isNew || todoKinds[todo.does].by === 'at once');
  const failures: unknown[] = [];
  for (const { conversationId, todo } of own) {
    const { act } = todoKinds[todo.does] as TodoKind<Does>;
    // A conversation that is gone has nothing to do.
    await act(acting, conversationId, todo, isNew).catch((error: Error) => {
      if (error.name !== 'NotFound') failures.push(error);
    });
  }
  if (failures.length > 0) throw failures.find(isPassing) ?? failures[0];
  if (own.length === todos.length) await closeTodos(acting.table, row);
}

/** Does what a stored row asks for, if it is still to be done. */
export async function actOnRow(acting: Acting, at: { pk: string; sk: string }): Promise<void> {
  const stored = await readItem(acting.table, at);
  const row = stored && parsedAs(StoredTodos, stored);
  if (row?.todos.length) await actOn(acting, { ...row, ...at });
}

/** A table that keeps what follows from its transactions, so that the process that commits them acts at once. */
export function actingAtOnce({ table: stored, ...acting }: Acting): { table: Table; carryOut(): Promise<void> } {
  const committed: TodoRow[] = [];
  const table: Table = { ...stored, committed: (row) => committed.push(row) };
  return {
    table,
    async carryOut() {
      // What follows from this, too.
      for (let row = committed.shift(); row; row = committed.shift())
        await actOn({ ...acting, table }, row, true).catch((error: Error) =>
          log.warn('left to the relay', { error: error.name }),
        );
    },
  };
}
