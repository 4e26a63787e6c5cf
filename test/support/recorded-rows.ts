import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

/** The folder of the recorded rows of earlier versions, by their dates (`record-rows.ts`). */
export const recordedRows = join(__dirname, '../recorded-rows');

/** A row as DynamoDB sends it in JSON, with bytes in Base64. */
export type WireRow = Record<string, unknown>;

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array;

export const wireOf = (row: Record<string, AttributeValue>): WireRow =>
  JSON.parse(
    JSON.stringify(row, (_, value) =>
      typeof value === 'object' && value !== null && isBytes(value.B)
        ? { B: Buffer.from(value.B).toString('base64') }
        : value,
    ),
  );

const rowOf = (row: WireRow): Record<string, unknown> =>
  unmarshall(
    JSON.parse(JSON.stringify(row), (_, value) =>
      typeof value?.B === 'string' ? { B: new Uint8Array(Buffer.from(value.B, 'base64')) } : value,
    ),
  );

/** Returns the rows of each recorded version. */
export const recordings = (): { version: string; rows: Record<string, unknown>[] }[] =>
  readdirSync(recordedRows)
    .sort()
    .map((file) => {
      const { commit, rows } = JSON.parse(readFileSync(join(recordedRows, file), 'utf8')) as {
        commit: string;
        rows: WireRow[];
      };
      return { version: `${file.replace('.json', '')} (${commit})`, rows: rows.map(rowOf) };
    });
