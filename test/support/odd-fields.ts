import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../core/conversations/store/table';

const oddities = [null, '', 'x', -1, 1.5, true, [], ['x'], [null], {}, { x: 1 }, '9'.repeat(400)];

/** Stores the row, and then each of its fields with odd values, and reads it. @throws Error that names the field, if the reader fails. */
export async function readWithOddFields(
  table: Table,
  row: Record<string, unknown>,
  read: () => Promise<unknown>,
): Promise<void> {
  const put = (Item: Record<string, unknown>) => table.client.send(new PutCommand({ TableName: table.name, Item }));
  await put(row);
  await read();
  for (const field of Object.keys(row).filter((name) => name !== 'pk' && name !== 'sk'))
    for (const odd of oddities) {
      await put({ ...row, [field]: odd });
      await read().catch((error: Error) => {
        throw new Error(`${field} = ${JSON.stringify(odd)}: ${error.message}`);
      });
    }
}
