import * as z from 'zod';
import { Branch, Piece } from '../state/schemas';
import { UnreadableRow } from '../text/errors';
import { Locale } from '../time/time-zone';
import { key } from './keys';
import { StoredMeta } from './meta';
import { CallbackRow, Memory, StoredCall, StoredMessage, StoredNote, StoredTimer } from './rows';

/**
 * The kinds of rows, by the beginning of their partition and of their own key, with the schema that reads them. A write is checked by the
 * same schema, so what is stored can be read. Rows of other kinds are a tool's own, which checks them itself.
 */
interface Kind {
  partition: string;
  prefix: string;
  schema: z.ZodType;
}

const Ended = z.object({ end: z.literal(true) });

const kinds: Kind[] = [
  { partition: 'C#', prefix: key.meta, schema: StoredMeta },
  { partition: 'C#', prefix: key.messages, schema: StoredMessage },
  { partition: 'C#', prefix: key.call(''), schema: StoredCall },
  { partition: 'C#', prefix: key.callback(''), schema: CallbackRow },
  { partition: 'C#', prefix: key.timer(''), schema: StoredTimer },
  { partition: 'C#', prefix: key.pieces, schema: z.union([Ended, Piece]) },
  { partition: 'C#', prefix: 'PART#', schema: z.object({ data: z.instanceof(Uint8Array) }) },
  { partition: 'C#', prefix: 'NOTE#', schema: StoredNote },
  { partition: 'C#', prefix: key.sent(''), schema: z.object({ seq: z.number().int() }) },
  { partition: 'C#', prefix: key.branch(''), schema: Branch },
  { partition: 'U#', prefix: 'MEMORY#', schema: Memory },
  { partition: 'U#', prefix: key.settings, schema: Locale },
  { partition: 'V#', prefix: key.reconcile, schema: z.object({ cursor: z.string().optional() }) },
];

/** Parses a row. @throws UnreadableRow instead of the schema's own error. */
export function parsedAs<Row>(schema: z.ZodType<Row>, row: object): Row {
  const parsed = schema.safeParse(row);
  if (parsed.success) return parsed.data;
  throw unreadable(String((row as { sk?: unknown }).sk ?? ''), parsed.error);
}

/** Whether the schema of the row's kind takes it. */
export function isReadable(row: object): boolean {
  const { pk, sk } = row as { pk: string; sk: string };
  return kindOf(pk, sk)?.safeParse(row).success ?? true;
}

/** @throws UnreadableRow if the schema of the row's kind does not take it. */
export function throwIfUnreadable(row: object): void {
  const { pk, sk } = row as { pk: string; sk: string };
  const schema = kindOf(pk, sk);
  if (schema) parsedAs(schema, row);
}

const kindOf = (pk: string, sk: string): z.ZodType | undefined =>
  kinds.find((kind) => pk.startsWith(kind.partition) && sk.startsWith(kind.prefix))?.schema;

/** What a write stores, as far as a schema describes it. */
interface Stored {
  pk: string;
  sk: string;
  /** All fields of a row. */
  put?: object;
  /** Some fields of a row. */
  set?: Record<string, unknown>;
  remove?: readonly string[];
  add?: Record<string, number>;
}

/** @throws UnreadableRow if the row could not be read afterwards. */
export function assertReadable({ pk, sk, put, set = {}, remove = [], add = {} }: Stored): void {
  for (const [field, number] of Object.entries(add))
    if (!Number.isSafeInteger(number)) throw new UnreadableRow(sk, field, 'it is not a whole number', 'written');
  const schema = kindOf(pk, sk);
  if (!schema) return;
  if (put) {
    const { error } = schema.safeParse({ ...put, pk, sk });
    if (error) throw unreadable(sk, error, 'written');
  }
  if (!(schema instanceof z.ZodObject)) return;
  const check = (field: string, value: unknown) => {
    const { error } = (schema.shape[field] as z.ZodType | undefined)?.safeParse(value) ?? {};
    if (error) throw unreadable(sk, error, 'written', field);
  };
  for (const [field, value] of Object.entries(set)) if (value !== undefined) check(field, value);
  for (const field of remove) check(field, undefined);
}

function unreadable(sk: string, { issues }: z.ZodError, verb: 'read' | 'written' = 'read', field?: string) {
  const { path, message } = issues[0]!;
  // Deeper names may be a person's.
  const named = [...(field === undefined ? [] : [field]), ...path].slice(0, 3).join('.');
  return new UnreadableRow(sk, named || 'row', message, verb);
}
