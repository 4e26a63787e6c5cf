import { setTimeout as sleep } from 'node:timers/promises';
import { type DynamoDBDocumentClient, QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Row } from '../../../core/conversations/check/check-rows';
import { key } from '../../../core/conversations/rows/keys';
import { openIndex } from '../../../core/conversations/rows/open-lists';

export interface Reading {
  client: DynamoDBDocumentClient;
  table: string;
  /** The number of rows of open conversations, and of other ones, to read at most; undefined for all. */
  sample?: number;
  /** The read units that may be consumed in a second, on average. */
  units: number;
}

/** What was read. */
export interface Read {
  rows: number;
  /** The conversations in which something is open, that were read. */
  open: number;
  /** Whether these are all. */
  isAllOpen: boolean;
  isWholeTable: boolean;
}

/** Parts of the table that are read side by side. */
const segments = 16;

/**
 * Reads rows: of a sample, first whole conversations in which something is open, then the first rows of each part of the table. It writes nothing,
 * and each read is eventually consistent, at half the price.
 *
 * @param reader returns what takes the rows of one part, those of a partition in the order of their keys.
 */
export async function readStored(reading: Reading, reader: () => (row: Row) => void): Promise<Read> {
  const { table: TableName, sample } = reading;
  const pages = paced(reading);
  const read: Read = { rows: 0, open: 0, isAllOpen: true, isWholeTable: true };
  const take = (rows: Record<string, unknown>[], to: (row: Row) => void): void => {
    for (const row of rows) {
      if (typeof row.pk !== 'string' || typeof row.sk !== 'string')
        throw new Error(`The table ${TableName} is none of Vigil: its rows have no keys \`pk\` and \`sk\`.`);
      read.rows += 1;
      to(row as Row);
    }
  };
  const seen = new Set<string>();
  if (sample !== undefined) {
    const to = reader();
    open: for await (const { Items = [] } of pages(scanOfOpen)) {
      for (const pk of new Set(Items.map((one) => String(one.pk)))) {
        if (seen.has(pk) || !pk.startsWith(key.conversation(''))) continue;
        if (read.rows >= sample) {
          read.isAllOpen = false;
          break open;
        }
        seen.add(pk);
        for await (const page of pages((at) => queryOf(pk, at))) take(page.Items ?? [], to);
      }
    }
    read.open = seen.size;
  }
  const share = sample === undefined ? Number.POSITIVE_INFINITY : Math.ceil(sample / segments);
  const readSegment = async (Segment: number): Promise<void> => {
    const to = reader();
    let rows = 0;
    const Limit = Math.min(share, 1_000);
    for await (const { Items = [], LastEvaluatedKey } of pages(
      (at) => new ScanCommand({ ...at, Segment, TotalSegments: segments, Limit }),
    )) {
      rows += Items.length;
      take(
        Items.filter(({ pk }) => !seen.has(String(pk))),
        to,
      );
      if (rows < share || !LastEvaluatedKey) continue;
      read.isWholeTable = false;
      break;
    }
  };
  await Promise.all(Array.from({ length: segments }, (_, segment) => readSegment(segment)));
  return read;
}

type From = { TableName: string; ReturnConsumedCapacity: 'TOTAL'; ExclusiveStartKey?: Record<string, unknown> };
type Page = { Items?: Record<string, unknown>[]; LastEvaluatedKey?: Record<string, unknown> };

const scanOfOpen = (at: From) =>
  new ScanCommand({ ...at, IndexName: openIndex, ProjectionExpression: 'pk', Limit: 1_000 });

const queryOf = (pk: string, at: From) =>
  new QueryCommand({
    ...at,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    Limit: 1_000,
  });

/** Returns a function that reads page after page. All pages together consume no more units in a second, on average, than allowed. */
function paced({ client, table: TableName, units }: Reading) {
  const begun = performance.now();
  let consumed = 0;
  return async function* pages(commandFrom: (at: From) => ScanCommand | QueryCommand): AsyncGenerator<Page> {
    let ExclusiveStartKey: Record<string, unknown> | undefined;
    do {
      const ahead = (consumed / units) * 1_000 - (performance.now() - begun);
      if (ahead > 0) await sleep(ahead);
      const command = commandFrom({ TableName, ReturnConsumedCapacity: 'TOTAL', ExclusiveStartKey });
      const page = await client.send(command as ScanCommand);
      consumed += page.ConsumedCapacity?.CapacityUnits ?? 0;
      ExclusiveStartKey = page.LastEvaluatedKey;
      yield page;
    } while (ExclusiveStartKey);
  };
}
