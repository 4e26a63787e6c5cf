// core/conversations/check: what stored rows mean to other code, for `vigil check`.

import type { NewerRow, UnreadableRow } from '../../base/text/errors';
import { inThisFormat } from '../rows/formats';
import { conversationIn, key, type RowKind } from '../rows/keys';
import { kindOf } from '../rows/kinds';
import { parsedAs } from '../rows/readable';
import type { StoredCall } from '../rows/rows';
import type { Finding, NewCode, Said } from './finding';
import { usesOf } from './uses';

export type Row = Record<string, unknown> & { pk: string; sk: string };

/** Returns what becomes of a row; undefined if it is a tool's own, which only the tool can read. */
type RowCheck = (row: Row) => Finding[] | undefined;

/**
 * Creates a check of rows against the code that is to be deployed. The rows of a partition come in the order of their keys, so that the calls
 * of a conversation are known when its META comes.
 */
export function rowCheck(code: NewCode, now: Date): RowCheck {
  let partition = '';
  let calls: StoredCall[] = [];
  return (row) => {
    const kind = kindOf(row.pk, row.sk);
    if (!kind) return undefined;
    if (row.pk !== partition) [partition, calls] = [row.pk, []];
    const { name } = kind;
    const at = row.pk.startsWith(key.conversation('')) ? { conversationId: conversationIn(row.pk) } : {};
    const found = (said: Said): Finding => ({ ...at, ...said, kind: name });
    // It is deleted, or soon expires.
    if (typeof row.ttl === 'number' && (kind.expires !== 'by itself' || row.ttl * 1_000 <= now.getTime())) return [];
    const id = named.has(name) ? { id: row.sk.slice(kind.prefix.length) } : {};
    let read: unknown;
    try {
      read = parsedAs(kind.schema, inThisFormat(row));
    } catch (error) {
      return [found({ ...unread(error), ...id })];
    }
    if (name === 'call') calls.push(withoutContent(read as StoredCall));
    const said = isOfKernel(name)
      ? usesOf[name](read as never, { code, now, calls })
      : (kind.uses?.(read as never, code) ?? []);
    return said.map((one) => found({ ...id, ...one }));
  };
}

const isOfKernel = (name: string): name is RowKind => Object.hasOwn(usesOf, name);

/** The kinds whose keys have an id that Vigil has made. Other keys may have a user's id, or words of a client. */
const named = new Set(['message', 'call', 'callback', 'timer', 'standing', 'memory']);

/** @throws the error, if it is none of a row. */
function unread(error: unknown): Said {
  const { name } = error as Error;
  if (name === 'NewerRow') {
    const { format } = error as NewerRow;
    return {
      verdict: 'breaks',
      field: 'format',
      happens: `what needs the row stops: a later version of Vigil has written it, in the format ${format}`,
      todo: 'deploy that version, or a later one',
    };
  }
  if (name !== 'UnreadableRow') throw error;
  return {
    verdict: 'breaks',
    field: (error as UnreadableRow).field,
    happens: 'what needs the row stops: this version of Vigil cannot read the field',
    todo: 'stay with the version that has written it; if that cannot read it either, delete the conversation',
  };
}

/** A conversation may have thousands of calls, of which only META's check needs some fields. */
const withoutContent = ({ result: _, opaque: __, given: ___, answers: ____, ...call }: StoredCall): StoredCall => call;
