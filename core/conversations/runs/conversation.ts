import type { Claims, Metadata } from '../../base/state/given';
import { noUsage } from '../../base/state/schemas';
import type { TraceContext } from '../../base/state/trace';
import type { Counts } from '../../base/state/user-limits';
import { InvalidInput } from '../../base/text/errors';
import { type Locale, localeOf } from '../../base/time/time-zone';
import { type ArrangedTimer, putArranged } from '../calls/timer';
import type { Child } from '../decisions/judge';
import { attachFiles, type SentPart } from '../files/references';
import { readMetaFor } from '../members/role';
import { key, prefix } from '../rows/keys';
import { type Meta, metaRow, withGivenRow } from '../rows/meta';
import { noConversation, todosOf } from '../store/change-conversation';
import { countChange, countRow, refusedBy } from '../store/counts';
import { retryOnConflict } from '../store/retry-on-conflict';
import { RowConflict, readKind, readRow, type Table, write } from '../store/table';
import type { RowWrite } from '../store/write';
import { append, contentOf, titleOf } from './append';
import { readSent } from './once';
import { movedTo, readSettings } from './user-settings';

export interface NewConversation {
  id: string;
  user: string;
  agent: string;
  text?: string;
  /** The parts of the first message, if there are others than one text. */
  parts?: SentPart[];
  clientMessageId?: string;
  /** The user's locale. By default, what their settings say. */
  locale?: Locale;
  /** The claims of the user's token that the deployment keeps. */
  claims?: Claims;
  metadata?: Metadata;
  /** The machine that acts for the user. Its id is the author of the text. */
  startedBy?: string;
  /** The trace context of the request. */
  caller?: TraceContext;
  /** By default, the beginning of the text. */
  title?: string;
  /** A timer that begins with the conversation. */
  arranged?: ArrangedTimer;
  /** Other rows of the same transaction. Their conditions are the caller's: a RowConflict names the row. */
  rows?: RowWrite[];
}

/**
 * Creates a conversation and, if there is a text, starts its first run. If the id exists, it returns the existing conversation
 * and starts nothing.
 *
 * @param atMost limits of the user's counts.
 * @throws NotFound if the id belongs to another user, or a machine names a conversation that it has not started.
 * @throws InvalidInput if versions of a deleted conversation with this id are left.
 * @throws WrongState if the conversation has another message with this `clientMessageId`.
 * @throws LimitReached if the user has too many conversations or active runs.
 */
export function createConversation(
  table: Table,
  wanted: NewConversation,
  now: Date,
  atMost?: Partial<Counts>,
): Promise<{ meta: Meta; created: boolean }> {
  return retryOnConflict('The files of the message keep changing.', () =>
    create(table, wanted, now, atMost).catch((error: Error) => {
      if (wanted.parts && error instanceof RowConflict && error.sk.startsWith(prefix.file)) return undefined;
      throw error;
    }),
  );
}

async function create(
  table: Table,
  wanted: NewConversation,
  now: Date,
  atMost?: Partial<Counts>,
): Promise<{ meta: Meta; created: boolean }> {
  const { id, user, agent, text, clientMessageId, locale = {}, claims, metadata, startedBy, arranged } = wanted;
  const [settings] = await Promise.all([readSettings(table, user), checkUnused(table, id)]);
  const { parts, rows: references } = await attachFiles(table, user, id, wanted.parts ?? []);
  const { meta: empty, rows: changed } = movedTo(
    {
      ...emptyMeta({ id, user, agent, now }),
      ...settings,
      title: titleOf(wanted.title ?? text),
      claims,
      metadata,
      startedBy,
    },
    locale,
  );
  const author = startedBy ?? user;
  const once =
    clientMessageId === undefined ? undefined : { by: author, id: clientMessageId, content: contentOf(wanted) };
  const said = { role: 'user' as const, author, text: text ?? '', clientMessageId, once };
  const content = { ...said, ...(wanted.parts && { parts }), caller: wanted.caller };
  const first = text === undefined ? { meta: empty, rows: [] } : append(empty, content, now);
  const counts = countChange(undefined, first.meta, atMost);
  const rows: RowWrite[] = [
    ...newMetaRows(first.meta),
    ...first.rows,
    ...changed,
    ...references,
    ...(wanted.rows ?? []),
    ...counts,
  ];
  if (arranged)
    rows.push(...putArranged({ conversationId: id, user }, arranged, now), countRow(user, { timers: 1 }, atMost));
  try {
    if (await write(table, id, rows)) return { meta: first.meta, created: true };
  } catch (error) {
    throw error instanceof RowConflict && error.sk === key.counts ? await refusedBy(table, rows) : error;
  }
  const existing = await readMetaFor(table, id, user, 'owner');
  if (startedBy && existing.startedBy !== startedBy) throw noConversation(id);
  if (once) await readSent(table, id, once);
  return { meta: existing, created: false };
}

/**
 * An id is free again when nothing points to it: versions of a deleted conversation keep their rows in its partition.
 *
 * @throws InvalidInput if there are such versions, and no such conversation.
 */
export async function checkUnused(table: Table, id: string): Promise<void> {
  const versions = await readKind(table, id, 'branch');
  if (versions.length === 0 || (await readRow(table, id, key.meta))) return;
  throw new InvalidInput('id', 'a deleted conversation had it, of which there are versions; use another one');
}

/** Returns the rows of a sub-agent's conversation, whose first run begins with the task. */
export function childRows(
  parent: Meta,
  { conversationId, callbackId, agent, task, sources, caller }: Child & { caller?: TraceContext },
  from: string,
  now: Date,
  atMost?: Partial<Counts>,
): RowWrite[] {
  const empty: Meta = {
    ...emptyMeta({ id: conversationId, user: parent.owner, agent, now }),
    title: titleOf(task),
    ...localeOf(parent),
    claims: parent.run?.claims,
    metadata: parent.metadata,
    parentId: parent.conversationId,
    parent: {
      conversationId: parent.conversationId,
      callbackId,
      depth: (parent.parent?.depth ?? 0) + 1,
    },
  };
  const { meta, rows } = append(empty, { role: 'user', author: from, text: task, sources, caller }, now);
  const own = [...newMetaRows(meta), ...rows].map(
    (row): RowWrite => ({ ...row, pk: key.conversation(conversationId) }),
  );
  return [...own, ...countChange(undefined, meta, atMost)];
}

/** The first row comes first in a transaction: its condition fails if the conversation exists. */
function newMetaRows(whole: Meta): RowWrite[] {
  const { meta, rows } = withGivenRow(whole);
  return [{ sk: key.meta, put: metaRow(meta), onlyIf: 'absent' }, ...rows, ...todosOf(meta)];
}

/** Returns META of a conversation without messages. */
export function emptyMeta({ id, user, agent, now }: { id: string; user: string; agent: string; now: Date }): Meta {
  const at = now.toISOString();
  return {
    conversationId: id,
    version: 1,
    owner: user,
    title: '',
    agent,
    entry: agent,
    status: 'idle',
    createdAt: at,
    updatedAt: at,
    lastSeq: 0,
    lastUserSeq: 0,
    pending: [],
    runs: 0,
    counted: true,
    earlierUsage: noUsage,
  };
}
