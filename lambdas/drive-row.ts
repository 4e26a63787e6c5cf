import type { SFNClient } from '@aws-sdk/client-sfn';
import type { Registry } from '../core/agent/registry';
import { key } from '../core/rows/keys';
import { StoredCallback, StoredTimer } from '../core/rows/rows';
import { readMeta, readRow, type Table } from '../core/store/table';
import { driveCallback, driveRun, driveTimer } from './executions';

/** Does what a row's outbox says. The row is read again, because the stream's image may be stale. */
export async function driveRow(
  client: SFNClient,
  table: Table,
  registry: Registry,
  conversationId: string,
  sk: string,
): Promise<void> {
  if (sk === key.meta) {
    const meta = await readMeta(table, conversationId);
    if (meta) await driveRun(client, table, registry, meta);
    return;
  }
  const row = await readRow(table, conversationId, sk);
  if (!row) return;
  if (sk.startsWith(key.timer(''))) return driveTimer(client, StoredTimer.parse(row));
  await driveCallback(client, table, registry, conversationId, StoredCallback.parse(row));
}
