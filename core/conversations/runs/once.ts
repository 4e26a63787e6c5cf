import { createHash } from 'node:crypto';
import { WrongState } from '../../base/text/errors';
import { key } from '../rows/keys';
import { readRow, type Table } from '../store/table';
import type { RowWrite } from '../store/write';

/** What a client sends under an id of its choice, so that a request that is repeated takes effect once. */
export interface SentOnce {
  /** Who sends it. Each sender has ids apart from those of others. */
  by: string;
  /** The client's id. */
  id: string;
  /** What is sent, as JSON. The same id with other content is refused. */
  content: unknown;
}

/** DynamoDB deletes the row that recognizes a repeated request after a month. */
const ttlOf = (now: Date): number => Math.floor(now.getTime() / 1_000) + 30 * 86_400;

const digestOf = ({ content }: SentOnce): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url');

/** Returns the key of the row that only the first request with this id can write. */
export const keyOfSent = ({ by, id }: SentOnce): string => key.sent(by, id);

/** Returns the row of the first request, which names the message that it has stored. */
export const sentRow = (sent: SentOnce, seq: number, now: Date): RowWrite => ({
  sk: keyOfSent(sent),
  put: { seq, digest: digestOf(sent), ttl: ttlOf(now) },
  onlyIf: 'absent',
});

/**
 * Returns the number of the message that the first request with this id has stored; undefined if there was none.
 *
 * @throws WrongState if that request had other content.
 */
export async function readSent(table: Table, conversationId: string, sent: SentOnce): Promise<number | undefined> {
  const row = (await readRow(table, conversationId, keyOfSent(sent))) as { seq: number; digest: string } | undefined;
  if (row && row.digest !== digestOf(sent))
    throw new WrongState(`You have sent something else with the clientMessageId ${sent.id}: use a new one.`);
  return row?.seq;
}

/** Who is not in the conversation any more, or may not do this, learns nothing of what they have sent. */
const isForStrangers = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NotFound' || error.name === 'NotAllowed');

/**
 * Returns what the first request stored, after this one has failed: a client repeats a request whose response was lost, and whatever has changed
 * since then refuses nothing.
 *
 * @throws the error, if there was no such request.
 */
export async function seqOfRepeated(
  table: Table,
  conversationId: string,
  once: SentOnce | undefined,
  error: unknown,
): Promise<number> {
  if (!once || isForStrangers(error)) throw error;
  const seq = await readSent(table, conversationId, once);
  if (seq === undefined) throw error;
  return seq;
}
