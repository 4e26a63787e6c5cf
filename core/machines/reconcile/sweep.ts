// core/machines/reconcile: what is started again when Step Functions has lost it, or the table was restored.

import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { key, prefix } from '../../conversations/rows/keys';
import { openIndex } from '../../conversations/rows/open-lists';
import { cursorOf, placeOf } from '../../conversations/store/cursor';
import { readItem, type Table, write } from '../../conversations/store/table';

/** The key of a row, and of its entry in the index. */
const Place = z.object({ pk: z.string(), sk: z.string(), openFor: z.string(), openSince: z.string() });

/** A row that is open, by its key. */
export type OpenRow = Pick<z.infer<typeof Place>, 'pk' | 'sk'>;

/**
 * Reads a part of the index of all that is open (`core/conversations/store/open.ts`): its cost grows with what is open, not with the table.
 *
 * @returns the conversations, timers, to-dos, unused files and conversations that are to be embedded of this part, and where the next part begins, if there is one.
 */
export async function readOpenRows(
  { client, name: TableName }: Table,
  cursor: string | undefined,
  limit: number,
): Promise<{ rows: OpenRow[]; cursor?: string }> {
  const scan = new ScanCommand({
    TableName,
    IndexName: openIndex,
    Limit: limit,
    ProjectionExpression: 'pk, sk',
    ExclusiveStartKey: cursor === undefined ? undefined : placeOf(Place, cursor, 'answer'),
  });
  const { Items = [], LastEvaluatedKey: last } = await client.send(scan);
  const rows = (Items as OpenRow[]).filter(({ sk }) => checked.some((beginning) => sk.startsWith(beginning)));
  return { rows, ...(last && { cursor: cursorOf(last) }) };
}

const checked = [prefix.meta, prefix.timer, prefix.todos, prefix.file, prefix.embedded];

const progress = { pk: key.own, sk: key.reconcile };

/** Returns where the last scheduled sweep stopped because its time was over. */
export async function readProgress(table: Table): Promise<string | undefined> {
  return ((await readItem(table, progress)) as { cursor?: string } | undefined)?.cursor;
}

/** The last write counts: two sweeps at once check some rows twice. */
export async function keepProgress(table: Table, cursor: string | undefined): Promise<void> {
  await write(table, '', [{ ...progress, put: { cursor } }]);
}
