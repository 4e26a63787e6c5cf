import { BatchWriteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../../core/conversations/store/table';

type Row = Record<string, unknown>;

/** Returns all rows of a table, in order, as a backup has them. */
export async function rowsOf({ client, name: TableName }: Table): Promise<Row[]> {
  const rows: Row[] = [];
  let ExclusiveStartKey: Row | undefined;
  do {
    const page = await client.send(new ScanCommand({ TableName, ConsistentRead: true, ExclusiveStartKey }));
    rows.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  const place = ({ pk, sk }: Row) => `${pk} ${sk}`;
  return rows.sort((a, b) => (place(a) < place(b) ? -1 : 1));
}

/** Replaces all rows of a table. */
export async function putBack(table: Table, rows: Row[]): Promise<void> {
  const kept = new Set(rows.map(({ pk, sk }) => `${pk} ${sk}`));
  const newer = (await rowsOf(table)).filter(({ pk, sk }) => !kept.has(`${pk} ${sk}`));
  const requests = [
    ...newer.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
    ...rows.map((Item) => ({ PutRequest: { Item } })),
  ];
  for (let start = 0; start < requests.length; start += 25)
    await table.client.send(
      new BatchWriteCommand({ RequestItems: { [table.name]: requests.slice(start, start + 25) } }),
    );
}
