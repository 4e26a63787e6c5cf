import { gunzipSync, gzipSync } from 'node:zlib';
import { cutResult } from '../json/plain-json';
import { key } from '../rows/keys';
import type { StoredCall } from '../rows/rows';
import { readRows, type Table } from '../store/table';
import type { RowWrite } from '../store/write';
import { clip } from '../text/clip';

/** A result up to this size is stored in the call's row. A DynamoDB item has at most 400 KB. */
const inlineBytes = 16_000;
const partBytes = 380_000;
const headCharacters = 2_000;

/**
 * Returns the fields and rows that store a tool's result as JSON. A small result goes into the call's row. A large one is
 * compressed into PART rows, and the call's row has its beginning for the page. A result over `maxBytes` is cut, with a note
 * for the model.
 */
export function storeResult(
  callId: string,
  result: unknown,
  maxBytes: number,
): { fields: { result: string; parts?: number }; rows: RowWrite[] } {
  const json = JSON.stringify(result ?? null);
  const bytes = Buffer.byteLength(json);
  if (bytes <= inlineBytes) return { fields: { result: json }, rows: [] };

  const whole = typeof result === 'string' ? result : json;
  const compressed = gzipSync(bytes <= maxBytes ? json : JSON.stringify(cutResult(whole, bytes, maxBytes)));
  const rows: RowWrite[] = [];
  for (let start = 0; start < compressed.length; start += partBytes) {
    const data = compressed.subarray(start, start + partBytes);
    rows.push({ sk: key.part(callId, rows.length), put: { data } });
  }
  return {
    fields: { result: JSON.stringify(clip(whole, { characters: headCharacters + 1 }, '…')), parts: rows.length },
    rows,
  };
}

/** Restores a result from its PART rows. */
export const joinParts = (parts: Uint8Array[]): unknown => JSON.parse(gunzipSync(Buffer.concat(parts)).toString());

/** Reads the full result of a call. */
export async function readResult(table: Table, conversationId: string, call: StoredCall): Promise<unknown> {
  if (!call.parts) return call.result;
  const rows = await readRows(table, conversationId, key.part(call.id, 0), key.part(call.id, call.parts - 1));
  return joinParts((rows as { data: Uint8Array }[]).map(({ data }) => data));
}
