import * as z from 'zod';
import { isActive, noUsage, RunStatus } from '../../base/state/schemas';
import { UnreadableRow } from '../../base/text/errors';
import { conversationIn } from './keys';
import { Meta } from './meta';
import { StoredCall, StoredCallback, StoredMessage, StoredTimer } from './rows';

/**
 * Rows that cannot be read, for those who show a conversation or end its run: what is valid in them stays, and `unreadable` names the first
 * field that is not. An optional field is left out, another one gets a value that says and allows nothing. Whoever decides or acts by a row
 * uses its schema, and stops at an unreadable one.
 */

type Row = Record<string, unknown>;

/** Stands for a time that no field of a row tells. */
export const epoch = new Date(0).toISOString();
const unknown = ['unknown'];
/** Rows without a valid place are the first ones. */
const noCall = { runId: '', step: 0, index: 0 };

/**
 * Returns the row as stored, with the fields that its schema takes.
 *
 * @param instead values for fields that are not valid. Other ones must be optional.
 */
function salvaged(schema: z.ZodObject, row: Row, instead: Row): Row & { unreadable?: string } {
  const kept: Row = { ...row };
  let first: string | undefined;
  for (const [field, type] of Object.entries(schema.shape)) {
    if ((type as z.ZodType).safeParse(row[field]).success) continue;
    first ??= field;
    if (Object.hasOwn(instead, field)) kept[field] = instead[field];
    else delete kept[field];
  }
  return first === undefined ? kept : { ...kept, unreadable: first };
}

/** Returns a parser that takes every row. Valid ones are parsed once. */
const taking =
  <Parsed>(schema: z.ZodType<Parsed>, whole: (row: Row) => Row) =>
  (row: object): Parsed => {
    const parsed = schema.safeParse(row);
    return parsed.success ? parsed.data : schema.parse(whole(row as Row));
  };

/** Returns the first of the row's fields that is a time: a row without one would seem to have lasted since 1970. */
const timeIn = (row: Row, ...fields: string[]): string =>
  fields.map((field) => z.iso.datetime().safeParse(row[field]).data).find((time) => time !== undefined) ?? epoch;

const idIn = ({ sk }: Row): string => String(sk).slice(String(sk).indexOf('#') + 1);
const seqIn = (row: Row): number => Number.parseInt(idIn(row), 10) || 0;

/** Returns the step and the place that a call's id names. */
function placeIn(id: string): typeof noCall {
  const [, runId, step, index] = /^(.+)\.(\d{5})\.(\d{2,})/.exec(id) ?? [];
  return runId === undefined ? noCall : { runId, step: Number(step), index: Number(index) };
}

/** A message as stored. Its words are no longer certainly its user's. */
export const salvagedMessage = (row: Row): Row => ({
  ...salvaged(StoredMessage, row, {
    ...{ seq: seqIn(row), version: 0, role: 'system', author: 'vigil', text: '', status: 'complete' },
    ...{ createdAt: timeIn(row, 'completedAt'), sources: unknown, recalledSources: unknown },
    hostedSources: unknown,
  }),
  sources: unknown,
});

const lost = (field: string | undefined): string =>
  `The record of this call cannot be read (its field ${field} is not valid), so whether it took effect is unknown. Do not repeat it.`;

/** A call as stored. It counts as one whose outcome is unknown, and that nothing can undo. */
export function salvagedCall(row: Row): Row {
  const id = idIn(row);
  const kept = salvaged(StoredCall, row, {
    ...{ id, version: 0, ...placeIn(id), tool: 'unknown', arguments: '{}', attempts: 0, user: '', modelCallId: id },
    ...{ agent: '', createdAt: timeIn(row, 'startedAt', 'completedAt'), after: unknown },
  });
  const { result: _, parts: __, ...rest } = kept;
  const error = lost(kept.unreadable);
  return { ...rest, status: 'unknown', error, undoError: 'Its record cannot be read.', sources: unknown };
}

/** A callback as stored. Nobody can answer it. */
function salvagedCallback(row: Row): Row {
  const id = idIn(row);
  const kept = salvaged(StoredCallback, row, {
    ...{ id, version: 0, runId: placeIn(id).runId, kind: 'question', prompt: '', status: 'cancelled' },
    ...{ expiresAt: timeIn(row, 'closedAt', 'createdAt'), sources: unknown },
  });
  return kept.status === 'pending' ? { ...kept, status: 'cancelled' } : kept;
}

const salvagedTimer = (row: Row): Row =>
  salvaged(StoredTimer, row, {
    ...{ id: idIn(row), version: 0, kind: 'once', status: 'cancelled', fired: 0 },
    ...{ nextAt: timeIn(row, 'createdAt'), createdAt: timeIn(row, 'segmentStartedAt', 'nextAt') },
    ...{ conversationId: conversationIn(String(row.pk)), callId: idIn(row), author: '', user: '', segment: 1 },
    ...{ segmentStartedAt: timeIn(row, 'createdAt', 'nextAt'), segmentFired: 0, sources: unknown },
  });

/**
 * META as stored. A run that was active has failed, because nothing can carry it on: its functions stop at this row. Without a valid owner
 * it is nobody's.
 */
function salvagedMeta(row: Row): Row {
  const valid = <Value>(schema: z.ZodType<Value>, value: unknown): Value | undefined => schema.safeParse(value).data;
  const updatedAt = timeIn(row, 'updatedAt', 'createdAt');
  const agent = valid(z.string(), row.agent) ?? valid(z.string(), row.entry) ?? 'unknown';
  const run = row.run === undefined ? undefined : (valid(z.record(z.string(), z.unknown()), row.run) ?? {});
  const status = valid(RunStatus, run?.status) ?? valid(RunStatus, row.status) ?? 'failed';
  const kept = salvaged(Meta.omit({ run: true }), row, {
    ...{ conversationId: conversationIn(String(row.pk)), version: 0, title: '', agent, entry: agent },
    ...{ status: run ? status : 'idle', createdAt: updatedAt, updatedAt },
    ...{ lastSeq: 0, lastUserSeq: 0, pending: [], earlierUsage: noUsage, owner: undefined, deletedFor: '' },
  });
  const keptRun =
    run &&
    salvaged(Meta.shape.run.unwrap(), run, {
      ...{ id: '', status, agent, segment: lastSegment, step: 0, usage: noUsage, segmentStartedAt: updatedAt },
      ...{ startedAt: updatedAt, lastRead: { seq: 0, step: 0 }, segmentEvents: 0, sources: unknown },
    });
  const field = keptRun?.unreadable ? `run.${keptRun.unreadable}` : kept.unreadable;
  const { unreadable: _, ...fields } = keptRun ?? {};
  const unreadable = field ?? 'row';
  if (!keptRun) return { ...kept, unreadable };
  if (!isActive(status)) return { ...kept, run: fields, unreadable };
  const reason = `The record of this conversation cannot be read: its field ${unreadable} is not valid.`;
  const failed = { ...fields, status: 'failed', reason, until: undefined, draft: undefined };
  return { ...kept, status: 'failed', until: undefined, outbox: 'stop', run: failed, unreadable };
}

/** Later than every segment of a run whose own is not known, so that no execution has its name. */
const lastSegment = 1_000_000;

export const readableMessage = taking(StoredMessage, salvagedMessage);
export const readableCall = taking(StoredCall, salvagedCall);
export const readableCallback = taking(StoredCallback, salvagedCallback);
export const readableTimer = taking(StoredTimer, salvagedTimer);
export const readableMeta = taking(Meta, salvagedMeta);

/**
 * Returns what a schema whose fields are all optional takes of a row.
 *
 * @param instead values for fields that are not valid.
 */
export const readableFields = <Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  row: object = {},
  instead: Row = {},
): z.infer<z.ZodObject<Shape>> => schema.parse(salvaged(schema, row as Row, instead));

/** Returns a count of a row, to which numbers are only added; 0 if it is none. */
export const readableCount = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : 0;

/** Returns the rows that their schema takes, for lists in which nothing is said about the others. */
export const onlyReadable = <Parsed>(schema: z.ZodType<Parsed>, rows: readonly object[]): Parsed[] =>
  rows.flatMap((row) => {
    const { success, data } = schema.safeParse(row);
    return success ? [data] : [];
  });

/** Answers undefined instead of an UnreadableRow, for lists and notices that leave such a row out. */
export async function unlessUnreadable<Value>(read: Promise<Value>): Promise<Value | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof UnreadableRow) return undefined;
    throw error;
  }
}
