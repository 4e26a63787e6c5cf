import type { SFNClient } from '@aws-sdk/client-sfn';
import type { Registry } from '../core/conversations/agent/registry';
import { endDeleted, isToSweep, sweepDeleted } from '../core/conversations/conversation/delete';
import { key } from '../core/conversations/rows/keys';
import { parsedAs } from '../core/conversations/rows/readable';
import { StoredCallback, StoredTimer } from '../core/conversations/rows/rows';
import { readMeta, readRow, readShownMeta, type Table } from '../core/conversations/store/table';
import { type CancelElsewhere, driveCallback, driveRun, driveTimer } from './executions';

/** Does what a row's outbox says. The row is read again, because the stream's image may be stale. */
export async function driveRow(
  client: SFNClient,
  table: Table,
  registry: Registry,
  conversationId: string,
  sk: string,
  cancelElsewhere: CancelElsewhere,
): Promise<void> {
  if (sk === key.meta) {
    const found = await readShownMeta(table, conversationId);
    if (found && isToSweep(found)) return sweep(client, table, registry, conversationId);
    const meta = await readMeta(table, conversationId);
    if (meta) await driveRun(client, table, registry, meta);
    return;
  }
  const row = await readRow(table, conversationId, sk);
  if (!row) return;
  if (sk.startsWith(key.timer(''))) return driveTimer(client, table, parsedAs(StoredTimer, row));
  await driveCallback(client, table, registry, conversationId, parsedAs(StoredCallback, row), cancelElsewhere);
}

/** Ends and removes what a deleted conversation has. Its timers have outboxes of their own. */
async function sweep(client: SFNClient, table: Table, registry: Registry, conversationId: string): Promise<void> {
  const now = new Date();
  await driveRun(client, table, registry, await endDeleted(table, registry.tools, conversationId, now));
  await sweepDeleted(table, conversationId, now);
}
