import * as z from 'zod';
import { isJsonObject } from '../../base/json/json-object';
import { noUsage, RunStatus, type UnreadablePart } from '../../base/state/schemas';
import { NewerRow, UnreadableRow } from '../../base/text/errors';
import { isOfLaterVersion, newerRow } from './formats';
import { conversationIn } from './keys';
import { schemaOf } from './kinds';
import { Meta } from './meta';

/**
 * The rule for a row that cannot be read, because a field is odd or a later version has written it: it is shown as such where its reader
 * is its owner, is left out of every list of many owners, never keeps its run from being cancelled, deleted or rolled back, and never
 * holds back a record of another conversation.
 *
 * So who acts by one row reads it by `parsedAs`, which stops at an odd one; who reads many takes them from `readEach`, which sorts out the
 * odd ones; and a change that ends a run leaves them as they are (`ends` of `changeConversation`).
 */

type Row = Record<string, unknown>;

/** Parses a row. @throws UnreadableRow, NewerRow */
export function parsedAs<Parsed>(schema: z.ZodType<Parsed>, row: object): Parsed {
  if (isOfLaterVersion(row as Row)) throw newerRow(row as Row);
  const parsed = schema.safeParse(row);
  if (parsed.success) return parsed.data;
  throw UnreadableRow.of(String((row as Row).sk ?? ''), parsed.error, 'read');
}

/** Reads each row, and says which cannot be read. */
export function readEach<Read>(
  rows: readonly object[],
  read: (row: object) => Read,
): { read: Read[]; unreadable: UnreadablePart[] } {
  const all: Read[] = [];
  const unreadable: UnreadablePart[] = [];
  for (const row of rows)
    try {
      all.push(read(row));
    } catch (error) {
      unreadable.push(partOf(error, row as Row));
    }
  return { read: all, unreadable };
}

/** Names what of a row cannot be read. @throws any other error. */
function partOf(error: unknown, { sk }: Row): UnreadablePart {
  if (error instanceof UnreadableRow) return { row: String(sk), field: error.field };
  if (error instanceof NewerRow) return { row: String(sk), field: 'format' };
  throw error;
}

/** Returns the rows that can be read. */
export const onlyReadable = <Parsed>(schema: z.ZodType<Parsed>, rows: readonly object[]): Parsed[] =>
  readEach(rows, (row) => parsedAs(schema, row)).read;

/** Returns a row that can be read, or undefined. */
export const ifReadable = <Parsed>(schema: z.ZodType<Parsed>, row: object | undefined): Parsed | undefined =>
  row && onlyReadable(schema, [row])[0];

/** @throws UnreadableRow, NewerRow if code of this version cannot read the row. */
export const throwIfUnreadable = (row: object): void =>
  void parsedAs(schemaOf(String((row as Row).pk), String((row as Row).sk)) ?? z.unknown(), row);

export const isReadable = (row: object): boolean => readEach([row], throwIfUnreadable).read.length > 0;

/**
 * Reads META for its owner's lists, and for what ends the conversation or its run: what is valid in it stays. Other fields are left out, or
 * get a value that allows nothing. A META of a later version is only shown.
 */
export function metaAtLeast(row: object): Meta {
  const { read, unreadable } = readEach([row], (one) => parsedAs(Meta, one));
  if (read[0]) return read[0];
  const stored = row as Row;
  const { updatedAt = new Date(0).toISOString() } = z.object({ updatedAt: z.iso.datetime() }).safeParse(row).data ?? {};
  const agent = [stored.agent, stored.entry].find((name) => typeof name === 'string') ?? 'unknown';
  const ofRun = stored.run as Row | undefined;
  const status = RunStatus.safeParse(ofRun?.status).data ?? 'failed';
  const run =
    ofRun &&
    lenient(Meta.shape.run.unwrap(), {
      id: '',
      status,
      agent,
      segment: lastSegment,
      step: 0,
      usage: noUsage,
      segmentStartedAt: updatedAt,
      startedAt: updatedAt,
      lastRead: { seq: 0, step: 0 },
      segmentEvents: 0,
      sources: ['unknown'],
    }).parse(isJsonObject(ofRun) ? ofRun : {});
  const kept = lenient(Meta.omit({ run: true }), {
    conversationId: conversationIn(String(stored.pk)),
    version: 0,
    title: '',
    agent,
    entry: agent,
    status: run?.status ?? 'idle',
    createdAt: updatedAt,
    updatedAt,
    owner: '',
    deletedFor: '',
    lastSeq: 0,
    lastUserSeq: 0,
    pending: [],
    earlierUsage: noUsage,
    runs: 0,
  }).parse(row) as Meta;
  return { ...kept, run: run as Meta['run'], unreadable };
}

/** Later than every segment of a run whose own is not known, so that no execution has its name. */
const lastSegment = 1_000_000;

/** Returns the schema with these values in place of what is odd; of a field without one, nothing. */
const lenient = (schema: z.ZodObject, instead: Row): z.ZodObject =>
  z.object(
    Object.fromEntries(
      Object.entries(schema.shape).map(([name, type]) => [name, (type as z.ZodType).catch(instead[name])]),
    ),
  );
