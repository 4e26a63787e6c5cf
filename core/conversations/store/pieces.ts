import { textOfPieces as textOf } from 'vigil-client/shared';
import { Piece } from '../../base/state/schemas';
import { ttlAfter } from '../../base/time/ttl';
import { key } from '../rows/keys';
import type { Draft } from '../rows/meta';
import { onlyReadable } from '../rows/readable';
import { overwrite, readRows, type Table } from './table';
import type { RowWrite } from './write';

/**
 * The text of a reply that is being written: rows that are added, so its cost grows with its length. The commit of the step, or the write
 * that cuts the reply off, stores the whole text in the message. DynamoDB then removes the pieces, at no cost.
 *
 * - Only the pieces of the attempt that the message names are read. Those of an attempt that has lost the step change nothing.
 * - A piece has one text, so writing it again changes nothing.
 * - What cuts the reply off puts an end after the last piece that it read. If a piece came first, that write fails and reads again. If
 *   the end came first, no piece follows it.
 */
const keptDays = 7;

/** @returns false if the reply was cut off. The caller then stops. */
export const addPiece = (table: Table, conversationId: string, piece: Piece, now: Date): Promise<boolean> =>
  overwrite(table, conversationId, {
    sk: key.piece(piece),
    put: { ...piece, ttl: ttlAfter(now, keptDays) },
    onlyIf: { end: null },
  });

/** Returns the text that an attempt has written so far. */
export const readText = async (table: Table, conversationId: string, of: { seq: number; attempt: number }) =>
  textOf(piecesIn(await readPieceRows(table, conversationId, of)));

/**
 * Ends the text of a draft.
 *
 * @returns the text, and the row that ends it, for the transaction that cuts the reply off.
 */
export async function endText(
  table: Table,
  conversationId: string,
  { seq, attempt }: Draft,
  now: Date,
): Promise<{ text: string; rows: RowWrite[] }> {
  const stored = await readPieceRows(table, conversationId, { seq, attempt });
  const text = textOf(piecesIn(stored));
  const sk = key.piece({ seq, attempt, from: text.length });
  const end: RowWrite = { sk, put: { end: true, ttl: ttlAfter(now, keptDays) }, onlyIf: 'absent' };
  return { text, rows: stored.some(isEnd) ? [] : [end] };
}

export const isEnd = (row: object): boolean => 'end' in row;

const piecesIn = (rows: object[]): Piece[] =>
  onlyReadable(
    Piece,
    rows.filter((row) => !isEnd(row)),
  );

const readPieceRows = (table: Table, conversationId: string, of: { seq: number; attempt: number }) =>
  readRows(table, conversationId, key.piecesOf(of), `${key.piecesOf(of)}~`);
