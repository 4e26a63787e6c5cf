import type { SFNClient } from '@aws-sdk/client-sfn';
import { isActive } from '../../core/base/state/schemas';
import type { Registry } from '../../core/conversations/agent/registry';
import { readTimer } from '../../core/conversations/calls/timer';
import { rowsIndex } from '../../core/conversations/embeddings/message-index';
import type { FileStore } from '../../core/conversations/files/file-store';
import { readFileRow } from '../../core/conversations/files/stored-file';
import { deleteUnused, isUnused } from '../../core/conversations/files/sweep';
import { conversationIn, key } from '../../core/conversations/rows/keys';
import { parsedAs } from '../../core/conversations/rows/readable';
import { StoredTodos } from '../../core/conversations/rows/todo';
import { readItem, readMeta, type Table } from '../../core/conversations/store/table';
import {
  type Found,
  type Named,
  neededByRun,
  neededByTimer,
  ofRunIn,
  ofTimerIn,
  verdictOn,
} from '../../core/machines/reconcile/needed';
import { canGoOn, renewRun } from '../../core/machines/reconcile/renew-run';
import { renewTimer } from '../../core/machines/reconcile/renew-timer';
import type { OpenRow } from '../../core/machines/reconcile/sweep';
import { type EndedBy, reasonOf } from '../../core/machines/rollback/execution-end';
import { settleExecution } from '../../core/machines/rollback/settle-execution';
import { type CancelElsewhere, findExecution } from '../executions';
import { actOn } from '../todos';

export interface Reconciling {
  client: SFNClient;
  table: Table;
  registry: Registry;
  cancelElsewhere: CancelElsewhere;
  files: FileStore;
  now: Date;
  /** A time in ISO 8601 UTC: what began before it began on the table that this one was restored from. */
  restoredAt: string;
  /** Embeds what is left of a conversation, and returns whether it could. Undefined if the deployment embeds no messages. */
  embed?: (conversationId: string) => Promise<boolean>;
  /** Changes nothing, and returns what it would do. */
  dryRun: boolean;
}

/** An action on a row. It has ids only, never a person's words. */
export interface Action {
  does: 'renew' | 'settle' | 'act' | 'schedule' | 'delete' | 'embed';
  /** Absent for a file. */
  conversationId?: string;
  /** The run, the timer, the file or the row. */
  id: string;
  because: string;
}

/** Relay acts on what is younger, and Step Functions may not yet show it. */
const graceMs = 10 * 60_000;

/** Compares a row with its executions, and starts, ends or sends what is missing. Each write is conditional on what was read. */
export async function reconcileRow(context: Reconciling, { pk, sk }: OpenRow): Promise<Action[]> {
  if (sk.startsWith(key.file(''))) return reconcileFile(context, { pk, sk });
  if (sk.startsWith(key.embedded(''))) return reconcileEmbedding(context, { pk, sk });
  if (sk.startsWith(key.todos(''))) return reconcileTodos(context, { pk, sk });
  const conversationId = conversationIn(pk);
  return sk === key.meta ? reconcileRun(context, conversationId) : reconcileTimer(context, conversationId, sk);
}

async function reconcileFile({ table, files, now, dryRun }: Reconciling, { pk, sk }: OpenRow): Promise<Action[]> {
  const [user, id] = [pk.slice(key.filesOf('').length), sk.slice(key.file('').length)];
  const row = await readFileRow(table, user, id);
  if (!row || !isUnused(row, now)) return [];
  if (!dryRun) await deleteUnused(table, files, user, id, now);
  return [{ does: 'delete', id, because: 'nothing refers to it' }];
}

/** Embeds what is left of a conversation, if the deployment embeds messages, or erases what a former owner, or a deleted conversation, has left. */
async function reconcileEmbedding({ table, embed, now, dryRun }: Reconciling, { pk, sk }: OpenRow): Promise<Action[]> {
  const [owner, conversationId] = [pk.slice(key.saidTo('').length), sk.slice(key.embedded('').length)];
  const index = rowsIndex(table);
  const progress = await index.progressOf({ owner, conversationId });
  const before = new Date(now.getTime() - graceMs).toISOString();
  if (!progress?.openSince || progress.openSince > before) return [];
  if (progress.isGone) {
    if (!dryRun) await index.erase({ owner, conversationId }, now);
    return [{ does: 'embed', conversationId, id: sk, because: 'it is no longer its owner’s' }];
  }
  if (!embed) return [];
  // While the server is down, the next sweep tries again.
  if (!dryRun && !(await embed(conversationId))) return [];
  return [{ does: 'embed', conversationId, id: sk, because: 'what was said in it is not embedded' }];
}

/** Does what nobody has done in time: a record of the stream was lost, or it failed. Whatever fails again is named as failed. */
async function reconcileTodos(context: Reconciling, at: OpenRow): Promise<Action[]> {
  const { table, now, restoredAt, dryRun } = context;
  const stored = await readItem(table, at);
  if (!stored) return [];
  const row = parsedAs(StoredTodos, stored);
  if (row.todos.length === 0) return [];
  if (row.at > restoredAt && row.at > new Date(now.getTime() - graceMs).toISOString()) return [];
  if (!dryRun) await actOn(context, { ...row, ...at });
  const because = `${row.todos.map(({ todo }) => todo.does).join(', ')} was not done since ${row.at}`;
  return [{ does: 'act', conversationId: conversationIn(at.pk), id: at.sk, because }];
}

async function reconcileRun(context: Reconciling, conversationId: string): Promise<Action[]> {
  const { client, table, registry, now, restoredAt, dryRun } = context;
  const meta = await readMeta(table, conversationId);
  const run = meta?.run;
  if (!run || !canGoOn(run)) return [];
  const { id, segment } = run;
  const isRestored = run.segmentStartedAt < restoredAt;
  const needed = neededByRun(run);
  if (!isRestored && needed.length === 0) return [];
  const before = new Date(now.getTime() - graceMs).toISOString();
  if (!isRestored && (run.segmentStartedAt > before || meta.updatedAt > before)) return [];

  const found = isRestored ? restored : await describeExecutions(client, needed);
  const decided = verdictOn(found);
  if (decided.verdict === 'settle' && run.status !== 'failed') {
    const by = decided.ended.status as EndedBy;
    const at = { conversationId, runId: id, segment, ...(isActive(run.status) && { step: run.step }) };
    if (!dryRun) await settleExecution(table, registry, at, { by, reason: reasonOf({ ...decided.ended, by }) }, now);
    return [{ does: 'settle', conversationId, id, because: `its execution is ${by}` }];
  }
  if (decided.verdict === 'leave') return [];
  const to = await freeAfter(client, segment, (one) => ofRunIn(id, one));
  const renewal = { runId: id, from: segment, to, isRestored };
  if (!dryRun) await renewRun(table, registry.tools, conversationId, renewal, now);
  return [
    { does: 'renew', conversationId, id, because: isRestored ? 'the table was restored' : because(needed, found) },
  ];
}

async function reconcileTimer(context: Reconciling, conversationId: string, sk: string): Promise<Action[]> {
  const { client, table, registry, now, restoredAt, dryRun } = context;
  const timer = await readTimer(table, conversationId, sk.slice(key.timer('').length));
  if (timer?.status !== 'active') return [];
  const { id, segment, segmentStartedAt } = timer;
  const isRestored = segmentStartedAt < restoredAt;
  if (!isRestored && Date.parse(segmentStartedAt) > now.getTime() - graceMs) return [];
  const needed = neededByTimer(timer);
  const found = isRestored ? restored : await describeExecutions(client, needed);
  const decided = verdictOn(found);
  if (decided.verdict === 'leave') return [];
  if (decided.verdict === 'settle') {
    const by = decided.ended.status as EndedBy;
    const at = { conversationId, timerId: id, segment, at: timer.nextAt };
    if (!dryRun) await settleExecution(table, registry, at, { by, reason: reasonOf({ ...decided.ended, by }) }, now);
    return [{ does: 'settle', conversationId, id, because: `its execution is ${by}` }];
  }
  const to = await freeAfter(client, segment, (one) => ofTimerIn(id, one));
  if (!dryRun) await renewTimer(table, timer, to, now);
  const why = isRestored ? 'the table was restored' : because(needed, found);
  return [{ does: 'renew', conversationId, id, because: why }];
}

/** The executions for a row of a restored table: they may be ahead of it, so they count as lost. */
const restored: Found[] = [];

const describeExecutions = (client: SFNClient, named: Named[]): Promise<Found[]> =>
  Promise.all(named.map((one) => findExecution(client, one)));

const because = (needed: Named[], found: Found[]): string =>
  needed.map(({ name }, index) => `${name} is ${found[index]!.status}`).join(', ');

/**
 * Returns the first segment after this one that has no execution. A table that was restored does not know of its later ones, and a name
 * cannot be used again for 90 days.
 */
async function freeAfter(client: SFNClient, segment: number, names: (segment: number) => Named[]): Promise<number> {
  for (let to = segment + 1; ; to++) {
    const found = await describeExecutions(client, names(to));
    if (found.every(({ status }) => status === 'MISSING')) return to;
  }
}
