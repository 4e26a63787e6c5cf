import { gunzipSync, gzipSync } from 'node:zlib';
import { cutResult } from '../../base/json/plain-json';
import { clip } from '../../base/text/clip';
import { newWriterId } from '../../base/text/ids';
import { key } from '../rows/keys';
import type { StoredCall } from '../rows/rows';
import { readRows, type Table } from '../store/table';
import type { SingleWrite } from '../store/write';

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
): { fields: { result: string; parts?: number; partsBy?: string }; rows: SingleWrite[] } {
  const json = JSON.stringify(result ?? null);
  const bytes = Buffer.byteLength(json);
  if (bytes <= inlineBytes) return { fields: { result: json }, rows: [] };

  const whole = typeof result === 'string' ? result : json;
  const writer = newWriterId();
  const compressed = gzipSync(bytes <= maxBytes ? json : JSON.stringify(cutResult(whole, bytes, maxBytes)));
  const rows: SingleWrite[] = [];
  for (let start = 0; start < compressed.length; start += partBytes) {
    const data = compressed.subarray(start, start + partBytes);
    rows.push({ sk: key.part(callId, writer, rows.length), put: { data } });
  }
  return {
    fields: {
      result: JSON.stringify(clip(whole, { characters: headCharacters + 1 }, '…')),
      parts: rows.length,
      partsBy: writer,
    },
    rows,
  };
}

/** A PART row, as it is read. */
export interface PartRow {
  sk: string;
  data: Uint8Array;
}

/** Returns the keys of the rows that have a call's result; none if its own row has it. */
const partKeys = ({ id, parts = 0, partsBy = '' }: StoredCall): string[] =>
  Array.from({ length: parts }, (_, part) => key.part(id, partsBy, part));

/** Returns the full result of a call, given the PART rows of at least this call. */
function wholeResult(call: StoredCall, rows: ReadonlyMap<string, Uint8Array>): unknown {
  if (!call.parts) return call.result;
  return JSON.parse(gunzipSync(Buffer.concat(partKeys(call).map((sk) => rows.get(sk)!))).toString());
}

/** Returns the full result; undefined if its rows cannot be restored. */
export function shownResult(call: StoredCall, rows: ReadonlyMap<string, Uint8Array>): unknown {
  try {
    return wholeResult(call, rows);
  } catch {
    return undefined;
  }
}

/** Reads the full result of a call. */
export async function readResult(table: Table, conversationId: string, call: StoredCall): Promise<unknown> {
  const keys = partKeys(call);
  const rows = keys.length === 0 ? [] : await readRows(table, conversationId, keys[0]!, keys.at(-1)!);
  return wholeResult(call, partsByKey(rows));
}

export const partsByKey = (rows: object[]): Map<string, Uint8Array> =>
  new Map((rows as PartRow[]).map(({ sk, data }) => [sk, data]));
